/** Carries out a cooling-off exit. */
import { istDay } from '#shared/kernel/time.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { countSettlement } from '#gateway/manage/features/customers/public.ts'
import { moveOrder, orderRoomsOf } from '#gateway/manage/features/orders/public.ts'
import { type Loan } from '../loan-store.ts'
import { writePlans } from '../write-plans.ts'
import type { Settled, WhenPaid } from '../paid-order.ts'
import { postEntries } from '../post-entries.ts'
import { emitRecord, type RecordRow, updateRecord } from '../record-store.ts'
import { countExit } from './count-exit.ts'

/**
 * Cooling-off exit: principal and the charge of the days used, no penalty (30 → 40).
 * @throws Problem O-RULE when the exit is no longer possible
 */
export async function exitLoan(
  tx: CommandTx,
  loan: Loan,
  record: RecordRow,
  utr: string,
  whenPaid: readonly WhenPaid[],
): Promise<Settled> {
  const { orderId, customerId } = loan
  const exit = countExit(loan, {
    recordId: record.id,
    paidAt: record.paid_at,
    today: istDay(await tx.now()),
  })
  const booked = await updateRecord(tx, record, { payState: 'success', utr })
  const rooms = await orderRoomsOf(tx.db, [orderId])
  await postEntries(tx.db, exit.postings)
  await writePlans(tx, exit.plans, rooms)
  const moved = await moveOrder(
    tx,
    orderId,
    {
      type: 'COOLING_OFF_EXIT',
      insideCoolingOff: true,
      paidPaise: record.amount,
      duePaise: exit.due,
    },
    {
      cause: 'coolingOffExit',
      set: { outstanding: 0, resume_status: null, rbi_class: 'standard', overdue_days: 0 },
    },
  )
  await countSettlement(tx, customerId)
  emitRecord(tx, booked, rooms.get(orderId) ?? [])
  tx.log({
    action: 'coolingOffExit',
    targetKind: 'order',
    targetId: orderId,
    before: { status: loan.status },
    after: {
      recordId: record.id,
      amount: record.amount,
      daysUsed: exit.daysUsed,
      charge: exit.charge,
      status: moved.to,
    },
  })
  for (const run of whenPaid)
    await run(tx, {
      orderId,
      customerId,
      amount: record.amount,
      payment: { recordId: record.id, principal: exit.principal, channel: record.channel },
      payTime: record.paid_at,
      from: loan.status,
      to: moved.to,
      outstanding: 0,
    })
  return { record: booked, status: moved.to, surplus: 0 }
}
