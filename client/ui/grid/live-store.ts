/**
 * The live rows of one list outside React, so that a patch reaches the grid without a render of the
 * screen. React subscribes to `view` (order, counts, leaving); the grid to `onPatched`.
 */
import {
  applyWaiting,
  dropExpired,
  emptyLiveRows,
  type Leaving,
  type LiveChange,
  type LiveRowsState,
  pendingOf,
  type RowShape,
  shownRows,
  takeChanges,
  takePage,
} from './live-rows.ts'

/** Reasons why rows must not move. */
export type HoldReason = 'pointer' | 'focus' | 'menu' | 'form'

export interface LiveView {
  order: readonly string[]
  pending: { added: number; moved: number }
  leaving: ReadonlyMap<string, Leaving>
}

export interface LiveStore<Row> {
  /** A page of the server; `asked` = the user changed the view or pressed refresh. */
  take(rows: readonly Row[], byUser: boolean): void
  push(changes: readonly LiveChange[]): void
  /** Applies the waiting order; true when rows must be read from the server. */
  apply(): boolean
  hold(reason: HoldReason, on: boolean): void
  /** Call each second: removes leaving rows. */
  sweep(): void
  setOpen(id: string | null): void
  setSortFields(fields: readonly string[]): void
  rows(): Row[]
  row(id: string): Row | undefined
  view(): LiveView
  subscribe(listener: () => void): () => void
  /** Rows that changed in place, in the order of arrival. */
  onPatched(listener: (rows: Row[]) => void): () => void
}

export function createLiveStore<Row extends object>(
  shape: RowShape<Row>,
  now: () => number = Date.now,
): LiveStore<Row> {
  let state: LiveRowsState<Row> = emptyLiveRows()
  let view: LiveView = { order: [], pending: { added: 0, moved: 0 }, leaving: new Map() }
  let openId: string | null = null
  let sortFields: readonly string[] = []
  const holds = new Set<HoldReason>()
  const listeners = new Set<() => void>()
  const patchListeners = new Set<(rows: Row[]) => void>()

  function become(next: LiveRowsState<Row>): void {
    if (next === state) return
    const recount =
      next.order !== state.order ||
      next.waiting !== state.waiting ||
      next.arrived !== state.arrived ||
      next.moved !== state.moved
    state = next
    const pending = recount ? pendingOf(next) : view.pending
    const samePending = pending.added === view.pending.added && pending.moved === view.pending.moved
    if (next.order === view.order && next.leaving === view.leaving && samePending) return
    view = {
      order: next.order,
      leaving: next.leaving,
      pending: samePending ? view.pending : pending,
    }
    for (const listener of [...listeners]) listener()
  }
  function notify(ids: readonly string[]): void {
    const rows = ids.flatMap((id) => state.entries.get(id)?.row ?? [])
    if (rows.length) for (const listener of [...patchListeners]) listener(rows)
  }

  return {
    take(rows, byUser) {
      const before = state
      become(takePage(state, rows, shape, { held: holds.size > 0, byUser, openId }))
      if (before.order === state.order)
        notify(
          state.order.filter((id) => before.entries.get(id)?.row !== state.entries.get(id)?.row),
        )
    },
    push(changes) {
      const { state: next, touched } = takeChanges(state, changes, now(), sortFields)
      become(next)
      notify(touched)
    },
    apply() {
      const needsServer = state.arrived.size > 0 || state.moved.size > 0
      become(applyWaiting(state, openId))
      return needsServer
    },
    hold(reason, on) {
      if (on) holds.add(reason)
      else holds.delete(reason)
      if (!holds.size)
        become(dropExpired(applyWaiting(state, openId), now(), { held: false, openId }))
    },
    sweep() {
      become(dropExpired(state, now(), { held: holds.size > 0, openId }))
    },
    setOpen(id) {
      openId = id
    },
    setSortFields(fields) {
      sortFields = fields
    },
    rows: () => shownRows(state),
    row: (id) => state.entries.get(id)?.row,
    view: () => view,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onPatched(listener) {
      patchListeners.add(listener)
      return () => patchListeners.delete(listener)
    },
  }
}
