/**
 * Days and instants as typed. The day comes before the month, or the year comes first; the month is
 * never first, because a payment of 3 December must not be booked on 12 March.
 */
import { isoOfIstInput, istInputOfIso } from './field-values.ts'

const YEAR_FIRST = new Set(['zh', 'ja'])
const BY_YEAR = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})$/
const BY_DAY = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})$/
const DIGITS = /^(\d{2})(\d{2})(\d{4})$/
const MOMENT = /^(.+?)[\sT]+(\d{1,2})[:.](\d{2})$/
/** A year further away is a typing error or of another calendar. */
const YEARS = { first: 1900, last: 2199 }

/** IST day `YYYY-MM-DD` as shown in an input; an empty text for anything else. */
export function dayText(day: unknown, language: string): string {
  if (typeof day !== 'string' || parseDay(day) !== day) return ''
  return YEAR_FIRST.has(language) ? day : day.split('-').toReversed().join('-')
}

/** Typed or pasted text as an IST day `YYYY-MM-DD`; null when it is not an existing day. */
export function parseDay(text: string): string | null {
  const given = text.trim()
  const byYear = BY_YEAR.exec(given)
  const byDay = BY_DAY.exec(given) ?? DIGITS.exec(given)
  const [year, month, day] = byYear
    ? [byYear[1], byYear[2], byYear[3]]
    : byDay
      ? [byDay[3], byDay[2], byDay[1]]
      : []
  if (year === undefined || Number(year) < YEARS.first || Number(year) > YEARS.last) return null
  const iso = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const ms = Date.parse(`${iso}T00:00:00Z`)
  // `Date` reads 30 February as 2 March.
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== iso ? null : iso
}

/** An instant as shown in an input, in India time. */
export function momentText(iso: unknown, language: string): string {
  const [day, clock] = istInputOfIso(iso).split('T')
  return clock === undefined ? '' : `${dayText(day, language)} ${clock}`
}

/** Typed or pasted day and time in India → ISO instant; null when it is invalid. */
export function parseMoment(text: string): string | null {
  const [, day = '', hour = '', minute = ''] = MOMENT.exec(text.trim()) ?? []
  const iso = parseDay(day)
  return iso === null || Number(hour) > 23 || Number(minute) > 59
    ? null
    : isoOfIstInput(`${iso}T${hour.padStart(2, '0')}:${minute}`)
}

/** A day for a calendar, which uses the browser's zone: noon is on that day in every zone. */
export function calendarDate(day: string): Date {
  return new Date(`${day}T12:00:00`)
}

export function dayOfCalendar(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
