/**
 * Whether a user may decide a reduction, and what their approval would waive. The command and its
 * preview share it.
 */
import { OWN_REQUEST, Problem } from '#shared/kernel/problem.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import { capOf, levelOf, type ReduceItems, sumOfItems } from '#shared/repayments/reduction-sets.ts'
import { ABOVE_CAP, LEVEL_TOO_LOW, REDUCTION_STATE } from '#shared/repayments/repayment-problems.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { Loan } from '../loan-store.ts'
import { openFees } from './count-reduction.ts'
import { capPercents } from './reduction-limit.ts'
import type { Reduction } from './reduction-store.ts'

export interface Decider {
  userId: string | null
  roleMark: string
  /** Per cent of the open fees the user may waive. */
  capPercent: number
}

export interface Approvable {
  items: ReduceItems
  /** Paise: waived, owed before, and the maximum the user may waive. */
  amount: number
  due: number
  cap: number
}

export async function deciderOf(db: Db, userId: string | null, roleMark: string): Promise<Decider> {
  return { userId, roleMark, capPercent: (await capPercents(db)).get(roleMark) ?? 0 }
}

/** @throws Problem M-REDST, G-SELF, M-LEVEL */
export function refuseDecider(reduction: Reduction, { userId, roleMark }: Decider): void {
  if (reduction.state !== 'pending') throw new Problem(REDUCTION_STATE, { state: reduction.state })
  if (reduction.launched_by === userId) throw new Problem(OWN_REQUEST)
  if (levelOf(roleMark).level <= levelOf(reduction.launched_role).level)
    throw new Problem(LEVEL_TOO_LOW, { userName: reduction.launched_by_name })
}

/** The requested amount as far as it is still open on the IST day. @throws Problem O-RULE, M-CAP */
export function judgeApproval(
  loan: Loan,
  reduction: Reduction,
  { capPercent }: Decider,
  today: string,
): Approvable {
  if (today > reduction.valid_until) throw new Problem(ORDER_RULE, { reason: 'validityOver' })
  const { open, due } = openFees(loan, today)
  const items = {
    overdueFine: Math.min(reduction.items.overdueFine, open.overdueFine),
    serviceFee: Math.min(reduction.items.serviceFee, open.serviceFee),
    interest: Math.min(reduction.items.interest, open.interest),
  }
  const amount = sumOfItems(items)
  if (amount < 1 || due - amount < 1)
    throw new Problem(ORDER_RULE, { reason: amount < 1 ? 'nothingToReduce' : 'nothingToPay' })
  const cap = capOf(open, capPercent)
  if (amount > cap) throw new Problem(ABOVE_CAP, { amount: cap })
  return { items, amount, due, cap }
}
