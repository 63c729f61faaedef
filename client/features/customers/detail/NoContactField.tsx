/** Times without contact: days of the week with a start and an end time each. */
import { Button } from '@blueprintjs/core'
import { type ReactNode, useRef, useState } from 'react'
import { Field } from '#client/ui/form/Field.tsx'
import { MOST_SLOTS, type NoContactSlot, WEEKDAYS } from '#shared/customers/no-contact.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'

const NEW_SLOT: NoContactSlot = { days: [1, 2, 3, 4, 5], from: '', to: '' }

export function NoContactField({ name }: { name: string }): ReactNode {
  const t = useCustomerText()
  const add = useRef<HTMLButtonElement>(null)
  const [isNew, setNew] = useState(false)
  return (
    <Field name={name} label={t('edit.noContact')} help={t('edit.noContactHelp')}>
      {(control, props) => {
        const slots = control.value as readonly NoContactSlot[]
        const set = (at: number, change: Partial<NoContactSlot>) =>
          control.onChange(slots.map((slot, i) => (i === at ? { ...slot, ...change } : slot)))
        const toggle = (at: number, days: readonly number[], day: number) =>
          set(at, {
            days: days.includes(day)
              ? days.filter((one) => one !== day)
              : [...days, day].toSorted(),
          })
        const append = () => {
          setNew(true)
          control.onChange([...slots, NEW_SLOT])
        }
        const remove = (at: number) => {
          control.onChange(slots.filter((_, i) => i !== at))
          add.current?.focus()
        }
        return (
          <div
            className="customer-slots"
            role="group"
            aria-label={t('edit.noContact')}
            aria-describedby={props['aria-describedby']}
            onBlur={(event) =>
              void (event.currentTarget.contains(event.relatedTarget) || control.onBlur())
            }
          >
            <ol>
              {slots.map((slot, at) => (
                // slots have no id; the index identifies them
                <li key={at}>
                  <span
                    className="field-many"
                    role="group"
                    aria-label={t('edit.slotDays', { n: at + 1 })}
                  >
                    {WEEKDAYS.map((day) => (
                      <label key={day} className="check">
                        <input
                          type="checkbox"
                          checked={slot.days.includes(day)}
                          onChange={() => toggle(at, slot.days, day)}
                        />
                        {t(`collection:weekday.${day}`)}
                      </label>
                    ))}
                  </span>
                  <span className="customer-slot-clock">
                    <Clock
                      label={t('edit.slotFrom', { n: at + 1 })}
                      value={slot.from}
                      isFirst={isNew && at === slots.length - 1}
                      onChange={(from) => set(at, { from })}
                    />
                    –
                    <Clock
                      label={t('edit.slotTo', { n: at + 1 })}
                      value={slot.to}
                      onChange={(to) => set(at, { to })}
                    />
                    <span>IST</span>
                    <Button
                      variant="minimal"
                      size="small"
                      icon="small-cross"
                      aria-label={t('edit.slotRemove', { n: at + 1 })}
                      title={t('edit.slotRemove', { n: at + 1 })}
                      onClick={() => remove(at)}
                    />
                  </span>
                </li>
              ))}
            </ol>
            {/* the field's label would name it otherwise */}
            <Button
              id={props.id}
              ref={add}
              size="small"
              icon="plus"
              variant="outlined"
              aria-label={t('edit.slotAdd')}
              text={t('edit.slotAdd')}
              disabled={slots.length >= MOST_SLOTS}
              onClick={append}
            />
          </div>
        )
      }}
    </Field>
  )
}

/** A text field, as everywhere in the console: 24 hours in every language. */
function Clock({
  label,
  value,
  isFirst = false,
  onChange,
}: {
  label: string
  value: string
  isFirst?: boolean
  onChange: (value: string) => void
}): ReactNode {
  return (
    <input
      className="bp6-input tabular"
      type="text"
      placeholder="HH:MM"
      autoComplete="off"
      maxLength={5}
      autoFocus={isFirst}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
