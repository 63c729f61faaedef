import { sql } from 'kysely'
import type { steerRun as steerCall } from '#shared/collection/allocation-api.ts'
import { CASE_STATE } from '#shared/collection/collection-problems.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { unparkJob } from '#gateway/manage/jobs/job-store.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  findRun,
  type LockedRun,
  lockRun,
  type RunRow,
  setRunState,
  emitRun,
  RUN_MENU,
} from './run-store.ts'
import { queueRun } from './start-run.ts'
import { endRun } from './end-run.ts'

/** @throws Problem G404 for a run outside the caller's units, C-STATE when its state forbids it */
export async function steerRun(
  tx: CommandTx,
  { runId, to }: InputOf<typeof steerCall>,
): Promise<RunRow> {
  const run = await lockRun(tx, tx.actor, runId)
  const allowed =
    to === 'paused'
      ? run.state === 'running'
      : to === 'running'
        ? run.state === 'paused'
        : run.state === 'running' || run.state === 'paused'
  if (!allowed)
    throw new Problem(CASE_STATE, { state: run.state }, await findRun(tx.db, tx.actor, runId))
  if (to === 'cancelled') {
    await endRun(tx, run, 'cancelled')
    if (run.job_id !== null) {
      await sql`
        update job set cancel_asked = true, updated_at = clock_timestamp(), version = version + 1
          where id = ${run.job_id} and state in ('queued', 'running')`.execute(tx.db)
      await unparkJob(tx.db, run.job_id)
    }
  } else {
    emitRun(tx, await setRunState(tx, runId, to))
    if (to === 'running') await resumeJob(tx, run)
  }
  tx.afterCommit(() => tx.context.wakeJobs())
  tx.log({
    menu: RUN_MENU,
    action: 'steerAllocation',
    targetKind: 'run',
    targetId: runId,
    before: { state: run.state },
    after: { state: to },
  })
  return findRun(tx.db, tx.actor, runId)
}

/** Resumes the parked job; when it has ended, a new one does what is left. */
async function resumeJob(tx: CommandTx, run: LockedRun): Promise<void> {
  const { rows } = await sql<{
    over: boolean
  }>`select j.state not in ('queued', 'running') as over from job j where j.id = ${run.job_id}`.execute(
    tx.db,
  )
  if (rows[0]?.over !== true) {
    if (run.job_id !== null) await unparkJob(tx.db, run.job_id)
    return
  }
  const { rows: left } = await sql<{ recall_chunk: number | null; chunk: number | null }>`
    select distinct case when i.recalled_at is null then i.recall_chunk end as recall_chunk, case
      when i.collector_id is not null then i.chunk end as chunk from allocation_item i
      where i.run_id = ${run.id} and i.done_at is null`.execute(tx.db)
  const chunks = (values: (number | null)[]) =>
    [...new Set(values.filter((value) => value !== null))].toSorted((a, b) => a - b)
  await queueRun(tx, run.id, [
    ...chunks(left.map((one) => one.recall_chunk)).map((chunk) => `r${chunk}`),
    ...chunks(left.map((one) => one.chunk)).map((chunk) => `a${chunk}`),
  ])
}
