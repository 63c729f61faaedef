/**
 * A payment from its report to its result: in progress 30, 50, 90 → 43; received 43 → 40, or back
 * with less owed; failed 43 → back. An order is in 43 exactly while one of its payments is in
 * progress. The caller has locked the order, then the record.
 */
import { istDay } from '#shared/kernel/time.ts'
import { isOrderClosed } from '#shared/orders/order-lifecycle.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { giveBackOfRecord } from '#gateway/manage/features/coupons/public.ts'
import { moveLocked, orderRoomsOf, roomsOfOrder } from '#gateway/manage/features/orders/public.ts'
import { exitLoan } from './booking/exit-loan.ts'
import { surplusPosting } from './count-payment.ts'
import { extendLoan } from './extension/extend-loan.ts'
import { LEDGER_ACCOUNT } from './ledger-accounts.ts'
import { type Loan, outstandingOf } from './loan-store.ts'
import { writePlans } from './write-plans.ts'
import {
  isRunning,
  openClaim,
  type Settled,
  type WhenPaid,
  WRITTEN_OFF_WITH_CLAIM,
} from './paid-order.ts'
import type { Arrival } from './pay-facts.ts'
import { payLoan, payRepaid, submitted } from './pay-loan.ts'
import { postEntries } from './post-entries.ts'
import { emitRecord, type RecordRow, updateRecord } from './record-store.ts'
import { finishWriteOff } from './writeoffs/write-off-rows.ts'

/** The channel accepted a payment and its result is pending: the order waits for it. */
export async function submitPayment(
  tx: CommandTx,
  loan: Loan,
  record: RecordRow,
): Promise<Settled> {
  const rooms = await orderRoomsOf(tx.db, [loan.orderId])
  const plan = loan.plans.find(({ planId }) => planId === record.plan_id)
  if (isRunning(loan.status) && plan && outstandingOf(plan) > 0 && plan.status !== 'processing')
    await writePlans(tx, [{ ...plan, status: 'processing' }], rooms)
  emitRecord(tx, record, rooms.get(loan.orderId) ?? [])
  if (loan.status === 43 || !isRunning(loan.status))
    return { record, status: loan.status, surplus: 0 }
  const { to, written } = await moveLocked(
    tx,
    { id: loan.orderId, status: loan.status, version: loan.version },
    [submitted(loan.status)],
  )
  await written
  return { record, status: to, surplus: 0 }
}

/**
 * Receives the payment. It is counted against the plans of a running loan; for a written-off loan
 * whose claim is kept it is a recovery; for any other ended loan it is the customer's credit.
 * @param arrival of a running loan's payment that is not written yet
 */
export async function settlePayment(
  tx: CommandTx,
  loan: Loan,
  record: RecordRow,
  utr: string,
  whenPaid: readonly WhenPaid[],
  arrival?: Arrival,
): Promise<Settled> {
  // a cooling-off exit that arrives after the loan ended otherwise pays no debt
  if (record.repayment_type === 'coolingOff' && !isOrderClosed(loan.status))
    return exitLoan(tx, loan, record, utr, whenPaid)
  if (record.repayment_type === 'rollover' && isRunning(loan.status))
    return extendLoan(tx, loan, record, utr, whenPaid)
  if (isRunning(loan.status)) return payLoan(tx, loan, record, utr, whenPaid, arrival)
  const isCounted = record.repayment_type !== 'coolingOff' && record.repayment_type !== 'rollover'
  if (isCounted && (loan.status === 40 || loan.status === 41)) {
    const repaid = await payRepaid(tx, loan, record, utr)
    if (repaid !== null) return repaid
  }
  const today = istDay(await tx.now())
  const counted =
    loan.status === WRITTEN_OFF_WITH_CLAIM
      ? Math.min(record.amount, await openClaim(tx.db, loan.orderId))
      : 0
  const surplus = record.amount - counted
  const booked = await updateRecord(tx, record, {
    payState: 'success',
    utr,
    surplus,
    flag: counted > 0 && surplus === 0 ? 'recovery' : 'surplus',
    isCredit: true,
  })
  await postEntries(tx.db, [
    {
      kind: 'recovery',
      orderId: loan.orderId,
      bizDate: today,
      refId: record.id,
      lines: [
        { account: LEDGER_ACCOUNT.cashClearing, planId: null, amount: counted },
        { account: LEDGER_ACCOUNT.recoveryIncome, planId: null, amount: -counted },
        { account: LEDGER_ACCOUNT.recoveryContra, planId: null, amount: counted },
        { account: LEDGER_ACCOUNT.recoveryClaim, planId: null, amount: -counted },
      ],
    },
    surplusPosting(loan.orderId, record.id, today, surplus),
  ])
  // nothing was counted that its coupon could reduce
  await giveBackOfRecord(tx, record.id)
  const rooms = await roomsOfOrder(tx.db, loan.orderId)
  emitRecord(tx, booked, rooms)
  if (record.source === 'writeOff') await finishWriteOff(tx, record.id, loan.status, rooms)
  tx.log({
    action: 'payment',
    targetKind: 'order',
    targetId: loan.orderId,
    after: {
      recordId: record.id,
      amount: record.amount,
      recovered: counted,
      surplus,
      status: loan.status,
    },
  })
  return { record: booked, status: loan.status, surplus }
}
