/** RETURN: a ticket goes back to the queue - given back, its lease ended before the first reply, or its processor away too long. */
import { sql } from 'kysely'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { ReturnCause } from '#shared/tickets/ticket-lifecycle.ts'
import { closePendingHandover } from '../handovers/handover-store.ts'
import { logTicket, notifyOf, tellAssigned, tellState } from '../ticket-events.ts'
import { nextProgress } from '../ticket-refusals.ts'
import {
  lockTickets,
  type LockedTicket,
  type Moved,
  moveTicket,
  NO_PROCESSOR,
} from '../ticket-store.ts'

interface Return {
  cause: ReturnCause
  reason: string
  leaseOver: boolean
  offDuty: boolean
  isOwner: boolean
  isLeader: boolean
  handoverPending: boolean
}

/** @throws Problem F-STATE when the lifecycle refuses; nothing is written then */
export async function returnToQueue(
  cx: Cx,
  ticket: LockedTicket,
  why: Return,
  action: string,
): Promise<Moved> {
  const to = nextProgress(ticket, { type: 'RETURN', ...why })
  const handover = await closePendingHandover(cx, ticket)
  const moved = await moveTicket(cx, ticket, {
    to,
    set: [NO_PROCESSOR, ...handover.set],
    step: { kind: why.cause, content: why.reason === '' ? null : why.reason },
  })
  handover.tell(cx, moved)
  tellAssigned(cx, moved, why.cause)
  tellState(cx, moved)
  logTicket(cx, action, moved, { cause: why.cause })
  notifyOf(
    cx,
    ticket.processor_id,
    'taken',
    why.cause === 'released' ? 'taken' : why.cause,
    moved.row,
  )
  return moved
}

/** Gives back what a person has claimed and not answered yet: his session ends. What he has answered stays his. */
export async function releaseLeasesOf(cx: Cx, userId: string): Promise<void> {
  for (const ticket of await lockTickets(
    cx,
    sql<boolean>`t.processor_id = ${userId} and t.idle_until is not null`,
  )) {
    await returnToQueue(
      cx,
      ticket,
      {
        cause: 'released',
        reason: 'logout',
        leaseOver: ticket.lease_over,
        offDuty: false,
        isOwner: true,
        isLeader: true,
        handoverPending: ticket.handover_state === 'pending',
      },
      'release',
    )
  }
}
