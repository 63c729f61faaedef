/** Instalments and payments as their contract rows. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { pendingApproval } from '#gateway/manage/features/approvals/public.ts'
import { ofOrdersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import { isoText } from '#gateway/manage/kernel/list-parts.ts'

/** Tables `planRowJson` reads besides `p` repay_plan. */
export const PLAN_ROW_JOINS = sql`
  join loan_order o on o.id = p.order_id join customer c on c.id = o.customer_id`

export const planRowJson: RawBuilder<unknown> = sql.raw(`json_build_object(
  'planId', p.id, 'orderId', p.order_id, 'userId', c.id, 'userName', c.name,
  'phone', 'XXXXXX' || c.phone_last4, 'serialNo', p.serial_no,
  'kind', case when p.called_in_on = p.due_at then 'calledIn' else p.kind end,
  'dueTime', p.due_at::text,
  'amountDue', p.principal + p.interest + p.service_fee + p.overdue_fine,
  'principal', p.principal, 'interest', p.interest, 'serviceFee', p.service_fee - p.bounce_charges,
  'bounceCharge', p.bounce_charges,
  'overdueFine', p.overdue_fine, 'reducedFees', p.reduced_fees,
  'reductionTime', ${isoText('p.reduction_at')},
  'paidAmount', p.paid_amount, 'outstanding', p.outstanding, 'paymentStatus', p.payment_status,
  'overdueDays', p.overdue_days, 'actualRepaymentTime', ${isoText('p.actual_repayment_at')},
  'version', p.version)`)

/** Tables `recordRowJson` reads besides `r` repay_record. */
export const RECORD_ROW_JOINS = sql`
  left join customer c on c.id = r.customer_id
  left join coupon_grant cg on cg.record_id = r.id
  left join coupon cp on cp.id = cg.coupon_id`

export const recordRowJson: RawBuilder<unknown> = sql.raw(`json_build_object(
  'recordId', r.id, 'orderId', r.order_id, 'toldOrderId', r.told_order_id, 'planId', r.plan_id,
  'userId', r.customer_id, 'userName', c.name, 'repaymentType', r.repayment_type,
  'amount', r.amount, 'surplus', r.surplus, 'couponId', cp.id,
  'couponName', cp.name, 'utr', r.utr, 'upi', r.upi_masked,
  'channel', r.channel, 'bankCode', r.bank_code, 'payState', r.pay_state, 'source', r.source,
  'flag', r.flag, 'payTime', ${isoText('r.paid_at')}, 'confirmTime', ${isoText('r.confirmed_at')},
  'operatorId', r.operator_id, 'operatorName', r.operator_name,
  'confirmerId', r.confirmer_id, 'confirmerName', r.confirmer_name,
  'failReason', r.fail_reason, 'bounceCharge', r.bounce_charge, 'remark', r.remark,
  'conflictTime', case when r.conflict_ended_at is null then ${isoText('r.conflict_at')} end,
  'reversedTime', ${isoText('r.reversed_at')}, 'reverseReason', r.reverse_reason,
  'version', r.version, 'approval', ${pendingApproval(['reversePayment', 'paymentStands'], 'r.id')})`)

/** Money that came and was not taken back: what every sum of payments counts. */
export const IS_RECEIVED = sql<boolean>`(r.pay_state = 'success' and r.reversed_at is null)`

/** Whether a payment waits for staff: the expression of the list's index. */
export const IS_PARKED = `(r.pay_state = 'inProgress' and r.flag is not null)`

/** Instalments of orders the caller may see, as a predicate over `p`. */
export function plansInScope(actor: StaffActor): RawBuilder<boolean> {
  return ofOrdersInScope(actor, 'p.order_id')
}

/** The same for payments; those of unknown orders are shown to users who may see every order. */
export function recordsInScope(actor: StaffActor): RawBuilder<boolean> {
  return ofOrdersInScope(actor, 'r.order_id')
}

/**
 * Payments `r` with this UTR, among the valid ones and among the failed or reversed ones: each of
 * the two has its own index.
 */
export function isUtrOf(utr: string): RawBuilder<boolean> {
  return sql<boolean>`
    ((r.utr = ${utr} and r.pay_state <> 'fail' and r.reversed_at is null)
      or (r.utr = ${utr} and (r.pay_state = 'fail' or r.reversed_at is not null)))`
}

/**
 * Entries `e` by which a payment cleared something: no reversed fines, nothing that a changed plan
 * moves, no amounts carried over.
 */
export const CLEARS = sql.raw(
  `e.kind not in ('fineCorrection', 'replan') and (e.kind <> 'rollover' or e.account = 'fineReceivable')`,
)

/**
 * Parts of an instalment that entries cleared, by their account.
 * @param entries name of the entries in the query
 */
export function clearedParts(entries: string): RawBuilder<unknown> {
  const part = (...accounts: string[]) => {
    const names = accounts.map((account) => `'${account}'`).join(', ')
    return `coalesce(sum(${entries}.credit - ${entries}.debit)
      filter (where ${entries}.account in (${names})), 0)`
  }
  return sql.raw(`
    'principal', ${part('principalReceivable', 'doubtfulPrincipal')},
    'interest', ${part('interestReceivable')},
    'serviceFee', ${part('serviceReceivable')},
    'overdueFine', ${part('fineReceivable')}`)
}

export async function recordRow<Row>(db: Db, recordId: string): Promise<Row | null> {
  const { rows } = await sql<{
    row: Row
  }>`select ${recordRowJson} as row from repay_record r ${RECORD_ROW_JOINS} where r.id = ${recordId}`.execute(
    db,
  )
  return rows[0]?.row ?? null
}
