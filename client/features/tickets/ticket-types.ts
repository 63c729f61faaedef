import type { Static } from 'typebox'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import {
  mayTicket,
  type TicketAction,
  type TicketQueue,
  type TicketTab,
} from '#shared/tickets/ticket-sets.ts'
import type {
  listTakers,
  listTickets,
  ticketDetail,
  TicketRow as TicketRowSchema,
  ticketStatement,
  ticketSteps,
} from '#shared/tickets/tickets-api.ts'

export type TicketRow = Static<typeof TicketRowSchema>
export type TicketPage = DataOf<typeof listTickets>
export type TicketCounts = TicketPage['counts']
export type TicketStats = TicketPage['stats']
export type TicketDetail = DataOf<typeof ticketDetail>
export type TicketStep = DataOf<typeof ticketSteps>['steps'][number]
export type Taker = DataOf<typeof listTakers>[number]
export type StatementRow = DataOf<typeof ticketStatement>['rows'][number]
export type { TicketQueue, TicketTab }

export const TICKET_MENUS = ['operation_ticket', 'loaned_ticket', 'user_feedback'] as const
export type TicketMenu = (typeof TICKET_MENUS)[number]

/** The queue a list shows; intake shows both. */
export const QUEUE_OF: Record<TicketMenu, TicketQueue | null> = {
  operation_ticket: 'operation',
  loaned_ticket: 'loaned',
  user_feedback: null,
}

/** The person at the page, and what they may do there. */
export interface Viewer {
  userId: string
  /** The viewer's department, for hand-overs offered to it. */
  departmentId: string | null
  codes: ReadonlySet<string>
}

export function can(viewer: Viewer, queue: TicketQueue, action: TicketAction): boolean {
  return mayTicket(viewer.codes, queue, action)
}

/** Whether the viewer may do it in the queue shown, or in one of both. */
export function canSome(viewer: Viewer, queue: TicketQueue | null, action: TicketAction): boolean {
  return queue === null
    ? can(viewer, 'operation', action) || can(viewer, 'loaned', action)
    : can(viewer, queue, action)
}
