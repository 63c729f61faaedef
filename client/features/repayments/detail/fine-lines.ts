/**
 * Groups bookings of fines into lines of days. A booking covers the days since the previous one;
 * the first covers the days since the due day. Pure.
 */
import { addDays, daysBetween } from '#shared/kernel/time.ts'

export interface FineLine {
  /** IST days, inclusive. */
  from: string
  to: string
  /** 0 = a correction of days that were charged before. */
  days: number
  fine: number
  /** Null when the days of a booking were not all charged the same. */
  perDay: number | null
  soFar: number
}

export function fineLines(
  fines: readonly { date: string; fine: number }[],
  dueDay: string,
): FineLine[] {
  let chargedTo = dueDay
  let soFar = 0
  return fines.map(({ date, fine }) => {
    const days = fine > 0 ? Math.max(0, daysBetween(chargedTo, date)) : 0
    const from = days > 0 ? addDays(chargedTo, 1) : date
    if (days > 0) chargedTo = date
    soFar += fine
    return {
      from,
      to: date,
      days,
      fine,
      perDay: days > 0 && fine % days === 0 ? fine / days : null,
      soFar,
    }
  })
}
