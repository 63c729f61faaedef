/**
 * Who calls: one field for a phone, a name, an id or an order number. The person is shown with the
 * last digits and the open order before anything is saved.
 */
import { Button, Icon } from '@blueprintjs/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFormContext } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { orderNote, personNote, ticketsNote } from '#client/screen/search/person-words.ts'
import { useRecordSearch } from '#client/screen/search/use-record-search.ts'
import { Field } from '#client/ui/form/Field.tsx'
import type { FoundPerson } from '#shared/search/search-api.ts'
import './caller-field.css'

/** Digits of a whole id; a text with fewer may mean somebody else. */
const WHOLE = /\d{8,}/

/** @param given an id to look up at once, from an address */
export function CallerField({
  given,
  onPerson,
}: {
  given: string
  onPerson: (userId: string | null) => void
}): ReactNode {
  const t = useText('tickets', 'search')
  const { setFocus, setValue } = useFormContext()
  const [text, setText] = useState(given)
  const [chosen, setChosen] = useState<FoundPerson | null>(null)
  const [at, setAt] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const { found, isShort, hasFailed } = useRecordSearch(chosen === null ? text : '')
  const people = found?.people ?? []
  // a whole number means one person, so nothing is left to choose
  const isWhole = WHOLE.test(text.replaceAll(/\s/g, ''))
  const person = chosen ?? (people.length === 1 && isWhole ? people[0] : undefined)

  useEffect(() => {
    onPerson(person?.userId ?? null)
    setValue('userId', person?.userId ?? '', {
      shouldValidate: person !== undefined,
      shouldDirty: person !== undefined,
    })
    setValue('orderId', person?.openOrder?.orderId ?? '')
    // the field gives way to the card, and the clerk goes on
    if (person !== undefined) setFocus('type')
  }, [person, onPerson, setFocus, setValue])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || people.length === 0) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((now) => (now + step + people.length) % people.length)
    } else if (event.key === 'Enter' && !event.ctrlKey) {
      event.preventDefault()
      setChosen(people[at] ?? null)
    }
  }

  if (person !== undefined)
    return (
      <div className="caller-card" role="group" aria-label={t('form.caller')}>
        <Icon icon="phone" />
        <div>
          <strong>{person.name || person.userId}</strong>{' '}
          <span className="tabular">{person.phone}</span> · {person.appName}
          <br />
          <span className="caller-note">
            {[person.userId, orderNote(t, person), ticketsNote(t, person)]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </div>
        <Button
          variant="minimal"
          size="small"
          text={t('form.callerChange')}
          onClick={() => {
            // what is typed next belongs to the input, however soon it comes
            flushSync(() => {
              setChosen(null)
              setText('')
            })
            input.current?.focus()
          }}
        />
      </div>
    )
  const hint = hasFailed
    ? t('search:why.failed')
    : isShort
      ? t('search:why.short')
      : found
        ? people.length > 0
          ? found.morePeople && t('search:group.morePeople')
          : t(`search:why.${found.why ?? 'none'}`)
        : text.trim() !== '' && t('form.callerSearching')
  return (
    <Field name="userId" label={t('form.caller')}>
      {(_, props) => (
        <>
          <input
            {...props}
            ref={input}
            className="bp6-input"
            role="combobox"
            aria-expanded={people.length > 0}
            aria-controls={`${props.id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={people.length > 0 ? `${props.id}-${at}` : undefined}
            autoComplete="off"
            autoFocus
            spellCheck={false}
            maxLength={64}
            placeholder={t('form.callerHint')}
            value={text}
            onChange={(event) => {
              setAt(0)
              setText(event.target.value)
            }}
            onKeyDown={onKeyDown}
          />
          <div
            id={`${props.id}-list`}
            className="caller-list"
            role="listbox"
            aria-label={t('form.caller')}
            hidden={people.length === 0}
          >
            {people.map((one, i) => (
              <div
                key={one.userId}
                id={`${props.id}-${i}`}
                className="caller-option"
                role="option"
                aria-selected={i === at}
                onMouseMove={() => setAt(i)}
                // before the field loses the focus
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => setChosen(one)}
              >
                <span>{one.name || one.userId}</span>
                <span className="caller-note">{personNote(t, one)}</span>
              </div>
            ))}
          </div>
          {hint && (
            <p className="field-help" role="status">
              {hint}
            </p>
          )}
        </>
      )}
    </Field>
  )
}
