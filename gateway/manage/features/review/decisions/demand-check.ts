/** Checks that are demanded of reviewers, or read again, before an application may pass. */
import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { ReviewDemand } from '#shared/review/review-demands.ts'
import type { ReviewState } from '#shared/review/review-lifecycle.ts'
import { reopenIdentity } from '#gateway/manage/features/customers/public.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitChecks, logReview } from '../review-events.ts'
import { wrongState } from '../review-refusals.ts'
import { changeReview, type LockedReview } from '../review-store.ts'
import { orderStatusOf } from './order-status.ts'

/** People will decide. */
export const BEFORE_DECISION: readonly ReviewState[] = [
  'abnormal',
  'unclaimed',
  'toAudit',
  'underReview',
  'dataModifiable',
  'manualCheck',
]

const EVENTS: Readonly<Record<ReviewDemand, string>> = {
  identity: 'DEMAND_IDENTITY',
  call: 'DEMAND_CALL',
}

/** Who holds the review keeps it and learns of the demand. @throws Problem V-STATE */
export async function demandCheck(
  tx: CommandTx,
  review: LockedReview,
  demand: ReviewDemand,
): Promise<void> {
  await requireReviewers(tx, review)
  const demands = [...new Set([...review.demands, demand])]
  const row = await changeReview(tx, review, {
    event: EVENTS[demand],
    set: [sql`demands = ${demands}::text[]`],
  })
  if (demand === 'identity') await reopenIdentity(tx, review.customer_id)
  emitChecks(tx, row, demands)
  logReview(tx, 'demand', review, row, { demand })
}

/**
 * The review takes the binding and the name similarity of the card that the customer has now.
 * @throws Problem V-STATE, G404 without a card
 */
export async function readCardAgain(tx: CommandTx, review: LockedReview): Promise<void> {
  await requireReviewers(tx, review)
  const { rows } = await sql<{ bind_state: string; name_similarity: number | null }>`
    select b.bind_state, b.name_similarity from bank_card b
    where b.customer_id = ${review.customer_id} and b.active`.execute(tx.db)
  const [card] = rows
  if (!card) throw new Problem(NOT_FOUND)
  const row = await changeReview(tx, review, {
    event: 'VERIFY',
    set: [sql`bind_state = ${card.bind_state}, name_similarity = ${card.name_similarity}`],
  })
  emitChecks(tx, row, review.demands)
  logReview(tx, 'readCard', review, row, {
    bindState: card.bind_state,
    nameSimilarity: card.name_similarity,
  })
}

async function requireReviewers(tx: CommandTx, review: LockedReview): Promise<void> {
  if (!BEFORE_DECISION.includes(review.state) || (await orderStatusOf(tx, review.order_id)) !== 22)
    throw await wrongState(tx.db, review, 'DEMAND')
}
