/** Rows and figures of a ticket list, kept true by live events: patched where they say enough, read where they do not. */
import { useEffect, useMemo } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { call } from '#client/session/call.ts'
import { useListQuery } from '#client/shell/use-list-query.ts'
import type { GridView } from '#client/ui/grid-url.ts'
import { type GridQuery, type LiveRows, useLiveRows } from '#client/ui/useLiveRows.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { listTickets } from '#shared/tickets/tickets-api.ts'
import {
  applyTicketEvents,
  type LeaveWords,
  type LiveFilters,
  TICKET_LIST_EVENTS,
} from '../ticket-apply.ts'
import { noteTickets } from '../ticket-lease.ts'
import type { TicketPage, TicketQueue, TicketRow, TicketTab, Viewer } from '../ticket-types.ts'
import { useSay } from '../use-say.ts'

export interface TicketListNow {
  query: GridQuery<TicketRow>
  live: LiveRows<TicketRow>
  data: TicketPage | undefined
  /** Puts a row right from an answer that carries it. */
  takeRow: (row: TicketRow) => void
  reread: () => void
}

export interface TicketListWanted {
  tab: TicketTab
  queue: TicketQueue | null
  viewer: Viewer
  filters: LiveFilters
  input: InputOf<typeof listTickets>
  view: GridView
  key: string
  openId: string | null
}

/** More rows than this are read as a page. */
const READ_SINGLY = 3

export function useTicketList({
  tab,
  queue,
  viewer,
  filters,
  input,
  view,
  key,
  openId,
}: TicketListWanted): TicketListNow {
  const t = useSay()
  const { query, data, isPlaceholder, refetch } = useListQuery<typeof listTickets, TicketRow>(
    listTickets,
    input,
  )
  const sortFields = useMemo(
    () => (view.sort.length > 0 ? view.sort.map((part) => part.field) : ['dueTime']),
    [view.sort],
  )
  const live = useLiveRows<TicketRow>({
    query,
    getRowId,
    getVersion,
    viewKey: `${tab} ${key}`,
    sortFields,
    openId,
  })
  const reread = useThrottled(refetch)

  const words: LeaveWords = (why, params) => t(`leave.${why}`, params)
  const takeRow = (row: TicketRow) => {
    noteTickets([row])
    live.push([{ kind: 'row', id: row.feedbackId, version: row.version, row }])
  }
  const readRow = async (feedbackId: string) => {
    const found = await call(listTickets, { feedbackId }, { quiet: true }).catch(() => null)
    const row = found?.rows[0]
    if (row) takeRow(row)
  }
  useLive(TICKET_LIST_EVENTS, (events) => {
    const rows = new Map(live.store.rows().map((row) => [row.feedbackId, row]))
    const { changes, read, ask } = applyTicketEvents(
      { tab, queue, viewer, filters, rows },
      events,
      words,
    )
    if (changes.length > 0) live.push(changes)
    if (ask || read.size > READ_SINGLY || changes.some((change) => change.kind !== 'patch'))
      reread()
    if (read.size <= READ_SINGLY) for (const feedbackId of read) void readRow(feedbackId)
  })
  useEffect(() => {
    if (data && !isPlaceholder) noteTickets(data.rows)
  }, [data, isPlaceholder])
  return { query, live, data, takeRow, reread }
}

const getRowId = (row: TicketRow) => row.feedbackId
const getVersion = (row: TicketRow) => row.version
