/**
 * Opens and closes tasks by what customers did. Whatever may change a customer's segment marks the
 * customer in the same transaction; each mark is worked off here, under the lock of the open task.
 */
import { sql } from 'kysely'
import type { TaskEvent } from '#shared/telemarketing/task-lifecycle.ts'
import { taskLifecycle } from '#shared/telemarketing/task-lifecycle.ts'
import type { CloseCause } from '#shared/telemarketing/tele-sets.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { freeExpired, warnHolders } from '#gateway/manage/kernel/claims/sweep-leases.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { runAsSystem } from '#gateway/manage/kernel/system-command.ts'
import { TELE_LEASE_EXPIRING } from '#shared/telemarketing/tele-live.ts'
import { returnTask } from '../desk/return-task.ts'
import { CLAIMS, type LockedTask, lockIfFree, lockTasks, moveTask } from '../task-store.ts'
import { emitAssigned, logTask } from '../tele-events.ts'
import { freshTask, nextTaskState } from '../tele-refusals.ts'
import { type SegmentFacts, segmentFactsOf } from './segment-of.ts'

const NAME = 'teleTasks'
const WORK = { name: NAME, menu: 'marketing_center' }
/** Customers per transaction, and in one run. */
const BATCH = 50
const MOST = 5_000

export const teleTasks: ScheduledClass = {
  name: NAME,
  cycle: 'every:5',
  async run(context) {
    const warned = await warnHolders(context, CLAIMS, {
      type: TELE_LEASE_EXPIRING.type,
      subject: 'tele',
      idField: 'taskId',
      name: NAME,
    })
    const released = await freeExpired(context, CLAIMS, WORK, freeOne)
    const checked = await workOffMarks(context)
    const ended = await closeOld(context)
    return { warned, released, checked, ended }
  },
}

async function freeOne(tx: CommandTx, id: string): Promise<boolean> {
  const task = await lockIfFree(tx, id, CLAIMS.isOver)
  if (!task) return false
  const event = { type: 'LEASE_EXPIRED', leaseOver: task.lease_over } as const
  await returnTask(tx, task, event, 'expired', NAME)
  return true
}

async function workOffMarks(context: AppContext): Promise<number> {
  let seen = 0
  while (seen < MOST) {
    // a command that did nothing would still be in the operate log
    const { rows } = await sql<{ some: boolean }>`
      select exists (select from tele_mark) as some`.execute(context.database.kysely)
    if (!rows[0]?.some) return seen
    const done = await runAsSystem(context, WORK, followBatch)
    seen += done
    if (done < BATCH) return seen
  }
  return seen
}

/** A mark that is committed after the deletion stays, and its customer is looked at once more. */
async function followBatch(tx: CommandTx): Promise<number> {
  const { rows } = await sql<{ customer_id: string }>`
    with next as (
      select distinct customer_id from (
        select m.customer_id from tele_mark m order by m.id limit ${BATCH} for update skip locked
      ) m
    ), gone as (
      delete from tele_mark m using next n where m.customer_id = n.customer_id
    )
    select n.customer_id from next n order by n.customer_id`.execute(tx.db)
  for (const { customer_id: id } of rows) await followCustomer(tx, id)
  return rows.length
}

async function followCustomer(tx: CommandTx, customerId: string): Promise<void> {
  // the lock first: what the customer did is read while nobody changes the task
  const [task] = await lockTasks(
    tx,
    sql<boolean>`t.customer_id = ${customerId} and t.closed_at is null`,
  )
  const facts = await segmentFactsOf(tx.db, customerId)
  if (facts === null) return
  if (task !== undefined) {
    if (facts.segment === task.segment && !facts.isReached) return
    await closeTask(tx, task, ...endOf(task, facts))
  }
  await openTask(tx, customerId, facts)
}

function endOf(task: LockedTask, facts: SegmentFacts): [TaskEvent, CloseCause] {
  if (facts.blacklisted) return [{ type: 'LEAVE' }, 'blacklisted']
  if (!facts.isReached) return [{ type: 'LEAVE' }, 'left']
  const reached = { type: 'GOAL_REACHED', daysSinceFollow: task.days_since_follow } as const
  return taskLifecycle.can(task.state, reached)
    ? [reached, 'reached']
    : [{ type: 'LEAVE' }, 'returned']
}

async function closeTask(
  tx: CommandTx,
  task: LockedTask,
  event: TaskEvent,
  cause: CloseCause,
): Promise<void> {
  const to = nextTaskState(task, event)
  const row = await moveTask(tx, task, to, [
    CLAIMS.noLease,
    sql`next_follow_at = null`,
    sql`closed_at = clock_timestamp()`,
    sql`close_cause = ${cause}`,
    sql`credited_to = ${to === 'converted' ? task.last_follower : null}`,
  ])
  emitAssigned(tx, row, task.assignee_id, 'closed')
  logTask(tx, NAME, row, task, { cause })
}

/** Once for each time a customer is lost: a task that ended does not come back for the same loss. */
async function openTask(
  tx: CommandTx,
  customerId: string,
  { segment, lossAt, orderId }: SegmentFacts,
): Promise<void> {
  if (segment === null || lossAt === null) return
  const { rows } = await sql<{ id: string }>`
    insert into tele_task (customer_id, segment, loss_at, order_id)
    select ${customerId}, ${segment}, ${lossAt}::timestamptz, ${orderId}
    where not exists (select 1 from tele_task t where t.customer_id = ${customerId}
      and t.segment = ${segment} and t.loss_at = ${lossAt}::timestamptz)
    on conflict (customer_id) where closed_at is null do nothing
    returning id`.execute(tx.db)
  const [opened] = rows
  if (!opened) return
  const row = await freshTask(tx.db, opened.id)
  emitAssigned(tx, row, null, 'opened')
}

async function closeOld(context: AppContext): Promise<number> {
  const { rows } = await sql<{ id: string; most: number }>`
    select t.id, d.most from tele_task t cross join (select ${intParameter('marketing.taskDays')} as most) d
    where t.closed_at is null and t.state <> 'claimed'
      and t.created_at < clock_timestamp() - make_interval(days => d.most)
    order by t.created_at limit ${MOST}`.execute(context.database.kysely)
  let closed = 0
  for (const { id, most } of rows) {
    const isClosed = await runAsSystem(context, WORK, async (tx) => {
      const task = await lockIfFree(tx, id, sql<boolean>`t.closed_at is null`)
      const event = { type: 'TOO_OLD', days: task?.age ?? 0, most } as const
      if (!task || !taskLifecycle.can(task.state, event)) return false
      await closeTask(tx, task, event, 'tooOld')
      return true
    })
    if (isClosed) closed += 1
  }
  return closed
}
