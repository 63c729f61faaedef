/** Conversion between a saved view and the address of a list (pure). */
import { isPersonalFilter } from '#shared/kernel/personal-filters.ts'

export interface Looked {
  filters: Record<string, string[]>
  sort: string | null
}

/** Parameters of an address that are not filters: position in the list and one-time parameters. */
const PLACE = new Set(['page', 'size', 'sort'])

/** What a view keeps of an address: the sort and the filters that do not identify a person. */
export function lookedOf(query: URLSearchParams): Looked {
  const filters: Record<string, string[]> = {}
  for (const name of [...new Set(query.keys())].toSorted())
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

/** Whether an address shows exactly the view. */
export function isShown(query: URLSearchParams, view: Looked): boolean {
  return keyOf(lookedOf(query)) === keyOf(view)
}

function keyOf({ filters, sort }: Looked): string {
  return JSON.stringify([
    Object.entries(filters)
      .filter(([, values]) => values.length > 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    sort,
  ])
}
