/** A calendar in which any day selects its week. */
import { useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { Calendar } from '#client/ui/form/Calendar.tsx'
import { dayOfCalendar } from '#client/ui/form/day-text.ts'
import { mondayOf } from './duty-week.ts'

export function WeekCalendar({
  week,
  today,
  onPick,
}: {
  week: string
  today: string
  onPick: (monday: string) => void
}): ReactNode {
  const t = useText('collection')
  const marks = {
    modifiers: { week: (date: Date) => mondayOf(dayOfCalendar(date)) === week },
    modifiersClassNames: { week: 'is-week' },
  }
  return (
    <div className="calendar">
      <Calendar day={week} today={today} marks={marks} onPick={(day) => onPick(mondayOf(day))} />
      <Button
        fill
        variant="minimal"
        text={t('setup.thisWeek')}
        onClick={() => onPick(mondayOf(today))}
      />
    </div>
  )
}
