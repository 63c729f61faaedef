/**
 * A payment as its channel reports it: accepted, received, failed - in any order, repeated, late.
 * One payment is one record, identified by the channel's number or by its UTR. The first result
 * counts, but a payment that arrives after a failure is received.
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
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { dueOn } from './count-payment.ts'
import { type Loan, lockLoan, outstandingOf } from './loan-store.ts'
import { markRecord } from './reversal/record-conflict.ts'
import {
  findReported,
  insertRecord,
  paymentOfUtr,
  type RecordChange,
  type RecordRow,
  emitRecord,
  sendRecord,
  unwritten,
  updateRecord,
} from './record-store.ts'
import { failPayment } from './fail-payment.ts'
import { isRunning, type WhenPaid } from './paid-order.ts'
import { readPayFacts } from './pay-facts.ts'
import { settlePayment, submitPayment } from './settle-payment.ts'

export type PaymentReport = InputOf<typeof inboundPayment>

export interface ReceivedPayment {
  recordId: string
  orderId: string | null
  status: OrderStatus | null
  payState: string
  applied: boolean
}

/** Tolerance for the clock of a channel. */
const CLOCK_SLACK_MS = 5 * 60_000

/**
 * Takes one report. Its value date is `payTime`, or the day of the first report.
 * @throws Problem G-FIELD for a success without UTR or an impossible time; M-UTR when the UTR belongs
 * to another payment; O-RULE (reason vendorOrderNo, amount, utr) when the report contradicts an
 * earlier one of the same number
 * @param channelCode its source: vendor numbers are unique per channel, and only it may withdraw its report
 */
export async function receivePayment(
  tx: CommandTx,
  report: PaymentReport,
  whenPaid: readonly WhenPaid[],
  channelCode = tx.actor.userName,
): Promise<ReceivedPayment> {
  if (report.result === 'success' && report.utr === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { utr: 'required' } })
  // reads everything it may need together with the lock, because round trips to the database
  // dominate the cost of a payment
  const [loan, known, facts] = await Promise.all([
    lockLoan(tx.db, report.orderId),
    findReported(tx.db, channelCode, report.vendorOrderNo, report.utr ?? null),
    readPayFacts(tx, report.orderId, null),
  ])
  const paidAt = payTimeOf(report, loan, facts.now)
  if (known) {
    refuseOthersFailure(known, report, channelCode)
    return takeAgain(tx, loan, known, report, whenPaid)
  }
  const given = {
    id: facts.recordId,
    orderId: loan?.orderId ?? null,
    toldOrderId: report.orderId,
    planId: loan?.plans.find((plan) => outstandingOf(plan) > 0)?.planId ?? null,
    customerId: loan?.customerId ?? null,
    repaymentType:
      loan !== null && report.amount >= dueOn(loan, istDay(paidAt))
        ? ('full' as const)
        : ('partial' as const),
    amount: report.amount,
    utr: report.utr ?? null,
    upi: report.upi ?? null,
    channel: report.channel,
    bankCode: report.bankCode ?? null,
    source: 'callback' as const,
    flag: flagOf(loan),
    paidAt,
    remark: null,
    vendorCode: channelCode,
    vendorOrderNo: report.vendorOrderNo,
    ahead: report.ahead ?? null,
  }
  const write = async (received?: RecordChange): Promise<RecordRow> => {
    const row = await insertRecord(tx, given, received)
    // the same payment was reported at once for two orders, and the other report came first
    if (row === null) throw new RunAgain()
    return row
  }
  if (report.result === 'success' && loan !== null && isRunning(loan.status))
    return answer(
      await settlePayment(tx, loan, unwritten(given, tx), report.utr as string, whenPaid, {
        facts,
        write,
        send: (received) => sendRecord(tx, given, received),
      }),
    )
  return take(tx, loan, await write(), report, whenPaid)
}

function flagOf(loan: Loan | null): 'unknownOrder' | 'notPayable' | null {
  if (loan === null) return 'unknownOrder'
  return isPayable(loan) ? null : 'notPayable'
}

function isPayable({ status }: Loan): boolean {
  return isRunning(status) || isOrderClosed(status)
}

function payTimeOf({ payTime }: PaymentReport, loan: Loan | null, now: string): string {
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

/** A payment not reported before, or one without a result. */
async function take(
  tx: CommandTx,
  loan: Loan | null,
  record: RecordRow,
  report: PaymentReport,
  whenPaid: readonly WhenPaid[],
): Promise<ReceivedPayment> {
  if (report.result === 'fail')
    return answer(
      await failPayment(
        tx,
        loan,
        record,
        report.failReason ?? 'No reason given',
        report.bounced === true ? whenPaid : null,
      ),
    )
  if (loan === null || record.order_id === null || !isPayable(loan))
    return park(tx, loan, record, report)
  if (report.result === 'processing') {
    tx.log({
      action: 'payment.submitted',
      targetKind: 'order',
      targetId: loan.orderId,
      after: { recordId: record.id, amount: report.amount },
    })
    return answer(await submitPayment(tx, loan, record))
  }
  // validated before the reads
  return answer(await settlePayment(tx, loan, record, report.utr as string, whenPaid))
}

/** A payment for an unknown order, or for one that cannot take it, waits for staff. */
async function park(
  tx: CommandTx,
  loan: Loan | null,
  record: RecordRow,
  report: PaymentReport,
): Promise<ReceivedPayment> {
  // money that arrived after it was reported as failed waits like any other
  const parked =
    record.pay_state === 'inProgress'
      ? record
      : await updateRecord(tx, record, {
          payState: 'inProgress',
          flag: record.order_id === null ? 'unknownOrder' : 'notPayable',
          utr: report.utr ?? null,
        })
  emitRecord(tx, parked, loan === null ? ['scope:all'] : [`order:${loan.orderId}`, 'scope:all'])
  tx.log({
    action: 'payment.parked',
    targetKind: 'record',
    targetId: parked.id,
    after: {
      toldOrderId: report.orderId,
      amount: report.amount,
      result: report.result,
      flag: parked.flag,
    },
  })
  tx.context.log.error(
    { recordId: parked.id, toldOrderId: report.orderId, flag: parked.flag },
    'a payment waits: its order cannot take it',
  )
  return answer({ record: parked, status: loan?.status ?? null })
}

async function takeAgain(
  tx: CommandTx,
  loan: Loan | null,
  record: RecordRow,
  report: PaymentReport,
  whenPaid: readonly WhenPaid[],
): Promise<ReceivedPayment> {
  await checkSame(tx, record, report)
  if (record.pay_state === 'inProgress' && report.result !== 'processing')
    return take(tx, loan, record, report, whenPaid)
  if (record.pay_state === 'fail' && report.result === 'success') {
    tx.log({
      action: 'payment.late',
      ...(loan === null
        ? { targetKind: 'record', targetId: record.id }
        : { targetKind: 'order', targetId: loan.orderId }),
      after: { recordId: record.id },
    })
    return take(tx, loan, record, report, whenPaid)
  }
  await noteRepeated(tx, loan, record, report)
  return { ...answer({ record, status: loan?.status ?? null }), applied: false }
}

/**
 * A payment reported by one channel is not failed or disputed by another one that knows its UTR.
 * @throws Problem M-UTR
 */
function refuseOthersFailure(record: RecordRow, report: PaymentReport, channelCode: string): void {
  if (report.result === 'fail' && record.vendor_code !== null && record.vendor_code !== channelCode)
    throw new Problem(UTR_USED, { orderId: record.told_order_id })
}

async function checkSame(tx: CommandTx, record: RecordRow, report: PaymentReport): Promise<void> {
  const isSame = record.told_order_id === report.orderId && record.amount === report.amount
  if (record.vendor_order_no !== report.vendorOrderNo) {
    // found by its UTR: two numbers for one transfer are one payment, if order and amount agree
    if (!isSame) throw new Problem(UTR_USED, { orderId: record.told_order_id })
    return
  }
  if (record.told_order_id !== report.orderId)
    throw new Problem(ORDER_RULE, { reason: 'vendorOrderNo' })
  if (record.amount !== report.amount) throw new Problem(ORDER_RULE, { reason: 'amount' })
  if (report.utr === undefined) return
  if (record.utr !== null && record.utr !== report.utr)
    throw new Problem(ORDER_RULE, { reason: 'utr' })
  const other = await paymentOfUtr(tx.db, report.utr, record.id)
  if (other !== null) throw new Problem(UTR_USED, { orderId: other.orderId })
}

/** A result that contradicts the first one means the ledger may be wrong: staff must decide. */
async function noteRepeated(
  tx: CommandTx,
  loan: Loan | null,
  record: RecordRow,
  { result, failReason }: PaymentReport,
): Promise<void> {
  if (record.pay_state !== 'success' || result !== 'fail') {
    tx.log({ action: 'payment.repeated', targetKind: 'record', targetId: record.id })
    return
  }
  tx.log({
    action: 'payment.conflict',
    targetKind: 'record',
    targetId: record.id,
    before: { payState: record.pay_state },
    after: { result },
  })
  tx.context.log.error(
    { recordId: record.id, orderId: record.order_id, stored: record.pay_state, told: result },
    'the payment channel contradicts its earlier result',
  )
  if (loan !== null) await markRecord(tx, record, failReason ?? null)
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
