/**
 * Rows of a list, kept true by live events: patched where the events say enough, read where they do
 * not.
 */
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { call } from '#client/session/call.ts'
import { type ListQuery, useListQuery } from '#client/screen/use-list-query.ts'
import type { GridView } from '#client/ui/grid/grid-url.ts'
import type { LiveChange } from '#client/ui/grid/live-rows.ts'
import { type LiveRows, useLiveRows } from '#client/ui/grid/use-live-rows.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import type { Page } from '#shared/kernel/page.ts'

/** What a feature's pure apply function makes of events. */
export interface Applied {
  changes: readonly LiveChange[]
  /** Rows to be read, by id; with the reason to show when the row is not found any more. */
  read: ReadonlySet<string> | ReadonlyMap<string, string>
  /** Rows may have come whose place only the server knows. */
  needsRefetch: boolean
}

export interface Touches {
  events: readonly string[]
  rowOf: (event: LiveEvent) => string | null
}

/** How a list follows its events. */
export interface LiveRules<E extends Endpoint, Row> {
  events: readonly string[]
  apply: (rows: ReadonlyMap<string, Row>, events: readonly LiveEvent[]) => Applied
  /** Input that reads one row; else its id under the name of the field. */
  readInput?: (id: string) => InputOf<E>
  /** Why a row that was read does not belong to the list any more; null while it does. */
  leaves?: (row: Row) => string | null
  /** Events that name a row of the list which was not written itself: that row is read again. */
  touches?: Touches
  /** Events after which the page is read again. */
  refreshOn?: readonly string[]
  /** Is given the rows that were read. */
  onRows?: (rows: readonly Row[]) => void
  /** Called with rows that came and are not on the page. */
  onArrived?: ((ids: readonly string[]) => void) | undefined
  /** The answer has counts beside its rows: it is read again on further pages, too. */
  hasCounts?: boolean
}

export interface LiveListWanted<E extends Endpoint, Row> extends LiveRules<E, Row> {
  endpoint: E
  /** Null when the filters cannot be asked: nothing is shown. */
  input: InputOf<E> | null
  rowId: string & keyof Row
  view: GridView
  key: string
  openId?: string | null
  /** Fields by which the list is sorted; else those of the view. */
  sortFields?: readonly string[]
  everyMs?: number | undefined
}

export interface LiveList<Row, Data> extends ListQuery<Row, Data> {
  live: LiveRows<Row>
  /** Puts a row right from an answer that carries it. */
  takeRow: (row: Row) => void
  /** Soon, and not more often than needed. */
  reread: () => void
}

/** More rows than this are read with the page. */
const READ_SINGLY = 3
const NONE: readonly string[] = []

export function useLiveList<E extends Endpoint, Row extends { version: number }>({
  endpoint,
  input,
  rowId,
  view,
  key,
  openId = null,
  sortFields,
  everyMs,
  ...rules
}: LiveListWanted<E, Row>): LiveList<Row, DataOf<E>> {
  const list = useListQuery<E, Row>(endpoint, input, everyMs)
  const idOf = (row: Row) => String(row[rowId])
  const ofView = useMemo(() => view.sort.map((part) => part.field), [view.sort])
  const live = useLiveRows<Row>({
    query: list.query,
    getRowId: idOf,
    getVersion,
    viewKey: key,
    sortFields: sortFields ?? ofView,
    openId,
  })
  const reread = useThrottled(list.refetch)

  const takeRow = (row: Row) => {
    const id = idOf(row)
    live.push([{ kind: 'row', id, version: row.version, row }])
    rules.onRows?.([row])
    const reason = rules.leaves?.(row) ?? null
    if (reason !== null) live.push([{ kind: 'leave', id, version: row.version, reason }])
  }
  const readRow = async (id: string, reason?: string) => {
    const input = rules.readInput?.(id) ?? ({ [rowId]: id } as InputOf<E>)
    // a list answers a page of its rows
    const found = (await call(endpoint, input, { quiet: true }).catch(
      () => null,
    )) as Page<Row> | null
    const row = found?.rows[0]
    if (row) takeRow(row)
    else if (found && reason !== undefined) live.push([{ kind: 'leave', id, reason }])
  }

  const { rows, isFetching, isPlaceholder } = list.query
  const shownRows = () => new Map(live.store.rows().map((row) => [idOf(row), row]))
  const readRows = (read: Applied['read']) => {
    if (read.size > READ_SINGLY) reread()
    else
      for (const id of read.keys()) void readRow(id, read instanceof Map ? read.get(id) : undefined)
  }
  const readTouched = (events: readonly LiveEvent[]) => {
    const shown = shownRows()
    const named = events.flatMap((event) => rules.touches?.rowOf(event) ?? [])
    readRows(new Set(named.filter((id) => shown.has(id))))
  }
  // an answer on its way may be older than an event, and bring rows that the event did not find
  const overtaking = useRef(new Set<LiveEvent>())
  const keep = (events: readonly LiveEvent[]) => {
    if (isFetching) for (const event of events) overtaking.current.add(event)
  }
  useLive(rules.events, (events) => {
    keep(events)
    const { changes, read, needsRefetch } = rules.apply(shownRows(), events)
    if (changes.length > 0) live.push(changes)
    const arrived = changes.flatMap((change) => (change.kind === 'new' ? [change.id] : []))
    if (arrived.length > 0) rules.onArrived?.(arrived)
    // further pages only count what is new: their rows would all move down
    const isMoving = needsRefetch || changes.some((change) => change.kind !== 'patch')
    if (isMoving && (view.page === 1 || rules.hasCounts === true)) reread()
    readRows(read)
  })
  useLive(rules.touches?.events ?? NONE, (events) => {
    keep(events)
    readTouched(events)
  })
  useLive(rules.refreshOn ?? NONE, reread)

  const onPage = useEffectEvent((page: readonly Row[]) => {
    rules.onRows?.(page)
    const events = [...overtaking.current]
    if (events.length === 0) return
    const of = (types: readonly string[] = NONE) =>
      events.filter(({ type }) => types.includes(type))
    // rows that are not on the page were counted when the event came
    const { changes, read } = rules.apply(shownRows(), of(rules.events))
    live.push(changes.filter((change) => change.kind !== 'new'))
    readRows(read)
    readTouched(of(rules.touches?.events))
  })
  useEffect(() => {
    if (rows && isPlaceholder !== true) onPage(rows)
  }, [rows, isPlaceholder])
  useEffect(() => {
    if (!isFetching) overtaking.current.clear()
  }, [isFetching, rows])
  return { ...list, live, takeRow, reread }
}

const getVersion = (row: { version: number }) => row.version
