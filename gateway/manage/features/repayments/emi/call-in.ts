/** The rest of an EMI loan is due at once when the loan becomes a bad debt. Pure. */
import { loanAt } from '#shared/repayments/fold/loan-at.ts'
import { bouncePosting, paymentPostings, replanPosting } from '../history/difference-postings.ts'
import { plansAfter } from '../history/plans-after.ts'
import { historyOf, type StoredHistory } from '../history/read-history.ts'
import { stateOf } from '../history/refold.ts'
import type { Loan, LoanPlan } from '../loan-store.ts'
import type { Posting } from '../post-entries.ts'

export interface CalledIn {
  plans: LoanPlan[]
  /** What moves between the rows; the fines of the day are posted apart. */
  postings: Posting[]
}

/**
 * @param day IST day that is opened, at whose beginning the rest is due
 * @param stored without a settlement plan that ends on the day
 * @returns null for a loan that is called in, of which all is due, or whose books do not follow from
 * its history, or with even instalments
 */
export function callIn(loan: Loan, stored: StoredHistory, day: string): CalledIn | null {
  if (loan.emi === null || loan.emi === undefined) return null
  if (!loan.plans.some(({ dueDay, planned }) => dueDay > day && planned > 0)) return null
  // it was called in before a payment repaid it that has bounced
  if (stored.calledInOn !== null) return null
  const history = historyOf(stored)
  const before = stateOf(loan, stored.terms, history, day)
  if (before === null) return null
  const after = loanAt(stored.terms, { ...history, calledInOn: day }, day)
  return {
    plans: plansAfter(loan, after, {
      today: day,
      beingPaid: new Set(),
      stoppedOn: null,
      calledInOn: day,
    }),
    postings: [
      replanPosting(loan, { refId: null, today: day, before, after }),
      bouncePosting(loan, { refId: null, today: day, before, after }),
      ...paymentPostings(loan, { refId: '', amount: 0, today: day }, before, after),
    ],
  }
}
