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
import { uncountSettlement } from '#gateway/manage/features/customers/public.ts'
import { moveOrder, orderRoomsOf, restampOrders } from '#gateway/manage/features/orders/public.ts'
import { recordRow } from '../lists/payment-rows.ts'
import { recordOrder } from '../lists/record-list.ts'
import { countDifference, type Difference } from '../history/count-difference.ts'
import { historyOf, readHistory } from '../history/read-history.ts'
import { refold } from '../history/refold.ts'
import { LEDGER_ACCOUNT, type LedgerAccount } from '../ledger-accounts.ts'
import { type Loan, lockLoan, outstandingOf, overdueDaysOn, writePlans } from '../loan-store.ts'
import { type Posting, postEntries } from '../post-entries.ts'
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
import type { WhenPaid } from '../paid-order.ts'
import { standFacts } from '../stand-of-order.ts'
import { type Cleared, type CountedReversal, countReversal } from './count-reversal.ts'

type Cause = InputOf<typeof reverseRecord>['cause']
/** Statuses in which a payment can be reversed. */
const REVERSIBLE: readonly OrderStatus[] = [30, 40, 41, 50, 90]

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
  await countBack(tx, loan, record)
  const approval = await requestApproval(tx, REVERSAL, {
    targetKind: 'record',
    targetId: recordId,
    payload: { orderId: found.orderId, cause },
    amount: record.amount,
    count: 1,
    reason,
  })
  tx.log({
    action: 'askReversal',
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
  if (!REVERSIBLE.includes(loan.status))
    throw new Problem(ORDER_STATE, { status: orderStatusName(loan.status) })
  if (record.flag === 'recovery') throw new Problem(ORDER_RULE, { reason: 'notReversible' })
  if (!isOrderClosed(loan.status)) return { loan, record }
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
  const { today, used, out } = await countBack(tx, loan, record)
  const rooms = await orderRoomsOf(tx.db, [orderId])
  const reversed = await markReversed(tx, record, reason)
  await postEntries(tx.db, out.postings)
  await writePlans(tx, out.changed, rooms)
  for (const other of out.surpluses) await updateSurplus(tx, other, rooms.get(orderId) ?? [])
  if (used && out.used === null) await voidReduction(tx, used)
  else if (used && out.used) await reviseUsedReduction(tx, used, out.used.reduced)
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
        ...out.plans.filter((plan) => plan.status !== 'paid').map((plan) => plan.overdueDays),
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
    },
  })
  if (out.counted === 0) return
  for (const run of whenPaid)
    await run(tx, {
      orderId,
      customerId,
      amount: -out.counted,
      payment: { recordId: record.id, principal: -out.principal, channel: record.channel },
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
  used: Awaited<ReturnType<typeof lockUsedReduction>>
  out: TakenOut
}> {
  const today = istDay(await tx.now())
  const surplus = await surplusOf(tx.db, record.id)
  // credit of the customer settled nothing
  const hasSettled = loan.status === 41 && surplus < record.amount
  const used = hasSettled ? await lockUsedReduction(tx.db, loan.orderId) : null
  const reduceId = used?.id ?? null
  const out = (await foldOut(tx, loan, record, reduceId, today)) ?? {
    surpluses: [],
    used: null,
    ...countReversal(loan, {
      recordId: record.id,
      reduceId,
      cleared: await clearedBy(tx.db, loan.orderId, record.id, reduceId),
      surplus,
      today,
    }),
  }
  if (loan.status === 41 && out.outstanding > 0 && today <= out.dueDay)
    throw new Problem(ORDER_RULE, { reason: 'reducedNotOverdue' })
  return { today, used, out }
}

/** The state of the loan without a payment. */
type TakenOut = CountedReversal & Pick<Difference, 'surpluses' | 'used'>

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
  usedId: string | null,
  today: string,
): Promise<TakenOut | null> {
  if (record.repayment_type === 'coolingOff') return null
  const told = await readHistory(tx.db, loan)
  const payments = told.payments.filter(({ id }) => id !== record.id)
  if (payments.length === told.payments.length) return null
  const reductions = told.reductions.filter(({ id }) => id !== usedId)
  const before = historyOf(told)
  const fold = (after: LoanHistory) => refold(loan, { terms: told.terms, before, after }, today)
  const without = fold(historyOf({ ...told, payments }))
  const isAsUsed = (without?.after.used?.reduceId ?? null) === usedId
  const folded = isAsUsed ? without : fold(historyOf({ ...told, payments, reductions }, false))
  if (folded === null) return null
  const out = countDifference(loan, folded, {
    refId: record.id,
    amount: record.amount,
    today,
    beingPaid: new Set(),
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

/** What the payment, its exit and the reduction it used posted on each instalment. */
async function clearedBy(
  trx: Trx,
  orderId: string,
  recordId: string,
  reduceId: string | null,
): Promise<Cleared[]> {
  const part = (
    kinds: readonly Posting['kind'][],
    accounts: readonly LedgerAccount[],
    ref: string | null,
  ) =>
    sql`
      coalesce(sum(e.credit - e.debit) filter (where e.kind = any(${kinds}) and e.ref_id = ${ref}
        and e.account = any(${accounts})), 0)::bigint`
  const paid = (...accounts: LedgerAccount[]) =>
    part(['repayment', 'coolingOffExit'], accounts, recordId)
  const reduced = (account: LedgerAccount) => part(['reduction'], [account], reduceId)
  const waived = (account: LedgerAccount) => part(['coolingOffWaiver'], [account], recordId)
  const {
    principalReceivable,
    doubtfulPrincipal,
    interestReceivable,
    serviceReceivable,
    fineReceivable,
  } = LEDGER_ACCOUNT
  const { rows } = await sql<Cleared>`
    select e.plan_id as "planId", ${paid(principalReceivable, doubtfulPrincipal)} as principal,
      ${paid(interestReceivable)} as interest, ${paid(serviceReceivable)} as service,
      ${paid(fineReceivable)} as fine,
      ${part(['fineCorrection'], [fineReceivable], recordId)} as corrected,
      ${reduced(interestReceivable)} as "reducedInterest",
        ${reduced(serviceReceivable)} as "reducedService", ${reduced(fineReceivable)} as "reducedFine",
        ${waived(interestReceivable)} as "waivedInterest", ${waived(serviceReceivable)} as "waivedService"
    from ledger_entry e where e.order_id = ${orderId} and e.plan_id is not null
      and e.ref_id in (${recordId}, ${reduceId}) group by e.plan_id`.execute(trx)
  return rows
}

async function surplusOf(trx: Trx, recordId: string): Promise<number> {
  const { rows } = await sql<{
    surplus: number
  }>`select r.surplus from repay_record r where r.id = ${recordId}`.execute(trx)
  return rows[0]?.surplus ?? 0
}
