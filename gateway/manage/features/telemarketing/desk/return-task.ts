/** A task goes back to the pool: released, its lease ended, or its assignee stopped working. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { TaskEvent } from '#shared/telemarketing/task-lifecycle.ts'
import type { releaseTask as releaseCall } from '#shared/telemarketing/tele-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { CLAIMS, type LockedTask, lockTask, lockTasks, moveTask } from '../task-store.ts'
import { type AssignCause, emitAssigned, logTask } from '../tele-events.ts'
import { nextTaskState, requireAssignee, requireVersion } from '../tele-refusals.ts'
import type { TeleRow } from '../tele-row.ts'

export async function returnTask(
  tx: CommandTx,
  task: LockedTask,
  event: TaskEvent,
  cause: AssignCause,
  action = 'release',
): Promise<TeleRow> {
  const row = await moveTask(tx, task, nextTaskState(task, event), [CLAIMS.noHolder])
  emitAssigned(tx, row, task.assignee_id, cause)
  logTask(tx, action, row, task, { cause })
  return row
}

/** @throws Problem G404, M-OWN, M-LEASE, M-TASK, G409 */
export async function releaseTask(
  tx: CommandTx,
  { taskId, version, token }: InputOf<typeof releaseCall>,
): Promise<TeleRow> {
  const task = await lockTask(tx, taskId)
  const facts = requireAssignee(tx, task, token)
  await requireVersion(tx, task, version)
  return returnTask(tx, task, { type: 'RELEASE', ...facts }, 'released')
}

/** At sign-out, customers who were followed up stay with the user; those only claimed are released. */
export async function releaseLeasesOf(tx: CommandTx, userId: string): Promise<void> {
  const claimed = await lockTasks(
    tx,
    sql<boolean>`t.assignee_id = ${userId} and t.state = 'claimed'`,
  )
  for (const task of claimed) await returnTask(tx, task, { type: 'OFF_DUTY' }, 'logout')
}

export async function returnTasksOf(tx: CommandTx, userId: string): Promise<void> {
  const all = await lockTasks(
    tx,
    sql<boolean>`t.assignee_id = ${userId} and t.state in ('claimed', 'assigned')`,
  )
  for (const task of all) await returnTask(tx, task, { type: 'OFF_DUTY' }, 'offDuty')
}
