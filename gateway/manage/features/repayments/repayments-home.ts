/** Payments, reductions and proofs on a person's home page. */
import { sql } from 'kysely'
import { countRows, goalOf, type HomePart } from '#gateway/manage/features/home/public.ts'
import { IS_RECEIVED, recordsInScope } from './lists/payment-rows.ts'
import { proofsInScope } from './proofs/proof-rows.ts'
import { reductionsToDecide } from './reductions/reduction-rows.ts'

const TODAYS =
  '/order_management/repay_record?payState=success&reversed=false&payTimeFrom={today}&payTimeTo={today}'

export const REPAYMENTS_HOME: HomePart = {
  next(actor) {
    const { permissions } = actor.rights
    const reductions = reductionsToDecide(actor)
    const proofs = sql`repay_proof f where f.state = 'pending' and ${proofsInScope(actor)}
      and f.submitted_by is distinct from ${actor.userId}`
    return [
      ...(permissions.has('reduce_list:decide')
        ? [
            {
              key: 'reduction' as const,
              count: countRows(reductions),
              time: sql<string | null>`(select min(d.launched_at) from ${reductions})`,
              target: '/order_management/reduce_list?toDecide=true',
            },
          ]
        : []),
      ...(permissions.has('repay_proof:decide')
        ? [
            {
              key: 'proof' as const,
              count: countRows(proofs),
              time: sql<string | null>`(select min(f.created_at) from ${proofs})`,
              target: '/order_management/repay_proof?state=pending',
            },
          ]
        : []),
    ]
  },
  figures: (actor) =>
    actor.rights.permissions.has('repay_record:export')
      ? [
          {
            key: 'repaidToday',
            rows: sql`repay_record r where ${recordsInScope(actor)} and ${IS_RECEIVED}`,
            at: 'r.paid_at',
            amount: sql`r.amount`,
            goal: goalOf('home.repaidPerDay', sql`100`),
            target: TODAYS,
          },
        ]
      : [],
  arrivals: (actor) =>
    actor.rights.permissions.has('repay_record:export')
      ? [
          {
            key: 'repaid',
            rows: sql`repay_record r where ${recordsInScope(actor)} and ${IS_RECEIVED}`,
            at: 'r.paid_at',
            amount: sql`r.amount`,
            target: TODAYS,
          },
        ]
      : [],
}
