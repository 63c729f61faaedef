/**
 * Lengths of time in words: an average, a wait of hours. What runs by the second is a clock
 * (`formatClock`) until it has run for an hour.
 */
import type { Text } from '#client/base/use-text.ts'
import { formatClock } from './ist-format.ts'

const HOUR = 3_600_000
const UNITS = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 }

/**
 * `42 s`, `3 min 13 s`, `2 h 5 min`, `1 d 4 h`: the largest unit that is not 0 and the next smaller
 * one, rounded down; negative lengths count as 0.
 */
export function durationText(ms: number, t: Text): string {
  let rest = Math.max(0, Math.floor(ms / 1_000))
  const counted = Object.entries(UNITS).map(([unit, seconds]) => {
    const n = Math.floor(rest / seconds)
    rest %= seconds
    return { unit, n }
  })
  const first = counted.findIndex(({ n }) => n > 0)
  const shown =
    first < 0 ? counted.slice(-1) : counted.slice(first, first + 2).filter(({ n }) => n > 0)
  return shown.map(({ unit, n }) => t(`ui:duration.${unit}`, { n })).join(' ')
}

/** A running time: `04:07` in the first hour, `2 h 5 min` later, when a second decides nothing. */
export function waitText(ms: number, t: Text): string {
  return ms < HOUR ? formatClock(ms) : durationText(ms, t)
}
