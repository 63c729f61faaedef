/** A run of a node begins as a job; one of a node runs at a time. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { ALREADY_RUNNING, Problem } from '#shared/kernel/problem.ts'
import type { runNode as runCall } from '#shared/telemarketing/node-api.ts'
import { NODE_EMPTY, NODE_OFF } from '#shared/telemarketing/tele-problems.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { NODE_JOB } from './node-job.ts'
import { lockNode } from './node-store.ts'

/** @throws Problem G404, M-OFF, M-LIST, G-RUN */
export async function startRun(
  tx: CommandTx,
  { nodeId }: InputOf<typeof runCall>,
): Promise<DataOf<typeof runCall>> {
  const node = await lockNode(tx.db, nodeId)
  if (!node.effective) throw new Problem(NODE_OFF)
  if (node.type === 'package' && node.packageCount === 0) throw new Problem(NODE_EMPTY)
  if (node.isRunning) throw new Problem(ALREADY_RUNNING)
  const { rows } = await sql<{ id: string }>`
    insert into marketing_run (node_id, started_by, started_by_name)
    values (${nodeId}, ${tx.actor.userId}, ${tx.actor.userName}) returning id`.execute(tx.db)
  const runId = (rows[0] as { id: string }).id
  const jobId = await startJob(tx, {
    type: NODE_JOB,
    menu: 'marketing_stage',
    params: { runId },
    targetIds: [],
    singletonKey: nodeId,
    settles: true,
  })
  await sql`update marketing_run set job_id = ${jobId} where id = ${runId}`.execute(tx.db)
  tx.log({
    action: 'runNode',
    targetKind: 'marketingNode',
    targetId: nodeId,
    after: { runId, jobId },
  })
  return { runId, jobId }
}
