/** Order of the rows in a report's table. Pure: all rows are on the page. */
import type { SortPart } from '#client/ui/grid/grid-url.ts'

/** By the first part; rows without a value are last either way, equal ones keep their order. */
export function sortRows<Row extends object>(
  rows: readonly Row[],
  sort: SortPart | undefined,
): readonly Row[] {
  if (sort === undefined) return rows
  const sign = sort.dir === 'asc' ? 1 : -1
  const valueOf = (row: Row): unknown => (row as Record<string, unknown>)[sort.field]
  return rows.toSorted((a, b) => {
    const [one, two] = [valueOf(a), valueOf(b)]
    if (isNothing(one) || isNothing(two)) return Number(isNothing(one)) - Number(isNothing(two))
    if (typeof one === 'number' && typeof two === 'number') return sign * (one - two)
    return sign * String(one).localeCompare(String(two))
  })
}

/** The order after a press on a column: greatest first, then smallest, then as it came. */
export function nextSort(now: SortPart | undefined, field: string): SortPart | undefined {
  if (now?.field !== field) return { field, dir: 'desc' }
  return now.dir === 'desc' ? { field, dir: 'asc' } : undefined
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}
