/** The rows of a declared list: read again after its events, or patched in place by them. */
import { useEffect, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { usePageQuery } from '#client/screen/use-list-query.ts'
import type { GridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import type { FilterKinds } from '#client/ui/grid/grid-url.ts'
import type { GridQuery, LiveRows } from '#client/ui/grid/use-live-rows.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { ListContext, ListSpec } from './list-types.ts'
import { useLiveList } from './use-live-list.ts'

export interface ListRows<E extends Endpoint, Row> {
  query: GridQuery<Row>
  answer: DataOf<E> | undefined
  live: LiveRows<Row> | undefined
  refetch: () => void
  show: () => void
  takeRow: (row: Row) => void
  /** The row as it is in the list now. */
  fresh: (row: Row) => Row
}

export interface RowsWanted<E extends Endpoint> {
  /** Null when the filters cannot be asked. */
  input: InputOf<E> | null
  url: GridUrlState<FilterKinds>
  context: ListContext
  /** Something on the screen shows a row: patches draw it again. */
  follows: boolean
}

const NO_EVENTS: readonly string[] = []

/** @returns a hook that reads the rows in the way the list declares */
export function rowsOf<E extends Endpoint, Row extends object>(
  spec: ListSpec<E, Row>,
): (wanted: RowsWanted<E>) => ListRows<E, Row> {
  const { live } = spec
  const idOf = (row: Row) => String(row[spec.rowId])
  return live === undefined
    ? function usePlainRows({ input }) {
        const list = usePageQuery<E, Row>(
          spec.endpoint,
          input,
          spec.refreshOn ?? NO_EVENTS,
          spec.everyMs,
        )
        const { rows } = list.query
        const reread = useThrottled(list.refetch)
        useLive(spec.touches?.events ?? NO_EVENTS, (events) => {
          const named = events.flatMap((event) => spec.touches?.rowOf(event) ?? [])
          // the rows that are on their way may be older than the event
          const shown = list.isPlaceholder || !rows ? null : new Set(rows.map(idOf))
          if (named.some((id) => shown?.has(id) ?? true)) reread()
        })
        return {
          query: list.query,
          answer: list.data,
          live: undefined,
          refetch: list.refetch,
          show: list.show,
          takeRow: list.refetch,
          fresh: (row) => rows?.find((one) => idOf(one) === idOf(row)) ?? row,
        }
      }
    : function usePatchedRows({ input, url, context, follows }) {
        // a list that is patched has rows with versions
        const list = useLiveList<E, Row & { version: number }>({
          endpoint: spec.endpoint,
          input,
          rowId: spec.rowId,
          view: url.view,
          key: url.key,
          everyMs: spec.everyMs,
          ...live(context, input),
        })
        const [, drawAgain] = useState(0)
        const { store } = list.live
        useEffect(
          () => (follows ? store.onPatched(() => drawAgain((n) => n + 1)) : undefined),
          [follows, store],
        )
        return {
          query: list.query,
          answer: list.data,
          live: list.live,
          refetch: list.refetch,
          show: list.show,
          takeRow: (row) => list.takeRow(row as Row & { version: number }),
          fresh: (row) => store.row(idOf(row)) ?? row,
        }
      }
}
