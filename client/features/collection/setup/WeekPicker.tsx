/** The week shown, as a button that opens a calendar; any day selects its week. */
import { lazyPart } from '#client/base/load-part.ts'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { Button, PopoverNext } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { addDays } from '#shared/kernel/time.ts'

const WeekCalendar = lazyPart(
  () => import('./WeekCalendar.tsx').then((m) => ({ default: m.WeekCalendar })),
  () => <div className="calendar" aria-busy="true" />,
)

/** @param week its Monday; @param today an IST day */
export function WeekPicker({
  week,
  today,
  disabled,
  onPick,
}: {
  week: string
  today: string
  disabled: boolean
  onPick: (monday: string) => void
}): ReactNode {
  const t = useText('collection')
  const language = useLanguage()
  const [isOpen, setIsOpen] = useState(false)
  const shown = t('setup.weekOf', {
    from: formatIst(week, 'day', language),
    to: formatIst(addDays(week, 6), 'day', language),
  })
  const pick = (monday: string): void => {
    setIsOpen(false)
    onPick(monday)
  }
  return (
    <PopoverNext
      isOpen={isOpen}
      onInteraction={setIsOpen}
      placement="bottom"
      shouldReturnFocusOnClose
      disabled={disabled}
      content={<WeekCalendar week={week} today={today} onPick={pick} />}
    >
      <Button
        variant="minimal"
        className="tabular duty-week"
        endIcon="calendar"
        disabled={disabled}
        aria-label={`${t('setup.pickWeek')}: ${shown}`}
        text={shown}
      />
    </PopoverNext>
  )
}
