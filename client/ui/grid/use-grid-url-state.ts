/**
 * Page, sort and filters of a list, kept in the address: a copied link opens the same rows, and
 * back and forward work. Private filters are kept by the screen.
 */
import { useCallback, useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import {
  type FilterKinds,
  type Filters,
  filterInput,
  formatSort,
  type GridView,
  isEmptyFilter,
  readFilters,
  readView,
  writeFilters,
  writeView,
} from './grid-url.ts'

export interface GridUrlState<Kinds extends FilterKinds> {
  view: GridView
  filters: Filters<Kinds>
  /** Flat parameters of the list call: page, sort and filters. */
  input: Record<string, unknown>
  /** Changes whenever the server's answer would differ. */
  key: string
  activeFilters: number
  setView: (change: Partial<GridView>) => void
  /**
   * Merges; `undefined` clears a filter. Goes to page 1. `replace` adds no history entry (typing).
   */
  setFilters: (change: Partial<Filters<Kinds>>, how?: { replace?: boolean }) => void
  resetFilters: () => void
}

/** @param kinds and `preset` must be module constants */
export function useGridUrlState<Kinds extends FilterKinds>(
  kinds: Kinds,
  preset?: Partial<GridView>,
): GridUrlState<Kinds> {
  const [query, setQuery] = useSearchParams()
  const [own, setOwn] = useState<Filters<Kinds>>({})
  const text = query.toString()

  const setView = useCallback(
    (change: Partial<GridView>) => {
      setQuery((now) => {
        const view = readView(now, preset)
        const moves = change.page !== undefined ? {} : { page: 1 }
        return writeView(now, { ...view, ...moves, ...change }, preset)
      })
    },
    [setQuery, preset],
  )
  const setFilters = useCallback(
    (change: Partial<Filters<Kinds>>, how: { replace?: boolean } = {}) => {
      const ours = Object.entries(change).filter(([name]) => kinds[name] === 'private')
      if (ours.length > 0) setOwn((now) => ({ ...now, ...Object.fromEntries(ours) }))
      setQuery(
        (now) => {
          const next = writeFilters(now, kinds, { ...readFilters(now, kinds), ...change })
          next.delete('page')
          return next
        },
        { replace: how.replace ?? false },
      )
    },
    [setQuery, kinds],
  )
  const resetFilters = useCallback(() => {
    setOwn({})
    setQuery((now) => {
      const next = writeFilters(now, kinds, {})
      next.delete('page')
      return next
    })
  }, [setQuery, kinds])

  const read = useMemo(() => {
    const now = new URLSearchParams(text)
    const view = readView(now, preset)
    const filters = { ...readFilters(now, kinds), ...own }
    const sort = formatSort(view.sort)
    const input = {
      pageNum: view.page,
      pageSize: view.pageSize,
      ...(sort ? { sort } : {}),
      ...filterInput(kinds, filters),
    }
    return {
      view,
      filters,
      input,
      key: JSON.stringify(input),
      activeFilters: Object.values(filters).filter((value) => !isEmptyFilter(value)).length,
    }
  }, [text, kinds, preset, own])
  return { ...read, setView, setFilters, resetFilters }
}
