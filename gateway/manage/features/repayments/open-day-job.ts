import { sql } from 'kysely'
import { addDays, istClock, istDay } from '#shared/kernel/time.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { openDays, type WhenDayOpened } from './open-day.ts'

/**
 * Opens the IST day at collection.stageRunTime, and before it the days that were missed. It looks each minute: after a stop over
 * midnight, with a restored or an older book, the days are opened as soon as the console runs, in its background.
 */
export function openDay(whenDayOpened: readonly WhenDayOpened[]): ScheduledClass {
  return {
    name: 'openDay',
    cycle: 'every:60',
    async run(house) {
      const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(
        house.database.kysely,
      )
      const day = dayToOpen(
        (rows[0] as { now: string }).now,
        await house.parameters.text('collection.stageRunTime'),
      )
      const opened = await openDays(house, day, whenDayOpened)
      return opened
        .map(
          ({ day: one, orders, overdue, bad, fines }) =>
            `${one}: ${orders} loans, ${overdue} overdue, ${bad} bad debts, fines ${formatPaise(fines)}`,
        )
        .join('; ')
    },
  }
}

/** The newest IST day that has been begun: the one of the instant, before the run time the one before. @param runTime `HH:MM` IST */
export function dayToOpen(instant: string, runTime: string): string {
  const day = istDay(instant)
  return istClock(instant) < runTime ? addDays(day, -1) : day
}
