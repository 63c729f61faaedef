/** A payment that bounced, or whose UTR was booked twice, is taken out again: one person asks, another approves (api.md 10; trust.md C5). */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { EffectRow, FactRow } from '#shared/approvals/effect.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { isOrderClosed } from '#shared/orders/order-lifecycle.ts'
import { ORDER_RULE, ORDER_STATE } from '#shared/orders/order-problems.ts'
import { type OrderStatus, orderStatusName } from '#shared/orders/order-statuses.ts'
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
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import {
  type ApprovalKind,
  effectOf,
  requestApproval,
} from '#gateway/manage/features/approvals/public.ts'
import { uncountSettlement } from '#gateway/manage/features/customers/public.ts'
import { moveOrder, orderRoomsOf, restampOrders } from '#gateway/manage/features/orders/public.ts'
import { recordRow } from '../lists/payment-rows.ts'
import { recordOrder } from '../lists/record-list.ts'
import { LEDGER_ACCOUNT, type LedgerAccount } from '../ledger-accounts.ts'
import { type Loan, lockLoan, overdueDaysOn, writePlans } from '../loan-store.ts'
import { type Posting, postEntries } from '../post-entries.ts'
import {
  hasOpenPayment,
  lockRecord,
  markReversed,
  type RecordRow,
  tellRecord,
} from '../record-store.ts'
import { lockUsedReduction, voidReduction } from '../reductions/end-reduction.ts'
import type { WhenPaid } from '../settle-payment.ts'
import { standFacts } from '../stand-of-order.ts'
import { type Cleared, type CountedReversal, countReversal } from './count-reversal.ts'

type Cause = InputOf<typeof reverseRecord>['cause']
/** Statuses a payment can be taken out of again. */
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
    async carryOut(cx, { target_id: recordId, payload, reason }) {
      const { loan, record } = await lockReversible(cx.db, recordId, String(payload.orderId))
      await reverse(cx, loan, record, { cause: payload.cause as Cause, reason }, whenPaid)
    },
  }
}

/** What it would do, before it is asked for. @throws Problem G404, O-RULE */
export async function previewReversal(
  house: House,
  actor: StaffActor,
  { recordId, cause }: InputOf<typeof previewCall>,
  whenPaid: readonly WhenPaid[],
): Promise<EffectRow> {
  const found = await recordOrder(house.database.kysely, actor, recordId)
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
  // its kind has something to show
  return (await effectOf(house, actor, reversalApproval(whenPaid), asked)) as EffectRow
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

/** Asks for it; what would be refused at the approval is refused now. @throws Problem G404, G409, M-STATE, M-OPEN, O-STATE, O-RULE, A-OPEN */
export async function askReversal(
  cx: Cx,
  { recordId, version, cause, reason }: InputOf<typeof reverseRecord>,
): Promise<string> {
  const found = await recordOrder(cx.db, staff(cx.actor), recordId)
  if (!found) throw new Problem(NOT_FOUND)
  if (found.orderId === null) throw new Problem(ORDER_RULE, { reason: 'unknownOrder' })
  const { loan, record } = await lockReversible(cx.db, recordId, found.orderId)
  if (record.version !== version)
    throw await changedByOther(cx.db, 'record', recordId, await recordRow(cx.db, recordId))
  await countBack(cx, loan, record)
  const approval = await requestApproval(cx, REVERSAL, {
    targetKind: 'record',
    targetId: recordId,
    payload: { orderId: found.orderId, cause },
    amount: record.amount,
    count: 1,
    reason,
  })
  cx.log({
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
  // a customer has one order at a time; an application that is coming in holds him, and its order is seen once he is free
  const locking = sql`select from customer c where c.id = ${loan.customerId} for update`.execute(
    trx,
  )
  const looking =
    sql`select from loan_order o where o.customer_id = ${loan.customerId} and o.id <> ${orderId} and o.closed_at is null and o.status not in (21, 23, 27, 70) limit 1`.execute(
      trx,
    )
  const [, other] = await Promise.all([locking, looking])
  if (other.rows.length > 0) throw new Problem(ORDER_RULE, { reason: 'openOrder' })
  return { loan, record }
}

async function reverse(
  cx: Cx,
  loan: Loan,
  record: RecordRow,
  { cause, reason }: { cause: Cause; reason: string },
  whenPaid: readonly WhenPaid[],
): Promise<void> {
  const { orderId, customerId } = loan
  const { today, used, out } = await countBack(cx, loan, record)
  const rooms = await orderRoomsOf(cx.db, [orderId])
  const reversed = await markReversed(cx, record, reason)
  await postEntries(cx.db, out.postings)
  await writePlans(cx, out.changed, rooms)
  if (used) await voidReduction(cx, used)
  const to = await putBack(
    cx,
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
  if (isOrderClosed(loan.status) && !isOrderClosed(to)) await uncountSettlement(cx, customerId)
  tellRecord(cx, reversed, rooms.get(orderId) ?? [], true)
  cx.log({
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
      ...(used ? { voidedReduction: used.id } : {}),
    },
  })
  if (out.counted === 0) return
  for (const run of whenPaid)
    await run(cx, {
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

/** What taking the payment out would leave. @throws Problem O-RULE (reason reducedNotOverdue): 41 goes back to 50 alone (domain.md 3) */
async function countBack(
  cx: Cx,
  loan: Loan,
  record: RecordRow,
): Promise<{
  today: string
  used: Awaited<ReturnType<typeof lockUsedReduction>>
  out: CountedReversal
}> {
  const today = istDay(await cx.now())
  const used = loan.status === 41 ? await lockUsedReduction(cx.db, loan.orderId) : null
  const reduceId = used?.id ?? null
  const out = countReversal(loan, {
    recordId: record.id,
    reduceId,
    cleared: await clearedBy(cx.db, loan.orderId, record.id, reduceId),
    surplus: await surplusOf(cx.db, record.id),
    today,
  })
  if (loan.status === 41 && out.outstanding > 0 && today <= out.dueDay)
    throw new Problem(ORDER_RULE, { reason: 'reducedNotOverdue' })
  return { today, used, out }
}

interface Back {
  cause: Cause
  reason: string
  today: string
  dueDay: string
  outstanding: number
  /** Of the oldest open instalment; the class follows them. */
  arrearDays: number
  /** Of a settlement plan, instead. */
  settledDays: number | null
}

/** 40, 41 go where the due day puts them; a running order stays, unless it is in arrears again. */
async function putBack(
  cx: Cx,
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
    // money nobody owed: the order stays repaid
    if (outstanding === 0) return status
    return (
      await moveOrder(
        cx,
        orderId,
        { type: 'REVERSE_PAYMENT', cause, today, dueDay },
        { cause: 'reversePayment', note: reason, set },
      )
    ).to
  }
  if (status === 30 && today > dueDay)
    return (
      await moveOrder(
        cx,
        orderId,
        { type: 'DUE_PASSED', today, dueDay, balancePaise: outstanding },
        { cause: 'reversePayment', note: reason, set },
      )
    ).to
  await restampOrders(cx, [{ orderId, outstanding, overdueDays, rbiClass: set.rbi_class }], rooms)
  return status
}

/** What the payment, the exit it was and the reduction it used posted on each instalment. */
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
    sql`coalesce(sum(e.credit - e.debit) filter (where e.kind = any(${kinds}) and e.ref_id = ${ref} and e.account = any(${accounts})), 0)::bigint`
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
    select e.plan_id as "planId", ${paid(principalReceivable, doubtfulPrincipal)} as principal, ${paid(interestReceivable)} as interest, ${paid(serviceReceivable)} as service, ${paid(fineReceivable)} as fine,
      ${part(['fineCorrection'], [fineReceivable], recordId)} as corrected,
      ${reduced(interestReceivable)} as "reducedInterest", ${reduced(serviceReceivable)} as "reducedService", ${reduced(fineReceivable)} as "reducedFine", ${waived(interestReceivable)} as "waivedInterest", ${waived(serviceReceivable)} as "waivedService"
    from ledger_entry e where e.order_id = ${orderId} and e.plan_id is not null and e.ref_id in (${recordId}, ${reduceId}) group by e.plan_id`.execute(
    trx,
  )
  return rows
}

async function surplusOf(trx: Trx, recordId: string): Promise<number> {
  const { rows } = await sql<{
    surplus: number
  }>`select r.surplus from repay_record r where r.id = ${recordId}`.execute(trx)
  return rows[0]?.surplus ?? 0
}
