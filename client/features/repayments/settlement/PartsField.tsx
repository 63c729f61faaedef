/** The parts of a settlement plan, each with a day and an amount, and the amount left to assign. */
import { useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useRef, useState } from 'react'
import { DayInput } from '#client/ui/form/DayInput.tsx'
import { Field } from '#client/ui/form/Field.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { MoneyInput } from '#client/ui/form/MoneyInput.tsx'
import { splitEvenly } from '#shared/kernel/money.ts'
import { addDays } from '#shared/kernel/time.ts'
import {
  LONGEST_SETTLEMENT_DAYS,
  MOST_SETTLEMENT_ROWS,
  sumOfRows,
} from '#shared/repayments/settlement-plan.ts'

/** Raw input: a day may be empty, an amount null or unreadable. */
export interface Part {
  dueTime: string
  amount: number | null
}

/** Days between two proposed parts. */
export const PART_DAYS = 30

/** @param due paise to assign, null while not known @param today IST day */
export function PartsField({
  name,
  due,
  today,
}: {
  name: string
  due: number | null
  today: string
}): ReactNode {
  const t = useText('repayments')
  const add = useRef<HTMLButtonElement>(null)
  const [isNew, setNew] = useState(false)
  return (
    <Field name={name} label={t('cure.plan')} help={t('cure.help')}>
      {(control, props) => {
        const parts = control.value as readonly Part[]
        const left =
          due === null ? 0 : due - sumOfRows(parts.map(({ amount }) => ({ amount: whole(amount) })))
        const set = (at: number, change: Partial<Part>) =>
          control.onChange(parts.map((part, i) => (i === at ? { ...part, ...change } : part)))
        const append = () => {
          const last = parts.at(-1)?.dueTime ?? ''
          setNew(true)
          control.onChange([
            ...parts,
            {
              dueTime: addDays(last < today ? today : last, PART_DAYS),
              amount: left > 0 ? left : null,
            },
          ])
        }
        const remove = (at: number) => {
          control.onChange(parts.filter((_, i) => i !== at))
          add.current?.focus()
        }
        const split = () => {
          const even = splitEvenly(BigInt(due ?? 0), parts.length)
          control.onChange(parts.map((part, i) => ({ ...part, amount: Number(even[i]) })))
        }
        return (
          <div
            className="money-parts"
            role="group"
            aria-label={t('cure.plan')}
            onBlur={(event) =>
              void (event.currentTarget.contains(event.relatedTarget) || control.onBlur())
            }
          >
            <ol>
              {parts.map((part, at) => (
                // parts have no id, so their index is the key
                <li key={at}>
                  <span className="tabular" aria-hidden="true">
                    {at + 1}
                  </span>
                  <DayInput
                    {...(at === 0 ? props : {})}
                    autoFocus={isNew && at === parts.length - 1}
                    min={at === 0 ? today : (parts[at - 1]?.dueTime ?? today)}
                    max={addDays(today, LONGEST_SETTLEMENT_DAYS)}
                    aria-label={`${t('col.dueTime')} · ${t('cure.part', { n: at + 1 })}`}
                    value={part.dueTime}
                    onChange={(dueTime) =>
                      set(at, { dueTime: typeof dueTime === 'string' ? dueTime : '' })
                    }
                  />
                  <MoneyInput
                    aria-label={`${t('col.amount')} · ${t('cure.part', { n: at + 1 })}`}
                    value={part.amount}
                    onChange={(amount) => set(at, { amount })}
                  />
                  <Button
                    variant="minimal"
                    size="small"
                    icon="small-cross"
                    aria-label={t('cure.remove', { n: at + 1 })}
                    title={t('cure.remove', { n: at + 1 })}
                    disabled={parts.length === 1}
                    onClick={() => remove(at)}
                  />
                </li>
              ))}
            </ol>
            <div className="money-parts-end">
              <Button
                ref={add}
                size="small"
                icon="plus"
                variant="outlined"
                text={t('cure.add')}
                disabled={parts.length >= MOST_SETTLEMENT_ROWS}
                onClick={append}
              />
              {parts.length > 1 && (
                <Button
                  size="small"
                  variant="minimal"
                  text={t('cure.even')}
                  disabled={due === null}
                  onClick={split}
                />
              )}
              <p role="status" className={left === 0 ? undefined : 'is-warn'}>
                {due === null ? null : left === 0 ? (
                  t('cure.all')
                ) : (
                  <>
                    {t(left > 0 ? 'cure.left' : 'cure.over')}{' '}
                    <strong>
                      <Money paise={Math.abs(left)} />
                    </strong>
                  </>
                )}
              </p>
            </div>
          </div>
        )
      }}
    </Field>
  )
}

function whole(amount: number | null): number {
  return amount !== null && Number.isSafeInteger(amount) ? amount : 0
}
