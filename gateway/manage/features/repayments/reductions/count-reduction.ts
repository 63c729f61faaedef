/**
 * What a reduction waives of a loan. Pure. It covers the whole order: its parts are taken from the
 * oldest instalment on.
 */
import { fineOnDay } from '#shared/repayments/overdue-fine.ts'
import type { ReduceItems } from '#shared/repayments/reduction-sets.ts'
import { asDueOn } from '../emi/payoff.ts'
import { fineDayOf, type Loan, outstandingOf } from '../loan-store.ts'

export interface OpenFees {
  open: ReduceItems
  principal: number
  /** Paise that settle the order. */
  due: number
}

/**
 * Open fees on an IST day, including its fines. Of an EMI loan the interest up to the day: that of
 * later months is not owed when the loan is settled.
 */
export function openFees(loan: Loan, day: string): OpenFees {
  const sum: OpenFees = {
    open: { overdueFine: 0, serviceFee: 0, interest: 0 },
    principal: 0,
    due: 0,
  }
  for (const plan of asDueOn(loan, day)) {
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
