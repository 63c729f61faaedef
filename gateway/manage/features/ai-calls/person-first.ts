/** A person goes first: what they do ends the tasks of the robot in the same transaction. */
import { type RawBuilder, sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { cancelTask, type LockedTask, TASK_COLUMNS } from './ai-task-store.ts'

/**
 * A person contacts the borrower. A call of the robot that is out is not cut off: its end is noted and
 * acts as any other, but nobody is dialled again.
 */
export function endTasksOfBorrower(tx: CommandTx, customerId: string): Promise<void> {
  return endTasks(tx, sql<boolean>`t.customer_id = ${customerId}`)
}

/** A person gets the case by hand. */
export function endTasksOfCase(tx: CommandTx, caseId: string): Promise<void> {
  return endTasks(tx, sql<boolean>`t.case_id = ${caseId}`)
}

async function endTasks(tx: CommandTx, which: RawBuilder<boolean>): Promise<void> {
  const { rows } = await sql<LockedTask>`
    select ${TASK_COLUMNS} from ai_call_task t where ${which}
      and t.state in ('created', 'pending', 'calling', 'paused') order by t.id for update of t`.execute(
    tx.db,
  )
  for (const task of rows) await cancelTask(tx, task, 'person')
}
