/**
 * What a reduction waives of a loan. Pure. It covers the whole order: its parts are taken from the
 * oldest instalment on.
 */
import { fineOnDay } from '#shared/repayments/overdue-fine.ts'
import type { ReduceItems } from '#shared/repayments/reduction-sets.ts'
import { fineDayOf, type Loan, outstandingOf } from '../loan-store.ts'

export interface OpenFees {
  open: ReduceItems
  principal: number
  /** Total paise the order owes. */
  due: number
}

/** Open fees on an IST day, including its fines. */
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
