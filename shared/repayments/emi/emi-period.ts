/**
 * Months of an EMI loan. Instalments are due on one day of the month. Interest is a twelfth of the
 * annual rate for a whole month and a 365th for each day of the broken period before the first.
 */
import { daysBetween } from '../../kernel/time.ts'

/** The time in which the interest of one instalment arises, in IST days; `due` is not in it. */
export interface EmiPeriod {
  /** The disbursement, or the due day before. */
  from: string
  /** From here a whole month runs; later than `from` when a broken period comes first. */
  monthFrom: string
  due: string
}

/** Principal that stood from one day of a period to another, in paise. */
export interface Balance {
  paise: bigint
  from: string
  to: string
}

/**
 * The month runs from the first due day on or after the disbursement, so the first instalment is
 * due one to two months after it.
 * @param dueDay day of the month, 1 to 28
 * @throws RangeError for a due day that some month lacks
 */
export function firstPeriod(disbursedOn: string, dueDay: number): EmiPeriod {
  if (!Number.isInteger(dueDay) || dueDay < 1 || dueDay > 28)
    throw new RangeError('an instalment is due on a day from 1 to 28')
  const sameMonth = `${disbursedOn.slice(0, 8)}${String(dueDay).padStart(2, '0')}`
  const monthFrom = sameMonth < disbursedOn ? nextMonth(sameMonth) : sameMonth
  return { from: disbursedOn, monthFrom, due: nextMonth(monthFrom) }
}

export function periodAfter({ due }: EmiPeriod): EmiPeriod {
  return { from: due, monthFrom: due, due: nextMonth(due) }
}

/** The same day of the next month; due days end at 28, so every month has it. */
function nextMonth(day: string): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const [nextYear, next] = month === 12 ? [year + 1, 1] : [year, month + 1]
  return `${nextYear}-${String(next).padStart(2, '0')}-${day.slice(8)}`
}

/**
 * Interest of a whole month, rounded half up.
 * @param annualRate basis points a year
 * @returns paise
 */
export function monthlyInterest(principal: bigint, annualRate: number): bigint {
  return halfUp(principal * BigInt(annualRate), 12n * 10_000n)
}

/**
 * Interest of the balances of a period, rounded half up once. A balance that stands for the whole
 * month costs exactly `monthlyInterest`.
 * @param annualRate basis points a year
 * @returns paise
 */
export function interestOf(
  balances: readonly Balance[],
  { from: start, monthFrom, due }: EmiPeriod,
  annualRate: number,
): bigint {
  const monthDays = BigInt(daysBetween(monthFrom, due))
  const sum = balances.reduce((total, { paise, from, to }) => {
    const broken = BigInt(sharedDays(from, to, start, monthFrom)) * 12n * monthDays
    const whole = BigInt(sharedDays(from, to, monthFrom, due)) * 365n
    return total + paise * (broken + whole)
  }, 0n)
  return halfUp(sum * BigInt(annualRate), 365n * 12n * monthDays * 10_000n)
}

/** Days that two half-open spans share. */
function sharedDays(from: string, to: string, start: string, end: string): number {
  const later = from > start ? from : start
  const earlier = to < end ? to : end
  return later < earlier ? daysBetween(later, earlier) : 0
}

function halfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}
