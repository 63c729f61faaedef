/**
 * Facts for the guard of DISBURSE: one statement for the dispatcher's list and for a single order.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { creditLimit, PERSON_BLACKLISTED } from '#gateway/manage/features/customers/public.ts'

/**
 * Whether the customer's latest credit grant covers the order; true without any grant, because such
 * orders are decided by people alone.
 */
const HAS_QUOTA = sql<boolean>`coalesce(${creditLimit(sql`o.customer_id`)} >= o.amount, true)`

/**
 * Why an approved order is not paid out yet; null when nothing blocks it. `o` loan_order, `c`
 * customer, `p` product, `b` active bank card.
 */
export function payoutObstacle(
  nameThreshold: number | RawBuilder<unknown>,
): RawBuilder<string | null> {
  return sql<string | null>`case
    when b.id is null or b.bind_state <> 'bound' then 'cardNotBound'
    when coalesce(b.name_similarity, 0) < ${nameThreshold} then 'nameSimilarity'
    when o.kfs_accepted_at is null then 'kfsNotAccepted'
    when ${PERSON_BLACKLISTED} then 'blacklisted'
    when p.status <> 'enabled' then 'productClosed'
    when not ${HAS_QUOTA} then 'quotaExceeded'
  end`
}

export const PAYOUT_FACT_JOINS = sql`
  join customer c on c.id = o.customer_id
  join product p on p.id = o.product_id
  left join bank_card b on b.customer_id = o.customer_id and b.active`

export interface PayoutFacts {
  arrival_amount: number
  card_id: string | null
  holder: string | null
  account_enc: Buffer | null
  account_last4: string | null
  ifsc: string | null
  card_bound: boolean
  /** Basis points. */
  name_similarity: number
  kfs_accepted: boolean
  blacklisted: boolean
  product_enabled: boolean
  has_quota: boolean
  last_attempt: number
}

/**
 * Locks the order first and reads the facts in a second statement, because a statement that waited
 * for a lock sees other tables as of its start. Null when the order is missing.
 */
export async function lockPayoutFacts(trx: Trx, orderId: string): Promise<PayoutFacts | null> {
  const locking = sql`select from loan_order o where o.id = ${orderId} for update`.execute(trx)
  const reading = sql<PayoutFacts>`
    select o.arrival_amount, b.id as card_id, b.holder, b.account_enc, b.account_last4, b.ifsc,
      coalesce(b.bind_state = 'bound', false) as card_bound, coalesce(b.name_similarity,
      0) as name_similarity,
      o.kfs_accepted_at is not null as kfs_accepted, ${PERSON_BLACKLISTED} as blacklisted,
        p.status = 'enabled' as product_enabled, ${HAS_QUOTA} as has_quota,
      (select coalesce(max(t.attempt_no), 0) from payout_transfer t where t.order_id = o.id) as last_attempt
    from loan_order o ${PAYOUT_FACT_JOINS} where o.id = ${orderId}`.execute(trx)
  const [, { rows }] = await Promise.all([locking, reading])
  return rows[0] ?? null
}
