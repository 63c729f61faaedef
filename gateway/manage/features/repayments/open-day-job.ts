import { sql } from 'kysely'
import { addDays, istClock, istDay } from '#shared/kernel/time.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { openDays, type WhenDayOpened } from './open-day.ts'

/**
 * Opens the IST day at collection.stageRunTime, and missed days before it. The job checks each
 * minute: after a stop over midnight, or with a restored or older ledger, the days are opened in
 * the background as soon as the console runs.
 */
export function openDay(whenDayOpened: readonly WhenDayOpened[]): ScheduledClass {
  return {
    name: 'openDay',
    cycle: 'every:60',
    async run(context) {
      const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(
        context.database.kysely,
      )
      const day = dayToOpen(
        (rows[0] as { now: string }).now,
        await context.parameters.text('collection.stageRunTime'),
      )
      const opened = await openDays(context, day, whenDayOpened)
      return opened
        .map(
          ({ day: one, orders, overdue, bad, fines }) =>
            `${one}: ${orders} loans, ${overdue} overdue, ${bad} bad debts, fines ${formatPaise(fines)}`,
        )
        .join('; ')
    },
  }
}

/**
 * The newest IST day that may be open: the day of the instant, or the day before when the run time
 * is not reached.
 * @param runTime `HH:MM` IST
 */
export function dayToOpen(instant: string, runTime: string): string {
  const day = istDay(instant)
  return istClock(instant) < runTime ? addDays(day, -1) : day
}
