/** APPROVE and REJECT (domain.md 3): by somebody else, at least one level above, within his cap. From the approval on fines stand still until the last day of the validity. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, OWN_REQUEST, Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import { reductionLifecycle } from '#shared/repayments/reduction-lifecycle.ts'
import { capOf, levelOf, sumOfItems } from '#shared/repayments/reduction-sets.ts'
import type { decideReductions as call } from '#shared/repayments/reductions-api.ts'
import { ABOVE_CAP, LEVEL_TOO_LOW, REDUCTION_STATE } from '#shared/repayments/repayment-problems.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { rowByRow } from '#gateway/manage/kernel/row-by-row.ts'
import { lockLoan, type Loan } from '../loan-store.ts'
import { openFees } from './count-reduction.ts'
import { capPercents } from './reduction-limit.ts'
import { reductionRow } from './reduction-rows.ts'
import { changeReduction, lockReduction, notifyLauncher, orderOfReduction, type Reduction } from './reduction-store.ts'

/** @throws Problem G422 without a reason to reject; G404, G-SELF, M-LEVEL, M-CAP, M-REDST, O-RULE stand in `failed` per row */
export async function decideReductions(cx: Cx, { reduceIds, result, reason }: InputOf<typeof call>): Promise<BulkResult> {
  if (result === 'rejected' && reason === undefined) throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  const actor = staff(cx.actor)
  return rowByRow(reduceIds, async (reduceId) => {
    const { loan, reduction } = await lockForDecision(cx, actor, reduceId)
    if (result === 'approved') await approve(cx, actor, loan, reduction)
    else await reject(cx, reduction, reason as string)
  })
}

async function lockForDecision(cx: Cx, actor: StaffActor, reduceId: string): Promise<{ loan: Loan; reduction: Reduction }> {
  const visible = (await reductionRow(cx.db, reduceId, actor)) !== null
  const orderId = visible ? await orderOfReduction(cx.db, reduceId) : null
  const loan = orderId === null ? null : await lockLoan(cx.db, orderId)
  const reduction = loan === null ? null : await lockReduction(cx.db, reduceId)
  if (loan === null || reduction === null) throw new Problem(NOT_FOUND)
  if (reduction.state !== 'pending') throw new Problem(REDUCTION_STATE, { state: reduction.state })
  if (reduction.launched_by === actor.userId) throw new Problem(OWN_REQUEST)
  if (levelOf(actor.rights.roleMark).level <= levelOf(reduction.launched_role).level) throw new Problem(LEVEL_TOO_LOW, { userName: reduction.launched_by_name })
  return { loan, reduction }
}

/** What is given up is what was asked for, as far as it is still open; from today on fines stand. */
async function approve(cx: Cx, actor: StaffActor, loan: Loan, reduction: Reduction): Promise<void> {
  const today = istDay(await cx.now())
  if (today > reduction.valid_until) throw new Problem(ORDER_RULE, { reason: 'validityOver' })
  const { open, due } = openFees(loan, today)
  const items = { overdueFine: Math.min(reduction.items.overdueFine, open.overdueFine), serviceFee: Math.min(reduction.items.serviceFee, open.serviceFee), interest: Math.min(reduction.items.interest, open.interest) }
  const amount = sumOfItems(items)
  if (amount < 1 || due - amount < 1) throw new Problem(ORDER_RULE, { reason: amount < 1 ? 'nothingToReduce' : 'nothingToPay' })
  const cap = capOf(open, (await capPercents(cx.db)).get(actor.rights.roleMark) ?? 0)
  if (amount > cap) throw new Problem(ABOVE_CAP, { amount: cap })
  const state = reductionLifecycle.next(reduction.state, {
    type: 'APPROVE', byLauncher: false, level: levelOf(actor.rights.roleMark).level, launchLevel: levelOf(reduction.launched_role).level, amountPaise: amount, capPaise: cap,
  })
  const approved = await changeReduction(cx, reduction, state, [
    ...decision(cx, null), sql`items = ${JSON.stringify(items)}::jsonb`, sql`amount_due = ${due}`, sql`reduce_amount = ${amount}`, sql`pay_amount = ${due - amount}`, sql`frozen_on = ${today}::date`,
  ])
  notifyLauncher(cx, approved, 'approved')
  cx.log({ action: 'approveReduction', targetKind: 'order', targetId: loan.orderId, before: { state: reduction.state, amount: reduction.reduce_amount }, after: { reduceId: reduction.id, state, amount, frozenOn: today, validUntil: reduction.valid_until } })
}

async function reject(cx: Cx, reduction: Reduction, reason: string): Promise<void> {
  const state = reductionLifecycle.next(reduction.state, { type: 'REJECT', reason })
  const rejected = await changeReduction(cx, reduction, state, decision(cx, reason))
  notifyLauncher(cx, rejected, 'rejected')
  cx.log({ action: 'rejectReduction', targetKind: 'order', targetId: reduction.order_id, before: { state: reduction.state }, after: { reduceId: reduction.id, state, reason } })
}

function decision(cx: Cx, reason: string | null) {
  return [sql`decided_by = ${cx.actor.userId}`, sql`decided_by_name = ${cx.actor.userName}`, sql`decided_at = clock_timestamp()`, sql`decide_reason = ${reason}`]
}
