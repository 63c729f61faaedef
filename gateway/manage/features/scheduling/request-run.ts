import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { ALREADY_RUNNING, Problem } from '#shared/kernel/problem.ts'
import type { runTask } from '#shared/scheduling/scheduling-api.ts'
import { taskLifecycle } from '#shared/scheduling/task-lifecycle.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { findTask, type Task } from './task-queries.ts'
import { emitTask, lockTask } from './switch-task.ts'

/**
 * Makes a task due now: the next core that looks runs it, within a second, as it does at its own
 * time. Asking again before it began is refused, so two clicks are one run.
 * @throws Problem G404, G-RUN @throws IllegalTransition while it is off
 */
export async function requestRun(
  tx: CommandTx,
  { taskId }: InputOf<typeof runTask>,
): Promise<Task> {
  const before = await lockTask(tx, taskId)
  taskLifecycle.next(before.status, { type: 'RUN' })
  if (before.isRunning) throw new Problem(ALREADY_RUNNING)
  await sql`
    update scheduled_task t set next_run_at = clock_timestamp(), asked_by = ${staff(tx.actor).userId},
      updated_at = clock_timestamp(), version = t.version + 1
    where t.id = ${taskId}`.execute(tx.db)
  // locked above
  const after = (await findTask(tx.db, taskId)) as Task
  emitTask(tx, after)
  tx.log({ action: 'run', targetKind: 'scheduledTask', targetId: taskId })
  return after
}
