/** The days of a report, from the address. Pure. */
import { REPORT_DAYS } from '#shared/kernel/report.ts'
import { addDays, daysBetween } from '#shared/kernel/time.ts'

export interface ReportRange {
  dateFrom: string
  dateTo: string
  /** Number of days. */
  days: number
  /** More days than may be asked for. */
  isTooLong: boolean
}

export interface RangeRule {
  first?: number
  most?: number
}

const FIRST = 30

/** Open ends are filled: the last days until today, or as many from the first one. */
export function reportRange(
  given: { from?: string | undefined; to?: string | undefined },
  today: string,
  { first = FIRST, most = REPORT_DAYS }: RangeRule = {},
): ReportRange {
  const dateTo = given.to ?? later(given.from, first, today)
  const from = given.from ?? addDays(dateTo, 1 - first)
  const dateFrom = from > dateTo ? dateTo : from
  const days = daysBetween(dateFrom, dateTo) + 1
  return { dateFrom, dateTo, days, isTooLong: days > most }
}

function later(from: string | undefined, first: number, today: string): string {
  if (from === undefined) return today
  const end = addDays(from, first - 1)
  return end < today || from > today ? end : today
}
