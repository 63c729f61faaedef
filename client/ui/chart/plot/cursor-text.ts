/** Text for screen readers at the position of the cursor. Pure. */
import type { Text } from '#client/base/use-text.ts'
import { type ChartData, type DrawnSeries, isHollow } from '../chart-types.ts'
import { valueText } from '#client/ui/value/value-text.ts'
import type { Cursor } from './chart-cursor.ts'

export interface CursorWords {
  /** For values that are lengths of time. */
  t: Text
  hollow: string
  opens: string
  previous: (label: string) => string
}

/** `12 Nov: Disbursed 1,204, previous period 1,100; Failed 12. Not complete yet`. */
export function cursorText(
  data: ChartData,
  drawn: readonly DrawnSeries[],
  { point, series }: Cursor,
  withPrevious: boolean,
  words: CursorWords,
): string {
  // The chosen series comes first.
  const order = [...drawn.slice(series), ...drawn.slice(0, series)]
  const values = order.map((one) => {
    const before =
      withPrevious && one.previous !== undefined
        ? `, ${words.previous(valueText(one.previous[point], data.format, words.t))}`
        : ''
    return `${one.label} ${valueText(one.values[point], data.format, words.t)}${before}`
  })
  const rows = rowsNote(order[0], point, words.opens)
  const notes = [
    ...(order.some((one) => isHollow(data, one, point)) ? [words.hollow] : []),
    ...(data.marks ?? []).filter((mark) => mark.point === point).map(({ label }) => label),
    ...(rows === null ? [] : [rows]),
  ]
  return [`${data.points[point]?.label ?? ''}: ${values.join('; ')}`, ...notes].join('. ')
}

/** That a value opens its rows, or why it does not. */
export function rowsNote(
  series: DrawnSeries | undefined,
  point: number,
  opens: string,
): string | null {
  return series?.hrefs?.[point] ? opens : (series?.whyNots?.[point] ?? null)
}
