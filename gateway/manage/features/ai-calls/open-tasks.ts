/** Tasks are opened by the configurations each day, and by people for the loans they choose. */
import { sql } from 'kysely'
import type * as api from '#shared/ai-calls/ai-calls-api.ts'
import { AI_CONFIG_OFF, AI_NOT_DUE, AI_TASK_OPEN } from '#shared/ai-calls/ai-calls-problems.ts'
import { COLLECTION_STOPPED_OPEN } from '#shared/collection/collection-problems.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { contactFactsOfOrder, IST_TODAY } from '#gateway/manage/features/collection/public.ts'
import { ordersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff, systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import {
  emitTask,
  type LockedTask,
  MENU,
  moveTask,
  nextAiState,
  TASK_COLUMNS,
} from './ai-task-store.ts'

/** Tasks opened by one run. */
const OPEN_MOST = 500

/** Days after the due day, negative before it. */
const DAYS = sql`(${IST_TODAY} - o.due_at)`

/**
 * Loans in the days of an enabled configuration, in its hours: without an open task, without one of
 * today, not held, without an open promise, and not left out by their last result.
 */
export async function openPlanned(context: AppContext): Promise<number> {
  const { rows } = await sql<{ orderId: string; configId: string }>`
    with config as materialized (
      select k.* from ai_call_config k where k.status = 'enabled'
        and to_char(clock_timestamp() at time zone 'Asia/Kolkata', 'HH24:MI') >= k.start_time
        and to_char(clock_timestamp() at time zone 'Asia/Kolkata', 'HH24:MI') < k.end_time
    )
    select o.id as "orderId", k.id as "configId" from config k
    join loan_order o on o.product_id = k.product_id and o.status in (30, 50, 90) and o.outstanding > 0
      and o.due_at between ${IST_TODAY} - k.max_days and ${IST_TODAY} - k.min_days
    left join collection_case c on c.order_id = o.id and c.state <> 'closed'
    where (c.id is null and ${DAYS} <= 0 or c.state in ('unallocated', 'allocated'))
      and not exists (select from stop_collection s where s.customer_id = o.customer_id and s.state = 'active')
      and not exists (select from ai_call_task t where t.order_id = o.id
        and t.state in ('created', 'pending', 'calling', 'paused'))
      and not exists (select from ai_call_task t where t.order_id = o.id and t.config_id = k.id
        and t.created_on = ${IST_TODAY})
      and coalesce((select e.result from ai_call_task e where e.order_id = o.id and e.result is not null
        order by e.created_at desc, e.id desc limit 1) <> all(k.ignore_labels), true)
    order by o.due_at, o.id limit ${OPEN_MOST}`.execute(context.database.kysely)
  let opened = 0
  for (const { orderId, configId } of rows) {
    const outcome = await runCommand(
      context,
      {
        actor: systemActor('aiCallPlan'),
        audit: { action: 'aiCallPlan', menu: MENU, targetKind: 'order', targetId: orderId },
      },
      (tx) => openTask(tx, configId, orderId, true),
    )
    if (outcome.kind === 'done' && outcome.result !== null) opened += 1
  }
  return opened
}

/**
 * The borrower's own number is the only one there is: a task names no contact.
 * @returns null when another transaction opened one of the loan first
 */
async function openTask(
  tx: CommandTx,
  configId: string,
  orderId: string,
  schedule: boolean,
): Promise<LockedTask | null> {
  const { rows } = await sql<LockedTask>`
    insert into ai_call_task as t (config_id, order_id, case_id, customer_id, overdue_days, state,
      created_on, created_at, created_by_name)
    select ${configId}, o.id, c.id, o.customer_id, ${DAYS}, 'created', ${IST_TODAY}, clock_timestamp(),
      ${tx.actor.userName}
    from loan_order o left join collection_case c on c.order_id = o.id and c.state <> 'closed'
    where o.id = ${orderId}
    on conflict do nothing
    returning ${TASK_COLUMNS}`.execute(tx.db)
  const task = rows[0]
  if (!task) return null
  if (!schedule) {
    emitTask(tx, task, null)
    return task
  }
  // the hours of a configuration are checked when it is saved
  const to = nextAiState(task, { type: 'SCHEDULE', insideHours: true })
  return moveTask(tx, task, { to, dueAt: sql`clock_timestamp()` })
}

/** @throws Problem G-SEL, G-MAX, G404 for an unknown configuration, AI-OFF */
export async function createAiTasks(
  tx: CommandTx,
  { configId, caseIds, orderIds, schedule = true }: InputOf<typeof api.createAiTasks>,
): Promise<BulkResult> {
  const { rows } = await sql<{ status: string }>`
    select k.status from ai_call_config k where k.id = ${configId}`.execute(tx.db)
  if (!rows[0]) throw new Problem(NOT_FOUND)
  if (rows[0].status !== 'enabled') throw new Problem(AI_CONFIG_OFF)
  const ids = caseIds ?? orderIds ?? []
  const scope = ordersInScope(staff(tx.actor))
  return inBulk(tx, ids, {
    type: createTaskJob,
    menu: MENU,
    params: { configId, schedule },
    known:
      caseIds === undefined
        ? sql`select o.id from loan_order o where o.id = any(${ids}::text[]) and ${scope}`
        : sql`
          select c.id from collection_case c join loan_order o on o.id = c.order_id
          where c.id = any(${ids}::text[]) and ${scope}`,
  })
}

export const createTaskJob: JobType = {
  type: 'aiCall.create',
  /** @param targetId a loan, or a case that stands for its loan */
  async row(tx, targetId, { configId, schedule }) {
    const { rows } = await sql<{ id: string; isDue: boolean }>`
      select o.id, o.status in (30, 50, 90) and o.outstanding > 0 and o.product_id = k.product_id
        and ${DAYS} between k.min_days and k.max_days as "isDue"
      from loan_order o cross join ai_call_config k
      where k.id = ${String(configId)} and (o.id = ${targetId}
        or o.id = (select c.order_id from collection_case c where c.id = ${targetId}))`.execute(
      tx.db,
    )
    const order = rows[0]
    if (!order) throw new Problem(NOT_FOUND)
    if (!order.isDue) throw new Problem(AI_NOT_DUE)
    const { facts } = await contactFactsOfOrder(tx.db, order.id)
    if (facts.stopped) throw new Problem(COLLECTION_STOPPED_OPEN)
    const task = await openTask(tx, String(configId), order.id, schedule === true)
    if (task === null) throw new Problem(AI_TASK_OPEN)
    tx.log({
      menu: MENU,
      action: 'task',
      targetKind: 'aiTask',
      targetId: task.id,
      after: { orderId: order.id, configId: String(configId), state: task.state },
    })
  },
}
