import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { listBatches, listBatchItems, previewBatch } from '#shared/rules/batch-api.ts'

export type Batch = DataOf<typeof listBatches>['rows'][number]
export type BatchItem = DataOf<typeof listBatchItems>['rows'][number]
export type BatchPreview = DataOf<typeof previewBatch>
