/**
 * Whether a failed disbursement can be retried or given up. The preview and the command use the
 * same rule.
 */
import { type RawBuilder, sql } from 'kysely'
import type { PAYOUT_WAITS_FOR } from '#shared/orders/disbursement-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { pendingApproval } from '#gateway/manage/features/approvals/public.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { PAYOUT_FACT_JOINS, payoutObstacle } from '../payout-facts.ts'

export type FailedAction = 'redisburse' | 'cancel'

/**
 * Why a retry is refused; null = allowed. The checks run in the order in which staff must fix them.
 * `t` is the last transfer of `o`, the others are those of PAYOUT_FACT_JOINS.
 */
export function redisburseObstacle(): RawBuilder<string | null> {
  return sql<string | null>`case
    when o.status <> 31 then 'notFailed'
    when ${isUnclear} then 'notProven'
    when ${ATTEMPTS} >= ${parameter('payout.maxAttempts')} and not ${isRebound} then 'attemptsSpent'
    else ${payoutObstacle(intParameter('review.nameSimilarity'))} end`
}

function cancelObstacle(): RawBuilder<string | null> {
  return sql<
    string | null
  >`case when o.status <> 31 then 'notFailed' when ${isUnclear} then 'notProven' end`
}

function parameter(code: string): RawBuilder<number> {
  return sql<number>`
    (select x.value::bigint from sys_config x where x.code = ${code} and x.state = 'enabled')`
}

/** Transfers that no vendor took were passed on, which costs the order no attempt. */
const ATTEMPTS = sql<number>`(t.attempt_no - (
  select count(*)::int from payout_transfer n where n.order_id = o.id and n.not_taken))`
/** The borrower has bound a card since the last attempt. */
const isRebound = sql<boolean>`exists (select from bank_card n
  where n.customer_id = o.customer_id and n.active and n.created_at > t.created_at)`
/**
 * A transfer that did not end as failed, or for which the vendor reported two results: money may
 * have left.
 */
const isUnclear = sql<boolean>`exists (
  select from payout_transfer u where u.order_id = o.id
    and (u.pay_state <> 'fail' or (u.conflict is not null and u.conflict_ended_at is null)
    or u.conflict_outcome = 'paid' or (u.conflict is null and exists (select from operate_log l
      where l.target_kind = 'transfer' and l.target_id = u.id and l.action = 'payout.conflict'))))`

/**
 * Who must act before `o` goes on. A customer who was asked for another account must bind one,
 * unless the message to them failed; a request waits for a second person. `t` is the last transfer.
 */
export const WAITS_FOR = sql<(typeof PAYOUT_WAITS_FOR)[number]>`case
    when ${sql.raw(pendingApproval(['redisburse'], 'o.id'))} is not null then 'approver'
    when t.handling_method = 'customerUpdatesAccount' and t.ask_state is distinct from 'failed'
      and not ${isRebound} then 'customer'
    else 'staff' end`

export interface FailedPayout {
  orderId: string
  /** The last transfer. */
  transferId: string
  /** Paise that would be paid out. */
  amount: number
  attempts: number
  maxAttempts: number
  cardRebound: boolean
  failReason: string
  vendorCode: string
  /** The amount exceeds what one person may send. */
  needsApproval: boolean
  obstacle: string | null
}

/** @param where over `loan_order o`; rows without a transfer cannot have failed and are omitted */
export async function failedPayouts(
  db: Db,
  action: FailedAction,
  where: RawBuilder<unknown>,
): Promise<FailedPayout[]> {
  const { rows } = await sql<FailedPayout>`
    select o.id as "orderId", t.id as "transferId", o.arrival_amount as amount, ${ATTEMPTS} as attempts,
      (select x.value::int from sys_config x
      where x.code = 'payout.maxAttempts') as "maxAttempts", ${isRebound} as "cardRebound",
      t.vendor_code as "vendorCode", coalesce(o.fail_reason, '') as "failReason",
      o.arrival_amount > ${parameter('payout.checkAbove')} as "needsApproval",
      ${action === 'cancel' ? cancelObstacle() : redisburseObstacle()} as obstacle
    from loan_order o
    join lateral (select t.id, t.attempt_no, t.created_at, t.vendor_code from payout_transfer t
      where t.order_id = o.id order by t.attempt_no desc limit 1) t on true
    ${PAYOUT_FACT_JOINS} where ${where} order by o.id`.execute(db)
  return rows
}
