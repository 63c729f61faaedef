/** Previews a decision of many reductions without making it. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import type { previewDecision as call } from '#shared/repayments/reductions-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { type Loan, readLoans } from '../loan-store.ts'
import { type Decider, deciderOf, judgeApproval, refuseDecider } from './judge-reduction.ts'
import { reductionsInScope } from './reduction-rows.ts'
import { readReductions, type Reduction } from './reduction-store.ts'

/** Rows outside the caller's scope are missing from the answer. */
export async function previewDecision(
  db: Db,
  actor: StaffActor,
  { reduceIds, result }: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const reductions = await readReductions(
    db,
    sql<boolean>`d.id in (${reductionsInScope(actor, reduceIds)})`,
  )
  const loans = new Map(
    (
      await readLoans(
        db,
        reductions.map((one) => one.order_id),
      )
    ).map((loan) => [loan.orderId, loan]),
  )
  const decider = await deciderOf(db, actor.userId, actor.rights.roleMark)
  const now = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
  const today = istDay(now.rows[0]?.now ?? '')
  const answer: DataOf<typeof call> = { ready: [], amount: 0, excluded: [] }
  for (const reduction of reductions) {
    try {
      answer.amount += amountOf(
        result,
        reduction,
        decider,
        loans.get(reduction.order_id) as Loan,
        today,
      )
      answer.ready.push(reduction.id)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      answer.excluded.push({
        reduceId: reduction.id,
        problem: error.id,
        params: error.params,
        msg: error.message,
      })
    }
  }
  return answer
}

/** Paise waived by an approval, or not waived by a rejection. @throws Problem why it is refused */
function amountOf(
  result: InputOf<typeof call>['result'],
  reduction: Reduction,
  decider: Decider,
  loan: Loan,
  today: string,
): number {
  refuseDecider(reduction, decider)
  return result === 'approved'
    ? judgeApproval(loan, reduction, decider, today).amount
    : reduction.reduce_amount
}
