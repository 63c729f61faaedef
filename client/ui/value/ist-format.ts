/**
 * Dates as each language writes them, always in India time, with Gregorian years (Thai would show
 * 2569), Latin digits and a 24 hour clock. Creating a formatter is slow, so one per language is
 * kept.
 */
import { addDays, istDay } from '#shared/kernel/time.ts'
import { uiNow } from './clock.ts'

export type TimeStyle = 'day' | 'nearDay' | 'time' | 'nearTime' | 'dayTime' | 'seconds' | 'month'

const STYLES: Record<TimeStyle, Intl.DateTimeFormatOptions> = {
  day: { day: '2-digit', month: 'short', year: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit' },
  // For days near enough to need no year.
  nearDay: { day: '2-digit', month: 'short' },
  nearTime: { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit' },
  dayTime: { day: '2-digit', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  month: { month: 'short', year: 'numeric' },
  seconds: {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  },
}
/**
 * Languages whose short month is no shorter than its number (2026年12月28日, 28 thg 12, 2026): a
 * column of dates would be cut off.
 */
const NUMERIC_MONTH = new Set(['zh', 'ja', 'vi'])
const made = new Map<string, Intl.DateTimeFormat>()

/**
 * An instant, or an IST day `YYYY-MM-DD`, in the language; an empty text for null or an invalid
 * date.
 */
export function formatIst(
  value: string | number | Date | null | undefined,
  style: TimeStyle,
  language: string,
): string {
  const instant = instantOf(value)
  if (instant === null) return ''
  const key = `${language}:${style}`
  let format = made.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(
      `${language === 'en' ? 'en-IN' : language}-u-ca-gregory-nu-latn`,
      {
        ...STYLES[style],
        ...(NUMERIC_MONTH.has(language) && style !== 'time' ? { month: '2-digit' } : {}),
        hourCycle: 'h23',
        timeZone: 'Asia/Kolkata',
      },
    )
    made.set(key, format)
  }
  return format.format(instant)
}

/** Only the time for an instant of today, else with its day; an empty text for null. */
export function formatNear(value: string | null, language: string): string {
  if (value === null) return ''
  return formatIst(value, istDay(value) === istDay(uiNow()) ? 'time' : 'nearTime', language)
}

/** The text of the tooltip: the exact instant and the zone. */
export function istTip(value: string | number | Date | null | undefined, language: string): string {
  const instant = instantOf(value)
  return instant === null
    ? ''
    : `${formatIst(instant, 'seconds', language)} IST · ${new Date(instant).toISOString()}`
}

const COUNT = new Intl.NumberFormat('en-IN')

/** A count with Indian grouping, the same in every language. */
export function formatCount(n: number): string {
  return COUNT.format(n)
}

/** The full hour of a day: 9 → `09:00`. */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

/** `4:07`, `1:02:09`; negative times count as 0. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const h = Math.floor(seconds / 3600)
  const m = Math.floor((seconds % 3600) / 60)
  const two = (n: number) => String(n).padStart(2, '0')
  return h ? `${h}:${two(m)}:${two(seconds % 60)}` : `${two(m)}:${two(seconds % 60)}`
}

export const DAY_PRESETS = [
  'today',
  'yesterday',
  'last7',
  'thisMonth',
  'lastMonth',
  'next7',
] as const
export type DayPreset = (typeof DAY_PRESETS)[number]

/** Inclusive range of IST days of a preset, seen from `now`. */
export function presetDays(preset: DayPreset, now: Date | number): { from: string; to: string } {
  const today = istDay(now)
  const monthStart = `${today.slice(0, 8)}01`
  const lastMonthEnd = addDays(monthStart, -1)
  const ranges: Record<DayPreset, { from: string; to: string }> = {
    today: { from: today, to: today },
    yesterday: { from: addDays(today, -1), to: addDays(today, -1) },
    last7: { from: addDays(today, -6), to: today },
    thisMonth: { from: monthStart, to: today },
    lastMonth: { from: `${lastMonthEnd.slice(0, 8)}01`, to: lastMonthEnd },
    next7: { from: today, to: addDays(today, 6) },
  }
  return ranges[preset]
}

function instantOf(value: string | number | Date | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return null
  // A bare day is noon of that day in India, so that no zone moves it.
  const ms =
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
      ? Date.parse(`${value}T06:30:00Z`)
      : new Date(value).getTime()
  return Number.isNaN(ms) ? null : ms
}
