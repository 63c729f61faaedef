import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type {
  editTask as editCall,
  nextRunsOf as nextCall,
} from '#shared/scheduling/scheduling-api.ts'
import { CYCLE_INVALID } from '#shared/scheduling/scheduling-problems.ts'
import { LEAST_SECONDS, WATCH_CLASS } from '#shared/scheduling/scheduling-sets.ts'
import { BUILT_IN } from '#shared/system/system-problems.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { nextRun, periodSeconds } from '#gateway/manage/jobs/cycle.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitTask, lockTask } from './switch-task.ts'
import { findTask, type Task } from './task-queries.ts'

const NEXT_RUNS = 3

/**
 * Another cycle, from now on: the next run is its first. A later release of the class keeps it.
 * @throws Problem G404, G409, X-CYC, K-LOCK for the watch over the others
 */
export async function editTask(
  tx: CommandTx,
  { taskId, version, cycle }: InputOf<typeof editCall>,
): Promise<Task> {
  const before = await lockTask(tx, taskId)
  if (before.version !== version) throw await changedByOther(tx.db, 'scheduledTask', taskId, before)
  if (before.class === WATCH_CLASS) throw new Problem(BUILT_IN)
  const [next] = runsAfter(cycle, await tx.now())
  await sql`
    update scheduled_task t set cycle = ${cycle}, next_run_at = ${next}::timestamptz,
      updated_at = clock_timestamp(), version = t.version + 1
    where t.id = ${taskId}`.execute(tx.db)
  // locked above
  const after = (await findTask(tx.db, taskId)) as Task
  emitTask(tx, after)
  tx.log({
    action: 'edit',
    targetKind: 'scheduledTask',
    targetId: taskId,
    before: { cycle: before.cycle },
    after: { cycle },
  })
  return after
}

/** @throws Problem X-CYC */
export async function nextRunsOf(
  db: Db,
  { cycle }: InputOf<typeof nextCall>,
): Promise<DataOf<typeof nextCall>> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
  return { nextRuns: runsAfter(cycle, rows[0]?.now ?? '') }
}

function runsAfter(cycle: string, now: string): string[] {
  try {
    if (periodSeconds(cycle, now) < LEAST_SECONDS) throw new Problem(CYCLE_INVALID)
    const runs = [nextRun(cycle, now)]
    while (runs.length < NEXT_RUNS) runs.push(nextRun(cycle, runs.at(-1) ?? now))
    return runs
  } catch (error) {
    if (error instanceof RangeError) throw new Problem(CYCLE_INVALID)
    throw error
  }
}
