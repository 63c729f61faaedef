/** RETRY and SEND_MANUAL for many abnormal reviews, by their orders: the newest review counts. */
import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { MAX_MACHINE_RETRIES, type ReviewState } from '#shared/review/review-lifecycle.ts'
import type { BatchKind, BatchLeftOut } from '#shared/rules/batch-sets.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type {
  BatchRequest,
  BatchCandidate,
  BatchType,
} from '#gateway/manage/features/rules/public.ts'
import { reviewsInScope } from '../review-scope.ts'
import { lockReview } from '../review-store.ts'
import { retryAbnormal } from './retry-review.ts'

export const retryBatches: readonly BatchType[] = [
  retryBatch('credit', 'RETRY', 'initial'),
  retryBatch('manualReview', 'SEND_MANUAL', 'unclaimed'),
]

function retryBatch(
  kind: BatchKind,
  event: 'RETRY' | 'SEND_MANUAL',
  after: ReviewState,
): BatchType {
  return {
    kind,
    async candidates(tx, actor, request) {
      const found = await reviewsOf(tx, actor, request)
      return found.map(({ order_id: orderId, state, retry_count: retries }): BatchCandidate => {
        const why = refusal(event, state, retries)
        return { orderId, before: state, after: why === null ? after : state, why }
      })
    },
    async row(tx, orderId) {
      const { rows } = await sql<{ id: string }>`
        select r.id from review r where r.order_id = ${orderId}
          order by r.created_at desc, r.id desc limit 1`.execute(tx.db)
      if (rows[0] === undefined) throw new Problem(NOT_FOUND)
      await retryAbnormal(tx, await lockReview(tx, rows[0].id), event)
    },
  }
}

function refusal(
  event: 'RETRY' | 'SEND_MANUAL',
  state: ReviewState,
  retries: number,
): BatchLeftOut | null {
  if (state !== 'abnormal') return 'state'
  const isSpent = retries >= MAX_MACHINE_RETRIES
  if (event === 'RETRY') return isSpent ? 'retriesSpent' : null
  return isSpent ? null : 'retriesLeft'
}

interface Found {
  order_id: string
  state: ReviewState
  retry_count: number
}

async function reviewsOf(
  tx: CommandTx,
  actor: StaffActor,
  request: BatchRequest,
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select r.order_id, r.state, r.retry_count from review r
    join loan_order o on o.id = r.order_id
    where ${reviewsInScope(actor)} and ${
      'orderIds' in request
        ? sql`r.order_id = any(${[...request.orderIds]}::text[])`
        : sql`r.state = 'abnormal'
            and (${request.from}::timestamptz is null or r.created_at >= ${request.from}::timestamptz)
            and (${request.to}::timestamptz is null or r.created_at < ${request.to}::timestamptz)
            and (${request.productId}::text is null or o.product_id = ${request.productId})`
    }
      and not exists (select 1 from review n where n.order_id = r.order_id
        and (n.created_at, n.id) > (r.created_at, r.id))
    order by r.created_at, r.id
    limit ${'most' in request ? request.most : null}`.execute(tx.db)
  return rows
}
