/** Refusals of telemarketing commands, with the data a screen shows. */
import { sql } from 'kysely'
import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import {
  type OwnerFacts,
  type TaskEvent,
  taskLifecycle,
  type TaskState,
} from '#shared/telemarketing/task-lifecycle.ts'
import { TASK_CLAIM_OVER, TASK_STATE, TASK_TAKEN } from '#shared/telemarketing/tele-problems.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { LockedTask } from './task-store.ts'
import { ROW_JOINS, TELE_JSON, type TeleRow } from './tele-row.ts'

/** @throws Problem G404 for an unknown task */
export async function freshTask(db: Db, taskId: string): Promise<TeleRow> {
  const { rows } = await sql<{ row: TeleRow }>`
    select ${TELE_JSON} as row from tele_task t ${ROW_JOINS} where t.id = ${taskId}`.execute(db)
  const found = rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  return found.row
}

type Held = Pick<LockedTask, 'state' | 'assignee_id' | 'assignee_name' | 'lease_over'>

/** Without the row: a caller who lost the task may no longer see it. */
export function notYours({ state, assignee_name: userName, lease_over: isOver }: Held): Problem {
  if (state === 'converted' || state === 'expired') return new Problem(TASK_STATE, { state })
  return userName === null || isOver
    ? new Problem(TASK_CLAIM_OVER)
    : new Problem(TASK_TAKEN, { userName })
}

/**
 * Checks that the caller has the task under this token.
 * @throws Problem M-TASK for a closed task, M-OWN with the assignee's name, M-LEASE
 */
export function requireAssignee(tx: CommandTx, task: LockedTask, token: number): OwnerFacts {
  const isOwner = task.assignee_id === tx.actor.userId && !task.lease_over
  const tokenCurrent = token === task.token
  const isClosed = task.state === 'converted' || task.state === 'expired'
  if (isClosed || !isOwner || !tokenCurrent)
    throw notYours(isOwner && !isClosed ? { ...task, assignee_name: null } : task)
  return { isOwner, tokenCurrent }
}

/** @throws Problem G409 with the current row */
export async function requireVersion(
  tx: CommandTx,
  task: LockedTask,
  version: number,
): Promise<void> {
  if (task.version !== version)
    throw await changedByOther(tx.db, 'tele', task.id, await freshTask(tx.db, task.id))
}

/** The next state by the lifecycle. @throws Problem M-TASK */
export function nextTaskState(task: Pick<LockedTask, 'state'>, event: TaskEvent): TaskState {
  try {
    return taskLifecycle.next(task.state, event)
  } catch (error) {
    if (!(error instanceof IllegalTransition)) throw error
    const allowed = taskLifecycle.allowed(task.state)
    throw new Problem(
      TASK_STATE,
      { state: task.state },
      { state: task.state, event: event.type, allowed },
    )
  }
}
