/** Fails a payment in progress. */
import { istDay } from '#shared/kernel/time.ts'
import type { ResumeStatus } from '#shared/orders/order-lifecycle.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { moveOrder } from '#gateway/manage/features/orders/public.ts'
import {
  firstDueDay,
  type Loan,
  outstandingOf,
  planStatus,
  standingOf,
  writePlans,
} from './loan-store.ts'
import { readPayFacts } from './pay-facts.ts'
import { emitRecord, type RecordRow, updateRecord } from './record-store.ts'
import { finishWriteOff } from './writeoffs/write-off-rows.ts'

/** The order returns to the status of its due day. */
export async function failPayment(
  tx: CommandTx,
  loan: Loan | null,
  record: RecordRow,
  reason: string,
): Promise<{ record: RecordRow; status: OrderStatus | null }> {
  const failed = await updateRecord(tx, record, { payState: 'fail', failReason: reason })
  if (loan === null) {
    emitRecord(tx, failed, ['scope:all'])
    tx.log({
      action: 'payment.failed',
      targetKind: 'record',
      targetId: record.id,
      after: { reason },
    })
    return { record: failed, status: null }
  }
  const { now, beingPaid, rooms } = await readPayFacts(tx, loan.orderId, record.id)
  const freed = loan.plans
    .filter((plan) => plan.status === 'processing' && !beingPaid.has(plan.planId))
    .map((plan) => ({ ...plan, status: planStatus(plan, false) }))
  await writePlans(tx, freed, rooms)
  emitRecord(tx, failed, rooms.get(loan.orderId) ?? [])
  if (record.source === 'writeOff') await finishWriteOff(tx, record.id, null, [])
  tx.log({
    action: 'payment.failed',
    targetKind: 'order',
    targetId: loan.orderId,
    after: { recordId: record.id, reason },
  })
  if (loan.status !== 43 || beingPaid.size > 0) return { record: failed, status: loan.status }
  const dueDay = firstDueDay(loan.plans.filter((plan) => outstandingOf(plan) > 0))
  const moved = await moveOrder(
    tx,
    loan.orderId,
    {
      type: 'PAY_FAIL',
      today: istDay(now),
      dueDay,
      resumeStatus: standingOf(loan) as ResumeStatus,
    },
    { cause: 'payFail', note: reason, set: { resume_status: null } },
  )
  return { record: failed, status: moved.to }
}
