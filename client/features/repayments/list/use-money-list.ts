/** Rows of a list of money, kept true by live events: patched where they say enough, read where they do not. */
import { useCallback, useMemo } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { call } from '#client/session/call.ts'
import { useListQuery } from '#client/shell/use-list-query.ts'
import type { GridUrlState } from '#client/ui/useGridUrlState.ts'
import type { FilterKinds } from '#client/ui/grid-url.ts'
import { type GridQuery, type LiveRows, useLiveRows } from '#client/ui/useLiveRows.ts'
import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import type { Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Page } from '#shared/kernel/page.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import type { Applied } from './payment-apply.ts'

export interface MoneyListWanted<E extends Endpoint, Row> {
  endpoint: E
  /** Null when the filters cannot be asked: nothing is shown. */
  input: InputOf<E> | null
  url: Pick<GridUrlState<FilterKinds>, 'view' | 'key'>
  /** Name of the row's id, in the row and among the filters. */
  idName: string & keyof Row
  events: readonly string[]
  apply: (rows: ReadonlyMap<string, Row>, events: readonly LiveEvent[]) => Applied
  /** Requests of this kind are about rows of the list, which say that they wait. */
  waitsFor?: ApprovalKindName
}

export interface MoneyList<Row> {
  query: GridQuery<Row>
  live: LiveRows<Row>
  /** Puts a row right from an answer that carries it. */
  takeRow: (row: Row) => void
}

const APPROVALS = [APPROVAL_CHANGED.type]
const NONE: readonly string[] = []
/** More rows than this are read with the page. */
const READ_SINGLY = 3

export function useMoneyList<E extends Endpoint, Row extends { version: number }>({
  endpoint,
  input,
  url,
  idName,
  events,
  apply,
  waitsFor,
}: MoneyListWanted<E, Row>): MoneyList<Row> {
  const { query, refetch } = useListQuery<E, Row>(endpoint, input)
  const idOf = useCallback((row: Row) => String(row[idName]), [idName])
  const sortFields = useMemo(() => url.view.sort.map((part) => part.field), [url.view.sort])
  const live = useLiveRows<Row>({ query, getRowId: idOf, getVersion, viewKey: url.key, sortFields })
  const reread = useThrottled(refetch)
  const takeRow = (row: Row) =>
    live.push([{ kind: 'row', id: idOf(row), version: row.version, row }])
  const readRow = async (id: string) => {
    const found = (await call(endpoint, { [idName]: id } as InputOf<E>, { quiet: true }).catch(
      () => null,
    )) as Page<Row> | null
    const row = found?.rows[0]
    if (row) takeRow(row)
  }

  useLive(events, (heard) => {
    const { changes, read, ask } = apply(
      new Map(live.store.rows().map((row) => [idOf(row), row])),
      heard,
    )
    if (changes.length > 0) live.push(changes)
    // further pages only count what is new: their rows would all move down
    const isMoving = ask || changes.some((change) => change.kind !== 'patch')
    if (read.size > READ_SINGLY || (isMoving && url.view.page === 1)) reread()
    if (read.size <= READ_SINGLY) for (const id of read) void readRow(id)
  })

  // a row that waits was not written: it is read again
  useLive(waitsFor === undefined ? NONE : APPROVALS, (heard) => {
    const shown = new Set(live.store.rows().map(idOf))
    const ids = new Set(
      heard.flatMap(({ data }) =>
        data.kind === waitsFor && shown.has(String(data.targetId)) ? [String(data.targetId)] : [],
      ),
    )
    if (ids.size > READ_SINGLY) reread()
    else for (const id of ids) void readRow(id)
  })

  return { query, live, takeRow }
}

const getVersion = (row: { version: number }) => row.version
