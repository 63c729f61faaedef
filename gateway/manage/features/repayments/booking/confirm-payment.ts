/** Another person says whether a booked payment arrived (trust.md C5). */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, OWN_REQUEST, Problem } from '#shared/kernel/problem.ts'
import { isOrderClosed } from '#shared/orders/order-lifecycle.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import { PAYMENT_STATE } from '#shared/repayments/repayment-problems.ts'
import type { confirmRecord } from '#shared/repayments/repayments-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { recordRow } from '../lists/payment-rows.ts'
import { recordOrder } from '../lists/record-list.ts'
import { type Loan, lockLoan } from '../loan-store.ts'
import { lockRecord, type RecordRow } from '../record-store.ts'
import {
  failPayment,
  isRunning,
  type Settled,
  settlePayment,
  type WhenPaid,
} from '../settle-payment.ts'

/** @throws Problem G404, G409, G-SELF, M-STATE, O-RULE (reason unknownOrder, notPayable, noUtr or of the cooling-off) */
export async function confirmPayment(
  cx: Cx,
  { recordId, version, result, failReason }: InputOf<typeof confirmRecord>,
  whenPaid: readonly WhenPaid[],
): Promise<void> {
  if (result === 'fail' && failReason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { failReason: 'required' } })
  const { loan, record } = await lockPayment(cx, recordId)
  if (record.version !== version)
    throw await changedByOther(cx.db, 'record', recordId, await recordRow(cx.db, recordId))
  if (record.operator_id !== null && record.operator_id === staff(cx.actor).userId)
    throw new Problem(OWN_REQUEST)
  if (result === 'fail') await failPayment(cx, loan, record, failReason as string)
  else await receiveMoney(cx, loan, record, whenPaid)
  cx.log({
    action: 'confirmRepayment',
    targetKind: 'record',
    targetId: recordId,
    before: { payState: record.pay_state },
    after: { result, ...(failReason === undefined ? {} : { failReason }) },
  })
  if (record.operator_id !== null) {
    cx.notify({
      userId: record.operator_id,
      kind: 'decision',
      titleKey: result === 'success' ? 'repayments:notice.confirmed' : 'repayments:notice.failed',
      params: { recordId, orderId: record.told_order_id },
      route: `/order_management/repay_record?recordId=${recordId}`,
    })
  }
}

/** Locks the order before its record, as every command does. @throws Problem G404, M-STATE when it is in progress no more */
export async function lockPayment(
  cx: Cx,
  recordId: string,
): Promise<{ loan: Loan | null; record: RecordRow }> {
  const found = await recordOrder(cx.db, staff(cx.actor), recordId)
  if (!found) throw new Problem(NOT_FOUND)
  const loan = found.orderId === null ? null : await lockLoan(cx.db, found.orderId)
  const record = await lockRecord(cx.db, recordId)
  if (!record) throw new Problem(NOT_FOUND)
  if (record.pay_state !== 'inProgress')
    throw new Problem(PAYMENT_STATE, { state: record.pay_state }, await recordRow(cx.db, recordId))
  return { loan, record }
}

/** Counts the money of a locked payment. */
export async function receiveMoney(
  cx: Cx,
  loan: Loan | null,
  record: RecordRow,
  whenPaid: readonly WhenPaid[],
): Promise<Settled> {
  if (loan === null) throw new Problem(ORDER_RULE, { reason: 'unknownOrder' })
  if (!isRunning(loan.status) && !isOrderClosed(loan.status))
    throw new Problem(ORDER_RULE, { reason: 'notPayable' })
  if (record.utr === null) throw new Problem(ORDER_RULE, { reason: 'noUtr' })
  return settlePayment(cx, loan, record, record.utr, whenPaid)
}
