/**
 * Ends a reduction other than by a decision: used by a payment, withdrawn, revoked, expired, or
 * closed with its order.
 */
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
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { orderRoomsOf, restampOrders } from '#gateway/manage/features/orders/public.ts'
import { LEDGER_ACCOUNT } from '../ledger-accounts.ts'
import { readHistory } from '../history/read-history.ts'
import { chargesOfReduction } from '../history/stop-charges.ts'
import { type Loan, lockLoan, outstandingOf, planStatus } from '../loan-store.ts'
import { writePlans } from '../write-plans.ts'
import { type Line, postEntries } from '../post-entries.ts'
import { hasOpenPayment } from '../record-store.ts'
import type { WhenPaid } from '../paid-order.ts'
import { type ReduceRow, reductionRow } from './reduction-rows.ts'
import {
  changeReduction,
  lockOpenReduction,
  lockReduction,
  notifyLauncher,
  orderOfReduction,
  type Reduction,
} from './reduction-store.ts'

/**
 * WITHDRAW by the launcher.
 * @throws Problem G404, G409, M-REDST; for anybody else FORBIDDEN, as for a missing row
 */
export async function withdrawReduction(
  tx: CommandTx,
  { reduceId, version }: InputOf<typeof withdrawCall>,
): Promise<ReduceRow> {
  const { reduction } = await lockInVersion(tx, reduceId, version)
  const byLauncher = reduction.launched_by === staff(tx.actor).userId
  if (!byLauncher) throw new Problem(NOT_FOUND)
  if (reduction.state !== 'pending')
    throw new Problem(
      REDUCTION_STATE,
      { state: reduction.state },
      await reductionRow(tx.db, reduceId),
    )
  await end(tx, reduction, { type: 'WITHDRAW', byLauncher }, 'withdrawn', 'withdrawReduction')
  return (await reductionRow(tx.db, reduceId)) as ReduceRow
}

/**
 * REVOKE by a user who may decide: fines of the days since the approval are charged again.
 * @throws Problem G404, G409, M-REDST; M-OPEN while a payment is in progress; G-SELF
 */
export async function revokeReduction(
  tx: CommandTx,
  { reduceId, version, reason }: InputOf<typeof revokeCall>,
  whenPaid: readonly WhenPaid[],
): Promise<ReduceRow> {
  const { loan, reduction } = await lockInVersion(tx, reduceId, version)
  if (reduction.state !== 'approved')
    throw new Problem(
      REDUCTION_STATE,
      { state: reduction.state },
      await reductionRow(tx.db, reduceId),
    )
  if (reduction.launched_by === staff(tx.actor).userId) throw new Problem(OWN_REQUEST)
  // the borrower paid the amount quoted to them
  if (await hasOpenPayment(tx.db, loan.orderId)) throw new Problem(PAYMENT_OPEN)
  const revoked = await end(
    tx,
    reduction,
    { type: 'REVOKE', reason },
    'revoked',
    'revokeReduction',
    [sql`decide_reason = ${reason}`],
  )
  await chargeAgain(tx, loan, revoked, whenPaid)
  notifyLauncher(tx, revoked, 'revoked')
  return (await reductionRow(tx.db, reduceId)) as ReduceRow
}

/**
 * EXPIRE on the day after the last.
 * @returns false when a payment made during the validity is still in progress, or it has just ended
 */
export async function expireReduction(
  tx: CommandTx,
  reduceId: string,
  whenPaid: readonly WhenPaid[],
): Promise<boolean> {
  const orderId = await orderOfReduction(tx.db, reduceId)
  const loan = orderId === null ? null : await lockLoan(tx.db, orderId)
  const reduction = loan === null ? null : await lockReduction(tx.db, reduceId)
  const today = istDay(await tx.now())
  if (loan === null || reduction?.state !== 'approved' || today <= reduction.valid_until)
    return false
  const inTime = await sql`
    select from repay_record r where r.order_id = ${loan.orderId} and r.pay_state = 'inProgress'
      and r.flag is null and (r.paid_at at time zone 'Asia/Kolkata')::date <= ${reduction.valid_until}::date
      limit 1`.execute(tx.db)
  if (inTime.rows.length > 0) return false
  await lapse(tx, loan, reduction, today, whenPaid)
  return true
}

/**
 * A payment after the validity treats the reduction as expired, also before the nightly job did.
 */
export async function lapse(
  tx: CommandTx,
  loan: Loan,
  reduction: Reduction,
  today: string,
  whenPaid: readonly WhenPaid[],
): Promise<void> {
  const lapsed = await end(
    tx,
    reduction,
    { type: 'EXPIRE', today, validUntil: reduction.valid_until },
    'expired',
    'expireReduction',
  )
  await chargeAgain(tx, loan, lapsed, whenPaid)
  notifyLauncher(tx, lapsed, 'expired')
}

/** Paise paid since the approval, as a value within a statement over `reduction d`. */
const RECOVERED = sql`
  (select coalesce(sum(r.amount - r.surplus), 0) from repay_record r
    where r.order_id = d.order_id and r.pay_state = 'success' and r.reversed_at is null
    and r.confirmed_at >= d.decided_at)`

/** The used reduction of a loan that was folded again. @param used paise waived now */
export async function reviseUsedReduction(
  tx: CommandTx,
  reduction: Reduction,
  used: number,
): Promise<void> {
  await changeReduction(tx, reduction, reduction.state, [
    sql`used_amount = ${used}`,
    sql`recovered_amount = ${RECOVERED}`,
  ])
}

/**
 * PAID: the order was settled with it, also when it lapsed before a payment made in time was
 * reported.
 * @param used paise waived; `recovered` paise paid since the approval
 */
export async function markReductionUsed(
  tx: CommandTx,
  reduceId: string,
  { used, valueDay }: { used: number; valueDay: string },
): Promise<void> {
  const reduction = await lockReduction(tx.db, reduceId)
  if (reduction === null) throw new Error(`a loan was settled with ${reduceId}, which is missing`)
  const state = reductionLifecycle.next(reduction.state, {
    type: 'PAID',
    valueDay,
    validUntil: reduction.valid_until,
  })
  const done = await changeReduction(tx, reduction, state, [
    sql`used_at = clock_timestamp()`,
    sql`cause = null`,
    sql`used_amount = ${used}`,
    sql`recovered_amount = ${RECOVERED}`,
  ])
  notifyLauncher(tx, done, 'used')
}

/** The reduction an order was repaid with, locked. */
export async function lockUsedReduction(trx: Trx, orderId: string): Promise<Reduction | null> {
  const { rows } = await sql<{
    id: string
  }>`select d.id from reduction d where d.order_id = ${orderId} and d.state = 'used' and d.void_at is null`.execute(
    trx,
  )
  return rows[0] ? lockReduction(trx, rows[0].id) : null
}

/** Its payment was reversed: it is used and no longer counts. */
export async function voidReduction(tx: CommandTx, reduction: Reduction): Promise<void> {
  await changeReduction(tx, reduction, reduction.state, [
    sql`void_at = clock_timestamp()`,
    sql`cause = 'reversed'`,
  ])
}

/** ORDER_CLOSED: the order ended without using it. */
export async function endReductionOfOrder(tx: CommandTx, orderId: string): Promise<void> {
  const reduction = await lockOpenReduction(tx.db, orderId)
  if (reduction) await end(tx, reduction, { type: 'ORDER_CLOSED' }, 'orderClosed', 'endReduction')
}

async function end(
  tx: CommandTx,
  reduction: Reduction,
  event: ReductionEvent,
  cause: 'withdrawn' | 'expired' | 'revoked' | 'orderClosed',
  action: string,
  set: ReturnType<typeof sql>[] = [],
): Promise<Reduction> {
  const state = reductionLifecycle.next(reduction.state, event)
  const ended = await changeReduction(tx, reduction, state, [
    sql`cause = ${cause}`,
    sql`ended_at = clock_timestamp()`,
    ...set,
  ])
  tx.log({
    action,
    targetKind: 'order',
    targetId: reduction.order_id,
    before: { state: reduction.state },
    after: { reduceId: reduction.id, state, cause },
  })
  return ended
}

/**
 * Fines of the days of the stop up to today, each on the principal of its day. The loan is given in
 * its state with the reduction.
 */
async function chargeAgain(
  tx: CommandTx,
  loan: Loan,
  ended: Reduction,
  whenPaid: readonly WhenPaid[],
): Promise<void> {
  const { orderId } = loan
  const now = await tx.now()
  const today = istDay(now)
  const stored = await readHistory(tx.db, loan)
  const charges = chargesOfReduction(loan, stored, ended.id, today)
  const charged = loan.plans.flatMap((plan) => {
    if (outstandingOf(plan) === 0) return []
    const fine = charges?.get(plan.planId) ?? fineOnDay(plan, loan.penalty, today).charged
    // a day on which a cap leaves nothing to charge still counts as charged
    const isBehind = plan.dueDay < today && (plan.fineTo ?? '') < today
    if (fine === 0 && !isBehind) return []
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
  const rooms = await orderRoomsOf(tx.db, [orderId])
  await postEntries(tx.db, [{ kind: 'overdueFine', orderId, bizDate: today, refId: null, lines }])
  await writePlans(
    tx,
    charged.map(({ after }) => after),
    rooms,
  )
  const outstanding = loan.outstanding + charged.reduce((sum, { fine }) => sum + fine, 0)
  await restampOrders(
    tx,
    [{ orderId, outstanding, overdueDays: loan.overdueDays, rbiClass: loan.rbiClass }],
    rooms,
  )
  for (const run of whenPaid)
    await run(tx, {
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
  tx: CommandTx,
  reduceId: string,
  version: number,
): Promise<{ loan: Loan; reduction: Reduction }> {
  const visible = (await reductionRow(tx.db, reduceId, staff(tx.actor))) !== null
  const orderId = visible ? await orderOfReduction(tx.db, reduceId) : null
  const loan = orderId === null ? null : await lockLoan(tx.db, orderId)
  const reduction = loan === null ? null : await lockReduction(tx.db, reduceId)
  if (loan === null || reduction === null) throw new Problem(NOT_FOUND)
  if (reduction.version !== version)
    throw await changedByOther(tx.db, 'reduction', reduceId, await reductionRow(tx.db, reduceId))
  return { loan, reduction }
}
