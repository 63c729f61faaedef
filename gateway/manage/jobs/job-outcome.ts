import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { jobOutcome as call } from '#shared/jobs/jobs-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/**
 * What became of each row, for who started the job, as a file is: it leaves the console, so it
 * is in the log.
 * @throws Problem G404 for another's, and for a job without rows
 */
export async function readOutcome(tx: CommandTx, jobId: string): Promise<DataOf<typeof call>> {
  const { rows } = await sql<DataOf<typeof call>['rows'][number] & { menu: string | null }>`
    select r.n as row, r.target_id as id, r.state, coalesce(r.msg, '') as msg, j.menu,
      case when r.problem is not null then jsonb_build_object('id', r.problem, 'params', coalesce(r.params,
        '{}')) end as problem
    from job j join job_row r on r.job_id = j.id where j.id = ${jobId}
      and j.user_id = ${staff(tx.actor).userId} order by r.n`.execute(tx.db)
  const first = rows[0]
  if (!first) throw new Problem(NOT_FOUND)
  tx.log({
    action: 'jobOutcome',
    ...(first.menu === null ? {} : { menu: first.menu }),
    targetKind: 'job',
    targetId: jobId,
    after: { rows: rows.length },
  })
  return { rows: rows.map(({ menu: _menu, ...row }) => row) }
}
