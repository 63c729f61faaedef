/**
 * Reverses a payment that bounced or whose UTR was booked twice: one requests, another approves.
 */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { EffectRow, FactRow } from '#shared/approvals/effect.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { isOrderClosed } from '#shared/orders/order-lifecycle.ts'
import { ORDER_RULE, ORDER_STATE } from '#shared/orders/order-problems.ts'
import { type OrderStatus, orderStatusName } from '#shared/orders/order-statuses.ts'
import type { LoanHistory } from '#shared/repayments/fold/loan-history.ts'
import { rbiClassOf } from '#shared/repayments/rbi-class.ts'
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
  requestApproval,
} from '#gateway/manage/features/approvals/public.ts'
import {
  couponOfRecord,
  giveBackOfRecord,
  reviseCoupons,
} from '#gateway/manage/features/coupons/public.ts'
import { uncountSettlement } from '#gateway/manage/features/customers/public.ts'
import { moveOrder, orderRoomsOf, restampOrders } from '#gateway/manage/features/orders/public.ts'
import { recordRow } from '../lists/payment-rows.ts'
import { recordOrder } from '../lists/record-list.ts'
import { countDifference, type Difference } from '../history/count-difference.ts'
import { couponsOf, historyOf, readHistory } from '../history/read-history.ts'
import { refold } from '../history/refold.ts'
import { addPlans } from '../emi/add-plans.ts'
import { type Loan, lockLoan, outstandingOf, overdueDaysOn } from '../loan-store.ts'
import { writePlans } from '../write-plans.ts'
import { postEntries } from '../post-entries.ts'
import {
  hasOpenPayment,
  lockRecord,
  markReversed,
  updateSurplus,
  type RecordRow,
  emitRecord,
} from '../record-store.ts'
import {
  lockUsedReduction,
  reviseUsedReduction,
  voidReduction,
} from '../reductions/end-reduction.ts'
import type { Reduction } from '../reductions/reduction-store.ts'
import type { WhenPaid } from '../paid-order.ts'
import { standFacts } from '../stand-of-order.ts'
import { emitWriteOff } from '../writeoffs/write-off-rows.ts'
import { clearedBy, surplusOf } from './cleared-by.ts'
import { type CountedReversal, countReversal } from './count-reversal.ts'
import { endDayOf, giveUpAgain, type LoanWriteOff } from './give-up-again.ts'
import { oweBeside } from './owe-beside.ts'
import { returnCredit } from './return-credit.ts'

type Cause = InputOf<typeof reverseRecord>['cause']
/** Statuses in which a payment that settled something can be reversed. */
const REVERSIBLE: readonly OrderStatus[] = [30, 40, 41, 50, 80, 90, 100, 110]
/** Ends by a person are final: the order stays ended, and the end grows by what is open again. */
const ENDED_BY_PERSON: readonly OrderStatus[] = [80, 100, 110]

const REVERSAL = {
  kind: 'reversePayment',
  menu: 'repay_record',
  approveCode: 'repay_record:approve',
} as const

/** @param whenPaid runs with the amount negative */
export function reversalApproval(whenPaid: readonly WhenPaid[]): ApprovalKind {
  return {
    ...REVERSAL,
    orderIds: ({ payload }) => [String(payload.orderId)],
    facts: (db, { target_id: recordId, payload }) =>
      paymentFacts(db, recordId, payload.cause as Cause),
    stand: (trx, { payload }) => standFacts(trx, String(payload.orderId)),
    async carryOut(tx, { target_id: recordId, payload, reason }) {
      const { loan, record } = await lockReversible(tx.db, recordId, String(payload.orderId))
      await reverse(tx, loan, record, { cause: payload.cause as Cause, reason }, whenPaid)
    },
  }
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
  const asked = {
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
  return (await effectOf(context, actor, reversalApproval(whenPaid), asked)) as EffectRow
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
  if (!record.is_credit && loan.status !== 80) await countBack(tx, loan, record)
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

async function reverse(
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
  const { today, used, out, grown } = await countBack(tx, loan, record)
  const reversed = await markReversed(tx, record, reason)
  await addPlans(tx, out.changed, rooms)
  await postEntries(tx.db, out.postings)
  await writePlans(tx, out.changed, rooms)
  for (const other of out.surpluses) await updateSurplus(tx, other, rooms.get(orderId) ?? [])
  await reviseCoupons(tx, out.coupons)
  await giveBackOfRecord(tx, record.id)
  if (used && out.used === null) await voidReduction(tx, used)
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
      ...(used && out.used === null ? { voidedReduction: used.id } : {}),
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

/**
 * The loan after the reversal of the payment.
 * @throws Problem O-RULE (reason reducedNotOverdue): 41 returns to 50 only
 */
async function countBack(
  tx: CommandTx,
  loan: Loan,
  record: RecordRow,
): Promise<{
  today: string
  used: Reduction | null
  out: TakenOut
  /** The write-off of the loan, and the paise by which it grows. */
  grown: { id: string; more: number } | null
}> {
  const today = istDay(await tx.now())
  const used = loan.status === 41 ? await lockUsedReduction(tx.db, loan.orderId) : null
  const writeOff = await writeOffOf(tx.db, loan)
  const folded = await foldOut(tx, loan, record, { usedId: used?.id ?? null, today, writeOff })
  const { used: undone, out } =
    folded === null
      ? await takeOut(tx.db, loan, record, used, writeOff === null ? today : endDayOf(writeOff))
      : { used, out: folded }
  if (loan.status === 41 && out.outstanding > 0 && today <= out.dueDay)
    throw new Problem(ORDER_RULE, { reason: 'reducedNotOverdue' })
  if (writeOff === null) return { today, used: undone, out, grown: null }
  const postings = out.postings.map((posting) => ({ ...posting, bizDate: today }))
  const { more, plans, changed, posting } = giveUpAgain(
    loan,
    { plans: out.plans, postings },
    writeOff,
    today,
  )
  return {
    today,
    used: undone,
    out: { ...out, plans, changed, outstanding: 0, postings: [...postings, posting] },
    grown: { id: writeOff.id, more },
  }
}

/** @throws Problem O-STATE for an order that came as written off from another book */
async function writeOffOf(trx: Trx, { orderId, status }: Loan): Promise<LoanWriteOff | null> {
  if (status !== 100 && status !== 110) return null
  const { rows } = await sql<LoanWriteOff>`
    select w.id, w.type = 'batch' as "keepsClaim", w.done_at as at from write_off w
    where w.order_id = ${orderId} and w.type in ('operational', 'batch') and w.state = 'done'
    for update`.execute(trx)
  if (!rows[0]) throw new Problem(ORDER_STATE, { status: orderStatusName(status) })
  return rows[0]
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

/** Counted on what is stored: what the payment had cleared is owed again. */
async function takeOut(
  trx: Trx,
  loan: Loan,
  record: RecordRow,
  settledWith: Reduction | null,
  today: string,
): Promise<{ used: Reduction | null; out: TakenOut }> {
  const surplus = await surplusOf(trx, record.id)
  // credit of the customer settled nothing
  const used = surplus < record.amount ? settledWith : null
  const reduceId = used?.id ?? null
  const grantId = (await couponOfRecord(trx, record.id))?.id ?? null
  const cleared = await clearedBy(trx, loan.orderId, { recordId: record.id, reduceId, grantId })
  const given = { recordId: record.id, reduceId, grantId, cleared, surplus, today }
  return { used, out: { surpluses: [], coupons: [], used: null, ...countReversal(loan, given) } }
}

/** The state of the loan without a payment. */
type TakenOut = CountedReversal & Pick<Difference, 'surpluses' | 'coupons' | 'used'>

/**
 * The loan folded again without the payment: later ones clear what it had cleared. A reduction that
 * was used becomes void, as if it had never been agreed, unless it settles the loan without the
 * payment.
 * @returns null for a cooling-off exit, which nothing follows, and when the ledger does not follow
 * from the history
 */
async function foldOut(
  tx: CommandTx,
  loan: Loan,
  record: RecordRow,
  {
    usedId,
    today,
    writeOff,
  }: { usedId: string | null; today: string; writeOff: LoanWriteOff | null },
): Promise<TakenOut | null> {
  if (record.repayment_type === 'coolingOff') return null
  const told = await readHistory(tx.db, loan)
  const payments = told.payments.filter(({ id }) => id !== record.id)
  if (payments.length === told.payments.length) return null
  const reductions = told.reductions.filter(({ id }) => id !== usedId)
  const end = writeOff === null ? null : { kind: 'writtenOff' as const, at: writeOff.at }
  const before = historyOf(told, true, end)
  const fold = (after: LoanHistory) => refold(loan, { terms: told.terms, before, after }, today)
  const without = fold(historyOf({ ...told, payments }, true, end))
  const isAsUsed = (without?.after.used?.reduceId ?? null) === usedId
  const folded = isAsUsed ? without : fold(historyOf({ ...told, payments, reductions }, false, end))
  if (folded === null) return null
  const out = countDifference(loan, folded, {
    refId: record.id,
    amount: record.amount,
    today,
    beingPaid: new Set(),
    coupons: couponsOf(told.payments),
  })
  const dueDay = out.plans.find((plan) => outstandingOf(plan) > 0)?.dueDay ?? today
  return { ...out, dueDay }
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
}

/**
 * 40, 41 get the status of the due day; a running order keeps its status unless it is in arrears.
 */
async function putBack(
  tx: CommandTx,
  loan: Loan,
  { cause, reason, today, dueDay, outstanding, arrearDays, settledDays }: Back,
  rooms: ReadonlyMap<string, readonly string[]>,
): Promise<OrderStatus> {
  const { orderId, status } = loan
  const overdueDays = settledDays ?? arrearDays
  const set = {
    outstanding,
    overdue_days: overdueDays,
    rbi_class: rbiClassOf(arrearDays, loan.rbiClass),
    resume_status: null,
  }
  if (isOrderClosed(status)) {
    // the payment was credit only, so the order stays repaid
    if (outstanding === 0) return status
    return (
      await moveOrder(
        tx,
        orderId,
        { type: 'REVERSE_PAYMENT', cause, today, dueDay },
        { cause: 'reversePayment', note: reason, set },
      )
    ).to
  }
  if (status === 30 && today > dueDay)
    return (
      await moveOrder(
        tx,
        orderId,
        { type: 'DUE_PASSED', today, dueDay, balancePaise: outstanding },
        { cause: 'reversePayment', note: reason, set },
      )
    ).to
  await restampOrders(tx, [{ orderId, outstanding, overdueDays, rbiClass: set.rbi_class }], rooms)
  return status
}
