/**
 * A run: its plan is written down once, case by case, and executed in chunks. Each chunk is one
 * transaction that also marks its lines as done, so a killed run continues with the lines that are
 * left: no case is given twice, none is lost. With scope `all` cases that change hands are recalled
 * first, so that everyone has room for what they get.
 */
import { sql } from 'kysely'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { lockRun, setRunState, emitRun, RUN_JOB, SYSTEM } from './run-store.ts'
import { planRun } from './plan-run.ts'
import { takeBackChunk, giveChunk } from './run-chunks.ts'
import { endRun } from './end-run.ts'

export const allocationRunJob: JobType = {
  type: RUN_JOB,
  // its rows are chunks, not cases
  doneTitle: 'collection:alloc.ran',
  prepare: (context, job, renew) => planRun(context, job, renew),
  async row(tx, target, params) {
    const run = await lockRun(tx, SYSTEM, String(params.runId))
    if (run.state === 'paused') return 'park'
    // cancelled a moment ago: its job ends before the next row
    if (run.state !== 'running') return
    const chunk = Number(target.slice(1))
    await (target.startsWith('r') ? takeBackChunk(tx, run, chunk) : giveChunk(tx, run, chunk))
  },
  async ended(tx, job, state) {
    const run = await lockRun(tx, SYSTEM, String(job.params.runId))
    if (run.job_id !== job.id || (run.state !== 'running' && run.state !== 'paused')) return
    const { rows } = await sql<{
      left: boolean
    }>`
      select exists (
        select 1 from allocation_item i where i.run_id = ${run.id} and i.done_at is null
      ) as left`.execute(tx.db)
    if (state === 'cancelled') await endRun(tx, run, 'cancelled')
    // a chunk failed by a bug: an operator resumes the run, or cancels and undoes it
    else if (rows[0]?.left) emitRun(tx, await setRunState(tx, run.id, 'paused'))
    else await endRun(tx, run, 'done')
  },
}
