import type { FastifyInstance } from 'fastify'
import * as batch from '#shared/rules/batch-api.ts'
import { oneColumnSheet } from '#gateway/manage/features/exports/public.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery, serveUpload } from '#gateway/manage/kernel/serve.ts'
import { findBatches, findBatchItems } from './batch/batch-queries.ts'
import type { BatchType } from './batch/batch-type.ts'
import { previewBatch } from './batch/preview-batch.ts'
import { startBatch } from './batch/start-batch.ts'
import { retryBatch, stopBatch } from './batch/stop-batch.ts'

export function rulesRoutes(
  app: FastifyInstance,
  context: AppContext,
  batches: readonly BatchType[],
): void {
  serveQuery(app, context, batch.listBatches, ({ db }, input) => findBatches(db, input))
  serveQuery(app, context, batch.listBatchItems, ({ db }, input) => findBatchItems(db, input))
  serveQuery(app, context, batch.batchTemplate, (_, input) =>
    Promise.resolve(oneColumnSheet('batch-run', input)),
  )
  serveUpload(app, context, batch.previewBatch, (tx, input, files) =>
    previewBatch(tx, batches, input, files),
  )
  serveCommand(app, context, batch.startBatch, (tx, input) => startBatch(tx, batches, input))
  serveCommand(app, context, batch.stopBatch, (tx, input) => stopBatch(tx, input))
  serveCommand(app, context, batch.retryBatch, async (tx, { batchId }) => ({
    batchId: await retryBatch(tx, batchId),
  }))
}
