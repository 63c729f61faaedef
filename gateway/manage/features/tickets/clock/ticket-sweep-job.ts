/**
 * Runs every few seconds. Warns processors whose lease is about to end, frees tickets whose lease
 * ended before a reply, expires hand-overs that were not decided in time.
 */
import { sql } from 'kysely'
import {
  HANDOVER_CAUSES,
  handoverLifecycle,
  type HandoverState,
} from '#shared/handovers/handover-lifecycle.ts'
import { TICKET_LEASE_EXPIRING } from '#shared/tickets/tickets-live.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { sweepClaims } from '#gateway/manage/kernel/claims/sweep-claims.ts'
import { returnToQueue } from '../desk/return-ticket.ts'
import { endHandover, lockHandover, emitHandover } from '../handovers/handover-store.ts'
import { logTicket, MENU, notifyAboutTicket, emitState } from '../ticket-events.ts'
import { CLAIMS, lockAnyTicket, lockIfFree, moveTicket } from '../ticket-store.ts'

const NAME = 'ticketSweep'
const WORK = { name: NAME, menu: MENU }

export const ticketSweep: ScheduledClass = {
  name: NAME,
  cycle: 'every:5',
  run: (context) =>
    sweepClaims(context, CLAIMS, {
      work: WORK,
      warning: {
        type: TICKET_LEASE_EXPIRING.type,
        subject: 'ticket',
        idField: 'feedbackId',
        name: NAME,
      },
      freeOne,
      handovers: { table: 'feedback_handover', itemId: 'feedback_id', endOne },
    }),
}

async function freeOne(tx: CommandTx, id: string): Promise<boolean> {
  const ticket = await lockIfFree(tx, id, CLAIMS.isOver)
  if (!ticket) return false
  await returnToQueue(
    tx,
    ticket,
    {
      cause: 'expired',
      reason: '',
      leaseOver: ticket.lease_over,
      offDuty: false,
      isOwner: false,
      isLeader: false,
      handoverPending: ticket.handover_state === 'pending',
    },
    NAME,
  )
  return true
}

async function endOne(tx: CommandTx, handoverId: string, feedbackId: string): Promise<boolean> {
  const ticket = await lockAnyTicket(tx, sql<boolean>`t.id = ${feedbackId}`)
  const handover = await lockHandover(
    tx,
    sql<boolean>`h.id = ${handoverId} and h.state = 'pending'`,
  )
  const event = { type: 'EXPIRE', deadlinePassed: handover?.is_over ?? false } as const
  if (!ticket || !handover || !handoverLifecycle.can(handover.state, event)) return false
  // a stored hand-over never returns to `new`
  const state = handoverLifecycle.next(handover.state, event) as HandoverState
  const ended = await endHandover(tx, handover, state, {
    cause: HANDOVER_CAUSES.EXPIRE,
    reason: null,
  })
  const moved = await moveTicket(tx, ticket, {
    set: [ended],
    step: { kind: 'handoverExpired', internal: true },
  })
  emitHandover(tx, handover, { state, cause: HANDOVER_CAUSES.EXPIRE }, moved)
  emitState(tx, moved)
  logTicket(tx, NAME, moved, { handoverId })
  notifyAboutTicket(tx, handover.requested_by, 'handover', 'handoverExpired', moved.row)
  return true
}
