/**
 * Reverses a payment that bounced or whose UTR was booked twice: one requests, another approves.
 */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { EffectRow, FactRow } from '#shared/approvals/effect.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { isOrderClosed } from '#shared/orders/order-lifecycle.ts'
import { ORDER_RULE, ORDER_STATE } from '#shared/orders/order-problems.ts'
import { type OrderStatus, orderStatusName } from '#shared/orders/order-statuses.ts'
import { PAYMENT_OPEN, PAYMENT_STATE } from '#shared/repayments/repayment-problems.ts'
import type {
  previewReversal as previewCall,
  RecordRow as RecordRowSchema,
  reverseRecord,
} from '#shared/repayments/repayments-api.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import {
  type ApprovalKind,
  effectOf,
  refuseWhilePending,
  requestApproval,
} from '#gateway/manage/features/approvals/public.ts'
import { recordRow } from '../lists/payment-rows.ts'
import { recordOrder } from '../lists/record-list.ts'
import { type Loan, lockLoan } from '../loan-store.ts'
import { hasOpenPayment, lockRecord, type RecordRow } from '../record-store.ts'
import type { WhenPaid } from '../paid-order.ts'
import { snapshotFacts } from '../order-snapshot.ts'
import { loanWithout } from './loan-without.ts'
import { type Cause, reversePayment } from './reverse-payment.ts'

/** Statuses in which a payment that settled something can be reversed. */
const REVERSIBLE: readonly OrderStatus[] = [30, 40, 41, 50, 80, 90, 100, 110]
/** Ends by a person are final: the order stays ended, and the end grows by what is open again. */
const ENDED_BY_PERSON: readonly OrderStatus[] = [80, 100, 110]

const REVERSAL = {
  kind: 'reversePayment',
  menu: 'repay_record',
  approveCode: 'repay_record:approve',
} as const
/** What a request stores. */
type Requested = { orderId: string; cause: Cause }

/**
 * Requests the reversal; everything that would refuse the approval refuses the request.
 * @throws Problem G404, G409, M-STATE, M-OPEN, O-STATE, O-RULE, A-OPEN
 */
export async function requestReversal(
  tx: CommandTx,
  { recordId, version, cause, reason }: InputOf<typeof reverseRecord>,
): Promise<string> {
  const found = await recordOrder(tx.db, staff(tx.actor), recordId)
  if (!found) throw new Problem(NOT_FOUND)
  if (found.orderId === null) throw new Problem(ORDER_RULE, { reason: 'unknownOrder' })
  const { loan, record } = await lockReversible(tx.db, recordId, found.orderId)
  if (record.version !== version)
    throw await changedByOther(tx.db, 'record', recordId, await recordRow(tx.db, recordId))
  if (!record.is_credit && loan.status !== 80) await loanWithout(tx, loan, record)
  await refuseWhilePending(tx.db, 'paymentStands', recordId)
  const approval = await requestApproval(tx, REVERSAL, {
    targetKind: 'record',
    targetId: recordId,
    payload: { orderId: found.orderId, cause },
    amount: record.amount,
    count: 1,
    reason,
  })
  tx.log({
    action: 'requestReversal',
    targetKind: 'record',
    targetId: recordId,
    after: { approvalId: approval.id, cause, reason, amount: record.amount },
  })
  return approval.id
}

/** Previews the reversal before it is requested. @throws Problem G404, O-RULE */
export async function previewReversal(
  context: AppContext,
  actor: StaffActor,
  { recordId, cause }: InputOf<typeof previewCall>,
  whenPaid: readonly WhenPaid[],
): Promise<EffectRow> {
  const found = await recordOrder(context.database.kysely, actor, recordId)
  if (!found) throw new Problem(NOT_FOUND)
  if (found.orderId === null) throw new Problem(ORDER_RULE, { reason: 'unknownOrder' })
  const approval = {
    id: '',
    target_id: recordId,
    payload: { orderId: found.orderId, cause },
    reason: '',
    requested_by: actor.userId,
    requested_by_name: actor.userName,
    count: 1,
    amount: 0,
  }
  // this kind of request always has facts
  return (await effectOf(context, actor, reversalApproval(whenPaid), approval)) as EffectRow
}

/** @param whenPaid runs with the amount negative */
export function reversalApproval(whenPaid: readonly WhenPaid[]): ApprovalKind<Requested> {
  return {
    ...REVERSAL,
    orderIds: ({ payload }) => [payload.orderId],
    facts: (db, { target_id: recordId, payload }) => paymentFacts(db, recordId, payload.cause),
    snapshot: (trx, { payload }) => snapshotFacts(trx, payload.orderId),
    async carryOut(tx, { target_id: recordId, payload, reason }) {
      const { loan, record } = await lockReversible(tx.db, recordId, payload.orderId)
      await reversePayment(tx, loan, record, { cause: payload.cause, reason }, whenPaid)
    },
  }
}

async function paymentFacts(db: Db, recordId: string, cause: Cause): Promise<FactRow[]> {
  const record = await recordRow<Static<typeof RecordRowSchema>>(db, recordId)
  return [
    { name: 'cause', kind: 'cause', value: cause },
    { name: 'payer', kind: 'text', value: record?.userName ?? null },
    { name: 'utr', kind: 'text', value: record?.utr ?? null },
    { name: 'upi', kind: 'text', value: record?.upi ?? null },
    { name: 'payTime', kind: 'time', value: record?.payTime ?? null },
  ]
}

async function lockReversible(
  trx: Trx,
  recordId: string,
  orderId: string,
): Promise<{ loan: Loan; record: RecordRow }> {
  const loan = await lockLoan(trx, orderId)
  const record = await lockRecord(trx, recordId)
  if (!loan || !record) throw new Problem(NOT_FOUND)
  if (record.pay_state !== 'success' || record.reversed_at !== null)
    throw new Problem(
      PAYMENT_STATE,
      { state: record.reversed_at === null ? record.pay_state : 'reversed' },
      await recordRow(trx, recordId),
    )
  if (loan.status === 43 || (await hasOpenPayment(trx, orderId))) throw new Problem(PAYMENT_OPEN)
  if (record.is_credit) return { loan, record }
  if (!REVERSIBLE.includes(loan.status))
    throw new Problem(ORDER_STATE, { status: orderStatusName(loan.status) })
  if (!isOrderClosed(loan.status) || ENDED_BY_PERSON.includes(loan.status)) return { loan, record }
  // a customer has one order at a time; an application that is being
  // submitted holds the lock of the customer, and its order is visible once it is released
  const locking = sql`select from customer c where c.id = ${loan.customerId} for update`.execute(
    trx,
  )
  const looking = sql`
      select from loan_order o where o.customer_id = ${loan.customerId} and o.id <> ${orderId}
        and o.closed_at is null and o.status not in (21, 23, 27, 70) limit 1`.execute(trx)
  const [, other] = await Promise.all([locking, looking])
  if (other.rows.length > 0) throw new Problem(ORDER_RULE, { reason: 'openOrder' })
  return { loan, record }
}
