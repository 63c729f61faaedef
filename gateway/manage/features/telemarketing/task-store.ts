/**
 * Writes of `tele_task`. Every change locks the row (scope included), asks the lifecycle and calls
 * `moveTask`. The fencing token grows by one whenever the assignee changes, to a person or to nobody.
 */
import { type RawBuilder, sql } from 'kysely'
import type { TaskState } from '#shared/telemarketing/task-lifecycle.ts'
import type { Segment } from '#shared/telemarketing/tele-sets.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { claimParts } from '#gateway/manage/kernel/claims/claim-table.ts'
import { rowLocks } from '#gateway/manage/kernel/claims/row-locks.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { ROW_COLUMNS, ROW_JOINS, TELE_JSON, type TeleRow } from './tele-row.ts'
import { segmentsOf } from './tele-scope.ts'

export const CLAIMS = claimParts({
  name: 'tele_task',
  alias: 't',
  holderId: 'assignee_id',
  holderName: 'assignee_name',
  idleMinutes: 'marketing.idleMinutes',
  liveSeconds: 'marketing.liveSeconds',
  capacityLock: 7_103,
})

export interface LockedTask {
  id: string
  customer_id: string
  segment: Segment
  state: TaskState
  assignee_id: string | null
  assignee_name: string | null
  follow_count: number
  /** Full days since the last follow-up; null without one. */
  days_since_follow: number | null
  last_follower: string | null
  token: number
  version: number
  lease_over: boolean
  /** Held out by a node: nobody contacts the customer now. */
  held_out: boolean
  /** IST days since the task was opened, and since the loss. */
  age: number
  loss_days: number
}

const LOCKED = sql`
  t.id, t.customer_id, t.segment, t.state, t.assignee_id, t.assignee_name, t.follow_count, t.token,
  floor(extract(epoch from clock_timestamp() - t.last_follow_at) / 86400)::int as days_since_follow,
  (select w.operator_id from tele_record w where w.task_id = t.id
    order by w.created_at desc limit 1) as last_follower,
  t.version, coalesce(${CLAIMS.isOver}, false) as lease_over,
   coalesce(t.held_until > clock_timestamp(), false) as held_out,
  ist_day(clock_timestamp()) - ist_day(t.created_at) as age,
  ist_day(clock_timestamp()) - ist_day(t.loss_at) as loss_days`

/**
 * Rows a caller may write: every task of a segment in which they follow up, so that a caller who
 * lost a claim is told so; the command checks who holds it.
 */
function writable(actor: StaffActor): RawBuilder<boolean> {
  return sql<boolean>`(t.segment = any(${segmentsOf(actor, 'follow')}::text[]))`
}

export const {
  lockOne: lockTask,
  lockAll: lockTasks,
  lockIfFree,
} = rowLocks<LockedTask>(CLAIMS.table, LOCKED, writable)

/** Writes a transition of a locked task and returns the row after it. */
export async function moveTask(
  tx: CommandTx,
  task: LockedTask,
  to: TaskState,
  set: RawBuilder<unknown>[] = [],
): Promise<TeleRow> {
  const assignments = sql.join([
    sql`state = ${to}`,
    sql`version = t.version + 1`,
    sql`updated_at = clock_timestamp()`,
    ...set,
  ])
  const { rows } = await sql<{ row: TeleRow }>`
    with moved as (
      update tele_task t set ${assignments} where t.id = ${task.id} and t.version = ${task.version}
        returning ${ROW_COLUMNS}
    )
    select ${TELE_JSON} as row from moved t ${ROW_JOINS}`.execute(tx.db)
  const moved = rows[0]
  // the row is locked, so nobody else can have changed it
  if (!moved) throw new Error(`task ${task.id} changed under its lock`)
  return moved.row
}
