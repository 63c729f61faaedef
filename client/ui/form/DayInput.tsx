/**
 * A day or an instant, typed in the user's format or picked from a calendar (its button, or
 * Alt+Down). The browser's own input follows the browser's language, and in American English the
 * month comes first. Used in forms and filters, so it does not depend on the form library.
 */
import { Button, PopoverNext } from '@blueprintjs/core'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { istDay } from '#shared/kernel/time.ts'
import { uiNow } from '#client/ui/value/clock.ts'
import { dayText, momentText, parseDay, parseMoment } from './day-text.ts'
import { isoOfIstInput, istInputOfIso } from './field-values.ts'

const Calendar = lazyPart(
  () => import('./Calendar.tsx').then((m) => ({ default: m.Calendar })),
  () => <div aria-busy="true" />,
)

interface DayInputProps {
  id?: string
  /** IST day `YYYY-MM-DD`, or an instant as ISO 8601 UTC. */
  value: unknown
  /** In the same form; null for empty, NaN for invalid text. */
  onChange: (value: string | number | null) => void
  min?: string | undefined
  max?: string | undefined
  onBlur?: () => void
  disabled?: boolean | undefined
  autoFocus?: boolean
  'aria-label'?: string
}

export function DayInput(props: DayInputProps): ReactNode {
  return (
    <CalendarInput
      {...props}
      text={dayText}
      parse={parseDay}
      dayOf={(value) => value}
      withDay={(_, day) => day}
    />
  )
}

/** Entered as India time. Picking a day keeps the time of the value, or uses the current time. */
export function MomentInput(props: DayInputProps): ReactNode {
  const withDay = (value: unknown, day: string): string => {
    const [, clock] = istInputOfIso(
      typeof value === 'string' ? value : new Date(uiNow()).toISOString(),
    ).split('T')
    return isoOfIstInput(`${day}T${clock}`) ?? day
  }
  return (
    <CalendarInput
      {...props}
      hasTime
      text={momentText}
      parse={parseMoment}
      dayOf={istDay}
      withDay={withDay}
    />
  )
}

/** A click that gave the focus would otherwise drop the selection again. */
const isWhole = ({ selectionStart, selectionEnd, value }: HTMLInputElement): boolean =>
  value !== '' && selectionStart === 0 && selectionEnd === value.length

interface Kind {
  text(value: unknown, language: string): string
  parse(text: string): string | null
  /** IST day of a value. */
  dayOf(value: string): string
  withDay(value: unknown, day: string): string
  hasTime?: boolean
}

function CalendarInput({
  value,
  onChange,
  onBlur,
  min,
  max,
  text,
  parse,
  dayOf,
  withDay,
  hasTime = false,
  ...props
}: DayInputProps & Kind): ReactNode {
  const t = useText('ui')
  const language = useLanguage()
  const [draft, setDraft] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const input = useRef<HTMLInputElement | null>(null)
  const isPicked = useRef(false)
  const stands = typeof value === 'string' && text(value, language) !== '' ? value : null
  const change = (typed: string): void => {
    setDraft(typed)
    onChange(typed.trim() === '' ? null : (parse(typed) ?? Number.NaN))
  }
  const pick = (day: string): void => {
    setOpen(false)
    setDraft(null)
    onChange(withDay(stands, day))
    isPicked.current = true
  }
  /** After it has closed: while it closes it still has the focus. */
  const goOn = (): void => {
    if (isPicked.current) input.current?.focus()
    isPicked.current = false
  }
  const openByKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' || !event.altKey) return
    event.preventDefault()
    setOpen(true)
  }
  return (
    <span className={`day-input${hasTime ? ' has-time' : ''}`}>
      <input
        className="bp6-input tabular"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        placeholder={t(hasTime ? 'calendar.momentForm' : 'calendar.dayForm')}
        aria-keyshortcuts="Alt+ArrowDown"
        {...props}
        ref={input}
        value={draft ?? text(value, language)}
        onChange={(event) => change(event.target.value)}
        onKeyDown={openByKey}
        // so that typing replaces the whole of it
        onFocus={(event) => event.target.select()}
        onMouseUp={(event) => isWhole(event.currentTarget) && event.preventDefault()}
        onBlur={() => {
          // Formatted on blur; text that cannot be read stays as typed.
          if (draft === null || draft.trim() === '' || parse(draft) !== null) setDraft(null)
          onBlur?.()
        }}
      />
      <PopoverNext
        isOpen={isOpen}
        onInteraction={setOpen}
        onClosed={goOn}
        placement="bottom-end"
        shouldReturnFocusOnClose
        disabled={props.disabled ?? false}
        content={
          <div className="calendar">
            <Calendar
              day={stands === null ? null : dayOf(stands)}
              today={istDay(uiNow())}
              min={min}
              max={max}
              onPick={pick}
            />
          </div>
        }
      >
        <Button
          variant="minimal"
          size="small"
          icon="calendar"
          tabIndex={-1}
          disabled={props.disabled ?? false}
          aria-label={t('calendar.pick')}
          title={t('calendar.pick')}
        />
      </PopoverNext>
    </span>
  )
}
