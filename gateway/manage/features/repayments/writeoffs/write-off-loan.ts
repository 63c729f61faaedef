/**
 * Writes off an order: its open amounts leave the ledger, its case ends. Operational at once (100),
 * in an approved batch with the claim kept (110).
 */
import { sql } from 'kysely'
import { istDay } from '#shared/kernel/time.ts'
import { PAYMENT_OPEN } from '#shared/repayments/repayment-problems.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type { OrderEvent } from '#shared/orders/order-lifecycle.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { moveOrder, orderRoomsOf } from '#gateway/manage/features/orders/public.ts'
import { type Loan, settledOf } from '../loan-store.ts'
import { writePlans } from '../write-plans.ts'
import { postEntries } from '../post-entries.ts'
import { hasOpenPayment } from '../record-store.ts'
import { endSettlements } from '../settlement/settlement-store.ts'
import type { WhenPaid } from '../paid-order.ts'
import { countWriteOff } from './count-write-off.ts'
import { insertWriteOff, type NewWriteOff, newWriteOffId, emitWriteOff } from './write-off-rows.ts'

export interface GivenUp extends Pick<
  NewWriteOff,
  'repaymentDate' | 'operator' | 'confirmer' | 'approvalId'
> {
  type: 'operational' | 'batch'
  reason: string
  /** Input of the lifecycle guards, including the amount written off. */
  event: (amount: number) => OrderEvent
}

/**
 * Carries it out on a locked loan.
 * @returns id of the write-off
 * @throws Problem M-OPEN, O-STATE, O-RULE
 */
export async function writeOffLoan(
  tx: CommandTx,
  loan: Loan,
  { type, reason, event, ...given }: GivenUp,
  whenPaid: readonly WhenPaid[],
): Promise<string> {
  const { orderId, customerId } = loan
  // checked before the first write: a refused row of a batch leaves no trace
  if (await isBusy(tx.db, orderId)) throw new Problem(PAYMENT_OPEN)
  const now = await tx.now()
  const day = istDay(now)
  const id = await newWriteOffId(tx.db)
  const out = countWriteOff(loan, { day, refId: id, keepsClaim: type === 'batch' })
  const rooms = await orderRoomsOf(tx.db, [orderId])
  const moved = await moveOrder(tx, orderId, event(out.amount), {
    cause: type === 'batch' ? 'batchWriteOff' : 'opsWriteOff',
    note: reason,
    set: { outstanding: 0, resume_status: null, close_amount_type: type },
  })
  if (loan.settlement !== null)
    await endSettlements(tx, new Map([[orderId, settledOf(loan.settlement, loan.plans)]]), 'ended')
  await postEntries(tx.db, out.postings)
  await writePlans(tx, out.plans, rooms)
  await insertWriteOff(tx.db, {
    ...given,
    id,
    orderId,
    customerId,
    type,
    state: 'done',
    amount: out.amount,
    outstandingBefore: out.amount,
    resultStatus: moved.to,
    reason,
    recordId: null,
  })
  for (const run of whenPaid)
    await run(tx, {
      orderId,
      customerId,
      amount: 0,
      payTime: now,
      from: moved.from,
      to: moved.to,
      outstanding: 0,
    })
  emitWriteOff(
    tx,
    { writeOffId: id, orderId, type, amount: out.amount, version: 1 },
    rooms.get(orderId) ?? [],
  )
  tx.log({
    menu: 'flat_management',
    action: 'writeOff',
    targetKind: 'order',
    targetId: orderId,
    before: { status: moved.from, outstanding: loan.outstanding },
    after: {
      writeOffId: id,
      type,
      status: moved.to,
      amount: out.amount,
      reason,
      approvalId: given.approvalId,
    },
  })
  return id
}

/** Whether a payment is in progress or a reduction is open, which must end first. */
export async function isBusy(db: Db, orderId: string): Promise<boolean> {
  if (await hasOpenPayment(db, orderId)) return true
  const { rows } = await sql`
      select from reduction d where d.order_id = ${orderId} and d.state in ('pending', 'approved')`.execute(
    db,
  )
  return rows.length > 0
}
