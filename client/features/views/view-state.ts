/** A saved view and the address of a list, one made of the other (pure). */
import { isPersonalFilter } from '#shared/kernel/personal-filters.ts'

export interface Looked {
  filters: Record<string, string[]>
  sort: string | null
}

/** Parts of the address that are no filter: where one is in the list, and what one asked once. */
const PLACE = new Set(['page', 'size', 'sort'])

/** What of an address a view keeps: filters without those that find one person, and the sort. */
export function lookedOf(query: URLSearchParams): Looked {
  const filters: Record<string, string[]> = {}
  for (const name of [...new Set(query.keys())].sort())
    if (!PLACE.has(name) && !isPersonalFilter(name)) filters[name] = query.getAll(name)
  return { filters, sort: query.get('sort') }
}

export function queryOfView({ filters, sort }: Looked): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, values] of Object.entries(filters))
    for (const value of values) query.append(name, value)
  if (sort !== null) query.set('sort', sort)
  return query
}

/** Whether an address shows just what the view keeps. */
export function isShown(query: URLSearchParams, view: Looked): boolean {
  return keyOf(lookedOf(query)) === keyOf(view)
}

function keyOf({ filters, sort }: Looked): string {
  return JSON.stringify([
    Object.entries(filters)
      .filter(([, values]) => values.length > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    sort,
  ])
}
