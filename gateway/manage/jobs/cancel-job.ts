import { type RawBuilder, sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { JOB_CHANGED } from '#shared/jobs/jobs-live.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { jobsInScope } from './job-queries.ts'
import { endJob } from './job-store.ts'
import { jobRooms } from './start-job.ts'

/**
 * A waiting job ends at once; a running one between two rows. Rows already done stay. An ended job
 * stays as it is.
 * @param scope jobs the caller may cancel, over `job j`; else their own
 */
export async function cancelJob(
  tx: CommandTx,
  jobId: string,
  scope: RawBuilder<boolean> = jobsInScope(staff(tx.actor)),
): Promise<void> {
  const { rows } = await sql<{
    type: string
    state: string
    user_id: string | null
    settles: boolean
    held: boolean
  }>`
    select j.type, j.state, j.user_id, j.settles, coalesce(j.held_by is not null
      and j.held_until > clock_timestamp(), false) as held from job j where j.id = ${jobId}
      and ${scope} for update`.execute(tx.db)
  const job = rows[0]
  if (!job) throw new Problem(NOT_FOUND)
  tx.log({ action: 'jobCancel', targetKind: 'job', targetId: jobId })
  if (job.state !== 'queued' && job.state !== 'running') return
  if (job.held || job.settles) {
    // a parked one is taken up to be ended
    await sql`
      update job set cancel_asked = true, held_until = case when held_by is null then null
        else held_until end, updated_at = clock_timestamp(), version = version + 1 where id = ${jobId}`.execute(
      tx.db,
    )
    tx.afterCommit(() => tx.context.wakeJobs())
    return
  }
  const { state, done, total, ok, fail, version } = await endJob(tx.db, jobId, 'cancelled', null)
  tx.emit(JOB_CHANGED, {
    subject: `job:${jobId}`,
    version,
    rooms: jobRooms(jobId, job.user_id),
    data: { jobId, type: job.type, state, done, total, ok, fail, fileId: null },
  })
}
