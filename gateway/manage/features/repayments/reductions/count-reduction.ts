/** What a reduction gives up of a loan. Pure. It is of the whole order: its parts are taken from the oldest instalment on. */
import { fineOnDay } from '#shared/repayments/overdue-fine.ts'
import type { ReduceItems } from '#shared/repayments/reduction-sets.ts'
import { fineDayOf, type Loan, type LoanPlan, outstandingOf } from '../loan-store.ts'

/** An instalment with the fine of a value date. */
type Owed = Pick<LoanPlan, 'planId' | 'principal' | 'interest' | 'service' | 'fine'>

/** What is given up of one instalment, in paise. */
export interface GivenUp {
  fine: number
  service: number
  interest: number
}

export interface OpenFees {
  open: ReduceItems
  principal: number
  /** Paise the order owes in all. */
  due: number
}

/** Fees that are open on an IST day, its fines included. */
export function openFees(loan: Loan, day: string): OpenFees {
  const sum: OpenFees = {
    open: { overdueFine: 0, serviceFee: 0, interest: 0 },
    principal: 0,
    due: 0,
  }
  for (const plan of loan.plans) {
    if (outstandingOf(plan) === 0) continue
    const { fine } = fineOnDay(plan, loan.penalty, fineDayOf(loan, day))
    sum.open.overdueFine += fine
    sum.open.serviceFee += plan.service
    sum.open.interest += plan.interest
    sum.principal += plan.principal
    sum.due += fine + plan.service + plan.interest + plan.principal
  }
  return sum
}

/** Spreads the items over instalments, given oldest first; of no part more than is open. */
export function giveUp(plans: readonly Owed[], items: ReduceItems): Map<string, GivenUp> {
  const left = { ...items }
  const given = new Map<string, GivenUp>()
  for (const plan of plans) {
    const one = {
      fine: Math.min(left.overdueFine, plan.fine),
      service: Math.min(left.serviceFee, plan.service),
      interest: Math.min(left.interest, plan.interest),
    }
    if (sumOf(one) === 0) continue
    left.overdueFine -= one.fine
    left.serviceFee -= one.service
    left.interest -= one.interest
    given.set(plan.planId, one)
  }
  return given
}

export function sumOf({ fine, service, interest }: GivenUp): number {
  return fine + service + interest
}

export function sumGiven(given: ReadonlyMap<string, GivenUp>): number {
  return [...given.values()].reduce((sum, one) => sum + sumOf(one), 0)
}
