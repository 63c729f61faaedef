/** View and filters of a list: in the address, except the filters that must stay out of it. */
import { useState } from 'react'
import { type FilterKinds, type Filters, isEmptyFilter } from '#client/ui/grid/grid-url.ts'
import type { GridView } from '#client/ui/grid/grid-url.ts'
import { type GridUrlState, useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import type { ListFilters } from './list-types.ts'

const NO_KINDS: FilterKinds = {}

/**
 * @param filters and `preset` must be module constants
 * @returns `filters` has the unlisted ones, too; `input` does not
 */
export function useListUrl(
  filters: ListFilters | undefined,
  preset: Partial<GridView>,
): GridUrlState<FilterKinds> {
  const url = useGridUrlState(filters?.kinds ?? NO_KINDS, preset)
  const [own, setOwn] = useState<Filters<FilterKinds>>({})
  const { unlisted } = filters ?? {}
  if (unlisted === undefined) return url
  const isOwn = ([name]: [string, unknown]) => Object.hasOwn(unlisted, name)
  return {
    ...url,
    filters: { ...url.filters, ...own },
    key: `${url.key} ${JSON.stringify(own)}`,
    activeFilters:
      url.activeFilters + Object.values(own).filter((value) => !isEmptyFilter(value)).length,
    setFilters(change, how) {
      const entries = Object.entries(change)
      const ours = entries.filter(isOwn)
      if (ours.length === 0) return url.setFilters(change, how)
      setOwn((now) => ({ ...now, ...Object.fromEntries(ours) }))
      const others = entries.filter((entry) => !isOwn(entry))
      if (others.length > 0) url.setFilters(Object.fromEntries(others), how)
      else url.setView({ page: 1 })
    },
    resetFilters() {
      setOwn({})
      url.resetFilters()
    },
  }
}
