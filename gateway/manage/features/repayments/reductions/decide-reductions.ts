/** APPROVE and REJECT (domain.md 3): by somebody else, at least one level above, within his cap. From the approval on fines stand still until the last day of the validity. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { reductionLifecycle } from '#shared/repayments/reduction-lifecycle.ts'
import { levelOf } from '#shared/repayments/reduction-sets.ts'
import type { decideReductions as call } from '#shared/repayments/reductions-api.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { lockLoan, type Loan } from '../loan-store.ts'
import { type Decider, deciderOf, judgeApproval, refuseDecider } from './judge-reduction.ts'
import { reductionsInScope } from './reduction-rows.ts'
import {
  changeReduction,
  lockReduction,
  notifyLauncher,
  orderOfReduction,
  type Reduction,
} from './reduction-store.ts'

const MENU = 'reduce_list'

/** @throws Problem G-SEL, G-MAX, G422 without a reason to reject; G404, G-SELF, M-LEVEL, M-CAP, M-REDST, O-RULE stand in `failed` per row */
export async function decideReductions(
  cx: Cx,
  { reduceIds, result, reason }: InputOf<typeof call>,
): Promise<BulkResult> {
  if (result === 'rejected' && reason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  const actor = staff(cx.actor)
  return inBulk(cx, reduceIds, {
    type: decideReductionsJob,
    menu: MENU,
    params: { result, reason: reason ?? null, roleMark: actor.rights.roleMark },
    known: reductionsInScope(actor, reduceIds),
  })
}

/** His level and his cap are those of the role he decided with. */
export const decideReductionsJob: JobType = {
  type: 'reduction.decide',
  async row(cx, reduceId, params) {
    const orderId = await orderOfReduction(cx.db, reduceId)
    const loan = orderId === null ? null : await lockLoan(cx.db, orderId)
    const reduction = loan === null ? null : await lockReduction(cx.db, reduceId)
    if (loan === null || reduction === null) throw new Problem(NOT_FOUND)
    const decider = await deciderOf(cx.db, cx.actor.userId, String(params.roleMark))
    refuseDecider(reduction, decider)
    if (params.result === 'approved') await approve(cx, decider, loan, reduction)
    else await reject(cx, reduction, String(params.reason))
  },
}

/** What is given up is what was asked for, as far as it is still open; from today on fines stand. */
async function approve(cx: Cx, decider: Decider, loan: Loan, reduction: Reduction): Promise<void> {
  const today = istDay(await cx.now())
  const { items, due, amount, cap } = judgeApproval(loan, reduction, decider, today)
  const state = reductionLifecycle.next(reduction.state, {
    type: 'APPROVE',
    byLauncher: false,
    level: levelOf(decider.roleMark).level,
    launchLevel: levelOf(reduction.launched_role).level,
    amountPaise: amount,
    capPaise: cap,
  })
  const approved = await changeReduction(cx, reduction, state, [
    ...decision(cx, null),
    sql`items = ${JSON.stringify(items)}::jsonb`,
    sql`amount_due = ${due}`,
    sql`reduce_amount = ${amount}`,
    sql`pay_amount = ${due - amount}`,
    sql`frozen_on = ${today}::date`,
  ])
  notifyLauncher(cx, approved, 'approved')
  cx.log({
    menu: MENU,
    action: 'approveReduction',
    targetKind: 'order',
    targetId: loan.orderId,
    before: { state: reduction.state, amount: reduction.reduce_amount },
    after: {
      reduceId: reduction.id,
      state,
      amount,
      frozenOn: today,
      validUntil: reduction.valid_until,
    },
  })
}

async function reject(cx: Cx, reduction: Reduction, reason: string): Promise<void> {
  const state = reductionLifecycle.next(reduction.state, { type: 'REJECT', reason })
  const rejected = await changeReduction(cx, reduction, state, decision(cx, reason))
  notifyLauncher(cx, rejected, 'rejected')
  cx.log({
    menu: MENU,
    action: 'rejectReduction',
    targetKind: 'order',
    targetId: reduction.order_id,
    before: { state: reduction.state },
    after: { reduceId: reduction.id, state, reason },
  })
}

function decision(cx: Cx, reason: string | null) {
  return [
    sql`decided_by = ${cx.actor.userId}`,
    sql`decided_by_name = ${cx.actor.userName}`,
    sql`decided_at = clock_timestamp()`,
    sql`decide_reason = ${reason}`,
  ]
}
