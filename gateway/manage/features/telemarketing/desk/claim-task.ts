/**
 * CLAIM of a named customer, or of the next one of a segment. The next one is the customer the caller
 * has claimed there and not followed up, so that nobody is forgotten behind a closed drawer and a
 * second press claims nobody; where it is asked for, then one whose follow-up is due.
 */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { QUEUE_EMPTY, TOO_MANY_CLAIMS } from '#shared/review/review-problems.ts'
import { taskLifecycle } from '#shared/telemarketing/task-lifecycle.ts'
import { TASK_HELD_OUT } from '#shared/telemarketing/tele-problems.ts'
import type { claimTask as claimCall } from '#shared/telemarketing/tele-api.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import { claimNext } from '#gateway/manage/kernel/claims/claim-next.ts'
import { lockCapacity } from '#gateway/manage/kernel/claims/claim-table.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { CLAIMS, lockTask, moveTask } from '../task-store.ts'
import { emitAssigned, logTask } from '../tele-events.ts'
import { freshTask, nextTaskState, notYours } from '../tele-refusals.ts'
import { ROW_COLUMNS, ROW_JOINS, TELE_JSON, type TeleRow } from '../tele-row.ts'

/** Claims of a person without a follow-up. */
const heldBy = (userId: string) =>
  sql<number>`
    (select count(*)::int from tele_task w where w.assignee_id = ${userId} and w.state = 'claimed')`
const CAPACITY = intParameter('marketing.maxClaimed')

/** Whom no time of the day would allow to be called for promotion. */
export const MAY_BE_CALLED = sql`
  coalesce(t.held_until <= clock_timestamp(), true) and
  not exists (select 1 from customer c where c.id = t.customer_id and (c.dnd or c.blacklisted))
  and not exists (select 1 from stop_collection x
    where x.customer_id = t.customer_id and x.state = 'active')`

/** @throws Problem G404 (another segment), V-MAX, V-EMPTY; of a named one also M-OWN, M-TASK */
export async function claimTask(
  tx: CommandTx,
  { segment, taskId, dueFirst = false }: InputOf<typeof claimCall>,
): Promise<TeleRow> {
  const actor = staff(tx.actor)
  if (!actor.rights.permissions.has(`${segment}:follow`)) throw new Problem(NOT_FOUND)
  // pipelined: what follows executes after the capacity lock is granted, with a fresh snapshot
  const lock = lockCapacity(tx, CLAIMS.table, actor.userId)
  if (taskId !== undefined) {
    const [, row] = await Promise.all([lock, claimNamed(tx, actor, taskId)])
    return row
  }
  const [, openId] = await Promise.all([lock, ownTask(tx, actor, segment, dueFirst)])
  return openId === null ? claimNextTask(tx, actor, segment) : freshTask(tx.db, openId)
}

/** Whose next contact was planned for a time that has come. */
export const IS_DUE = sql`(
  t.closed_at is null and t.next_follow_at <= clock_timestamp() and ${MAY_BE_CALLED})`

/** The caller's oldest claim in the segment that has no follow-up yet, or then the oldest one due. */
async function ownTask(
  tx: CommandTx,
  { userId }: StaffActor,
  segment: string,
  dueFirst: boolean,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select t.id from tele_task t
    where t.assignee_id = ${userId} and t.segment = ${segment}
      and ((t.state = 'claimed' and not ${CLAIMS.isOver})
        ${dueFirst ? sql`or ${IS_DUE}` : sql``})
    order by t.state <> 'claimed',
      case t.state when 'claimed' then t.updated_at else t.next_follow_at end, t.id
    limit 1`.execute(tx.db)
  return rows[0]?.id ?? null
}

async function claimNextTask(tx: CommandTx, actor: StaffActor, segment: string): Promise<TeleRow> {
  const { held, capacity, claimed } = await claimNext<TeleRow>(tx, {
    claims: CLAIMS,
    actor,
    count: 1,
    held: heldBy(actor.userId),
    capacity: CAPACITY,
    where: sql`t.segment = ${segment} and t.state = 'waiting' and ${MAY_BE_CALLED}`,
    // the customer lost last is the easiest to reach
    orderBy: sql`t.loss_at desc, t.id`,
    set: sql`state = 'claimed'`,
    columns: ROW_COLUMNS,
    logged: sql`select 1`,
    row: TELE_JSON,
    joins: ROW_JOINS,
  })
  const [row] = claimed ?? []
  if (row === undefined)
    throw held >= capacity
      ? new Problem(TOO_MANY_CLAIMS, { n: capacity })
      : new Problem(QUEUE_EMPTY)
  // the statement above repeats the lifecycle's guard; the lifecycle checks it again before commit
  taskLifecycle.next('waiting', { type: 'CLAIM', openClaims: held, capacity })
  emitAssigned(tx, row, null, 'claimed')
  logTask(tx, 'claim', row, {
    state: 'waiting',
    token: row.token - 1,
    version: row.version - 1,
  })
  return row
}

async function claimNamed(tx: CommandTx, actor: StaffActor, taskId: string): Promise<TeleRow> {
  const task = await lockTask(tx, taskId)
  const isOwn = task.assignee_id === actor.userId && !task.lease_over
  // the caller's own claim, requested again because the response was lost
  if (isOwn && task.state === 'claimed') return freshTask(tx.db, task.id)
  if (task.state !== 'waiting') throw notYours(task)
  if (task.held_out) throw new Problem(TASK_HELD_OUT)
  const { rows } = await sql<{ held: number; capacity: number }>`
    select ${heldBy(actor.userId)} as held, ${CAPACITY} as capacity`.execute(tx.db)
  const { held, capacity } = rows[0] as { held: number; capacity: number }
  if (held >= capacity) throw new Problem(TOO_MANY_CLAIMS, { n: capacity })
  const to = nextTaskState(task, { type: 'CLAIM', openClaims: held, capacity })
  const row = await moveTask(tx, task, to, [CLAIMS.newHolder(actor)])
  emitAssigned(tx, row, null, 'claimed')
  logTask(tx, 'claim', row, task)
  return row
}
