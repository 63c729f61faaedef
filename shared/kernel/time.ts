/**
 * Days are IST days (Asia/Kolkata, UTC+5:30, no daylight saving); instants are ISO 8601 UTC. Pure:
 * the caller brings the clock.
 */

const IST_OFFSET_MS = 5.5 * 3_600_000
const DAY_MS = 86_400_000

/** Instant → IST day `YYYY-MM-DD`; 18:30 UTC is the next day. */
export function istDay(instant: Date | string | number): string {
  return new Date(new Date(instant).getTime() + IST_OFFSET_MS).toISOString().slice(0, 10)
}

/** Start of an IST day as an instant: `2026-11-21` → 2026-11-20T18:30:00.000Z. */
export function istMidnight(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) - IST_OFFSET_MS)
}

/** Last millisecond of an IST day. */
export function istDayEnd(day: string): Date {
  return new Date(istMidnight(day).getTime() + DAY_MS - 1)
}

/** First instant of an IST day, as contracts take it. */
export function istStart(day: string): string {
  return istMidnight(day).toISOString()
}

/** Last instant of an IST day, as contracts take it. */
export function istEnd(day: string): string {
  return istDayEnd(day).toISOString()
}

/** Whole days from one IST day to another (negative when `to` is earlier). */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Whether a text is a day there is, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
    addDays(text, 0) === text
  )
}

/** Day of the week of a day, Monday 1 to Sunday 7. */
export function isoWeekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7
}

/**
 * An instant by day and clock.
 * @param day IST day @param clock `HH:MM` IST
 * @returns ISO 8601, UTC
 */
export function istAt(day: string, clock: string): string {
  const [hours, minutes] = clock.split(':').map(Number) as [number, number]
  return new Date(istMidnight(day).getTime() + (hours * 60 + minutes) * 60_000).toISOString()
}

/** `HH:MM` of the instant in IST. */
export function istClock(instant: Date | string | number): string {
  return new Date(new Date(instant).getTime() + IST_OFFSET_MS).toISOString().slice(11, 16)
}

/**
 * Whether the instant is in the half-open IST window [`from`, `to`) of `HH:MM` texts: 08:00-19:00
 * lets 18:59:59 in.
 */
export function isInsideIstWindow(
  instant: Date | string | number,
  from: string,
  to: string,
): boolean {
  const clock = istClock(instant)
  return clock >= from && clock < to
}

/** Country offsets in hours of the specification (section 9); the default is its own. */
const COUNTRY_OFFSETS: Record<string, number> = {
  MX: -6,
  PE: -5,
  CO: -5,
  CL: -4,
  IN: 5.5,
  TZ: 3,
  KEN: 3,
  NG: 1,
  PK: 5,
  PH: 8,
  VN: 7,
  ID: 7,
  TH: 7,
}
const DEFAULT_OFFSET = -6

/**
 * Hours east of UTC of a country code, the specification's default for an unknown one. A display
 * rule only.
 */
export function countryOffset(country: string): number {
  return Object.hasOwn(COUNTRY_OFFSETS, country)
    ? (COUNTRY_OFFSETS[country] ?? DEFAULT_OFFSET)
    : DEFAULT_OFFSET
}

/** Instant → wall clock of a country, `YYYY-MM-DD HH:MM:SS`. */
export function countryClock(instant: Date | number, country: string): string {
  return new Date(new Date(instant).getTime() + countryOffset(country) * 3_600_000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ')
}
