/** Every few seconds: warns processors whose lease is about to end, frees tickets whose lease has ended before a reply, ends hand-overs nobody decided. */
import { sql } from 'kysely'
import {
  HANDOVER_CAUSES,
  handoverLifecycle,
  type HandoverState,
} from '#shared/review/handover-lifecycle.ts'
import { TICKET_LEASE_EXPIRING } from '#shared/tickets/tickets-live.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { WARNING_SECONDS } from '../desk/renew-ticket.ts'
import { returnToQueue } from '../desk/return-ticket.ts'
import { endHandover, lockHandover, tellHandover } from '../handovers/handover-store.ts'
import { logTicket, MENU, notifyOf, tellState } from '../ticket-events.ts'
import { lockAnyTicket, lockIfFree, moveTicket } from '../ticket-store.ts'

const NAME = 'ticketSweep'
/** Rows freed in one transaction. */
const BATCH = 50
const IS_OVER = sql<boolean>`least(t.idle_until, t.live_until) <= clock_timestamp()`

export const ticketSweep: ScheduledClass = {
  name: NAME,
  cycle: 'every:5',
  async run(house) {
    const warned = await warnProcessors(house)
    const freed = await freeTickets(house)
    const ended = await endHandovers(house)
    return warned + freed + ended === 0
      ? ''
      : `warned ${warned}, freed ${freed}, hand-overs ended ${ended}`
  },
}

/** Once per approach to the end: mark and event are one statement; a heartbeat that moves the lease takes the mark away. */
async function warnProcessors(house: House): Promise<number> {
  const warned = await sql`
    with warned as (
      update feedback t set warned_at = clock_timestamp()
      where t.idle_until is not null and t.warned_at is null and least(t.idle_until, t.live_until) <= clock_timestamp() + make_interval(secs => ${WARNING_SECONDS}) and not ${IS_OVER}
      returning t.id, t.processor_id, t.idle_until, t.live_until
    )
    insert into outbox_event (type, subject, rooms, data, actor_name)
    select ${TICKET_LEASE_EXPIRING.type}::text, 'ticket:' || t.id, array['user:' || t.processor_id], jsonb_build_object('feedbackId', t.id, 'leaseUntil', ${isoTime('least(t.idle_until, t.live_until)')}), ${NAME}::text
    from warned t`.execute(house.database.kysely)
  const count = Number(warned.numAffectedRows ?? 0n)
  if (count > 0) house.wakeRelay()
  return count
}

async function freeTickets(house: House): Promise<number> {
  let freed = 0
  for (;;) {
    const { rows } = await sql<{
      id: string
    }>`select t.id from feedback t where t.idle_until is not null and ${IS_OVER} order by least(t.idle_until, t.live_until), t.id limit ${BATCH}`.execute(
      house.database.kysely,
    )
    if (rows.length === 0) return freed
    const done = await command(house, (cx) =>
      freeBatch(
        cx,
        rows.map((row) => row.id),
      ),
    )
    freed += done
    // what is left is locked by somebody who works on it now: the next sweep looks again
    if (done < BATCH) return freed
  }
}

async function freeBatch(cx: Cx, ids: readonly string[]): Promise<number> {
  let freed = 0
  for (const id of ids) {
    const ticket = await lockIfFree(cx, id, IS_OVER)
    if (!ticket) continue
    await returnToQueue(
      cx,
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

async function endHandovers(house: House): Promise<number> {
  const { rows } = await sql<{ id: string; feedback_id: string }>`
    select h.id, h.feedback_id from feedback_handover h where h.state = 'pending' and h.expires_at <= clock_timestamp() order by h.expires_at limit 500`.execute(
    house.database.kysely,
  )
  let ended = 0
  for (const { id, feedback_id: feedbackId } of rows)
    if (await command(house, (cx) => endOne(cx, id, feedbackId))) ended += 1
  return ended
}

async function endOne(cx: Cx, handoverId: string, feedbackId: string): Promise<boolean> {
  const ticket = await lockAnyTicket(cx, sql<boolean>`t.id = ${feedbackId}`)
  const handover = await lockHandover(
    cx,
    sql<boolean>`h.id = ${handoverId} and h.state = 'pending'`,
  )
  const event = { type: 'EXPIRE', deadlinePassed: handover?.is_over ?? false } as const
  if (!ticket || !handover || !handoverLifecycle.can(handover.state, event)) return false
  // a stored hand-over never goes back to `new`
  const state = handoverLifecycle.next(handover.state, event) as HandoverState
  const ended = await endHandover(cx, handover, state, {
    cause: HANDOVER_CAUSES.EXPIRE,
    reason: null,
  })
  const moved = await moveTicket(cx, ticket, {
    set: [ended],
    step: { kind: 'handoverExpired', internal: true },
  })
  tellHandover(cx, handover, { state, cause: HANDOVER_CAUSES.EXPIRE }, moved)
  tellState(cx, moved)
  logTicket(cx, NAME, moved, { handoverId })
  notifyOf(cx, handover.requested_by, 'handover', 'handoverExpired', moved.row)
  return true
}

async function command<T>(house: House, work: (cx: Cx) => Promise<T>): Promise<T> {
  const outcome = await runCommand(
    house,
    { actor: systemActor(NAME), audit: { action: NAME, menu: MENU } },
    work,
  )
  // without an idempotency key nothing is ever replayed
  return (outcome as { result: T }).result
}
