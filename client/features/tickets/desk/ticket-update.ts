/**
 * Live event → change of the open ticket, and the message about it for the person who has it open.
 * Pure.
 */
import type { DataOfEvent, LiveEvent, LiveEventKind } from '#shared/kernel/live.ts'
import {
  TICKET_ASSIGNED,
  TICKET_REPLIED,
  TICKET_SLA_DUE,
  TICKET_STATE_CHANGED,
} from '#shared/tickets/tickets-live.ts'
import { factsOf } from '../ticket-facts.ts'
import type { TicketRow } from '../ticket-types.ts'

export type TicketUpdate =
  | { kind: 'takenBy'; name: string }
  | { kind: 'nowYours'; name: string }
  | { kind: 'leaseOver' }
  | { kind: 'reopened' }
  | { kind: 'customerWrote' }
  | { kind: 'missed' }

export function concernsTicket(
  event: LiveEvent,
  feedbackId: string,
  caseId: string | null,
): boolean {
  if (event.data.feedbackId !== undefined) return event.data.feedbackId === feedbackId
  return (
    caseId !== null &&
    (event.data.caseId === caseId ||
      (event.data.caseIds as string[] | undefined)?.includes(caseId) === true)
  )
}

export function applyToTicket(row: TicketRow, event: LiveEvent): TicketRow {
  const facts = factsOf(event, row)
  if (!facts || (event.version !== undefined && event.version < row.version)) return row
  return { ...row, ...facts.fields, version: Math.max(row.version, event.version ?? 0) }
}

/** @param userId the person who has it open */
export function updateOf(event: LiveEvent, userId: string): TicketUpdate | null {
  const is = <K extends LiveEventKind>(kind: K) =>
    event.type === kind.type ? (event.data as DataOfEvent<K>) : null
  const given = is(TICKET_ASSIGNED)
  if (given) {
    if (given.cause === 'expired' && given.fromUserId === userId) return { kind: 'leaseOver' }
    if (given.toUserId === userId)
      return given.cause === 'handover'
        ? { kind: 'nowYours', name: event.actor?.userName ?? '' }
        : null
    return given.toUserId !== null ? { kind: 'takenBy', name: given.toUserName ?? '' } : null
  }
  const moved = is(TICKET_STATE_CHANGED)
  if (moved)
    return moved.from === 'finished' && moved.to !== 'finished' ? { kind: 'reopened' } : null
  if (is(TICKET_REPLIED)?.byCustomer) return { kind: 'customerWrote' }
  return is(TICKET_SLA_DUE)?.missed ? { kind: 'missed' } : null
}
