import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { setTaskStatus } from '#shared/scheduling/scheduling-api.ts'
import { TASK_RUN_CHANGED } from '#shared/scheduling/scheduling-live.ts'
import { WATCH_CLASS } from '#shared/scheduling/scheduling-sets.ts'
import { taskLifecycle } from '#shared/scheduling/task-lifecycle.ts'
import { BUILT_IN } from '#shared/system/system-problems.ts'
import { nextRun } from '#gateway/manage/jobs/cycle.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { findTask, type Task } from './task-queries.ts'

/**
 * Switches a task. One that is under way continues to its end; one that is switched on begins again:
 * its failures are forgotten and its next run is the next of its cycle.
 * @throws Problem G404, G409, K-LOCK for the watch over the others @throws IllegalTransition
 */
export async function switchTask(
  tx: CommandTx,
  { taskId, version, status }: InputOf<typeof setTaskStatus>,
): Promise<Task> {
  const before = await lockTask(tx, taskId)
  if (before.version !== version) throw await changedByOther(tx.db, 'scheduledTask', taskId, before)
  if (before.class === WATCH_CLASS) throw new Problem(BUILT_IN)
  const state = taskLifecycle.next(before.status, {
    type: status === 'enabled' ? 'SWITCH_ON' : 'SWITCH_OFF',
  })
  const now = await tx.now()
  const next = before.cycle.startsWith('every:') ? now : nextRun(before.cycle, now)
  await sql`
    update scheduled_task t set status = ${state}, next_run_at = ${next}::timestamptz, fails_in_row = 0,
      alerted = null, due_at = null, asked_by = null, updated_at = clock_timestamp(),
      version = t.version + 1
    where t.id = ${taskId}`.execute(tx.db)
  // locked above
  const after = (await findTask(tx.db, taskId)) as Task
  emitTask(tx, after)
  tx.log({
    action: state === 'enabled' ? 'switchOn' : 'switchOff',
    targetKind: 'scheduledTask',
    targetId: taskId,
    before: { status: before.status },
    after: { status: state },
  })
  return after
}

/** @throws Problem G404 */
export async function lockTask(tx: CommandTx, taskId: string): Promise<Task> {
  await sql`select from scheduled_task t where t.id = ${taskId} for update`.execute(tx.db)
  const task = await findTask(tx.db, taskId)
  if (task === null) throw new Problem(NOT_FOUND)
  return task
}

export function emitTask(tx: CommandTx, { taskId, version }: Task): void {
  tx.emit(TASK_RUN_CHANGED, {
    subject: `task:${taskId}`,
    version,
    rooms: ['menu:timed_task'],
    data: { taskId, recordId: null, result: null, durationMs: null },
  })
}
