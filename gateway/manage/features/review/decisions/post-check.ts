/**
 * The checks after a decision to pass:
 * - tele-verification passes when the call was answered, or when it was never dialled and neither a
 *   batch nor a machine rule demands it (`output` TELE_DEMAND). Not reached after three attempts in a day rejects.
 *   Anything else (no result, attempts left, demanded but never dialled) is an error.
 * - pre-transaction: the card is bound, its holder's name is similar enough, the amount is within the
 *   limit. A card check without a result is an error of the vendor.
 * An error makes the review abnormal: a leader reruns the machine or returns it to manual review.
 */
import { sql } from 'kysely'
import type { CheckOutcome, PostCheckFacts } from '#shared/review/review-lifecycle.ts'
import { TELE_DEMAND } from '#shared/rules/rule-sets.ts'
import { MAX_TELE_ATTEMPTS_PER_DAY, type TeleState } from '#shared/review/tele-lifecycle.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { creditLimit } from '#gateway/manage/features/customers/public.ts'
import { type LockedReview } from '../review-store.ts'

/** Why a post check rejects: stored as `preRejectCode`. */
export const PRE_REJECT_CODES = [
  'cardNotBound',
  'nameMismatch',
  'quotaExceeded',
  'teleNotConnected',
] as const
export type PreRejectCode = (typeof PRE_REJECT_CODES)[number]

export interface CheckedReview {
  amount: number
  teleState: TeleState
  teleAttempts: number
  isTeleDemanded: boolean
  bindState: string | null
  /** Basis points, like its threshold. */
  nameSimilarity: number | null
  nameSimilarityMin: number
  /**
   * Paise: the larger of the machine's limit and the customer's credit; the product's maximum when
   * there is neither.
   */
  limit: number
}

export interface PostCheckResult {
  facts: PostCheckFacts
  rejectCode: PreRejectCode | null
}

/** Pure: facts for the lifecycle, and the reason of a rejection. */
export function postCheckOf(review: CheckedReview): PostCheckResult {
  const tele = teleOutcome(review)
  const { outcome: preTransaction, code } = preTransactionOutcome(review)
  const rejectCode = code ?? (tele === 'rejected' ? 'teleNotConnected' : null)
  return { facts: { decision: 'passed', tele, preTransaction }, rejectCode }
}

function teleOutcome({ teleState, teleAttempts, isTeleDemanded }: CheckedReview): CheckOutcome {
  if (teleState === 'connected') return 'passed'
  if (teleState === 'notExecuted') return isTeleDemanded ? 'error' : 'passed'
  return teleState === 'notConnected' && teleAttempts >= MAX_TELE_ATTEMPTS_PER_DAY
    ? 'rejected'
    : 'error'
}

function preTransactionOutcome({
  amount,
  bindState,
  nameSimilarity,
  nameSimilarityMin,
  limit,
}: CheckedReview): { outcome: CheckOutcome; code: PreRejectCode | null } {
  if (bindState === null || nameSimilarity === null) return { outcome: 'error', code: null }
  if (bindState !== 'bound') return { outcome: 'rejected', code: 'cardNotBound' }
  if (nameSimilarity < nameSimilarityMin) return { outcome: 'rejected', code: 'nameMismatch' }
  return amount > limit
    ? { outcome: 'rejected', code: 'quotaExceeded' }
    : { outcome: 'passed', code: null }
}

/** Reads the facts for the checks of a locked review. */
export async function checkedReview(tx: CommandTx, review: LockedReview): Promise<CheckedReview> {
  const { rows } = await sql<{
    tele_attempts: number
    bind_state: string | null
    name_similarity: number | null
    name_min: number
    credit_limit: number | null
    product_max: number
  }>`
    select r.tele_attempts, r.bind_state, r.name_similarity,
      ${intParameter('review.nameSimilarity')} as name_min,
      coalesce((o.product_snapshot ->> 'maxAmount')::bigint, p.max_amount) as product_max,
      ${creditLimit(sql`r.customer_id`)} as credit_limit
    from review r join loan_order o on o.id = r.order_id join product p on p.id = o.product_id
    where r.id = ${review.id}`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Error(`review ${review.id} vanished under its lock`)
  return {
    amount: review.amount,
    teleState: review.tele_call_state,
    teleAttempts: row.tele_attempts,
    isTeleDemanded:
      review.demands.includes('call') ||
      (review.machine_report?.rules.some((rule) => rule.hit && rule.output === TELE_DEMAND) ??
        false),
    bindState: row.bind_state,
    nameSimilarity: row.name_similarity,
    nameSimilarityMin: row.name_min,
    limit: Math.max(review.machine_report?.limit ?? 0, row.credit_limit ?? 0) || row.product_max,
  }
}
