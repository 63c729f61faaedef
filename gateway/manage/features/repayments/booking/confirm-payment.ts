/** Confirms or fails a booked payment; never the person who booked it. */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, OWN_REQUEST, Problem } from '#shared/kernel/problem.ts'
import { isOrderClosed } from '#shared/orders/order-lifecycle.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import { PAYMENT_STATE } from '#shared/repayments/repayment-problems.ts'
import type { confirmRecord } from '#shared/repayments/repayments-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { recordRow } from '../lists/payment-rows.ts'
import { recordOrder } from '../lists/record-list.ts'
import { type Loan, lockLoan } from '../loan-store.ts'
import { lockRecord, type RecordRow } from '../record-store.ts'
import { failPayment } from '../fail-payment.ts'
import { isRunning, type Settled, type WhenPaid } from '../paid-order.ts'
import { settlePayment } from '../settle-payment.ts'

/**
 * @throws Problem G404, G409, G-SELF, M-STATE, O-RULE (reason unknownOrder, notPayable, noUtr or of
 * the cooling-off exit)
 */
export async function confirmPayment(
  tx: CommandTx,
  { recordId, version, result, failReason }: InputOf<typeof confirmRecord>,
  whenPaid: readonly WhenPaid[],
): Promise<void> {
  if (result === 'fail' && failReason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { failReason: 'required' } })
  const { loan, record } = await lockPayment(tx, recordId)
  if (record.version !== version)
    throw await changedByOther(tx.db, 'record', recordId, await recordRow(tx.db, recordId))
  if (record.operator_id !== null && record.operator_id === staff(tx.actor).userId)
    throw new Problem(OWN_REQUEST)
  if (result === 'fail') await failPayment(tx, loan, record, failReason as string)
  else await receiveMoney(tx, loan, record, whenPaid)
  tx.log({
    action: 'confirmRepayment',
    targetKind: 'record',
    targetId: recordId,
    before: { payState: record.pay_state },
    after: { result, ...(failReason === undefined ? {} : { failReason }) },
  })
  if (record.operator_id !== null) {
    tx.notify({
      userId: record.operator_id,
      kind: 'decision',
      titleKey:
        result === 'success'
          ? 'repayments:notification.confirmed'
          : 'repayments:notification.failed',
      params: { recordId, orderId: record.told_order_id },
      route: `/order_management/repay_record?recordId=${recordId}`,
    })
  }
}

/**
 * Locks the order before its record, as every command does.
 * @throws Problem G404, M-STATE when it is no longer in progress
 */
export async function lockPayment(
  tx: CommandTx,
  recordId: string,
): Promise<{ loan: Loan | null; record: RecordRow }> {
  const found = await recordOrder(tx.db, staff(tx.actor), recordId)
  if (!found) throw new Problem(NOT_FOUND)
  const loan = found.orderId === null ? null : await lockLoan(tx.db, found.orderId)
  const record = await lockRecord(tx.db, recordId)
  if (!record) throw new Problem(NOT_FOUND)
  if (record.pay_state !== 'inProgress')
    throw new Problem(PAYMENT_STATE, { state: record.pay_state }, await recordRow(tx.db, recordId))
  return { loan, record }
}

/** Counts the money of a locked payment. */
export async function receiveMoney(
  tx: CommandTx,
  loan: Loan | null,
  record: RecordRow,
  whenPaid: readonly WhenPaid[],
): Promise<Settled> {
  if (loan === null) throw new Problem(ORDER_RULE, { reason: 'unknownOrder' })
  if (!isRunning(loan.status) && !isOrderClosed(loan.status))
    throw new Problem(ORDER_RULE, { reason: 'notPayable' })
  if (record.utr === null) throw new Problem(ORDER_RULE, { reason: 'noUtr' })
  return settlePayment(tx, loan, record, record.utr, whenPaid)
}
