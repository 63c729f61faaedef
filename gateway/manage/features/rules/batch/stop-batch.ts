import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { stopBatch as stopCall } from '#shared/rules/batch-api.ts'
import { cancelJob } from '#gateway/manage/jobs/cancel-job.ts'
import { retryJob } from '#gateway/manage/jobs/retry-job.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitBatch, IS_BATCH } from './batch-job.ts'
import { type Batch, findBatch } from './batch-queries.ts'

/** Users who may stop batches may also stop those of others. @throws Problem G404 */
export async function stopBatch(
  tx: CommandTx,
  { batchId, reason }: InputOf<typeof stopCall>,
): Promise<Batch> {
  await cancelJob(tx, batchId, IS_BATCH)
  tx.log({ action: 'stopBatch', targetKind: 'job', targetId: batchId, after: { reason } })
  await emitBatch(tx, batchId)
  const batch = await findBatch(tx.db, batchId)
  if (batch === null) throw new Problem(NOT_FOUND)
  return batch
}

/** @returns the new batch @throws Problem G404, G-SEL when no row failed, G-RUN */
export async function retryBatch(tx: CommandTx, batchId: string): Promise<string> {
  const next = await retryJob(tx, batchId, IS_BATCH)
  await sql`update job set settles = true where id = ${next}`.execute(tx.db)
  await sql`
    insert into batch_item (batch_id, order_id, before, after)
    select ${next}, i.order_id, i.before, i.after
    from batch_item i join job_row r on r.job_id = ${next} and r.target_id = i.order_id
    where i.batch_id = ${batchId}`.execute(tx.db)
  await emitBatch(tx, next)
  return next
}
