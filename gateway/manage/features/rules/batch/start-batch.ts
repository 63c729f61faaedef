import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { startBatch as startCall } from '#shared/rules/batch-api.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitBatch, jobTypeOf } from './batch-job.ts'
import type { BatchType } from './batch-type.ts'
import { batchOf, requireParams } from './preview-batch.ts'

/**
 * Starts exactly the orders given, which are those of the preview; one that has changed since is
 * refused in its row.
 * @throws Problem G404 for an order the caller may not see, G-RUN while one of the type runs
 */
export async function startBatch(
  tx: CommandTx,
  batches: readonly BatchType[],
  { type, source, orderIds, reason, ...params }: InputOf<typeof startCall>,
): Promise<DataOf<typeof startCall>> {
  const batch = batchOf(batches, type)
  requireParams(type, params)
  const known = await batch.candidates(tx, staff(tx.actor), { orderIds }, params)
  if (known.length !== orderIds.length) throw new Problem(NOT_FOUND)
  const batchId = await startJob(tx, {
    type: jobTypeOf(type),
    menu: 'batch_run',
    params: { source, reason, ...params },
    targetIds: orderIds,
    singletonKey: type,
    settles: true,
  })
  await sql`
    insert into batch_item (batch_id, order_id, before, after)
    select ${batchId}, k."orderId", k.before, k.after
    from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as k ("orderId" text, before text,
      after text)`.execute(tx.db)
  await emitBatch(tx, batchId)
  tx.log({
    action: 'startBatch',
    targetKind: 'job',
    targetId: batchId,
    after: { type, source, count: orderIds.length, reason, ...params },
  })
  return { batchId, count: orderIds.length }
}
