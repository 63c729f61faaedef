/** What a node achieved: those contacted against those held out. Pure. */

export interface Outcome {
  /** Customers, and those of them who reached the goal in time. */
  count: number
  reached: number
}

export interface Uplift {
  /** Basis points; null without customers. */
  contactedRate: number | null
  heldOutRate: number | null
  /** Difference of the rates in basis points, with the bounds of its 95 % interval. */
  difference: number | null
  low: number | null
  high: number | null
}

/** Groups smaller than this say nothing. */
export const LEAST_IN_GROUP = 30
/** Of the normal distribution, two-sided. */
const Z_95 = 1.96
const BASIS = 10_000

/**
 * The difference of two shares with its interval by Newcombe's method of Wilson scores, which
 * stays sensible for small shares; none while a group has fewer than 30 customers.
 */
export function upliftOf(contacted: Outcome, heldOut: Outcome): Uplift {
  const rates = { contactedRate: rateOf(contacted), heldOutRate: rateOf(heldOut) }
  if (contacted.count < LEAST_IN_GROUP || heldOut.count < LEAST_IN_GROUP)
    return { ...rates, difference: null, low: null, high: null }
  const a = shareOf(contacted)
  const b = shareOf(heldOut)
  const [aLow, aHigh] = wilson(contacted)
  const [bLow, bHigh] = wilson(heldOut)
  const difference = a - b
  return {
    ...rates,
    difference: Math.round(difference * BASIS),
    low: Math.round((difference - Math.hypot(a - aLow, bHigh - b)) * BASIS),
    high: Math.round((difference + Math.hypot(aHigh - a, b - bLow)) * BASIS),
  }
}

function shareOf({ count, reached }: Outcome): number {
  return reached / count
}

function rateOf(outcome: Outcome): number | null {
  return outcome.count === 0 ? null : Math.round(shareOf(outcome) * BASIS)
}

function wilson(outcome: Outcome): [number, number] {
  const { count } = outcome
  const share = shareOf(outcome)
  const z2 = Z_95 * Z_95
  const middle = (share + z2 / (2 * count)) / (1 + z2 / count)
  const reach =
    (Z_95 / (1 + z2 / count)) * Math.sqrt((share * (1 - share)) / count + z2 / (4 * count * count))
  return [middle - reach, middle + reach]
}
