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
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { WARNING_SECONDS } from '../desk/renew-ticket.ts'
import { returnToQueue } from '../desk/return-ticket.ts'
import { endHandover, lockHandover, emitHandover } from '../handovers/handover-store.ts'
import { logTicket, MENU, notifyAboutTicket, emitState } from '../ticket-events.ts'
import { lockAnyTicket, lockIfFree, moveTicket } from '../ticket-store.ts'

const NAME = 'ticketSweep'
/** Rows freed in one transaction. */
const BATCH = 50
const IS_OVER = sql<boolean>`least(t.idle_until, t.live_until) <= clock_timestamp()`

export const ticketSweep: ScheduledClass = {
  name: NAME,
  cycle: 'every:5',
  async run(context) {
    const warned = await warnProcessors(context)
    const freed = await freeTickets(context)
    const ended = await endHandovers(context)
    return warned + freed + ended === 0
      ? ''
      : `warned ${warned}, freed ${freed}, hand-overs ended ${ended}`
  },
}

/**
 * Warns once per approach to the end: the mark and the event are written by one statement, and a
 * heartbeat that extends the lease clears the mark.
 */
async function warnProcessors(context: AppContext): Promise<number> {
  const warned = await sql`
    with warned as (
      update feedback t set warned_at = clock_timestamp()
      where t.idle_until is not null and t.warned_at is null
        and least(t.idle_until,
        t.live_until) <= clock_timestamp() + make_interval(secs => ${WARNING_SECONDS}) and not ${IS_OVER}
      returning t.id, t.processor_id, t.idle_until, t.live_until
    )
    insert into outbox_event (type, subject, rooms, data, actor_name)
    select ${TICKET_LEASE_EXPIRING.type}::text, 'ticket:' || t.id, array['user:' || t.processor_id],
      jsonb_build_object('feedbackId', t.id, 'leaseUntil', ${isoTime('least(t.idle_until, t.live_until)')}),
      ${NAME}::text
    from warned t`.execute(context.database.kysely)
  const count = Number(warned.numAffectedRows ?? 0n)
  if (count > 0) context.wakeRelay()
  return count
}

async function freeTickets(context: AppContext): Promise<number> {
  let freed = 0
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select t.id
      from feedback t
      where t.idle_until is not null and ${IS_OVER}
      order by least(t.idle_until, t.live_until), t.id
      limit ${BATCH}`.execute(context.database.kysely)
    if (rows.length === 0) return freed
    const done = await command(context, (tx) =>
      freeBatch(
        tx,
        rows.map((row) => row.id),
      ),
    )
    freed += done
    // the remaining rows are locked by other transactions; the next sweep takes them
    if (done < BATCH) return freed
  }
}

async function freeBatch(tx: CommandTx, ids: readonly string[]): Promise<number> {
  let freed = 0
  for (const id of ids) {
    const ticket = await lockIfFree(tx, id, IS_OVER)
    if (!ticket) continue
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
    freed += 1
  }
  return freed
}

async function endHandovers(context: AppContext): Promise<number> {
  const { rows } = await sql<{ id: string; feedback_id: string }>`
    select h.id, h.feedback_id from feedback_handover h where h.state = 'pending'
      and h.expires_at <= clock_timestamp() order by h.expires_at limit 500`.execute(
    context.database.kysely,
  )
  let ended = 0
  for (const { id, feedback_id: feedbackId } of rows)
    if (await command(context, (tx) => endOne(tx, id, feedbackId))) ended += 1
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

async function command<T>(context: AppContext, work: (tx: CommandTx) => Promise<T>): Promise<T> {
  const outcome = await runCommand(
    context,
    { actor: systemActor(NAME), audit: { action: NAME, menu: MENU } },
    work,
  )
  // without an idempotency key there is never a replayed answer
  return (outcome as { result: T }).result
}
