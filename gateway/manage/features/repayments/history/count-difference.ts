/**
 * The state of a loan after it was folded again, and the postings of the difference: earlier
 * postings are never edited. Pure.
 */
import { sumGiven } from '#shared/repayments/fold/give-up.ts'
import type { LoanAt, PaymentAt } from '#shared/repayments/fold/loan-at.ts'
import type { Loan, LoanPlan } from '../loan-store.ts'
import type { Posting } from '../post-entries.ts'
import type { Refold } from './refold.ts'
import {
  bouncePosting,
  type Occasion,
  couponPostings,
  fineCorrection,
  goodAgain,
  paymentPostings,
  reductionPostings,
  replanPosting,
} from './difference-postings.ts'
import { type BookedOn, plansAfter } from './plans-after.ts'

export type Correction = Occasion & BookedOn

export interface Difference {
  plans: LoanPlan[]
  /** Changed plans. */
  changed: LoanPlan[]
  /** Paise the loan owes now. */
  outstanding: number
  /** Paise of the payment that were counted, the principal among them, and its credit. */
  counted: number
  principal: number
  surplus: number
  /** Changed credit of other payments. */
  surpluses: { recordId: string; surplus: number }[]
  /** What coupons come to now, where that changed. */
  coupons: { grantId: string; amount: number }[]
  /** What the reduction that settles the loan waives; null when none does. */
  used: { reduceId: string; reduced: number } | null
  isBadDebt: boolean
  postings: Posting[]
}

export function countDifference(
  loan: Loan,
  { before, after, stoppedOn, calledInOn }: Refold,
  correction: Correction,
): Difference {
  const { refId, today } = correction
  const plans = plansAfter(loan, after, { ...correction, stoppedOn, calledInOn })
  const own = after.payments.get(refId) ?? before.payments.get(refId)
  const others = [...after.payments].filter(([id]) => id !== refId && before.payments.has(id))
  return {
    plans,
    changed: changedOf(loan, plans),
    outstanding: after.outstanding,
    counted: correction.amount - (own?.surplus ?? correction.amount),
    principal: principalOf(own),
    surplus: own?.surplus ?? correction.amount,
    surpluses: others
      .filter(([id, { surplus }]) => surplus !== before.payments.get(id)?.surplus)
      .map(([recordId, { surplus }]) => ({ recordId, surplus })),
    coupons: changedCoupons(correction, before, after),
    used:
      after.used === null
        ? null
        : { reduceId: after.used.reduceId, reduced: sumGiven(after.used.given) },
    isBadDebt: after.isBadDebt,
    postings: [
      replanPosting(loan, { ...correction, before, after }),
      bouncePosting(loan, { ...correction, before, after }),
      ...paymentPostings(loan, correction, before, after),
      ...couponPostings(loan, correction, before, after),
      ...reductionPostings(loan, today, before, after),
      fineCorrection(loan, correction, before, after),
      ...goodAgain(loan, plans, correction, after),
    ],
  }
}

function principalOf(payment: PaymentAt | undefined): number {
  return [...(payment?.cleared.values() ?? [])].reduce((sum, { principal }) => sum + principal, 0)
}

function changedOf({ plans: before }: Loan, plans: readonly LoanPlan[]): LoanPlan[] {
  const byId = new Map(before.map((plan) => [plan.planId, JSON.stringify(plan)]))
  return plans.filter((plan) => JSON.stringify(plan) !== byId.get(plan.planId))
}

/** Coupons of payments that still count, and come to something else than before. */
function changedCoupons(
  { coupons }: Correction,
  before: LoanAt,
  after: LoanAt,
): Difference['coupons'] {
  return [...coupons].flatMap(([recordId, grantId]) => {
    const is = after.payments.get(recordId)
    if (is === undefined) return []
    const amount = sumGiven(is.coupon)
    const was = sumGiven(before.payments.get(recordId)?.coupon ?? new Map())
    return amount === was ? [] : [{ grantId, amount }]
  })
}
