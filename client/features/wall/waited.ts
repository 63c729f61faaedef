/** Ages and figures as text, for the wall and the console. Pure. */
import { formatCount } from '#client/ui/value/ist-format.ts'
import { istDay, istDayEnd } from '#shared/kernel/time.ts'
import { minutesSince } from '#shared/wall/alert-rule.ts'
import type { AlertKey } from '#shared/wall/wall-sets.ts'
import { wholePercent } from '#client/ui/value/value-text.ts'

type AgeWords = (key: 'age.minutes' | 'age.hours' | 'age.days', values: { n: string }) => string

/** `26 min`, `3 h`, `2 d`. */
export function minutesText(minutes: number, t: AgeWords): string {
  if (minutes < 100) return t('age.minutes', { n: String(minutes) })
  return minutes < 48 * 60
    ? t('age.hours', { n: String(Math.floor(minutes / 60)) })
    : t('age.days', { n: formatCount(Math.floor(minutes / 1_440)) })
}

/** Time until the figures restart at 24:00 IST; a started minute counts, so it is never 0. */
export function minutesToCutOff(now: number): number {
  return Math.ceil((istDayEnd(istDay(now)).getTime() + 1 - now) / 60_000)
}

/** Since an instant; a dash without one. */
export function waited(since: string | null, now: number, t: AgeWords): string {
  const minutes = minutesSince(since, new Date(now).toISOString())
  return minutes === null ? '—' : minutesText(minutes, t)
}

/** The value of an alert: minutes, a share or a number, by its key. */
export function alertValue({ key, value }: { key: AlertKey; value: number }, t: AgeWords): string {
  if (key === 'ptpKept') return wholePercent(value)
  return key === 'disburseFailed' ? formatCount(value) : minutesText(value, t)
}
