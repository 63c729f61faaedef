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
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { runAsSystem } from '#gateway/manage/kernel/system-command.ts'
import { freeExpired, warnHolders } from '#gateway/manage/kernel/claims/sweep-leases.ts'
import { returnToQueue } from '../desk/return-ticket.ts'
import { endHandover, lockHandover, emitHandover } from '../handovers/handover-store.ts'
import { logTicket, MENU, notifyAboutTicket, emitState } from '../ticket-events.ts'
import { CLAIMS, lockAnyTicket, lockIfFree, moveTicket } from '../ticket-store.ts'

const NAME = 'ticketSweep'
const WORK = { name: NAME, menu: MENU }

export const ticketSweep: ScheduledClass = {
  name: NAME,
  cycle: 'every:5',
  async run(context) {
    const warned = await warnHolders(context, CLAIMS, {
      type: TICKET_LEASE_EXPIRING.type,
      subject: 'ticket',
      idField: 'feedbackId',
      name: NAME,
    })
    const freed = await freeExpired(context, CLAIMS, WORK, freeOne)
    const ended = await endHandovers(context)
    return warned + freed + ended === 0
      ? ''
      : `warned ${warned}, freed ${freed}, hand-overs ended ${ended}`
  },
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

async function endHandovers(context: AppContext): Promise<number> {
  const { rows } = await sql<{ id: string; feedback_id: string }>`
    select h.id, h.feedback_id from feedback_handover h where h.state = 'pending'
      and h.expires_at <= clock_timestamp() order by h.expires_at limit 500`.execute(
    context.database.kysely,
  )
  let ended = 0
  for (const { id, feedback_id: feedbackId } of rows)
    if (await runAsSystem(context, WORK, (tx) => endOne(tx, id, feedbackId))) ended += 1
  return ended
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
