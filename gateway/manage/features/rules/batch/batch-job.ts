import { sql } from 'kysely'
import type { BatchParams } from '#shared/rules/batch-sets.ts'
import { BATCH_CHANGED } from '#shared/rules/rules-live.ts'
import { progressOf } from '#gateway/manage/jobs/job-store.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { BatchType } from './batch-type.ts'

const PREFIX = 'batch.'

export function jobTypeOf(kind: string): string {
  return `${PREFIX}${kind}`
}

/** What a batch was given, out of the parameters of its job. */
export function batchParams(params: Record<string, unknown>): BatchParams {
  const names = ['amount', 'ratio', 'rate', 'tenureDays', 'term'] as const
  return Object.fromEntries(
    names.flatMap((name) => (typeof params[name] === 'number' ? [[name, params[name]]] : [])),
  )
}

/** SQL: of `job j`, that it is a batch. */
export const IS_BATCH = sql<boolean>`j.type like ${`${PREFIX}%`}`

export function batchJob({ kind, row }: BatchType): JobType {
  return {
    type: jobTypeOf(kind),
    row: (tx, orderId, params) => row(tx, orderId, batchParams(params)),
    ended: (tx, { id }) => emitBatch(tx, id),
  }
}

export async function emitBatch(tx: CommandTx, batchId: string): Promise<void> {
  const { state, done, ok, fail, version } = await progressOf(tx.db, batchId)
  tx.emit(BATCH_CHANGED, {
    subject: `batch:${batchId}`,
    version,
    rooms: ['menu:batch_run'],
    data: { batchId, state, done, ok, fail },
  })
}
