/** ASSIGN: tasks are given evenly to telemarketers by a leader. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { distribute, skipReason } from '#shared/telemarketing/distribute.ts'
import type * as api from '#shared/telemarketing/person-api.ts'
import type { Segment } from '#shared/telemarketing/tele-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { MAY_BE_CALLED } from '../desk/claim-task.ts'
import { CLAIMS, type LockedTask, lockTasks, moveTask } from '../task-store.ts'
import { emitAssigned, logTask } from '../tele-events.ts'
import { nextTaskState } from '../tele-refusals.ts'
import { peopleOfTeam, tasksInScope } from '../tele-scope.ts'
import { lockTakers, type NamedTaker, readTakers } from './takers.ts'

type Input = InputOf<typeof api.assignTasks>
type Answer = DataOf<typeof api.assignTasks>

/** @throws Problem G404 for a segment the caller does not give out, G-FIELD without tasks */
export async function assignTasks(tx: CommandTx, input: Input): Promise<Answer> {
  const actor = staff(tx.actor)
  const { segment, taskIds, count, assigneeIds } = input
  requireSegment(actor, segment)
  if ((taskIds === undefined) === (count === undefined))
    throw new Problem(INVALID_FIELDS, {}, { fields: { count: 'required' } })
  // people first, as every command that gives tasks does: two of them count one after the other
  const takers = await lockTakers(
    tx,
    segment,
    sql<boolean>`p.user_id = any(${assigneeIds}::text[]) and ${peopleOfTeam(actor)}`,
  )
  const locked = await lockTasks(
    tx,
    taskIds === undefined ? nextOfPool(segment, count ?? 0) : named(actor, segment, taskIds),
  )
  const tasks = taskIds === undefined ? locked : await callable(tx.db, locked)
  const { turns, left, skipped } = distribute(tasks.length, takers)
  await give(tx, tasks, turns, takers)
  notify(tx, turns, segment)
  const nameOf = new Map(takers.map(({ userId, name }) => [userId, name]))
  return {
    assigned: turns.length,
    left,
    changed: (taskIds?.length ?? locked.length) - locked.length,
    barred: locked.length - tasks.length,
    skipped: skipped.map(({ userId, why }) => ({
      userId,
      userName: nameOf.get(userId) ?? userId,
      why,
    })),
  }
}

/** Of those named the ones that wait or are kept: a claim is somebody's work of this minute. */
function named(actor: StaffActor, segment: Segment, taskIds: readonly string[]) {
  return sql<boolean>`
    t.id = any(${[...taskIds]}::text[]) and t.segment = ${segment} and t.state in ('waiting', 'assigned')
      and ${tasksInScope(actor)}`
}

/** Without those nobody may call: they are given to nobody. */
async function callable(db: Db, tasks: readonly LockedTask[]): Promise<LockedTask[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id from tele_task t
    where t.id = any(${tasks.map(({ id }) => id)}::text[]) and ${MAY_BE_CALLED}`.execute(db)
  const ids = new Set(rows.map(({ id }) => id))
  return tasks.filter(({ id }) => ids.has(id))
}

/** Those somebody is claiming are passed over. */
function nextOfPool(segment: Segment, count: number) {
  return sql<boolean>`
    t.state = 'waiting' and t.id = any(array(select t.id from tele_task t
      where t.segment = ${segment} and t.state = 'waiting' and ${MAY_BE_CALLED}
      order by t.loss_at desc, t.id limit ${count} for update of t skip locked))`
}

async function give(
  tx: CommandTx,
  tasks: readonly LockedTask[],
  turns: readonly string[],
  takers: readonly NamedTaker[],
): Promise<void> {
  const open = new Map(takers.map((taker) => [taker.userId, { ...taker }]))
  for (const [n, userId] of turns.entries()) {
    const task = tasks[n]
    const taker = open.get(userId)
    if (!task || !taker) continue
    const { capacity, takesTasks } = taker
    const to = nextTaskState(task, { type: 'ASSIGN', openTasks: taker.open, capacity, takesTasks })
    const person = { userId, userName: taker.name }
    const row = await moveTask(tx, task, to, [CLAIMS.newHolder(person, CLAIMS.noLease)])
    emitAssigned(tx, row, task.assignee_id, 'assigned')
    logTask(tx, 'assign', row, task)
    taker.open += 1
  }
}

function notify(tx: CommandTx, turns: readonly string[], segment: Segment): void {
  for (const userId of new Set(turns))
    tx.notify({
      userId,
      kind: 'assigned',
      titleKey: 'telemarketing:notification.assigned',
      params: { n: turns.filter((id) => id === userId).length },
      route: `/customer_management/marketing_center/${segment}`,
    })
}

/** @throws Problem G404 */
export async function readAssignOptions(
  db: Db,
  actor: StaffActor,
  { segment }: InputOf<typeof api.listTakers>,
): Promise<DataOf<typeof api.listTakers>> {
  requireSegment(actor, segment)
  const takers = await readTakers(
    db,
    segment,
    sql<boolean>`p.segments @> array[${segment}::text] and ${peopleOfTeam(actor)}`,
  )
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from tele_task t
    where t.segment = ${segment} and t.state = 'waiting' and ${MAY_BE_CALLED}`.execute(db)
  return {
    people: takers.map((taker) => ({
      userId: taker.userId,
      userName: taker.name,
      open: taker.open,
      capacity: taker.capacity,
      skip: skipReason(taker),
    })),
    waiting: rows[0]?.n ?? 0,
  }
}

function requireSegment({ rights }: StaffActor, segment: Segment): void {
  if (!rights.permissions.has(`${segment}:assign`)) throw new Problem(NOT_FOUND)
}
