/**
 * Writes of `feedback_handover`. The ticket row carries the state of its newest hand-over, so every
 * change here comes with a change of the locked ticket row.
 */
import { type RawBuilder, sql } from 'kysely'
import {
  HANDOVER_CAUSES,
  handoverLifecycle,
  type HandoverEvent,
  type HandoverState,
} from '#shared/handovers/handover-lifecycle.ts'
import { TICKET_HANDOVER_CHANGED } from '#shared/tickets/tickets-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { SEES_LOANED } from '../ticket-row.ts'
import type { LockedTicket, Moved } from '../ticket-store.ts'

export interface Handover {
  id: string
  feedback_id: string
  from_user_id: string
  from_name: string
  /** Either a person or a department. */
  to_user_id: string | null
  to_name: string | null
  to_department: string | null
  to_department_name: string | null
  /** People of the department who may accept it. */
  members: string[]
  requested_by: string
  state: HandoverState
  item_token: number
  is_over: boolean
}

const COLUMNS = sql.raw(`
  h.id, h.feedback_id, h.from_user_id, h.from_name, h.to_user_id, h.to_name, h.to_department,
  (select d.name from department d where d.id = h.to_department) as to_department_name,
  array(select m.id from sys_user m where m.department_id = h.to_department and ${SEES_LOANED}) as members,
  h.requested_by, h.state, h.item_token, h.expires_at <= clock_timestamp() as is_over`)

/** The ticket row is locked first, so hand-overs of one ticket are decided one after the other. */
export async function lockHandover(
  tx: CommandTx,
  which: RawBuilder<boolean>,
): Promise<Handover | null> {
  const { rows } =
    await sql<Handover>`select ${COLUMNS} from feedback_handover h where ${which} for update`.execute(
      tx.db,
    )
  return rows[0] ?? null
}

export async function insertHandover(
  tx: CommandTx,
  ticket: LockedTicket,
  {
    toUserId,
    toName,
    toDepartment,
    reason,
    hours,
  }: {
    toUserId: string | null
    toName: string | null
    toDepartment: string | null
    reason: string
    hours: RawBuilder<number>
  },
): Promise<Handover> {
  const { rows } = await sql<Handover>`
    insert into feedback_handover as h (feedback_id, from_user_id, from_name, to_user_id, to_name,
      to_department, requested_by, reason, item_token, expires_at)
    values (${ticket.id}, ${ticket.processor_id}, ${ticket.processor_name}, ${toUserId}, ${toName},
      ${toDepartment}, ${tx.actor.userId}, ${reason}, ${ticket.token},
      clock_timestamp() + make_interval(hours => ${hours}))
    returning ${COLUMNS}`.execute(tx.db)
  return rows[0] as Handover
}

/**
 * Ends a pending hand-over and returns the assignment for the ticket row, to be written in the same
 * transaction. `emitHandover` publishes the event.
 */
export async function endHandover(
  tx: CommandTx,
  handover: Handover,
  to: HandoverState,
  { cause, reason }: { cause: string | null; reason: string | null },
): Promise<RawBuilder<unknown>> {
  await sql`
    update feedback_handover set state = ${to}, cause = ${cause}, decide_reason = ${reason},
      decided_at = clock_timestamp(), decided_by = ${tx.actor.userId ?? tx.actor.userName},
      version = version + 1
    where id = ${handover.id} and state = ${handover.state}`.execute(tx.db)
  return sql`handover_state = ${to}`
}

/**
 * Both sides are notified wherever the ticket is afterwards. `from` = rooms, version and queue of
 * the ticket after the step.
 */
export function emitHandover(
  tx: CommandTx,
  handover: Handover,
  { state, cause }: { state: HandoverState; cause: string | null },
  { row, rooms }: Pick<Moved, 'row' | 'rooms'>,
): void {
  const people = [
    handover.from_user_id,
    handover.to_user_id,
    handover.requested_by,
    ...handover.members,
  ]
    .filter((id) => id !== null)
    .map((id) => `user:${id}`)
  tx.emit(TICKET_HANDOVER_CHANGED, {
    subject: `ticket:${handover.feedback_id}`,
    version: row.version,
    rooms: [...rooms, ...people],
    data: {
      handoverId: handover.id,
      feedbackId: handover.feedback_id,
      queue: row.queue,
      fromUserId: handover.from_user_id,
      fromName: handover.from_name,
      toUserId: handover.to_user_id,
      toName: handover.to_name,
      toDepartment: handover.to_department,
      toDepartmentName: handover.to_department_name,
      state,
      cause,
    },
  })
}

export interface Closing {
  /** Assignments for the ticket row. */
  set: RawBuilder<unknown>[]
  /** Call it with the step that carried the assignments. */
  emit(tx: CommandTx, moved: Moved): void
}

/**
 * The ticket was released or resolved while a hand-over was pending: the hand-over is rejected with
 * cause `closed`.
 */
export async function closePendingHandover(tx: CommandTx, ticket: LockedTicket): Promise<Closing> {
  const handover =
    ticket.handover_state === 'pending'
      ? await lockHandover(tx, sql<boolean>`h.feedback_id = ${ticket.id} and h.state = 'pending'`)
      : null
  if (handover === null) return { set: [], emit: () => undefined }
  const event: HandoverEvent = { type: 'ITEM_CLOSED', itemClosed: true }
  // a stored hand-over never returns to `new`
  const state = handoverLifecycle.next(handover.state, event) as HandoverState
  const cause = HANDOVER_CAUSES.ITEM_CLOSED
  return {
    set: [await endHandover(tx, handover, state, { cause, reason: null })],
    emit: (tx, moved) => emitHandover(tx, handover, { state, cause }, moved),
  }
}
