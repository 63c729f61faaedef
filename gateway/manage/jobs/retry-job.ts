import { type RawBuilder, sql } from 'kysely'
import { NOT_FOUND, NOTHING_SELECTED, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { jobsInScope } from './job-queries.ts'
import { startJob } from './start-job.ts'

/**
 * A new job with the refused rows of an ended one.
 * @param scope jobs the caller may retry, over `job j`; else their own
 * @throws Problem G404, G-SEL when no row was refused or the job has not ended, G-RUN
 */
export async function retryJob(
  tx: CommandTx,
  jobId: string,
  scope: RawBuilder<boolean> = jobsInScope(staff(tx.actor)),
): Promise<string> {
  const { rows } = await sql<{
    type: string
    menu: string | null
    params: Record<string, unknown>
    state: string
    singleton_key: string | null
    failed: string[]
  }>`
    select j.type, j.menu, j.params, j.state, j.singleton_key,
      array(select r.target_id from job_row r where r.job_id = j.id and r.state = 'failed'
        order by r.n) as failed
    from job j where j.id = ${jobId} and ${scope} for update`.execute(tx.db)
  const job = rows[0]
  if (!job) throw new Problem(NOT_FOUND)
  if (job.state === 'queued' || job.state === 'running') throw new Problem(NOTHING_SELECTED)
  tx.log({
    action: 'jobRetry',
    targetKind: 'job',
    targetId: jobId,
    after: { rows: job.failed.length },
  })
  return startJob(tx, {
    type: job.type,
    menu: job.menu,
    params: job.params,
    targetIds: job.failed,
    ...(job.singleton_key === null ? {} : { singletonKey: job.singleton_key }),
  })
}
