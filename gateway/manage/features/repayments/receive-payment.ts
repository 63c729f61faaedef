/**
 * A payment as its channel tells it (api.md 24): accepted, received, failed - in any order, repeated, late. One payment is one record,
 * known by the channel's number or by its UTR; the first result counts, but money that arrives after a failure is still money.
 */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { isOrderClosed } from '#shared/orders/order-lifecycle.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import type { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { UTR_USED } from '#shared/repayments/repayment-problems.ts'
import { RunAgain } from '#gateway/manage/db/transaction.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { dueOn } from './count-payment.ts'
import { type Loan, lockLoan, outstandingOf } from './loan-store.ts'
import {
  findTold,
  insertRecord,
  paymentOfUtr,
  type RecordChange,
  type RecordRow,
  tellRecord,
  unwritten,
} from './record-store.ts'
import {
  failPayment,
  isRunning,
  readPayFacts,
  settlePayment,
  submitPayment,
  type WhenPaid,
} from './settle-payment.ts'

export type ToldPayment = InputOf<typeof inboundPayment>

export interface ReceivedPayment {
  recordId: string
  orderId: string | null
  status: OrderStatus | null
  payState: string
  applied: boolean
}

/** A channel's clock may run ahead of ours by this much. */
const CLOCK_SLACK_MS = 5 * 60_000

/**
 * Takes one telling. Its value date is `payTime`, or the day the payment was first told.
 * @throws Problem G422 for a success without UTR or a time that cannot be; M-UTR when the UTR is of another payment; O-RULE (reason vendorOrderNo, amount, utr) when the telling contradicts an earlier one of the same number
 */
export async function receivePayment(
  cx: Cx,
  told: ToldPayment,
  whenPaid: readonly WhenPaid[],
): Promise<ReceivedPayment> {
  if (told.result === 'success' && told.utr === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { utr: 'required' } })
  // all it may need is asked for with the lock: journeys to the database are most of what a payment costs
  const [loan, known, facts] = await Promise.all([
    lockLoan(cx.db, told.orderId),
    findTold(cx.db, cx.actor.userName, told.vendorOrderNo, told.utr ?? null),
    readPayFacts(cx, told.orderId, null),
  ])
  const paidAt = payTimeOf(told, loan, facts.now)
  if (known) return takeAgain(cx, loan, known, told, whenPaid)
  const given = {
    id: facts.recordId,
    orderId: loan?.orderId ?? null,
    toldOrderId: told.orderId,
    planId: loan?.plans.find((plan) => outstandingOf(plan) > 0)?.planId ?? null,
    customerId: loan?.customerId ?? null,
    repaymentType:
      loan !== null && told.amount >= dueOn(loan, istDay(paidAt))
        ? ('full' as const)
        : ('partial' as const),
    amount: told.amount,
    utr: told.utr ?? null,
    upi: told.upi ?? null,
    channel: told.channel,
    bankCode: told.bankCode ?? null,
    source: 'callback' as const,
    flag: flagOf(loan),
    paidAt,
    remark: null,
    vendorOrderNo: told.vendorOrderNo,
  }
  const write = async (received?: RecordChange): Promise<RecordRow> => {
    const row = await insertRecord(cx, given, received)
    // the same payment, told twice at once for two orders: the other telling was first
    if (row === null) throw new RunAgain()
    return row
  }
  if (told.result === 'success' && loan !== null && isRunning(loan.status))
    return answer(
      await settlePayment(cx, loan, unwritten(given, cx), told.utr as string, whenPaid, {
        facts,
        write,
      }),
    )
  return take(cx, loan, await write(), told, whenPaid)
}

function flagOf(loan: Loan | null): 'unknownOrder' | 'notPayable' | null {
  if (loan === null) return 'unknownOrder'
  return isPayable(loan) ? null : 'notPayable'
}

function isPayable({ status }: Loan): boolean {
  return isRunning(status) || isOrderClosed(status)
}

function payTimeOf({ payTime }: ToldPayment, loan: Loan | null, now: string): string {
  if (payTime === undefined) return now
  if (Date.parse(payTime) > Date.parse(now) + CLOCK_SLACK_MS)
    throw new Problem(INVALID_FIELDS, {}, { fields: { payTime: 'future' } })
  if (
    loan !== null &&
    loan.disbursedAt !== null &&
    Date.parse(payTime) < Date.parse(loan.disbursedAt)
  )
    throw new Problem(INVALID_FIELDS, {}, { fields: { payTime: 'beforeDisbursement' } })
  return new Date(Math.min(Date.parse(payTime), Date.parse(now))).toISOString()
}

/** A payment not told before, or one whose result was not known. */
async function take(
  cx: Cx,
  loan: Loan | null,
  record: RecordRow,
  told: ToldPayment,
  whenPaid: readonly WhenPaid[],
): Promise<ReceivedPayment> {
  if (told.result === 'fail')
    return answer(await failPayment(cx, loan, record, told.failReason ?? 'No reason given'))
  // money for an order nobody knows, or that cannot take any, waits for a person
  if (loan === null || record.order_id === null || !isPayable(loan)) {
    tellRecord(cx, record, loan === null ? ['scope:all'] : [`order:${loan.orderId}`, 'scope:all'])
    cx.log({
      action: 'payment.parked',
      targetKind: 'record',
      targetId: record.id,
      after: {
        toldOrderId: told.orderId,
        amount: told.amount,
        result: told.result,
        flag: record.flag,
      },
    })
    cx.house.log.error(
      { recordId: record.id, toldOrderId: told.orderId, flag: record.flag },
      'a payment waits: its order cannot take it',
    )
    return answer({ record, status: loan?.status ?? null })
  }
  if (told.result === 'processing') {
    cx.log({
      action: 'payment.submitted',
      targetKind: 'order',
      targetId: loan.orderId,
      after: { recordId: record.id, amount: told.amount },
    })
    return answer(await submitPayment(cx, loan, record))
  }
  // checked before anything was looked up
  return answer(await settlePayment(cx, loan, record, told.utr as string, whenPaid))
}

async function takeAgain(
  cx: Cx,
  loan: Loan | null,
  record: RecordRow,
  told: ToldPayment,
  whenPaid: readonly WhenPaid[],
): Promise<ReceivedPayment> {
  await checkSame(cx, record, told)
  if (record.pay_state === 'inProgress' && told.result !== 'processing')
    return take(cx, loan, record, told, whenPaid)
  if (record.pay_state === 'fail' && told.result === 'success' && loan !== null) {
    cx.log({
      action: 'payment.late',
      targetKind: 'order',
      targetId: loan.orderId,
      after: { recordId: record.id },
    })
    return take(cx, loan, record, told, whenPaid)
  }
  noteRepeated(cx, record, told)
  return { ...answer({ record, status: loan?.status ?? null }), applied: false }
}

async function checkSame(cx: Cx, record: RecordRow, told: ToldPayment): Promise<void> {
  const isSame = record.told_order_id === told.orderId && record.amount === told.amount
  if (record.vendor_order_no !== told.vendorOrderNo) {
    // found by its UTR: two numbers for one transfer of money are one payment, if they speak of the same
    if (!isSame) throw new Problem(UTR_USED, { orderId: record.told_order_id })
    return
  }
  if (record.told_order_id !== told.orderId)
    throw new Problem(ORDER_RULE, { reason: 'vendorOrderNo' })
  if (record.amount !== told.amount) throw new Problem(ORDER_RULE, { reason: 'amount' })
  if (told.utr === undefined) return
  if (record.utr !== null && record.utr !== told.utr)
    throw new Problem(ORDER_RULE, { reason: 'utr' })
  const other = await paymentOfUtr(cx.db, told.utr, record.id)
  if (other !== null) throw new Problem(UTR_USED, { orderId: other.orderId })
}

/** A result that contradicts the first one means that money may be where the books say it is not: somebody must look. */
function noteRepeated(cx: Cx, record: RecordRow, { result }: ToldPayment): void {
  if (record.pay_state !== 'success' || result !== 'fail') {
    cx.log({ action: 'payment.repeated', targetKind: 'record', targetId: record.id })
    return
  }
  cx.log({
    action: 'payment.conflict',
    targetKind: 'record',
    targetId: record.id,
    before: { payState: record.pay_state },
    after: { result },
  })
  cx.house.log.error(
    { recordId: record.id, orderId: record.order_id, stored: record.pay_state, told: result },
    'the payment channel contradicts its earlier result',
  )
}

function answer({
  record,
  status,
}: {
  record: RecordRow
  status: OrderStatus | null
}): ReceivedPayment {
  return {
    recordId: record.id,
    orderId: record.order_id,
    status,
    payState: record.pay_state,
    applied: true,
  }
}
