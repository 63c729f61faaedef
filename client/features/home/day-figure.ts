import type { workDay } from '#shared/home/day-api.ts'
import { DAY_FIGURES } from '#shared/home/day-sets.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'

type Figure = DataOf<typeof workDay>['figures'][number]

/** Before seven nothing is worked, and little is paid. */
const FIRST_HOUR = 7

/** Points of the line, none without a value; hours before the first value repeat it, so that a mean begins flat. */
export function lineOf(hours: readonly (number | null)[]): number[] {
  const first = hours.find((value) => value !== null)
  if (first === undefined || first === null) return []
  const line = hours.map((value) => value ?? first)
  return line.length > FIRST_HOUR ? line.slice(FIRST_HOUR) : line.slice(-1)
}

/** Whether today is ahead of yesterday, in the sense that counts for this figure. */
export function trendOf({ key, value, before }: Pick<Figure, 'key' | 'value' | 'before'>): {
  arrow: '▲' | '▼' | ''
  tone: 'good' | 'bad' | 'same'
} {
  if (value === null || before === null || value === before) return { arrow: '', tone: 'same' }
  const isMore = value > before
  const { better } = DAY_FIGURES[key]
  return {
    arrow: isMore ? '▲' : '▼',
    tone: better === null ? 'same' : isMore === (better === 'more') ? 'good' : 'bad',
  }
}
