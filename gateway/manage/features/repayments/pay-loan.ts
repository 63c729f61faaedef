/** Counts a received payment against a running loan, or against a repaid one. */
import { istDay } from '#shared/kernel/time.ts'
import type { UsedCoupon } from '#shared/repayments/fold/loan-history.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import { isOrderClosed, type ResumeStatus } from '#shared/orders/order-lifecycle.ts'
import { inOrder } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { couponOfRecord, reviseCoupons } from '#gateway/manage/features/coupons/public.ts'
import { countSettlement } from '#gateway/manage/features/customers/public.ts'
import {
  moveLocked,
  moveOrder,
  type OrderStep,
  restampOrders,
  type ShownOrder,
} from '#gateway/manage/features/orders/public.ts'
import { type CountedPayment, countPayment, type GivenPayment } from './count-payment.ts'
import { countLate, isNewest } from './history/count-late.ts'
import type { Difference } from './history/count-difference.ts'
import {
  firstDueDay,
  type Loan,
  type LoanPlan,
  lockLoan,
  outstandingOf,
  overdueDaysOn,
  settledOf,
  statusBeforePayment,
} from './loan-store.ts'
import { sendPlans, writePlans } from './write-plans.ts'
import type { Settled, WhenPaid } from './paid-order.ts'
import { type Arrival, type PayFacts, readPayFacts } from './pay-facts.ts'
import { addPlans } from './emi/add-plans.ts'
import { entriesOf, postEntries } from './post-entries.ts'
import {
  emitRecord,
  type RecordChange,
  type RecordRow,
  updateRecord,
  updateSurplus,
} from './record-store.ts'
import {
  endReductionOfOrder,
  lapse,
  lockUsedReduction,
  markReductionUsed,
  reviseUsedReduction,
} from './reductions/end-reduction.ts'
import { lockOpenReduction } from './reductions/reduction-store.ts'
import { endSettlements } from './settlement/settlement-store.ts'
import { finishWriteOff } from './writeoffs/write-off-rows.ts'

/** The order waits for this payment. */
export function submitted(status: Loan['status']): OrderStep {
  return { event: { type: 'PAY_SUBMITTED' }, cause: 'paySubmitted', set: { resume_status: status } }
}

/**
 * Sends all its reads at once, and all its writes, so that the order stays locked for three round
 * trips to the database instead of twelve.
 */
export async function payLoan(
  tx: CommandTx,
  given: Loan,
  record: RecordRow,
  utr: string,
  whenPaid: readonly WhenPaid[],
  arrival?: Arrival,
): Promise<Settled> {
  const loan = await withoutLapsed(tx, given, record, whenPaid)
  const { orderId, customerId } = loan
  const from = statusBeforePayment(loan) as ResumeStatus
  const facts = arrival?.facts ?? (await readPayFacts(tx, orderId, record.id))
  const { beingPaid, rooms, hasCase } = facts
  const payment = givenPayment(record, facts, await usedCoupon(tx, record))
  const { today } = payment
  const paid = await countAny(tx, loan, record, payment, facts.now)
  const resume = paid.isGoodAgain ? 50 : from
  const end = paid.outstanding === 0 ? closed(paid) : takenBack(loan, paid, resume, today)
  const change: RecordChange = {
    payState: 'success',
    utr,
    surplus: paid.surplus,
    repaymentType: paid.outstanding === 0 ? 'full' : 'partial',
    flag: paid.surplus > 0 ? 'surplus' : null,
    planId: record.plan_id ?? paid.changed[0]?.planId ?? null,
  }
  // of a report of today that leaves the loan running nothing has to be read back: all of it is sent
  // with the commit
  const sent = arrival && isPlain(loan, paid) && beingPaid.size === 0 ? arrival : null
  const { to, written } = await moveLocked(
    tx,
    { id: orderId, status: loan.status, version: loan.version },
    loan.status === 43 ? [end] : [submitted(loan.status), end],
    sent ? shownOf(loan, facts) : undefined,
  )
  const write = async (): Promise<RecordRow> => {
    const booked = sent
      ? sendAll(tx, paid, sent.send(change), rooms)
      : await writeAll(tx, paid, rooms, async () => {
          const row = arrival ? arrival.write(change) : updateRecord(tx, record, change)
          return (await Promise.all([row, written]))[0]
        })
    for (const other of paid.surpluses) await updateSurplus(tx, other, rooms.get(orderId) ?? [])
    await reviseCoupons(tx, paid.coupons)
    await endWithLoan(tx, loan, paid, { to, valueDay: payment.valueDay })
    emitRecord(tx, booked, rooms.get(orderId) ?? [])
    logPayment(tx, record, paid, { orderId, from, to })
    if (record.source === 'writeOff')
      await finishWriteOff(tx, record.id, to, rooms.get(orderId) ?? [])
    return booked
  }
  const notifyPaid = async (): Promise<void> => {
    for (const run of whenPaid)
      await run(tx, {
        orderId,
        customerId,
        amount: paid.counted,
        payment: { recordId: record.id, principal: paid.principal, channel: record.channel },
        payTime: record.paid_at,
        from,
        to,
        outstanding: paid.outstanding,
        hasCase,
      })
  }
  const writing = write()
  await inOrder(writing, notifyPaid())
  // another payment of this order is still in progress
  if (!isOrderClosed(to) && beingPaid.size > 0) {
    const { event, ...move } = submitted(to)
    await moveOrder(tx, orderId, event, move)
  }
  return {
    record: await writing,
    status: !isOrderClosed(to) && beingPaid.size > 0 ? 43 : to,
    surplus: paid.surplus,
  }
}

/** A settlement, the reduction and the customer's count end with what is paid. */
async function endWithLoan(
  tx: CommandTx,
  { orderId, customerId, settlement }: Loan,
  paid: Paid,
  { to, valueDay }: { to: OrderStatus; valueDay: string },
): Promise<void> {
  // everything agreed, or everything overdue, is paid
  if (settlement !== null && (isOrderClosed(to) || to === 30))
    await endSettlements(tx, new Map([[orderId, settledOf(settlement, paid.plans)]]), 'kept')
  if (!isOrderClosed(to)) return
  await countSettlement(tx, customerId)
  if (paid.reduceId !== null)
    await markReductionUsed(tx, paid.reduceId, { used: paid.reduced, valueDay })
  await endReductionOfOrder(tx, orderId)
}

function logPayment(
  tx: CommandTx,
  record: RecordRow,
  { counted, surplus, outstanding }: Pick<Paid, 'counted' | 'surplus' | 'outstanding'>,
  { orderId, from, to }: { orderId: string; from: OrderStatus; to: OrderStatus },
): void {
  tx.log({
    action: 'payment',
    targetKind: 'order',
    targetId: orderId,
    before: { status: from },
    after: {
      recordId: record.id,
      amount: record.amount,
      counted,
      surplus,
      status: to,
      outstanding,
    },
  })
}

/** Nothing else changes with it, and the loan goes on. */
function isPlain(loan: Loan, paid: Paid): boolean {
  return (
    paid.outstanding > 0 &&
    loan.settlement === null &&
    paid.surpluses.length === 0 &&
    paid.coupons.length === 0 &&
    paid.changed.every(({ version }) => version > 0)
  )
}

function shownOf(loan: Loan, { caseRooms, reviewId }: PayFacts): ShownOrder {
  return {
    id: loan.orderId,
    customer_id: loan.customerId,
    tags: loan.tags ?? [],
    outstanding: loan.outstanding,
    closed_at: null,
    due_at: loan.dueAt ?? null,
    disbursed_at: loan.disbursedAt,
    fail_reason: loan.failReason ?? null,
    review_id: reviewId,
    case_rooms: caseRooms,
  }
}

function sendAll(
  tx: CommandTx,
  paid: Paid,
  booked: RecordRow,
  rooms: ReadonlyMap<string, readonly string[]>,
): RecordRow {
  const entries = entriesOf(paid.postings)
  if (entries !== null) tx.send(entries)
  sendPlans(tx, paid.changed, rooms)
  return booked
}

async function writeAll(
  tx: CommandTx,
  paid: Paid,
  rooms: ReadonlyMap<string, readonly string[]>,
  writeRecord: () => Promise<RecordRow>,
): Promise<RecordRow> {
  const [, booked] = await Promise.all([
    // first: the record may refer to one
    addPlans(tx, paid.changed, rooms),
    writeRecord(),
    postEntries(tx.db, paid.postings),
    writePlans(tx, paid.changed, rooms),
  ])
  return booked
}

/** The coupon a payment was booked with. A channel reports payments without one. */
async function usedCoupon(
  tx: CommandTx,
  { id, operator_id }: RecordRow,
): Promise<UsedCoupon | null> {
  const grant = operator_id === null ? null : await couponOfRecord(tx.db, id)
  return grant === null ? null : { grantId: grant.id, terms: grant.terms }
}

function givenPayment(record: RecordRow, facts: PayFacts, coupon: UsedCoupon | null): GivenPayment {
  const { now, parts, badDebtDays, beingPaid } = facts
  const today = istDay(now)
  const paidOn = istDay(record.paid_at)
  return {
    recordId: record.id,
    amount: record.amount,
    valueDay: paidOn < today ? paidOn : today,
    paidAt: record.paid_at,
    today,
    parts,
    badDebtDays,
    beingPaid,
    coupon,
  }
}

interface Paid extends Omit<CountedPayment, 'plans' | 'couponed'> {
  plans: readonly LoanPlan[]
  /** Credit of other payments that changes with it. */
  surpluses: Difference['surpluses']
  /** What coupons come to now, its own among them. */
  coupons: { grantId: string; amount: number }[]
  /** The reduction the loan is settled with. */
  reduceId: string | null
  /** The loan is a bad debt, and would not be one had the payment been reported in time. */
  isGoodAgain: boolean
}

/** The newest payment is counted on the stored state; for any other the loan is folded again. */
async function countAny(
  tx: CommandTx,
  loan: Loan,
  record: RecordRow,
  payment: GivenPayment,
  now: string,
): Promise<Paid> {
  const paid = { at: record.paid_at, day: payment.valueDay }
  const late = isNewest(loan, paid, payment.badDebtDays)
    ? null
    : await countLate(tx.db, loan, record, { ...payment, now })
  if (late === null) {
    if (!isNewest(loan, paid, payment.badDebtDays))
      tx.context.log.warn(
        { orderId: loan.orderId, recordId: record.id },
        'the books of a loan do not follow from its history; late money is counted on what is stored',
      )
    const counted = countPayment(loan, payment)
    const reduceId = counted.reduced > 0 ? (loan.reduction?.reduceId ?? null) : null
    const { coupon } = payment
    const coupons = coupon === null ? [] : [{ grantId: coupon.grantId, amount: counted.couponed }]
    return { ...counted, coupons, surpluses: [], reduceId, isGoodAgain: false }
  }
  const reduced = late.used?.reduced ?? 0
  return {
    ...late,
    due: late.counted + late.outstanding + reduced,
    reduced,
    reduceId: late.used?.reduceId ?? null,
    isGoodAgain: statusBeforePayment(loan) === 90 && !late.isBadDebt,
  }
}

/**
 * A payment with an earlier value than the one that repaid the loan: it clears what the later
 * payment had cleared, and that becomes the customer's credit. The order stays repaid.
 * @returns null when that does not apply: then all of it is credit, also when an earlier payment is
 * reversed
 */
export async function payRepaid(
  tx: CommandTx,
  loan: Loan,
  record: RecordRow,
  utr: string,
): Promise<Settled | null> {
  const { orderId } = loan
  const facts = await readPayFacts(tx, orderId, record.id)
  const payment = givenPayment(record, facts, await usedCoupon(tx, record))
  const used = loan.status === 41 ? await lockUsedReduction(tx.db, orderId) : null
  const late = await countLate(tx.db, loan, record, { ...payment, now: facts.now })
  if (late === null || late.outstanding > 0) return null
  if ((late.used?.reduceId ?? null) !== (used?.id ?? null)) return null
  const rooms = facts.rooms.get(orderId) ?? []
  const booked = await updateRecord(tx, record, {
    payState: 'success',
    utr,
    surplus: late.surplus,
    repaymentType: 'partial',
    flag: late.surplus > 0 ? 'surplus' : null,
  })
  await addPlans(tx, late.changed, facts.rooms)
  await postEntries(tx.db, late.postings)
  await writePlans(tx, late.changed, facts.rooms)
  for (const other of late.surpluses) await updateSurplus(tx, other, rooms)
  await reviseCoupons(tx, late.coupons)
  if (used && late.used) await reviseUsedReduction(tx, used, late.used.reduced)
  const overdueDays = Math.max(0, ...late.plans.map((plan) => plan.overdueDays))
  const { rbiClass } = loan
  await restampOrders(tx, [{ orderId, outstanding: 0, overdueDays, rbiClass }], facts.rooms)
  emitRecord(tx, booked, rooms)
  if (record.source === 'writeOff') await finishWriteOff(tx, record.id, loan.status, rooms)
  logPayment(tx, record, late, { orderId, from: loan.status, to: loan.status })
  return { record: booked, status: loan.status, surplus: late.surplus }
}

/**
 * A payment after the last day of a reduction lets it lapse, and the fines of its days are charged.
 */
async function withoutLapsed(
  tx: CommandTx,
  loan: Loan,
  record: RecordRow,
  whenPaid: readonly WhenPaid[],
): Promise<Loan> {
  if (loan.reduction === null || istDay(record.paid_at) <= loan.reduction.validUntil) return loan
  const reduction = await lockOpenReduction(tx.db, loan.orderId)
  if (reduction === null) return loan
  await lapse(tx, loan, reduction, istDay(await tx.now()), whenPaid)
  // the caller holds the lock of the order, so it exists
  return (await lockLoan(tx.db, loan.orderId)) as Loan
}

function closed({ plans, due, counted, reduced }: Paid): OrderStep {
  return {
    event: {
      type: reduced > 0 ? 'PAY_OK_REDUCED' : 'PAY_OK_FULL',
      paidPaise: counted,
      duePaise: due,
      reductionPaise: reduced,
    },
    cause: reduced > 0 ? 'payOkReduced' : 'payOkFull',
    // the overdue days of an ended loan are those of its latest payment
    set: {
      outstanding: 0,
      resume_status: null,
      rbi_class: 'standard',
      overdue_days: Math.max(0, ...plans.map((plan) => plan.overdueDays)),
    },
  }
}

function takenBack(
  loan: Loan,
  { plans, due, counted, outstanding }: Paid,
  resumeStatus: ResumeStatus,
  today: string,
): OrderStep {
  const open = plans.filter((plan) => outstandingOf(plan) > 0)
  return {
    event: {
      type: 'PAY_OK_PARTIAL',
      paidPaise: counted,
      duePaise: due,
      today,
      dueDay: firstDueDay(open),
      resumeStatus,
    },
    cause: 'payOkPartial',
    set: {
      outstanding,
      resume_status: null,
      overdue_days:
        loan.settlement === null
          ? Math.max(0, ...open.map((plan) => plan.overdueDays))
          : overdueDaysOn(loan, plans, today),
    },
  }
}
