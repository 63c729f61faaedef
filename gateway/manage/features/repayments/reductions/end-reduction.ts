/** How a reduction ends other than by a decision: used by a payment, withdrawn, revoked, run out, or with its order (domain.md 3). */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, OWN_REQUEST, Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { fineOnDay } from '#shared/repayments/overdue-fine.ts'
import { reductionLifecycle, type ReductionEvent } from '#shared/repayments/reduction-lifecycle.ts'
import type {
  revokeReduction as revokeCall,
  withdrawReduction as withdrawCall,
} from '#shared/repayments/reductions-api.ts'
import { PAYMENT_OPEN, REDUCTION_STATE } from '#shared/repayments/repayment-problems.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { orderRoomsOf, restampOrders } from '#gateway/manage/features/orders/public.ts'
import { LEDGER_ACCOUNT } from '../ledger-accounts.ts'
import { type Loan, lockLoan, outstandingOf, planStatus, writePlans } from '../loan-store.ts'
import { type Line, postEntries } from '../post-entries.ts'
import { hasOpenPayment } from '../record-store.ts'
import type { WhenPaid } from '../settle-payment.ts'
import { type ReduceRow, reductionRow } from './reduction-rows.ts'
import {
  changeReduction,
  lockOpenReduction,
  lockReduction,
  notifyLauncher,
  orderOfReduction,
  type Reduction,
} from './reduction-store.ts'

/** WITHDRAW by who launched it. @throws Problem G404, G409, M-REDST, FORBIDDEN to anybody else as a row that does not exist */
export async function withdrawReduction(
  cx: Cx,
  { reduceId, version }: InputOf<typeof withdrawCall>,
): Promise<ReduceRow> {
  const { reduction } = await lockInVersion(cx, reduceId, version)
  const byLauncher = reduction.launched_by === staff(cx.actor).userId
  if (!byLauncher) throw new Problem(NOT_FOUND)
  if (reduction.state !== 'pending')
    throw new Problem(
      REDUCTION_STATE,
      { state: reduction.state },
      await reductionRow(cx.db, reduceId),
    )
  await end(cx, reduction, { type: 'WITHDRAW', byLauncher }, 'withdrawn', 'withdrawReduction')
  return (await reductionRow(cx.db, reduceId)) as ReduceRow
}

/** REVOKE by who may decide: fines of the days since the approval stand again. @throws Problem G404, G409, M-REDST; M-OPEN while a payment is under way; G-SELF */
export async function revokeReduction(
  cx: Cx,
  { reduceId, version, reason }: InputOf<typeof revokeCall>,
  whenPaid: readonly WhenPaid[],
): Promise<ReduceRow> {
  const { loan, reduction } = await lockInVersion(cx, reduceId, version)
  if (reduction.state !== 'approved')
    throw new Problem(
      REDUCTION_STATE,
      { state: reduction.state },
      await reductionRow(cx.db, reduceId),
    )
  if (reduction.launched_by === staff(cx.actor).userId) throw new Problem(OWN_REQUEST)
  // the borrower paid what he was told
  if (await hasOpenPayment(cx.db, loan.orderId)) throw new Problem(PAYMENT_OPEN)
  const revoked = await end(
    cx,
    reduction,
    { type: 'REVOKE', reason },
    'revoked',
    'revokeReduction',
    [sql`decide_reason = ${reason}`],
  )
  await chargeAgain(cx, loan, whenPaid)
  notifyLauncher(cx, revoked, 'revoked')
  return (await reductionRow(cx.db, reduceId)) as ReduceRow
}

/** EXPIRE the day after its last. @returns false when a payment of its time is still under way, or it ended a moment ago */
export async function expireReduction(
  cx: Cx,
  reduceId: string,
  whenPaid: readonly WhenPaid[],
): Promise<boolean> {
  const orderId = await orderOfReduction(cx.db, reduceId)
  const loan = orderId === null ? null : await lockLoan(cx.db, orderId)
  const reduction = loan === null ? null : await lockReduction(cx.db, reduceId)
  const today = istDay(await cx.now())
  if (loan === null || reduction?.state !== 'approved' || today <= reduction.valid_until)
    return false
  const inTime = await sql`
    select from repay_record r where r.order_id = ${loan.orderId} and r.pay_state = 'inProgress' and r.flag is null and (r.paid_at at time zone 'Asia/Kolkata')::date <= ${reduction.valid_until}::date limit 1`.execute(
    cx.db,
  )
  if (inTime.rows.length > 0) return false
  await lapse(cx, loan, reduction, today, whenPaid)
  return true
}

/** Money that was paid after the validity finds the reduction run out, whether or not the night has said so. */
export async function lapse(
  cx: Cx,
  loan: Loan,
  reduction: Reduction,
  today: string,
  whenPaid: readonly WhenPaid[],
): Promise<void> {
  const lapsed = await end(
    cx,
    reduction,
    { type: 'EXPIRE', today, validUntil: reduction.valid_until },
    'expired',
    'expireReduction',
  )
  await chargeAgain(cx, loan, whenPaid)
  notifyLauncher(cx, lapsed, 'expired')
}

/** PAID: the order was settled with it. @param used paise given up; `recovered` paise paid since it was approved */
export async function markReductionUsed(
  cx: Cx,
  orderId: string,
  { used, valueDay }: { used: number; valueDay: string },
): Promise<void> {
  const reduction = await lockOpenReduction(cx.db, orderId)
  if (reduction?.state !== 'approved')
    throw new Error(`order ${orderId} was settled with a reduction it does not have`)
  const state = reductionLifecycle.next(reduction.state, {
    type: 'PAID',
    valueDay,
    validUntil: reduction.valid_until,
  })
  const done = await changeReduction(cx, reduction, state, [
    sql`used_at = clock_timestamp()`,
    sql`used_amount = ${used}`,
    sql`recovered_amount = (select coalesce(sum(r.amount - r.surplus), 0) from repay_record r where r.order_id = ${orderId} and r.pay_state = 'success' and r.reversed_at is null and r.confirmed_at >= d.decided_at)`,
  ])
  notifyLauncher(cx, done, 'used')
}

/** The one an order was repaid with, locked. */
export async function lockUsedReduction(trx: Trx, orderId: string): Promise<Reduction | null> {
  const { rows } = await sql<{
    id: string
  }>`select d.id from reduction d where d.order_id = ${orderId} and d.state = 'used' and d.void_at is null`.execute(
    trx,
  )
  return rows[0] ? lockReduction(trx, rows[0].id) : null
}

/** Its payment was taken back: it was used, and counts no more. */
export async function voidReduction(cx: Cx, reduction: Reduction): Promise<void> {
  await changeReduction(cx, reduction, reduction.state, [
    sql`void_at = clock_timestamp()`,
    sql`cause = 'reversed'`,
  ])
}

/** ORDER_CLOSED: the order ended without it. */
export async function endReductionOfOrder(cx: Cx, orderId: string): Promise<void> {
  const reduction = await lockOpenReduction(cx.db, orderId)
  if (reduction) await end(cx, reduction, { type: 'ORDER_CLOSED' }, 'orderClosed', 'endReduction')
}

async function end(
  cx: Cx,
  reduction: Reduction,
  event: ReductionEvent,
  cause: 'withdrawn' | 'expired' | 'revoked' | 'orderClosed',
  action: string,
  set: ReturnType<typeof sql>[] = [],
): Promise<Reduction> {
  const state = reductionLifecycle.next(reduction.state, event)
  const ended = await changeReduction(cx, reduction, state, [sql`cause = ${cause}`, ...set])
  cx.log({
    action,
    targetKind: 'order',
    targetId: reduction.order_id,
    before: { state: reduction.state },
    after: { reduceId: reduction.id, state, cause },
  })
  return ended
}

/** Fines of the days they stood still, up to today. The loan is as it was with its reduction. */
async function chargeAgain(cx: Cx, loan: Loan, whenPaid: readonly WhenPaid[]): Promise<void> {
  const { orderId } = loan
  const now = await cx.now()
  const today = istDay(now)
  const charged = loan.plans.flatMap((plan) => {
    const fine = outstandingOf(plan) === 0 ? 0 : fineOnDay(plan, loan.penalty, today).charged
    if (fine === 0) return []
    const after = {
      ...plan,
      fine: plan.fine + fine,
      overdueFine: plan.overdueFine + fine,
      fineTo: today,
    }
    return [{ fine, after: { ...after, status: planStatus(after, plan.status === 'processing') } }]
  })
  if (charged.length === 0) return
  const lines = charged.flatMap(({ fine, after }): Line[] => [
    { account: LEDGER_ACCOUNT.fineReceivable, planId: after.planId, amount: fine },
    { account: LEDGER_ACCOUNT.fineIncome, planId: after.planId, amount: -fine },
  ])
  const rooms = await orderRoomsOf(cx.db, [orderId])
  await postEntries(cx.db, [{ kind: 'overdueFine', orderId, bizDate: today, refId: null, lines }])
  await writePlans(
    cx,
    charged.map(({ after }) => after),
    rooms,
  )
  const outstanding = loan.outstanding + charged.reduce((sum, { fine }) => sum + fine, 0)
  await restampOrders(
    cx,
    [{ orderId, outstanding, overdueDays: loan.overdueDays, rbiClass: loan.rbiClass }],
    rooms,
  )
  for (const run of whenPaid)
    await run(cx, {
      orderId,
      customerId: loan.customerId,
      amount: 0,
      payTime: now,
      from: loan.status,
      to: loan.status,
      outstanding,
    })
}

async function lockInVersion(
  cx: Cx,
  reduceId: string,
  version: number,
): Promise<{ loan: Loan; reduction: Reduction }> {
  const visible = (await reductionRow(cx.db, reduceId, staff(cx.actor))) !== null
  const orderId = visible ? await orderOfReduction(cx.db, reduceId) : null
  const loan = orderId === null ? null : await lockLoan(cx.db, orderId)
  const reduction = loan === null ? null : await lockReduction(cx.db, reduceId)
  if (loan === null || reduction === null) throw new Problem(NOT_FOUND)
  if (reduction.version !== version)
    throw await changedByOther(cx.db, 'reduction', reduceId, await reductionRow(cx.db, reduceId))
  return { loan, reduction }
}
