/** Fails a payment in progress. */
import { istDay } from '#shared/kernel/time.ts'
import type { ResumeStatus } from '#shared/orders/order-lifecycle.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { giveBackOfRecord } from '#gateway/manage/features/coupons/public.ts'
import { moveOrder, restampOrders } from '#gateway/manage/features/orders/public.ts'
import {
  firstDueDay,
  type Loan,
  outstandingOf,
  planStatus,
  statusBeforePayment,
} from './loan-store.ts'
import { writePlans } from './write-plans.ts'
import { type CountedBounce, countBounce, writeBounce } from './emi/charge-bounce.ts'
import type { WhenPaid } from './paid-order.ts'
import { type PayFacts, readPayFacts } from './pay-facts.ts'
import { emitRecord, type RecordRow, updateRecord } from './record-store.ts'
import { finishWriteOff } from './writeoffs/write-off-rows.ts'

/**
 * The order returns to the status of its due day.
 * @param bounced the bank returned the debit: the hooks receive what the order then owes
 */
export async function failPayment(
  tx: CommandTx,
  loan: Loan | null,
  record: RecordRow,
  reason: string,
  bounced: readonly WhenPaid[] | null = null,
): Promise<{ record: RecordRow; status: OrderStatus | null }> {
  const facts = loan === null ? null : await readPayFacts(tx, loan.orderId, record.id)
  const bounce =
    bounced === null || loan === null || facts === null
      ? null
      : await countBounce(tx, loan, record, facts)
  const failed = await updateRecord(tx, record, {
    payState: 'fail',
    failReason: reason,
    bounceCharge: bounce?.charge ?? 0,
  })
  await giveBackOfRecord(tx, record.id)
  if (loan === null || facts === null) {
    emitRecord(tx, failed, ['scope:all'])
    tx.log({
      action: 'payment.failed',
      targetKind: 'record',
      targetId: record.id,
      after: { reason },
    })
    return { record: failed, status: null }
  }
  const { now, beingPaid, rooms } = facts
  const freed = loan.plans
    .filter((plan) => plan.status === 'processing' && !beingPaid.has(plan.planId))
    .map((plan) => ({ ...plan, status: planStatus(plan, false) }))
  if (bounce === null) await writePlans(tx, freed, rooms)
  else await writeBounce(tx, loan, bounce, rooms)
  emitRecord(tx, failed, rooms.get(loan.orderId) ?? [])
  if (record.source === 'writeOff') await finishWriteOff(tx, record.id, null, [])
  tx.log({
    action: 'payment.failed',
    targetKind: 'order',
    targetId: loan.orderId,
    after: {
      recordId: record.id,
      reason,
      ...(bounce === null ? {} : { bounceCharge: bounce.charge }),
    },
  })
  const status = await putBack(tx, loan, { now, beingPaid, rooms }, { reason, bounce })
  if (bounce !== null)
    for (const run of bounced ?? [])
      await run(tx, {
        orderId: loan.orderId,
        customerId: loan.customerId,
        amount: 0,
        payTime: record.paid_at,
        from: statusBeforePayment(loan),
        to: status,
        outstanding: bounce.out.outstanding,
      })
  return { record: failed, status }
}

/** An order that waited for it alone goes back; with a bounce charge it owes more. */
async function putBack(
  tx: CommandTx,
  loan: Loan,
  { now, beingPaid, rooms }: Pick<PayFacts, 'now' | 'beingPaid' | 'rooms'>,
  { reason, bounce }: { reason: string; bounce: CountedBounce | null },
): Promise<OrderStatus> {
  const { orderId, rbiClass } = loan
  if (loan.status !== 43 || beingPaid.size > 0) {
    if (bounce !== null) {
      const { overdueDays } = bounce
      const { outstanding } = bounce.out
      await restampOrders(tx, [{ orderId, outstanding, overdueDays, rbiClass }], rooms)
    }
    return loan.status
  }
  const dueDay = firstDueDay(loan.plans.filter((plan) => outstandingOf(plan) > 0))
  const moved = await moveOrder(
    tx,
    loan.orderId,
    {
      type: 'PAY_FAIL',
      today: istDay(now),
      dueDay,
      resumeStatus: statusBeforePayment(loan) as ResumeStatus,
    },
    {
      cause: 'payFail',
      note: reason,
      set: {
        resume_status: null,
        ...(bounce === null
          ? {}
          : { outstanding: bounce.out.outstanding, overdue_days: bounce.overdueDays }),
      },
    },
  )
  return moved.to
}
