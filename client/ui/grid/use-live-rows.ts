import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { GridSource } from './grid-slots.ts'
import type { LiveChange } from './live-rows.ts'
import { createLiveStore, type LiveStore, type LiveView } from './live-store.ts'

/**
 * The result of a list query; a TanStack Query result over a list answer has this form after a
 * small mapping.
 */
export interface GridQuery<Row> {
  /** Undefined until the first answer; old rows stay while a new view loads. */
  rows: readonly Row[] | undefined
  total: number
  totalCapped?: boolean
  /** ISO instant of the answer. */
  asOf?: string
  isFetching: boolean
  /** Grows with each change of the person's own: what is read after it is shown at once. */
  refetches?: number
  /** The rows belong to the previous view. */
  isPlaceholder?: boolean
  error: unknown
  /** No call was made: the text in an id filter cannot be an id. */
  hasNoId?: boolean
  refetch: () => unknown
  /** The call that returned the rows and its input: used for a file. */
  source?: GridSource
}

export interface LiveRows<Row> extends LiveView {
  store: LiveStore<Row>
  /**
   * Events that concern the list, already turned into changes by the feature's `-apply` function.
   */
  push: (changes: readonly LiveChange[]) => void
  /** Applies the waiting order and reads missing rows from the server. */
  apply: () => void
  /** Reads from the server; the answer is shown at once. */
  refresh: () => void
}

export interface LiveRowsOptions<Row> {
  query: GridQuery<Row>
  getRowId: (row: Row) => string
  getVersion?: (row: Row) => number
  /**
   * Changes when page, sort or filters change (`useGridUrlState().key`): the next answer was
   * requested by the user.
   */
  viewKey?: string
  /** Fields of the current sort; a row that changes one of them counts as moved. */
  sortFields?: readonly string[]
  /** The row shown in a panel is never removed. */
  openId?: string | null
}

export function useLiveRows<Row extends object>(options: LiveRowsOptions<Row>): LiveRows<Row> {
  const { query, viewKey = '', sortFields, openId = null } = options
  const latest = useRef(options)
  const byUser = useRef(true)
  const lastKey = useRef(viewKey)
  const store = useMemo(
    () =>
      createLiveStore<Row>({
        idOf: (row) => latest.current.getRowId(row),
        versionOf: (row) =>
          latest.current.getVersion?.(row) ?? (row as { version?: number }).version ?? 0,
      }),
    [],
  )
  const view = useSyncExternalStore(store.subscribe, store.view)
  const actions = useMemo(() => {
    const refresh = () => {
      byUser.current = true
      void latest.current.query.refetch()
    }
    return {
      refresh,
      push: store.push,
      apply: () => {
        if (store.apply()) refresh()
      },
    }
  }, [store])

  useEffect(() => {
    latest.current = options
    if (lastKey.current !== viewKey) byUser.current = true
    lastKey.current = viewKey
  })
  useEffect(() => {
    if (query.refetches === undefined || query.refetches === 0) return
    byUser.current = true
    // the event of the change may have been faster: its page waits, and the same page is no other one
    store.apply()
  }, [store, query.refetches])
  useEffect(() => store.setSortFields(sortFields ?? []), [store, sortFields])
  useEffect(() => store.setOpen(openId), [store, openId])
  useEffect(() => {
    if (!query.rows || query.isPlaceholder) return
    store.take(query.rows, byUser.current)
    byUser.current = false
  }, [store, query.rows, query.isPlaceholder])
  useEffect(() => {
    if (!query.isFetching && !query.isPlaceholder) byUser.current = false
  }, [query.isFetching, query.isPlaceholder])
  useEffect(() => {
    const timer = setInterval(store.sweep, 1000)
    return () => clearInterval(timer)
  }, [store])

  return { ...view, ...actions, store }
}
