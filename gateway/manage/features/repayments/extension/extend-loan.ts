/**
 * The payment of an extension arrived: 43 → 80, and the open amounts move to a new order in the
 * same transaction.
 */
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { PLAN_CHANGED } from '#shared/orders/orders-live.ts'
import { AMOUNT_WRONG } from '#shared/repayments/repayment-problems.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  moveOrder,
  openSuccessor,
  orderRoomsOf,
  roomsOfOrder,
} from '#gateway/manage/features/orders/public.ts'
import { type Loan, statusBeforePayment } from '../loan-store.ts'
import { writePlans } from '../write-plans.ts'
import { postEntries } from '../post-entries.ts'
import { type RecordRow, emitRecord, updateRecord } from '../record-store.ts'
import type { Settled, WhenPaid } from '../paid-order.ts'
import { finishWriteOff } from '../writeoffs/write-off-rows.ts'
import { countExtension, type Extension } from './count-extension.ts'
import { extensionFacts, insertExtension } from './extension-store.ts'

/**
 * @throws Problem O-RULE when the loan can no longer be extended, M-AMT when the price of the
 * extension has changed
 */
export async function extendLoan(
  tx: CommandTx,
  loan: Loan,
  record: RecordRow,
  utr: string,
  whenPaid: readonly WhenPaid[],
): Promise<Settled> {
  const { orderId, customerId } = loan
  const from = statusBeforePayment(loan)
  const out = countExtension(loan, await extensionFacts(tx.db, loan, record.paid_at), {
    recordId: record.id,
    paidAt: record.paid_at,
  })
  if (record.amount !== out.due)
    throw new Problem(
      AMOUNT_WRONG,
      { rule: 'equal', amount: out.due },
      { fields: { amount: 'repayments:fault.amount.equal' }, due: out.due },
    )
  const booked = await updateRecord(tx, record, { payState: 'success', utr })
  const rooms = await orderRoomsOf(tx.db, [orderId])
  const next = await follow(tx, orderId, out)
  await postEntries(tx.db, out.postings(next))
  await writePlans(tx, [out.plan], rooms)
  await insertExtension(tx.db, { orderId, newOrderId: next.orderId, recordId: record.id, out })
  const moved = await moveOrder(
    tx,
    orderId,
    { type: 'ROLLOVER_OK', repaymentType: 'rollover', paidPaise: record.amount, duePaise: out.due },
    {
      cause: 'rolloverOk',
      note: next.orderId,
      set: {
        outstanding: 0,
        resume_status: null,
        rbi_class: 'standard',
        overdue_days: out.plan.overdueDays,
        close_amount_type: 'rollover',
      },
    },
  )
  emitRecord(tx, booked, rooms.get(orderId) ?? [])
  tx.log({
    action: 'extendLoan',
    targetKind: 'order',
    targetId: orderId,
    before: { status: from, outstanding: loan.outstanding },
    after: {
      recordId: record.id,
      amount: record.amount,
      fee: out.fee,
      commission: out.commission,
      fine: out.fine,
      status: moved.to,
      newOrderId: next.orderId,
      dueTime: out.dueDay,
      serialNo: out.serialNo,
    },
  })
  if (record.source === 'writeOff')
    await finishWriteOff(tx, record.id, moved.to, rooms.get(orderId) ?? [])
  for (const run of whenPaid)
    await run(tx, {
      orderId,
      customerId,
      amount: record.amount,
      payment: {
        recordId: record.id,
        principal: 0,
        channel: record.channel,
        extension: { commission: out.commission },
      },
      payTime: record.paid_at,
      from,
      to: moved.to,
      outstanding: 0,
    })
  return { record: booked, status: moved.to, surplus: 0 }
}

/** The following order with its one instalment. */
async function follow(
  tx: CommandTx,
  orderId: string,
  { principal, interest, service, days, dueDay }: Extension,
): Promise<{ orderId: string; planId: string }> {
  const outstanding = principal + interest + service
  const newOrderId = await openSuccessor(tx, orderId, {
    amount: principal,
    interest,
    outstanding,
    days,
    dueDay,
  })
  const { rows } = await sql<{ id: string }>`
    insert into repay_plan (order_id, serial_no, due_at, principal, interest, service_fee, open_principal,
      open_interest, open_service, open_fine, outstanding)
    values (${newOrderId}, 1, ${dueDay}::date, ${principal}, ${interest}, ${service}, ${principal},
      ${interest}, ${service}, 0, ${outstanding}) returning id`.execute(tx.db)
  const { id: planId } = rows[0] as { id: string }
  tx.emit(PLAN_CHANGED, {
    subject: `plan:${planId}`,
    version: 1,
    rooms: await roomsOfOrder(tx.db, newOrderId),
    data: { planId, orderId: newOrderId, paymentStatus: 'unpaid', outstanding, overdueDays: 0 },
  })
  return { orderId: newOrderId, planId }
}
