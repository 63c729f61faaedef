/**
 * Cooling-off exit: the borrower pays the principal and the share of interest and service fee for
 * the days the money was held; the rest of that income is reversed. The charge deducted at
 * disbursement is not part of it. Pure.
 */
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { daysBetween, istDay } from '#shared/kernel/time.ts'
import { LEDGER_ACCOUNT } from '../ledger-accounts.ts'
import type { Loan, LoanPlan } from '../loan-store.ts'
import type { Line, Posting } from '../post-entries.ts'

export interface Exit {
  /** Paise to be paid. */
  due: number
  principal: number
  /** Interest and service fee of the days used. */
  charge: number
  daysUsed: number
  plans: LoanPlan[]
  postings: Posting[]
}

/**
 * @param paidAt ISO 8601: the time of payment decides, not the time of booking
 * @throws Problem O-RULE when the period is over, or something was paid or fell due before
 */
export function countExit(
  loan: Loan,
  { recordId, paidAt, today }: { recordId: string; paidAt: string; today: string },
): Exit {
  const { orderId, coolingOffUntil, disbursedAt } = loan
  if (
    loan.status !== 30 ||
    coolingOffUntil === null ||
    disbursedAt === null ||
    Date.parse(paidAt) > Date.parse(coolingOffUntil)
  )
    throw new Problem(ORDER_RULE, { reason: 'coolingOffOver' })
  if (loan.plans.some((plan) => plan.paid > 0 || plan.fine > 0))
    throw new Problem(ORDER_RULE, { reason: 'alreadyPaid' })
  const daysUsed = Math.min(
    loan.tenureDays,
    Math.max(0, daysBetween(istDay(disbursedAt), istDay(paidAt))),
  )
  const cleared = loan.plans.map((plan) => {
    const interest = sharePart(plan.interest, daysUsed, loan.tenureDays)
    // of an EMI loan: bounce charges, which are for what has happened
    const service = loan.emi ? plan.service : sharePart(plan.service, daysUsed, loan.tenureDays)
    return {
      plan,
      interest,
      service,
      freeInterest: plan.interest - interest,
      freeService: plan.service - service,
    }
  })
  const sum = (part: (one: (typeof cleared)[number]) => number) =>
    cleared.reduce((total, one) => total + part(one), 0)
  const principal = sum(({ plan }) => plan.principal)
  const charge = sum(({ interest, service }) => interest + service)
  const [freeInterest, freeService] = [
    sum((one) => one.freeInterest),
    sum((one) => one.freeService),
  ]
  const line = (account: Line['account'], planId: string | null, amount: number): Line => ({
    account,
    planId,
    amount,
  })
  return {
    due: principal + charge,
    principal,
    charge,
    daysUsed,
    plans: cleared.map(({ plan, interest, service, freeInterest: i, freeService: s }) => ({
      ...plan,
      principal: 0,
      interest: 0,
      service: 0,
      paid: plan.principal + interest + service,
      waived: plan.waived + i + s,
      status: 'paid',
      settledAt: paidAt,
      overdueDays: 0,
    })),
    postings: [
      {
        kind: 'coolingOffExit',
        orderId,
        bizDate: today,
        refId: recordId,
        lines: [
          line(LEDGER_ACCOUNT.cashClearing, null, principal + charge),
          ...cleared.flatMap(({ plan, interest, service }) => [
            line(LEDGER_ACCOUNT.principalReceivable, plan.planId, -plan.principal),
            line(LEDGER_ACCOUNT.interestReceivable, plan.planId, -interest),
            line(LEDGER_ACCOUNT.serviceReceivable, plan.planId, -service),
          ]),
        ],
      },
      {
        kind: 'coolingOffWaiver',
        orderId,
        bizDate: today,
        refId: recordId,
        lines: [
          line(LEDGER_ACCOUNT.interestIncome, null, freeInterest),
          line(LEDGER_ACCOUNT.serviceIncome, null, freeService),
          ...cleared.flatMap(({ plan, freeInterest: i, freeService: s }) => [
            line(LEDGER_ACCOUNT.interestReceivable, plan.planId, -i),
            line(LEDGER_ACCOUNT.serviceReceivable, plan.planId, -s),
          ]),
        ],
      },
    ],
  }
}

/** `amount` × days / tenure, rounded half up to the paisa. */
function sharePart(amount: number, days: number, tenure: number): number {
  return Number((BigInt(amount) * BigInt(days) * 2n + BigInt(tenure)) / (BigInt(tenure) * 2n))
}
