import { sql } from 'kysely'
import { addDays, istClock, istDay } from '#shared/kernel/time.ts'
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
      const sum = (of: 'bad' | 'fines') => opened.reduce((total, one) => total + one[of], 0)
      const last = opened.at(-1)
      // of several days: loans as they are after the last, bad debts and fines of all
      return {
        days: opened.length,
        loans: last?.orders ?? 0,
        overdue: last?.overdue ?? 0,
        badDebts: sum('bad'),
        fines: sum('fines'),
      }
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
