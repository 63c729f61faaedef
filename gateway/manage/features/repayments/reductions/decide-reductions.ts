/**
 * APPROVE and REJECT: by another person, at least one level above, within their cap. After the
 * approval no fines are charged until the last day of the validity.
 */
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
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
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

/**
 * @throws Problem G-SEL, G-MAX, G-FIELD without a reason to reject; G404, G-SELF, M-LEVEL, M-CAP,
 * M-REDST, O-RULE are in `failed` per row
 */
export async function decideReductions(
  tx: CommandTx,
  { reduceIds, result, reason }: InputOf<typeof call>,
): Promise<BulkResult> {
  if (result === 'rejected' && reason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  const actor = staff(tx.actor)
  return inBulk(tx, reduceIds, {
    type: decideReductionsJob,
    menu: MENU,
    params: { result, reason: reason ?? null, roleMark: actor.rights.roleMark },
    known: reductionsInScope(actor, reduceIds),
  })
}

/** Level and cap are those of the role the decision was made with. */
export const decideReductionsJob: JobType = {
  type: 'reduction.decide',
  async row(tx, reduceId, params) {
    const orderId = await orderOfReduction(tx.db, reduceId)
    const loan = orderId === null ? null : await lockLoan(tx.db, orderId)
    const reduction = loan === null ? null : await lockReduction(tx.db, reduceId)
    if (loan === null || reduction === null) throw new Problem(NOT_FOUND)
    const decider = await deciderOf(tx.db, tx.actor.userId, String(params.roleMark))
    refuseDecider(reduction, decider)
    if (params.result === 'approved') await approve(tx, decider, loan, reduction)
    else await reject(tx, reduction, String(params.reason))
  },
}

/** Waives the requested amount as far as it is still open; the stop of fines begins today. */
async function approve(
  tx: CommandTx,
  decider: Decider,
  loan: Loan,
  reduction: Reduction,
): Promise<void> {
  const today = istDay(await tx.now())
  const { items, due, amount, cap } = judgeApproval(loan, reduction, decider, today)
  const state = reductionLifecycle.next(reduction.state, {
    type: 'APPROVE',
    byLauncher: false,
    level: levelOf(decider.roleMark).level,
    launchLevel: levelOf(reduction.launched_role).level,
    amountPaise: amount,
    capPaise: cap,
  })
  const approved = await changeReduction(tx, reduction, state, [
    ...decision(tx, null),
    sql`items = ${JSON.stringify(items)}::jsonb`,
    sql`amount_due = ${due}`,
    sql`reduce_amount = ${amount}`,
    sql`pay_amount = ${due - amount}`,
    sql`frozen_on = ${today}::date`,
  ])
  notifyLauncher(tx, approved, 'approved')
  tx.log({
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

async function reject(tx: CommandTx, reduction: Reduction, reason: string): Promise<void> {
  const state = reductionLifecycle.next(reduction.state, { type: 'REJECT', reason })
  const rejected = await changeReduction(tx, reduction, state, decision(tx, reason))
  notifyLauncher(tx, rejected, 'rejected')
  tx.log({
    menu: MENU,
    action: 'rejectReduction',
    targetKind: 'order',
    targetId: reduction.order_id,
    before: { state: reduction.state },
    after: { reduceId: reduction.id, state, reason },
  })
}

function decision(tx: CommandTx, reason: string | null) {
  return [
    sql`decided_by = ${tx.actor.userId}`,
    sql`decided_by_name = ${tx.actor.userName}`,
    sql`decided_at = clock_timestamp()`,
    sql`decide_reason = ${reason}`,
  ]
}
