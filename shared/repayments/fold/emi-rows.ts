/**
 * The instalments of an EMI loan as rows of its plan. A prepayment and a foreclosure are rows of
 * their own; an instalment that is no longer needed stays, with nothing due. Pure, paise, IST days.
 */
import { type AheadOfPlan, emiPlan, type Prepayment } from '../emi/emi-plan.ts'
import type { EmiLoan, PlanTerms } from './loan-history.ts'

/** A prepayment, with the payment it came with. */
export interface PaidAhead extends Prepayment {
  paymentId: string
}

export interface Ahead extends AheadOfPlan {
  prepayments: readonly PaidAhead[]
}

/** Id of the row a prepayment is in. */
export function prepaymentPlanId(paymentId: string): string {
  return `PP${paymentId}`
}

/** Id of the row that the rest of a loan is due in at once. */
export function foreclosurePlanId(orderId: string): string {
  return `PF${orderId}`
}

/**
 * @param agreed the instalments as agreed, in order: their ids and days
 * @throws RangeError for what cannot be paid ahead
 */
export function emiRows(
  { orderId, terms, disbursedOn }: EmiLoan,
  agreed: readonly PlanTerms[],
  ahead: Ahead,
): PlanTerms[] {
  const prepaid = ahead.prepayments.toSorted((one, other) => compareDays(one.day, other.day))
  const rows = emiPlan(terms, disbursedOn, ahead)
  const ids = {
    instalment: agreed.map(({ planId }) => planId),
    prepayment: prepaid.map(({ paymentId }) => prepaymentPlanId(paymentId)),
    foreclosure: [foreclosurePlanId(orderId)],
  }
  const planned = rows.map(({ kind, dueDay, principal, interest }) => ({
    planId: ids[kind].shift() as string,
    dueDay,
    principal: Number(principal),
    interest: Number(interest),
    service: 0,
  }))
  const dropped = agreed
    .filter(({ planId }) => ids.instalment.includes(planId))
    .map((plan) => ({ ...plan, principal: 0, interest: 0 }))
  return [...planned, ...dropped].toSorted((one, other) => compareDays(one.dueDay, other.dueDay))
}

function compareDays(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
