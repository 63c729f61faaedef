/**
 * Heartbeats of the tickets this person has claimed and not replied to. After the first reply a
 * ticket needs none.
 */
import { createLeaseKeeper, type LeaseFacts, type LeaseUpdate } from '#client/live/lease-keeper.ts'
import { call } from '#client/session/call.ts'
import { listTickets, renewTicket } from '#shared/tickets/tickets-api.ts'
import { TICKET_ASSIGNED, TICKET_STATE_CHANGED } from '#shared/tickets/tickets-live.ts'
import type { TicketRow } from './ticket-types.ts'

/** A person may hold 50 tickets, but only a few without a reply. */
const HELD_LIMIT = 100

const keeper = createLeaseKeeper({
  name: 'ticket-leases',
  async renew(feedbackId, token, lastInputTime) {
    const { leaseUntil } = await call(
      renewTicket,
      { feedbackId, token, lastInputTime },
      { quiet: true },
    )
    // replied in the meantime: there is no lease to keep
    if (leaseUntil === null)
      keeper.track([{ id: feedbackId, version: Number.MAX_SAFE_INTEGER, isLeased: false }])
    return { leaseUntil: leaseUntil ?? '' }
  },
  held: async () =>
    (await call(listTickets, { tab: 'mine', pageSize: HELD_LIMIT }, { quiet: true })).rows.map(
      leaseOf,
    ),
  factsOf(event) {
    if (event.type !== TICKET_ASSIGNED.type && event.type !== TICKET_STATE_CHANGED.type) return null
    const { feedbackId, token, leaseUntil } = event.data as {
      feedbackId: string
      token: number
      leaseUntil: string | null
    }
    const holderId = (
      event.type === TICKET_ASSIGNED.type ? event.data.toUserId : event.data.processorId
    ) as string | null
    return {
      id: feedbackId,
      version: event.version ?? 0,
      holderId,
      token,
      isLeased: leaseUntil !== null,
      leaseUntil,
    }
  },
  lostBy: ['F-OWN', 'F-LEASE', 'F-STATE', 'G404'],
})

export const startTicketLeases = keeper.start

export function trackTickets(rows: readonly TicketRow[]): void {
  keeper.track(rows.map(leaseOf))
}

export function onTicketLease(listener: (news: LeaseUpdate) => void): () => void {
  return keeper.on(listener)
}

function leaseOf({
  feedbackId,
  processorId,
  token,
  version,
  leaseUntil,
  firstReplyTime,
}: TicketRow): LeaseFacts {
  return {
    id: feedbackId,
    version,
    holderId: processorId,
    token,
    isLeased: leaseUntil !== null && firstReplyTime === null,
    leaseUntil,
  }
}
