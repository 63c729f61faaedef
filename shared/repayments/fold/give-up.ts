/** What a reduction or a coupon waives of a loan, from the oldest instalment on. Pure. */
import type { OpenParts } from '../allocate-payment.ts'
import type { ReduceItems } from '../reduction-sets.ts'

/** What is waived of one instalment, in paise. Principal is never waived so. */
export interface GivenUp {
  fine: number
  service: number
  interest: number
}

/** Spreads the items over instalments, given oldest first; never more than a part's open amount. */
export function giveUp(
  plans: readonly (OpenParts & { planId: string })[],
  items: ReduceItems,
): Map<string, GivenUp> {
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
