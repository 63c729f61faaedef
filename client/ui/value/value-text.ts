/** How a figure reads in a list, a report, a chart and on an axis. Pure. */
import type { Text } from '#client/base/use-text.ts'
import { durationText } from '#client/ui/value/duration-text.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { formatBasisPoints, formatPaise, formatPaiseShort } from '#shared/kernel/money.ts'

/** How a value is written: a number, paise, basis points or seconds. */
export type ValueFormat = 'count' | 'money' | 'percent' | 'seconds'

/** Where there is no value: nothing happened, or the division was by zero. */
export const NO_VALUE = '—'

/** In full, for a tooltip or a cell. */
export function valueText(value: number | null | undefined, format: ValueFormat, t: Text): string {
  if (value === null || value === undefined) return NO_VALUE
  switch (format) {
    case 'count':
      return formatCount(value)
    case 'money':
      return formatPaise(Math.round(value))
    case 'percent':
      return percentText(value)
    case 'seconds':
      return durationText(value * 1_000, t)
  }
}

/** Basis points in full; a dash for no value. */
export function percentText(points: number | null | undefined): string {
  return points === null || points === undefined ? NO_VALUE : formatBasisPoints(Math.round(points))
}

/** Short, for an axis: `₹5 L`, `25 %`. */
export function tickText(value: number, format: ValueFormat, t: Text): string {
  if (format === 'money') return formatPaiseShort(Math.round(value)).replace(/\.00(?= )/, '')
  return valueText(value, format, t).replace(/\.00(?= %)/, '')
}

/** Basis points as whole per cent, rounded down: what misses a limit of 70 % is not shown as 70 %. */
export function wholePercent(points: number | null | undefined): string {
  return points === null || points === undefined ? NO_VALUE : `${Math.floor(points / 100)} %`
}

/** Share of a whole as basis points; null when the whole is 0. */
export function shareOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : Math.round((part * 10_000) / whole)
}
