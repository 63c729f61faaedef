/** A figure of a day and of the day before it, from sums by hour. */
import { DAY_FIGURES, type DayFigureKey } from '#shared/home/day-sets.ts'
import { quotient } from '#shared/reports/measures.ts'

/** One hour: of yesterday (1) or today (0); rows and their sum, in all and up to this minute. */
export type DaySums = [
  past: 0 | 1,
  hour: number,
  n: number,
  sum: number,
  nThen: number,
  sumThen: number,
][]

interface Figure {
  value: number | null
  before: number | null
  today: (number | null)[]
  yesterday: (number | null)[]
}

/** @param hour the present hour, 0 to 23 */
export function figureOfDay(key: DayFigureKey, sums: DaySums, hour: number): Figure {
  const { per } = DAY_FIGURES[key]
  const figureOf = (n: number, sum: number): number | null =>
    per === 'sum' ? sum : quotient(sum, n, 1)
  const upTo = (past: 0 | 1, last: number): number | null => {
    const hours = sums.filter((line) => line[0] === past && line[1] <= last)
    return figureOf(total(hours, 2), total(hours, 3))
  }
  const past = sums.filter((line) => line[0] === 1)
  return {
    value: upTo(0, 23),
    before: figureOf(total(past, 4), total(past, 5)),
    today: Array.from({ length: hour + 1 }, (_, at) => upTo(0, at)),
    yesterday: Array.from({ length: 24 }, (_, at) => upTo(1, at)),
  }
}

function total(lines: DaySums, at: 2 | 3 | 4 | 5): number {
  return lines.reduce((sum, line) => sum + line[at], 0)
}
