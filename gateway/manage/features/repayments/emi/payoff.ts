/** What ends an EMI loan on a day, from the plan as it is stored. Pure. */
import { allocatePayment } from '#shared/repayments/allocate-payment.ts'
import { firstPeriod, interestOf, periodAfter } from '#shared/repayments/emi/emi-period.ts'
import { foreclosurePlanId } from '#shared/repayments/fold/emi-rows.ts'
import { istDay } from '#shared/kernel/time.ts'
import type { Loan, LoanPlan } from '../loan-store.ts'

/**
 * The plans of a loan as if the rest were due on the day: instalments that are not due yet become
 * one row with their principal and the interest up to the day, less what was paid of them. Other
 * loans stay as they are.
 */
export function asDueOn(loan: Loan, day: string): LoanPlan[] {
  const { emi, plans, disbursedAt } = loan
  const notDue = plans.filter((plan) => plan.dueDay > day && plan.planned > 0)
  if (emi === null || emi === undefined || disbursedAt === null || notDue.length === 0) return plans
  const balance = notDue.reduce((sum, plan) => sum + plan.planned, 0)
  const interest = accrued(loan, { balance, day, disbursedOn: istDay(disbursedAt) })
  const planId = foreclosurePlanId(loan.orderId)
  const bounced = notDue.reduce((sum, plan) => sum + (plan.bounced ?? 0), 0)
  const row = { planId, principal: balance, interest, service: bounced, fine: 0 }
  const paid = notDue.reduce((sum, plan) => sum + plan.paid, 0)
  const cleared = allocatePayment([row], paid, { parts: emi.parts }).cleared.get(planId)
  const rest: LoanPlan = {
    ...(notDue[0] as LoanPlan),
    ...row,
    dueDay: day,
    planned: balance,
    plannedInterest: interest,
    bounced,
    principal: balance - (cleared?.principal ?? 0),
    interest: interest - (cleared?.interest ?? 0),
    service: bounced - (cleared?.service ?? 0),
    overdueFine: 0,
    paid,
    status: 'unpaid',
  }
  return [...plans.filter((plan) => plan.dueDay <= day), rest]
}

/** Interest of the principal that is not due, from the last due day to the day. */
function accrued(
  { emi, plans }: Loan,
  { balance, day, disbursedOn }: { balance: number; day: string; disbursedOn: string },
): number {
  const { annualRate, dueDay } = emi as NonNullable<Loan['emi']>
  let period = firstPeriod(disbursedOn, dueDay)
  while (period.due <= day) period = periodAfter(period)
  const prepaid = plans
    // one of a later day was not paid yet
    .filter(
      ({ kind, dueDay: paidOn }) => kind === 'prepayment' && paidOn >= period.from && paidOn <= day,
    )
    .toSorted((one, other) => (one.dueDay < other.dueDay ? -1 : one.dueDay > other.dueDay ? 1 : 0))
  let paise = BigInt(balance + prepaid.reduce((sum, plan) => sum + plan.planned, 0))
  let from = period.from
  const balances = prepaid.map((plan) => {
    const one = { paise, from, to: plan.dueDay }
    paise -= BigInt(plan.planned)
    from = plan.dueDay
    return one
  })
  return Number(interestOf([...balances, { paise, from, to: day }], period, annualRate))
}
