/**
 * Writes of `feedback` and its steps. Every change locks the row (scope included), asks the
 * lifecycle and calls `moveTicket`. The fencing token grows by one whenever the processor changes,
 * to a person or to nobody.
 */
import { type RawBuilder, sql } from 'kysely'
import type { FollowState } from '#shared/tickets/follow-lifecycle.ts'
import type { ProgressState } from '#shared/tickets/ticket-lifecycle.ts'
import type { StepKind, TicketQueue, TicketType } from '#shared/tickets/ticket-sets.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { claimParts } from '#gateway/manage/kernel/claims/claim-table.ts'
import { rowLocks } from '#gateway/manage/kernel/claims/row-locks.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { ticketsInScope } from './ticket-scope.ts'
import { ROOMS, ROW_COLUMNS, rowJoins, TICKET_JSON, type TicketRow } from './ticket-row.ts'

export interface LockedTicket {
  id: string
  customer_id: string
  order_id: string | null
  type: TicketType
  queue: TicketQueue
  department: string | null
  progress: ProgressState
  follow_state: FollowState
  /** Set unless the ticket is unprocessed; a resolved ticket keeps its last processor. */
  processor_id: string | null
  processor_name: string | null
  about_id: string | null
  about_name: string | null
  handover_state: string | null
  level: number
  auto_level: number
  reply_due_at: string
  answer_due_at: string
  first_reply_at: string | null
  finished_at: string | null
  evaluation: number | null
  token: number
  version: number
  created_at: string
  /**
   * No reply yet and one of the two lease clocks has run out: the ticket has no processor, even if
   * the sweep has not run yet.
   */
  lease_over: boolean
}

export const CLAIMS = claimParts({
  name: 'feedback',
  alias: 't',
  holderId: 'processor_id',
  holderName: 'processor_name',
  idleMinutes: 'ticket.idleMinutes',
  liveSeconds: 'ticket.liveSeconds',
  capacityLock: 7_102,
})

const LOCKED = sql`
  t.id, t.customer_id, t.order_id, t.type, t.queue, t.department, t.progress, t.follow_state,
  t.processor_id, t.processor_name, t.about_id, t.about_name, t.handover_state, t.level, t.auto_level,
  t.reply_due_at, t.answer_due_at, t.first_reply_at, t.finished_at, t.evaluation, t.token, t.version,
  t.created_at, coalesce(${CLAIMS.isOver}, false) as lease_over`

/**
 * The lease of a new processor: 30 minutes while there is no reply; the 120 seconds of the second
 * clock start with the first heartbeat of an open tab.
 */
const NEW_LEASE = sql`
  idle_until = case
    when t.first_reply_at is null then clock_timestamp() + make_interval(mins =>
    ${intParameter('ticket.idleMinutes')}) end, live_until = null, warned_at = null`

/** Assigns a processor; in the post-loan queue the ticket moves to the processor's department. */
export function newProcessor(person: { userId: string; userName: string }): RawBuilder<unknown> {
  return sql`
    ${CLAIMS.newHolder(person, NEW_LEASE)},
    department = case when t.queue = 'loaned' then coalesce((select p.department_id from sys_user p
      where p.id = ${person.userId}), t.department) else t.department end`
}

/**
 * Rows a caller may write: those in their scope, and those they once worked on, so that a former
 * processor is refused with a reason while others get not found.
 */
export function writable(actor: StaffActor): RawBuilder<boolean> {
  return sql<boolean>`
    (${ticketsInScope(actor)} or (t.about_id is distinct from ${actor.userId}
      and exists (select 1 from feedback_step s
      where s.feedback_id = t.id and s.processor_id = ${actor.userId})))`
}

export const {
  lockOne: lockTicket,
  lockAny: lockAnyTicket,
  lockAll: lockTickets,
  lockIfFree,
} = rowLocks<LockedTicket>(CLAIMS.table, LOCKED, writable)

/** The unprocessed ticket that is due first and that nobody is working on in this moment. */
export async function lockNextTicket(
  tx: CommandTx,
  among: RawBuilder<boolean>,
): Promise<LockedTicket | null> {
  const { rows } = await sql<LockedTicket>`
      select ${LOCKED} from feedback t where t.progress = 'unprocessed' and ${among}
        order by t.due_at, t.id limit 1 for update of t skip locked`.execute(tx.db)
  return rows[0] ?? null
}

export interface Step {
  kind: StepKind
  content?: string | null
  remark?: string | null
  internal?: boolean
  /** The content is sent to the customer. */
  emitCustomer?: boolean
}
export interface TicketChange {
  to?: ProgressState
  follow?: FollowState
  /** Column assignments beside the states and the version. */
  set?: RawBuilder<unknown>[]
  step: Step
}
export interface Moved {
  row: TicketRow
  stepId: string
  rooms: string[]
  /** The row before the step. */
  from: LockedTicket
}

/** Writes one step of a locked ticket and returns the row after it. */
export async function moveTicket(
  tx: CommandTx,
  ticket: LockedTicket,
  { to = ticket.progress, follow = ticket.follow_state, set = [], step }: TicketChange,
): Promise<Moved> {
  const assignments = sql.join([
    sql`progress = ${to}`,
    sql`follow_state = ${follow}`,
    sql`version = t.version + 1`,
    sql`updated_at = clock_timestamp()`,
    ...set,
  ])
  const { rows } = await sql<{ row: TicketRow; step_id: string; rooms: string[] }>`
    with moved as (
      update feedback t set ${assignments} where t.id = ${ticket.id} and t.version = ${ticket.version}
        returning ${ROW_COLUMNS}
    ), logged as (
      insert into feedback_step (feedback_id, kind, operator_id, operator_name, content, remark, internal,
        from_state, to_state, token, processor_id, message)
      select m.id, ${step.kind}::text, ${tx.actor.userId}::text, ${tx.actor.userName}::text,
        ${step.content ?? null}::text, ${step.remark ?? null}::text, ${step.internal ?? false},
        ${ticket.progress}::text, m.progress, m.token,
        case when m.progress = 'followingUp' then m.processor_id end,
          ${step.emitCustomer ? 'due' : null}::text
      from moved m returning id
    )
    select ${TICKET_JSON} as row, l.id::text as step_id, ${ROOMS} as rooms
      from moved t ${rowJoins(tx.actor)} cross join logged l`.execute(tx.db)
  const moved = rows[0]
  // the row is locked, so nobody else can have changed it
  if (!moved) throw new Error(`ticket ${ticket.id} changed under its lock`)
  return { row: moved.row, stepId: moved.step_id, rooms: moved.rooms, from: ticket }
}

/** The locked ticket after a step, for another step in the same transaction. */
export function afterMove({ from, row }: Moved): LockedTicket {
  return {
    ...from,
    progress: row.progress,
    follow_state: row.followState,
    processor_id: row.processorId,
    processor_name: row.processorName,
    department: row.department,
    handover_state: row.handoverState,
    level: row.level,
    first_reply_at: row.firstReplyTime,
    finished_at: row.finishTime,
    evaluation: row.evaluation,
    token: row.token,
    version: row.version,
    lease_over: false,
  }
}
