/**
 * The effect of a cure on a loan. Pure: fines stay as on the day of the request, and the principal
 * is no longer doubtful.
 */
import { fineOnDay } from '#shared/repayments/overdue-fine.ts'
import { LEDGER_ACCOUNT } from '../ledger-accounts.ts'
import { type Loan, type LoanPlan, outstandingOf } from '../loan-store.ts'
import type { Line, Posting } from '../post-entries.ts'

export interface CountedCure {
  /** Changed instalments. */
  changed: LoanPlan[]
  /** Paise the order owes now. */
  outstanding: number
  postings: Posting[]
}

/**
 * @param asOf IST day of the request: fines of the days until the approval are reversed, those of a
 * day that was not opened yet are charged
 * @param today IST day it is booked on
 * @param refId the approval
 */
export function countCure(
  loan: Loan,
  { asOf, today, refId }: { asOf: string; today: string; refId: string },
): CountedCure {
  const { orderId } = loan
  const open = loan.plans
    .filter((plan) => outstandingOf(plan) > 0)
    .map((plan) => {
      const { fine, charged, taken } = fineOnDay(plan, loan.penalty, asOf)
      return {
        before: plan,
        charged,
        taken,
        plan:
          charged === 0 && (plan.fineTo === null || plan.fineTo <= asOf)
            ? plan
            : { ...plan, fine, overdueFine: plan.overdueFine + charged - taken, fineTo: asOf },
      }
    })
  const fineLines = (planId: string, amount: number): Line[] => [
    { account: LEDGER_ACCOUNT.fineReceivable, planId, amount },
    { account: LEDGER_ACCOUNT.fineIncome, planId, amount: -amount },
  ]
  const posting = (kind: Posting['kind'], bizDate: string, lines: Line[]): Posting => ({
    kind,
    orderId,
    bizDate,
    refId,
    lines,
  })
  return {
    changed: open.filter(({ before, plan }) => plan !== before).map(({ plan }) => plan),
    outstanding: open.reduce((sum, { plan }) => sum + outstandingOf(plan), 0),
    postings: [
      {
        ...posting(
          'overdueFine',
          asOf,
          open.flatMap(({ plan, charged }) => fineLines(plan.planId, charged)),
        ),
        refId: null,
      },
      posting(
        'fineCorrection',
        today,
        open.flatMap(({ plan, taken }) => fineLines(plan.planId, -taken)),
      ),
      posting(
        'cure',
        today,
        open.flatMap(({ plan: { planId, principal } }): Line[] => [
          { account: LEDGER_ACCOUNT.principalReceivable, planId, amount: principal },
          { account: LEDGER_ACCOUNT.doubtfulPrincipal, planId, amount: -principal },
        ]),
      ),
    ],
  }
}
