/** Takes a payment out of its loan: the approved reversal. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { istDay } from '#shared/kernel/time.ts'
import { isOrderClosed, type OrderEvent } from '#shared/orders/order-lifecycle.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import { rbiClassOf } from '#shared/repayments/rbi-class.ts'
import type { reverseRecord } from '#shared/repayments/repayments-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { giveBackOfRecord, reviseCoupons } from '#gateway/manage/features/coupons/public.ts'
import { uncountSettlement } from '#gateway/manage/features/customers/public.ts'
import { moveOrder, orderRoomsOf, restampOrders } from '#gateway/manage/features/orders/public.ts'
import { addPlans } from '../emi/add-plans.ts'
import { type Loan, outstandingOf, overdueDaysOn } from '../loan-store.ts'
import { writePlans } from '../write-plans.ts'
import { postEntries } from '../post-entries.ts'
import { markReversed, updateSurplus, type RecordRow, emitRecord } from '../record-store.ts'
import { reviseUsedReduction, voidReduction } from '../reductions/end-reduction.ts'
import type { WhenPaid } from '../paid-order.ts'
import { emitWriteOff } from '../writeoffs/write-off-rows.ts'
import { oweBeside } from './owe-beside.ts'
import { returnCredit } from './return-credit.ts'
import { loanWithout } from './loan-without.ts'

export type Cause = InputOf<typeof reverseRecord>['cause']

/** @param whenPaid runs with the amount negative */
export async function reversePayment(
  tx: CommandTx,
  loan: Loan,
  record: RecordRow,
  { cause, reason }: { cause: Cause; reason: string },
  whenPaid: readonly WhenPaid[],
): Promise<void> {
  const { orderId, customerId } = loan
  const rooms = await orderRoomsOf(tx.db, [orderId])
  if (record.is_credit)
    return returnCredit(tx, loan, record, {
      cause,
      reason,
      today: istDay(await tx.now()),
      rooms: rooms.get(orderId) ?? [],
    })
  if (loan.status === 80)
    return oweBeside(
      tx,
      loan,
      record,
      { cause, reason, today: istDay(await tx.now()), rooms: rooms.get(orderId) ?? [] },
      whenPaid,
    )
  const { today, used, out, grown } = await loanWithout(tx, loan, record)
  const reversed = await markReversed(tx, record, reason)
  await addPlans(tx, out.changed, rooms)
  await postEntries(tx.db, out.postings)
  await writePlans(tx, out.changed, rooms)
  for (const other of out.surpluses) await updateSurplus(tx, other, rooms.get(orderId) ?? [])
  await reviseCoupons(tx, out.coupons)
  await giveBackOfRecord(tx, record.id)
  const isVoid = used !== null && out.used?.reduceId !== used.id
  if (isVoid) await voidReduction(tx, used)
  else if (used && out.used) await reviseUsedReduction(tx, used, out.used.reduced)
  if (grown !== null) await growWriteOff(tx, orderId, grown, rooms.get(orderId) ?? [])
  const to = await putBack(
    tx,
    loan,
    {
      cause,
      reason,
      today,
      dueDay: out.dueDay,
      outstanding: out.outstanding,
      arrearDays: Math.max(
        0,
        ...out.plans.filter((plan) => outstandingOf(plan) > 0).map((plan) => plan.overdueDays),
      ),
      settledDays: loan.settlement === null ? null : overdueDaysOn(loan, out.plans, today),
      isBadDebt: out.isBadDebt,
    },
    rooms,
  )
  if (isOrderClosed(loan.status) && !isOrderClosed(to)) await uncountSettlement(tx, customerId)
  emitRecord(tx, reversed, rooms.get(orderId) ?? [], true)
  tx.log({
    action: 'reversePayment',
    targetKind: 'order',
    targetId: orderId,
    before: { status: loan.status, outstanding: loan.outstanding },
    after: {
      recordId: record.id,
      cause,
      reason,
      amount: record.amount,
      status: to,
      outstanding: out.outstanding,
      ...(isVoid ? { voidedReduction: used.id } : {}),
      ...(grown === null ? {} : { writeOffId: grown.id, writtenOffMore: grown.more }),
    },
  })
  // money that counts for nothing any more was credited to somebody when it came
  for (const run of whenPaid)
    await run(tx, {
      orderId,
      customerId,
      amount: out.counted === 0 ? 0 : -out.counted,
      payment: {
        recordId: record.id,
        principal: -out.principal,
        channel: record.channel,
        isReversal: true,
      },
      payTime: record.paid_at,
      from: loan.status,
      to,
      outstanding: out.outstanding,
    })
}

async function growWriteOff(
  tx: CommandTx,
  orderId: string,
  { id: writeOffId, more }: { id: string; more: number },
  rooms: readonly string[],
): Promise<void> {
  if (more === 0) return
  const { rows } = await sql<{ type: string; amount: number; version: number }>`
    update write_off set amount = amount + ${more}, outstanding_before = outstanding_before + ${more},
      version = version + 1
    where id = ${writeOffId} returning type, amount, version`.execute(tx.db)
  const { type, amount, version } = rows[0] as (typeof rows)[number]
  emitWriteOff(tx, { writeOffId, orderId, type, amount, version }, rooms)
}

interface Back {
  cause: Cause
  reason: string
  today: string
  dueDay: string
  outstanding: number
  /** Of the oldest open instalment; the class follows from them. */
  arrearDays: number
  /** Of a settlement plan, instead of the above. */
  settledDays: number | null
  /** Whether its history without the payment has a bad debt that was not cured. */
  isBadDebt: boolean
}

/**
 * 40, 41 get the status of the due day; a running order keeps its status unless it is in arrears, or
 * was a bad debt only with the payment.
 */
async function putBack(
  tx: CommandTx,
  loan: Loan,
  back: Back,
  rooms: ReadonlyMap<string, readonly string[]>,
): Promise<OrderStatus> {
  const { orderId, status } = loan
  const { reason, outstanding, arrearDays, settledDays } = back
  const overdueDays = settledDays ?? arrearDays
  const set = {
    outstanding,
    overdue_days: overdueDays,
    rbi_class: rbiClassOf(arrearDays, loan.rbiClass),
    resume_status: null,
  }
  // the payment was credit only, so the order stays repaid
  if (isOrderClosed(status) && outstanding === 0) return status
  const event = eventOf(status, back)
  if (event === null) {
    await restampOrders(tx, [{ orderId, outstanding, overdueDays, rbiClass: set.rbi_class }], rooms)
    return status
  }
  return (await moveOrder(tx, orderId, event, { cause: 'reversePayment', note: reason, set })).to
}

/** What moves the order; null when it keeps its status. */
function eventOf(
  status: OrderStatus,
  { cause, today, dueDay, outstanding, isBadDebt }: Back,
): OrderEvent | null {
  if (isOrderClosed(status)) return { type: 'REVERSE_PAYMENT', cause, today, dueDay }
  if (status === 30 && today > dueDay)
    return { type: 'DUE_PASSED', today, dueDay, balancePaise: outstanding }
  // principal paid ahead had made another instalment dearer, which then was the oldest one open
  if (status === 90 && !isBadDebt) return { type: 'NEVER_BAD', isBadDebt, today, dueDay }
  return null
}
