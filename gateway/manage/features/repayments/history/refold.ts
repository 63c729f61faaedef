/**
 * Folds a loan before and after a new entry of its history. The stored state must equal the fold
 * before it. Otherwise the ledger does not follow from the history (it is older than the fold, or a
 * parameter changed since), and the entry is counted on the stored state.
 */
import { addDays, istMidnight } from '#shared/kernel/time.ts'
import { type LoanAt, loanAt } from '#shared/repayments/fold/loan-at.ts'
import type { LoanHistory, LoanTerms } from '#shared/repayments/fold/loan-history.ts'
import type { Loan } from '../loan-store.ts'

export interface Refold {
  before: LoanAt
  after: LoanAt
  /** Day up to which fines of open instalments are charged during a stop; null = no stop. */
  stoppedOn: string | null
  /** IST day on which the rest of an EMI loan was called in; null when it was not, or not any more. */
  calledInOn: string | null
}

/**
 * @param today IST day the difference is booked on
 * @returns null when the ledger does not follow from the history
 */
export function refold(
  loan: Loan,
  { terms, before, after }: { terms: LoanTerms; before: LoanHistory; after: LoanHistory },
  today: string,
): Refold | null {
  const stored = stateOf(loan, terms, before, today)
  if (stored === null) return null
  const calledInOn = after.calledInOn ?? null
  // money of an earlier value: the loan never became a bad debt, so nothing was called in. Asked
  // without the call-in, because what it makes due at once is soon old enough for a bad debt
  const never = { ...after, calledInOn: null }
  const isUndone = calledInOn !== null && !loanAt(terms, never, today).wasBadDebt
  return {
    before: stored,
    after: loanAt(terms, isUndone ? never : after, today),
    stoppedOn: stoppedOn(after, today),
    calledInOn: isUndone ? null : calledInOn,
  }
}

/** The fold at the day of the stored state; null when it differs from the stored state. */
export function stateOf(
  loan: Loan,
  terms: LoanTerms,
  history: LoanHistory,
  today: string,
): LoanAt | null {
  const charged = loan.plans
    .filter((plan) => plan.fineTo !== null && plan.fineTo < today)
    .map((plan) => plan.fineTo as string)
  // a day that was not opened yet is not charged yet
  for (const day of new Set([today, addDays(today, -1), ...charged.toSorted().toReversed()])) {
    const state = loanAt(terms, history, day)
    if (isStored(loan, state)) return state
  }
  return null
}

function isStored({ plans }: Loan, state: LoanAt): boolean {
  const byId = new Map(state.plans.map((plan) => [plan.planId, plan]))
  const known = new Set(plans.map(({ planId }) => planId))
  if (state.plans.some(({ planId }) => !known.has(planId))) return false
  return plans.every((plan) => {
    const folded = byId.get(plan.planId)
    // a row for money ahead that was taken back
    if (folded === undefined) return plan.planned === 0 && plan.paid === 0
    return (
      folded.principal === plan.principal &&
      folded.interest === plan.interest &&
      folded.service === plan.service &&
      folded.fine === plan.fine &&
      folded.overdueFine === plan.overdueFine &&
      folded.paid === plan.paid &&
      folded.reduced === plan.reduced
    )
  })
}

/** The stop still running at the end of the day. */
function stoppedOn({ stops }: LoanHistory, today: string): string | null {
  const over = istMidnight(addDays(today, 1)).getTime()
  const running = stops.find(
    ({ from, until }) => from < today && (until === null || Date.parse(until) >= over),
  )
  return running?.from ?? null
}

/**
 * What the end of a stop charges on each open instalment, by plan.
 * @param ended the history with the end of the stop
 * @returns null when the ledger does not follow from the history
 */
export function chargesOf(
  loan: Loan,
  terms: LoanTerms,
  histories: { before: LoanHistory; ended: LoanHistory },
  day: string,
): Map<string, number> | null {
  const folded = refold(loan, { terms, before: histories.before, after: histories.ended }, day)
  if (folded === null) return null
  return new Map(
    folded.after.plans.map(({ planId, overdueFine }) => [
      planId,
      overdueFine - (folded.before.plans.find((plan) => plan.planId === planId)?.overdueFine ?? 0),
    ]),
  )
}
