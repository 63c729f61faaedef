/** Books a payment by staff: checks it, and writes the record that waits for another person. */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { ORDER_STATE } from '#shared/orders/order-problems.ts'
import { orderStatusName } from '#shared/orders/order-statuses.ts'
import { amountRule, fitsDue, OFFLINE, type QuoteType } from '#shared/repayments/payment-sets.ts'
import { AMOUNT_WRONG, PAYMENT_OPEN, UTR_USED } from '#shared/repayments/repayment-problems.ts'
import type { addRecord } from '#shared/repayments/repayments-api.ts'
import type { CouponTerms } from '#shared/coupons/coupon-amount.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { useCoupon } from '#gateway/manage/features/coupons/public.ts'
import { isOrderInScope, roomsOfOrder } from '#gateway/manage/features/orders/public.ts'
import { dueOn } from '../count-payment.ts'
import { owedThen } from '../history/owed-then.ts'
import { priceExtension } from '../extension/price-extension.ts'
import { type Loan, lockLoan, outstandingOf } from '../loan-store.ts'
import {
  hasOpenPayment,
  insertRecord,
  type NewRecord,
  paymentOfUtr,
  type RecordRow,
  emitRecord,
} from '../record-store.ts'
import { isRunning, openClaim, WRITTEN_OFF_WITH_CLAIM } from '../paid-order.ts'
import { submitPayment } from '../settle-payment.ts'
import { countExit } from './count-exit.ts'
import { couponFor } from './coupon-for.ts'

export type Booked = Pick<
  InputOf<typeof addRecord>,
  'orderId' | 'amount' | 'utr' | 'upi' | 'channel' | 'bankCode' | 'payTime' | 'remark'
> & {
  repaymentType: QuoteType
  /** A granted coupon that gives up fees with it. */
  couponGrantId?: string | undefined
  /** What it changes in the plan of an EMI loan. */
  ahead?: NewRecord['ahead'] | undefined
  /** Who booked it, when that is not the actor. */
  operator?: NewRecord['operator']
}

/**
 * Books it.
 * @throws Problem G404, G409, O-STATE, O-RULE, M-OPEN, M-AMT, M-UTR, Q-STATE, Q-FIT, G-FIELD
 */
export async function addPayment(
  tx: CommandTx,
  { version, ...booked }: Booked & { version: number },
): Promise<RecordRow> {
  const loan = await lockLoanInScope(tx, booked.orderId)
  if (loan.version !== version)
    throw await changedByOther(tx.db, 'order', loan.orderId, {
      orderId: loan.orderId,
      version: loan.version,
    })
  const record = await bookPayment(tx, loan, booked)
  tx.log({
    action: 'addRepayment',
    targetKind: 'order',
    targetId: loan.orderId,
    after: {
      recordId: record.id,
      repaymentType: booked.repaymentType,
      amount: booked.amount,
      payTime: booked.payTime,
      ...(booked.couponGrantId === undefined ? {} : { couponGrantId: booked.couponGrantId }),
    },
  })
  return record
}

/**
 * Writes the record of a locked loan. The order then waits for it, except for a cooling-off exit
 * and a written-off loan whose claim is kept.
 */
export async function bookPayment(
  tx: CommandTx,
  loan: Loan,
  booked: Booked,
  source: NewRecord['source'] = 'staff',
): Promise<RecordRow> {
  const { repaymentType, amount } = booked
  await checkOrder(tx.db, loan)
  if (booked.channel === 1 && booked.upi === '-')
    throw new Problem(INVALID_FIELDS, {}, { fields: { upi: 'repayments:fault.upi' } })
  if (booked.channel === OFFLINE && source !== 'proof')
    throw new Problem(INVALID_FIELDS, {}, { fields: { channel: 'repayments:fault.offline' } })
  checkPayTime(loan, booked.payTime, await tx.now())
  const grantId = booked.couponGrantId
  const grant = grantId === undefined ? null : await couponFor(tx, loan, { ...booked, grantId })
  const due = await dueFor(tx.db, loan, repaymentType, booked.payTime, grant?.terms)
  if (!fitsDue(repaymentType, amount, due))
    throw new Problem(
      AMOUNT_WRONG,
      { rule: amountRule(repaymentType), amount: due },
      { fields: { amount: `repayments:fault.amount.${amountRule(repaymentType)}` }, due },
    )
  const utr = booked.utr.toUpperCase()
  await checkUtr(tx.db, utr)
  const record = await insertRecord(tx, {
    orderId: loan.orderId,
    toldOrderId: loan.orderId,
    planId: loan.plans.find((plan) => outstandingOf(plan) > 0)?.planId ?? null,
    customerId: loan.customerId,
    repaymentType,
    amount,
    utr,
    upi: booked.upi === '-' ? null : booked.upi,
    channel: booked.channel,
    bankCode: booked.bankCode,
    source,
    flag: null,
    paidAt: new Date(booked.payTime).toISOString(),
    remark: booked.remark ?? null,
    vendorOrderNo: null,
    ahead: loan.emi ? (booked.ahead ?? null) : null,
    operator: booked.operator,
  })
  if (record === null) {
    // the same transfer was booked twice at once, and the other booking came first
    await checkUtr(tx.db, utr)
    throw new Error('a payment just booked is missing')
  }
  if (grant !== null)
    await useCoupon(tx, grant, {
      orderId: loan.orderId,
      recordId: record.id,
      amount: 0,
      valueDay: istDay(booked.payTime),
    })
  if (repaymentType === 'coolingOff')
    emitRecord(tx, record, await roomsOfOrder(tx.db, loan.orderId))
  else await submitPayment(tx, loan, record)
  return record
}

/**
 * Paise owed on the day of a payment of that kind, with its coupon; for a written-off loan the
 * remaining claim.
 * @throws Problem O-RULE when the cooling-off is over or the loan cannot be extended
 */
export async function dueFor(
  trx: Trx,
  loan: Loan,
  type: QuoteType,
  payTime: string,
  coupon: CouponTerms | null = null,
): Promise<number> {
  if (type === 'coolingOff')
    return countExit(loan, { recordId: '', paidAt: payTime, today: istDay(payTime) }).due
  if (type === 'rollover') return (await priceExtension(trx, loan, payTime)).due
  if (loan.status === WRITTEN_OFF_WITH_CLAIM) return openClaim(trx, loan.orderId)
  const then = await owedThen(trx, loan, payTime, coupon)
  return then?.due ?? dueOn(loan, istDay(payTime), coupon)
}

/** @throws Problem G404 when it is missing or outside the caller's scope */
export async function lockLoanInScope(tx: CommandTx, orderId: string): Promise<Loan> {
  const loan = (await isOrderInScope(tx.db, staff(tx.actor), orderId))
    ? await lockLoan(tx.db, orderId)
    : null
  if (!loan) throw new Problem(NOT_FOUND)
  return loan
}

async function checkOrder(trx: Trx, { orderId, status }: Loan): Promise<void> {
  if (!isRunning(status) && status !== WRITTEN_OFF_WITH_CLAIM)
    throw new Problem(ORDER_STATE, { status: orderStatusName(status) })
  if (status === 43 || (await hasOpenPayment(trx, orderId))) throw new Problem(PAYMENT_OPEN)
}

export function checkPayTime({ disbursedAt }: Loan, payTime: string, now: string): void {
  if (Date.parse(payTime) > Date.parse(now))
    throw new Problem(INVALID_FIELDS, {}, { fields: { payTime: 'repayments:fault.future' } })
  if (disbursedAt !== null && Date.parse(payTime) < Date.parse(disbursedAt))
    throw new Problem(
      INVALID_FIELDS,
      {},
      { fields: { payTime: 'repayments:fault.beforeDisbursement' } },
    )
}

export async function checkUtr(trx: Trx, utr: string): Promise<void> {
  const first = await paymentOfUtr(trx, utr, null)
  if (first !== null) throw new Problem(UTR_USED, { orderId: first.orderId }, first)
}
