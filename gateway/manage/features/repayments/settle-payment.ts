/**
 * A payment from its telling to its end (domain.md 3, loan order): under way 30, 50, 90 → 43; received 43 → 40, or back with less
 * owed; failed 43 → back. An order is in 43 exactly while a payment of it is under way. The caller has locked the order, then the record.
 */
import { sql } from 'kysely'
import { type Part, readParts } from '#shared/repayments/allocate-payment.ts'
import { istDay } from '#shared/kernel/time.ts'
import { isOrderClosed, type ResumeStatus } from '#shared/orders/order-lifecycle.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import { type Db, inOrder } from '#gateway/manage/db/transaction.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { parameterValue } from '#gateway/manage/kernel/parameters.ts'
import { roomsOfOpenCase } from '#gateway/manage/kernel/scope.ts'
import { countSettlement } from '#gateway/manage/features/customers/public.ts'
import {
  moveLocked,
  moveOrder,
  type OrderStep,
  orderRooms,
  orderRoomsOf,
  roomsOfOrder,
} from '#gateway/manage/features/orders/public.ts'
import { countExit } from './booking/count-exit.ts'
import { countPayment, surplusPosting } from './count-payment.ts'
import { extendLoan } from './extension/extend-loan.ts'
import { LEDGER_ACCOUNT } from './ledger-accounts.ts'
import {
  type Loan,
  type LoanPlan,
  lockLoan,
  outstandingOf,
  overdueDaysOn,
  planStatus,
  settledOf,
  standingOf,
  writePlans,
} from './loan-store.ts'
import { postEntries } from './post-entries.ts'
import { endReductionOfOrder, lapse, markReductionUsed } from './reductions/end-reduction.ts'
import { lockOpenReduction } from './reductions/reduction-store.ts'
import { endSettlements } from './settlement/settlement-store.ts'
import { finishWriteOff } from './writeoffs/write-off-rows.ts'
import {
  NEXT_RECORD_ID,
  plansBeingPaid,
  type RecordChange,
  type RecordRow,
  tellRecord,
  updateRecord,
} from './record-store.ts'

/** Money that was counted against what an order owes. */
export interface PaidOrder {
  orderId: string
  customerId: string
  /** Paise counted; a surplus is not. */
  amount: number
  /** The record it stands in, paise of it that cleared principal, its channel, and what an extension owes for its sale; absent when the order moved without money. */
  payment?: {
    recordId: string
    principal: number
    channel: number
    extension?: { commission: number }
  }
  /** Instant it was paid, ISO 8601: its IST day is the value date. */
  payTime: string
  /** Status the payment started from (30, 50, 90), and the one it led to. */
  from: OrderStatus
  to: OrderStatus
  /** Paise the order owes now. */
  outstanding: number
  /** Whether a case of it is open, when that was seen under the order's lock. */
  hasCase?: boolean
}

/** Runs in the payment's transaction. Record, plans, ledger and order are sent before its first statement, which therefore finds them written. */
export type WhenPaid = (cx: Cx, paid: PaidOrder) => Promise<void>

export interface Settled {
  record: RecordRow
  status: OrderStatus
  /** Paise no debt was left for. */
  surplus: number
}

const RUNNING: readonly OrderStatus[] = [30, 43, 50, 90]
export const WRITTEN_OFF_WITH_CLAIM = 110

export function isRunning(status: OrderStatus): boolean {
  return RUNNING.includes(status)
}

/** The channel accepted a payment and its result is pending: the order waits for it. */
export async function submitPayment(cx: Cx, loan: Loan, record: RecordRow): Promise<Settled> {
  const rooms = await orderRoomsOf(cx.db, [loan.orderId])
  const plan = loan.plans.find(({ planId }) => planId === record.plan_id)
  if (isRunning(loan.status) && plan && outstandingOf(plan) > 0 && plan.status !== 'processing')
    await writePlans(cx, [{ ...plan, status: 'processing' }], rooms)
  tellRecord(cx, record, rooms.get(loan.orderId) ?? [])
  if (loan.status === 43 || !isRunning(loan.status))
    return { record, status: loan.status, surplus: 0 }
  const { to, written } = await moveLocked(
    cx,
    { id: loan.orderId, status: loan.status, version: loan.version },
    [submitted(loan.status)],
  )
  await written
  return { record, status: to, surplus: 0 }
}

/**
 * The money arrived. Of a running loan it is counted against the plans, of a written-off one whose claim stands it is a recovery,
 * of any other that ended it is the customer's credit (api.md 24). @param arrival of a running loan's payment that is not written yet
 */
export async function settlePayment(
  cx: Cx,
  loan: Loan,
  record: RecordRow,
  utr: string,
  whenPaid: readonly WhenPaid[],
  arrival?: Arrival,
): Promise<Settled> {
  // money of an exit that comes when the loan has ended otherwise is nobody's debt any more
  if (record.repayment_type === 'coolingOff' && !isOrderClosed(loan.status))
    return exitLoan(cx, loan, record, utr, whenPaid)
  if (record.repayment_type === 'rollover' && isRunning(loan.status))
    return extendLoan(cx, loan, record, utr, whenPaid)
  if (isRunning(loan.status)) return payLoan(cx, loan, record, utr, whenPaid, arrival)
  const today = istDay(await cx.now())
  const counted =
    loan.status === WRITTEN_OFF_WITH_CLAIM
      ? Math.min(record.amount, await openClaim(cx.db, loan.orderId))
      : 0
  const surplus = record.amount - counted
  const booked = await updateRecord(cx, record, {
    payState: 'success',
    utr,
    surplus,
    flag: counted > 0 && surplus === 0 ? 'recovery' : 'surplus',
  })
  await postEntries(cx.db, [
    {
      kind: 'recovery',
      orderId: loan.orderId,
      bizDate: today,
      refId: record.id,
      lines: [
        { account: LEDGER_ACCOUNT.cashClearing, planId: null, amount: counted },
        { account: LEDGER_ACCOUNT.recoveryIncome, planId: null, amount: -counted },
        { account: LEDGER_ACCOUNT.recoveryContra, planId: null, amount: counted },
        { account: LEDGER_ACCOUNT.recoveryClaim, planId: null, amount: -counted },
      ],
    },
    surplusPosting(loan.orderId, record.id, today, surplus),
  ])
  const rooms = await roomsOfOrder(cx.db, loan.orderId)
  tellRecord(cx, booked, rooms)
  if (record.source === 'writeOff') await finishWriteOff(cx, record.id, loan.status, rooms)
  cx.log({
    action: 'payment',
    targetKind: 'order',
    targetId: loan.orderId,
    after: {
      recordId: record.id,
      amount: record.amount,
      recovered: counted,
      surplus,
      status: loan.status,
    },
  })
  return { record: booked, status: loan.status, surplus }
}

/** What counting a payment of a locked loan needs beside the loan. */
export interface PayFacts {
  now: string
  recordId: string
  /** Plans that other payments under way are meant for. */
  beingPaid: ReadonlySet<string | null>
  /** Parameter repay.order. */
  parts: readonly Part[]
  rooms: ReadonlyMap<string, string[]>
  hasCase: boolean
}

/** @param recordId null when the payment is not written yet: it gets its id here */
export async function readPayFacts(
  cx: Cx,
  orderId: string,
  recordId: string | null,
): Promise<PayFacts> {
  const { rows } = await sql<{
    now: string
    record_id: string
    being_paid: (string | null)[]
    parts: string | null
    case_rooms: string[]
    has_case: boolean
  }>`
    select clock_timestamp() as now, ${recordId === null ? NEXT_RECORD_ID : sql`${recordId}::text`} as record_id, ${plansBeingPaid(orderId, recordId)} as being_paid, ${parameterValue(REPAY_ORDER)} as parts, ${roomsOfOpenCase(sql`${orderId}`)} as case_rooms,
      exists (select from collection_case c where c.order_id = ${orderId} and c.state <> 'closed') as has_case`.execute(
    cx.db,
  )
  const row = rows[0] as (typeof rows)[number]
  if (row.parts === null) throw new TypeError(`parameter ${REPAY_ORDER} is missing or disabled`)
  return {
    now: row.now,
    recordId: row.record_id,
    beingPaid: new Set(row.being_paid),
    parts: readParts(row.parts),
    rooms: new Map([[orderId, [...orderRooms(orderId), ...row.case_rooms]]]),
    hasCase: row.has_case,
  }
}
const REPAY_ORDER = 'repay.order'

/** A payment told this moment: what it needs was read with the loan, and its row is written as it comes out. */
export interface Arrival {
  facts: PayFacts
  write(change: RecordChange): Promise<RecordRow>
}

/** What it reads is asked for at once, and so is what it writes: on a busy day the order is locked for three answers of the database, not for twelve. */
async function payLoan(
  cx: Cx,
  given: Loan,
  record: RecordRow,
  utr: string,
  whenPaid: readonly WhenPaid[],
  arrival?: Arrival,
): Promise<Settled> {
  const loan = await withoutLapsed(cx, given, record, whenPaid)
  const { orderId, customerId } = loan
  const from = standingOf(loan) as ResumeStatus
  const { now, beingPaid, parts, rooms, hasCase } =
    arrival?.facts ?? (await readPayFacts(cx, orderId, record.id))
  const today = istDay(now)
  const paidOn = istDay(record.paid_at)
  const payment = {
    recordId: record.id,
    amount: record.amount,
    valueDay: paidOn < today ? paidOn : today,
    paidAt: record.paid_at,
    today,
    parts,
    beingPaid,
  }
  const paid = countPayment(loan, payment)
  const end = paid.outstanding === 0 ? closed(paid) : takenBack(loan, paid, from, today)
  const change: RecordChange = {
    payState: 'success',
    utr,
    surplus: paid.surplus,
    repaymentType: paid.outstanding === 0 ? 'full' : 'partial',
    flag: paid.surplus > 0 ? 'surplus' : null,
    planId: record.plan_id ?? paid.changed[0]?.planId ?? null,
  }
  const { to, written } = await moveLocked(
    cx,
    { id: orderId, status: loan.status, version: loan.version },
    loan.status === 43 ? [end] : [submitted(loan.status), end],
  )
  const write = async (): Promise<RecordRow> => {
    const [booked] = await Promise.all([
      arrival ? arrival.write(change) : updateRecord(cx, record, change),
      written,
      postEntries(cx.db, paid.postings),
      writePlans(cx, paid.changed, rooms),
    ])
    // all that was agreed, or all that was overdue, is paid
    if (loan.settlement !== null && (isOrderClosed(to) || to === 30))
      await endSettlements(cx, new Map([[orderId, settledOf(loan.settlement, paid.plans)]]), 'kept')
    if (isOrderClosed(to)) {
      await countSettlement(cx, customerId)
      if (to === 41)
        await markReductionUsed(cx, orderId, { used: paid.reduced, valueDay: payment.valueDay })
      else await endReductionOfOrder(cx, orderId)
    }
    tellRecord(cx, booked, rooms.get(orderId) ?? [])
    cx.log({
      action: 'payment',
      targetKind: 'order',
      targetId: orderId,
      before: { status: from },
      after: {
        recordId: record.id,
        amount: record.amount,
        counted: paid.counted,
        surplus: paid.surplus,
        status: to,
        outstanding: paid.outstanding,
      },
    })
    if (record.source === 'writeOff')
      await finishWriteOff(cx, record.id, to, rooms.get(orderId) ?? [])
    return booked
  }
  const tell = async (): Promise<void> => {
    for (const run of whenPaid)
      await run(cx, {
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
  await inOrder(writing, tell())
  // another payment of this order is still under way
  if (!isOrderClosed(to) && beingPaid.size > 0) {
    const { event, ...move } = submitted(to)
    await moveOrder(cx, orderId, event, move)
  }
  return {
    record: await writing,
    status: !isOrderClosed(to) && beingPaid.size > 0 ? 43 : to,
    surplus: paid.surplus,
  }
}

/** Out of the cooling-off: principal and the charge of the days used, no penalty (30 → 40). @throws Problem O-RULE when the loan can no longer be left so */
async function exitLoan(
  cx: Cx,
  loan: Loan,
  record: RecordRow,
  utr: string,
  whenPaid: readonly WhenPaid[],
): Promise<Settled> {
  const { orderId, customerId } = loan
  const exit = countExit(loan, {
    recordId: record.id,
    paidAt: record.paid_at,
    today: istDay(await cx.now()),
  })
  const booked = await updateRecord(cx, record, { payState: 'success', utr })
  const rooms = await orderRoomsOf(cx.db, [orderId])
  await postEntries(cx.db, exit.postings)
  await writePlans(cx, exit.plans, rooms)
  const moved = await moveOrder(
    cx,
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
  await countSettlement(cx, customerId)
  tellRecord(cx, booked, rooms.get(orderId) ?? [])
  cx.log({
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
    await run(cx, {
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

interface Paid {
  plans: readonly LoanPlan[]
  due: number
  counted: number
  reduced: number
  outstanding: number
}

/** Money that was paid after the last day of a reduction finds it lapsed, and the fines of its days. */
async function withoutLapsed(
  cx: Cx,
  loan: Loan,
  record: RecordRow,
  whenPaid: readonly WhenPaid[],
): Promise<Loan> {
  if (loan.reduction === null || istDay(record.paid_at) <= loan.reduction.validUntil) return loan
  const reduction = await lockOpenReduction(cx.db, loan.orderId)
  if (reduction === null) return loan
  await lapse(cx, loan, reduction, istDay(await cx.now()), whenPaid)
  // its order is locked and was there a moment ago
  return (await lockLoan(cx.db, loan.orderId)) as Loan
}

function submitted(status: OrderStatus): OrderStep {
  return { event: { type: 'PAY_SUBMITTED' }, cause: 'paySubmitted', set: { resume_status: status } }
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
    // of an ended loan its overdue days are those of its latest payment
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

/** A payment under way came to nothing; the order goes back to where its due day puts it. */
export async function failPayment(
  cx: Cx,
  loan: Loan | null,
  record: RecordRow,
  reason: string,
): Promise<{ record: RecordRow; status: OrderStatus | null }> {
  const failed = await updateRecord(cx, record, { payState: 'fail', failReason: reason })
  if (loan === null) {
    tellRecord(cx, failed, ['scope:all'])
    cx.log({
      action: 'payment.failed',
      targetKind: 'record',
      targetId: record.id,
      after: { reason },
    })
    return { record: failed, status: null }
  }
  const { now, beingPaid, rooms } = await readPayFacts(cx, loan.orderId, record.id)
  const freed = loan.plans
    .filter((plan) => plan.status === 'processing' && !beingPaid.has(plan.planId))
    .map((plan) => ({ ...plan, status: planStatus(plan, false) }))
  await writePlans(cx, freed, rooms)
  tellRecord(cx, failed, rooms.get(loan.orderId) ?? [])
  if (record.source === 'writeOff') await finishWriteOff(cx, record.id, null, [])
  cx.log({
    action: 'payment.failed',
    targetKind: 'order',
    targetId: loan.orderId,
    after: { recordId: record.id, reason },
  })
  if (loan.status !== 43 || beingPaid.size > 0) return { record: failed, status: loan.status }
  const dueDay = firstDueDay(loan.plans.filter((plan) => outstandingOf(plan) > 0))
  const moved = await moveOrder(
    cx,
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

/** A running loan has an open plan; plans come oldest due first. */
function firstDueDay(open: readonly LoanPlan[]): string {
  return (open[0] as LoanPlan).dueDay
}

/** Paise still claimed of a loan that was written off in a batch. */
export async function openClaim(db: Db, orderId: string): Promise<number> {
  const { rows } = await sql<{
    claim: number
  }>`select coalesce(sum(e.debit - e.credit), 0)::bigint as claim from ledger_entry e where e.order_id = ${orderId} and e.account = ${LEDGER_ACCOUNT.recoveryClaim}`.execute(
    db,
  )
  return rows[0]?.claim ?? 0
}
