/**
 * Due times of a ticket: the first reply after the minutes of its type, the answer at the end of
 * the last allowed IST day, escalations on IST days. Pure: the caller passes the current time.
 * Instants are ISO 8601 UTC.
 */
import { addDays, daysBetween, istDay, istDayEnd } from '#shared/kernel/time.ts'

const MINUTE_MS = 60_000
/** `ticket.sla.due` is emitted this many minutes before the due time, and at it. */
export const WARN_MINUTES = 10
/** An open ticket is due soon in the last quarter of its time, at least in the last 10 minutes. */
export const DUE_SOON_SHARE = 4

/**
 * When the first reply is due.
 * @param created instant of creation, @param minutes parameter `ticket.sla.<type>`
 */
export function replyDue(created: string, minutes: number): string {
  return new Date(Date.parse(created) + minutes * MINUTE_MS).toISOString()
}

/**
 * When the answer is due: the last millisecond of the IST day `days` days after the day of
 * creation. A ticket created at 23:59 IST has as many days as one created in the morning.
 * @param created instant,
 * @param days parameter `ticket.resolveDays`
 */
export function answerDue(created: string, days: number): string {
  return istDayEnd(addDays(istDay(created), days)).toISOString()
}

/**
 * How many of the escalation days have passed.
 * @param created instant,
 * @param now instant,
 * @param days parameter `ticket.escalateDays`: IST days after the day of creation
 */
export function escalationsDue(created: string, now: string, days: readonly number[]): number {
  const age = daysBetween(istDay(created), istDay(now))
  return days.filter((day) => age >= day).length
}

/**
 * The due time after an escalation: half of the remaining time, in whole minutes. A due time in the
 * past stays.
 * @param due instant,
 * @param now instant
 */
export function tightened(due: string, now: string): string {
  const left = Date.parse(due) - Date.parse(now)
  if (left <= 0) return due
  return new Date(Date.parse(now) + Math.floor(left / 2 / MINUTE_MS) * MINUTE_MS).toISOString()
}

/**
 * When a reopened ticket is due: at least the type's first reply time from now, and never earlier
 * than before.
 * @param due instant the answer was due,
 * @param now instant,
 * @param minutes parameter `ticket.sla.<type>`
 */
export function reopenedDue(due: string, now: string, minutes: number): string {
  const fresh = replyDue(now, minutes)
  return Date.parse(fresh) > Date.parse(due) ? fresh : due
}

/** Days since an instant, with fractions. */
export function daysSince(from: string, now: string): number {
  return (Date.parse(now) - Date.parse(from)) / (24 * 60 * MINUTE_MS)
}
