/**
 * Lengths of time in words: an average, a wait of hours. What runs by the second is a clock
 * (`formatClock`) until it has run for an hour.
 */
import type { Text } from '#client/base/use-text.ts'
import { formatClock } from './ist-format.ts'

const HOUR = 3_600_000
const UNITS = [
  { key: 'days', seconds: 86_400 },
  { key: 'hours', seconds: 3_600 },
  { key: 'minutes', seconds: 60 },
  { key: 'seconds', seconds: 1 },
] as const

/**
 * `42 s`, `3 min 13 s`, `2 h 5 min`, `1 d 4 h`: the largest unit that is not 0 and the next smaller
 * one, rounded down; negative lengths count as 0.
 */
export function durationText(ms: number, t: Text): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const first = UNITS.findIndex((unit) => seconds >= unit.seconds)
  if (first === -1) return t('ui:duration.seconds', { n: 0 })
  let rest = seconds
  return UNITS.slice(first, first + 2)
    .map((unit) => {
      const n = Math.floor(rest / unit.seconds)
      rest %= unit.seconds
      return n === 0 ? '' : t(`ui:duration.${unit.key}`, { n })
    })
    .filter(Boolean)
    .join(' ')
}

/** A running time: `04:07` in the first hour, `2 h 5 min` later, when a second decides nothing. */
export function waitText(ms: number, t: Text): string {
  return ms < HOUR ? formatClock(ms) : durationText(ms, t)
}
