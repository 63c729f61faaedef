/**
 * Rows and figures of a ticket list, kept current by live events: patched where the event carries
 * enough, else fetched again.
 */
import { useText } from '#client/base/use-text.ts'
import { type LiveList, useLiveList } from '#client/screen/list/use-live-list.ts'
import type { GridView } from '#client/ui/grid/grid-url.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { listTickets } from '#shared/tickets/tickets-api.ts'
import {
  applyTicketEvents,
  type LeaveWords,
  type LiveFilters,
  TICKET_LIST_EVENTS,
} from '../ticket-apply.ts'
import { trackTickets } from '../ticket-lease.ts'
import type { TicketQueue, TicketRow, TicketTab, Viewer } from '../ticket-types.ts'

export type TicketListNow = LiveList<TicketRow, DataOf<typeof listTickets>>

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

const BY_DUE_TIME = ['dueTime']

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
  const t = useText('tickets')
  const words: LeaveWords = (why, params) => t(`leave.${why}`, params)
  return useLiveList<typeof listTickets, TicketRow>({
    endpoint: listTickets,
    input,
    rowId: 'feedbackId',
    view,
    key: `${tab} ${key}`,
    openId,
    ...(view.sort.length === 0 && { sortFields: BY_DUE_TIME }),
    events: TICKET_LIST_EVENTS,
    apply(rows, events) {
      return applyTicketEvents({ tab, queue, viewer, filters, rows }, events, words)
    },
    onRows: trackTickets,
    hasCounts: true,
  })
}
