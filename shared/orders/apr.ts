/** Days per year in the rate computation. */
const YEAR_DAYS = 365n
/** Basis points; far above any real product. */
const MOST = 2 ** 40

export interface AprTerms {
  /** Paise that reach the borrower: the amount less the deductions. */
  net: bigint
  /** Paise of each instalment in order, including all charges. */
  instalments: readonly bigint[]
  /** Whole days from disbursement to the first instalment, and between instalments. */
  daysPerPeriod: number
}

/**
 * Annual percentage rate of a loan as shown in its key facts statement: the internal rate of return
 * of one period on the amount that reached the borrower, times the periods of a 365-day year, not
 * compounded (RBI, Key Facts Statement for Loans & Advances, 15 April 2024, Annex B). Penal charges
 * are contingent and excluded. Exact: rates are compared as fractions, never as floats.
 * @returns basis points, rounded half up; 0 when no more is repaid than was received
 * @throws RangeError for nothing received, no instalment, a negative one, fewer than one day, or a
 * rate beyond 2⁴⁰ basis points
 */
export function aprOf({ net, instalments, daysPerPeriod }: AprTerms): number {
  if (net <= 0n || instalments.length === 0 || instalments.some((paise) => paise < 0n))
    throw new RangeError('a loan pays something out and takes it back in instalments')
  if (!Number.isInteger(daysPerPeriod) || daysPerPeriod < 1)
    throw new RangeError('a period has a whole number of days >= 1')
  const costs = (halfPoints: number) =>
    costsAtLeast({ net, instalments, daysPerPeriod }, BigInt(halfPoints))
  if (costs(2 * MOST + 1)) throw new RangeError('the rate is beyond what is reckoned with')
  let [low, high] = [0, MOST]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    // rounds up when the exact rate is at most half a point below
    if (costs(2 * middle - 1)) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Whether the instalments, discounted at that many half basis points per year, are worth at least
 * the received amount.
 */
function costsAtLeast({ net, instalments, daysPerPeriod }: AprTerms, halfPoints: bigint): boolean {
  // the discount factor of one period is grown / whole
  const whole = 20_000n * YEAR_DAYS
  const grown = whole + halfPoints * BigInt(daysPerPeriod)
  let owed = net
  let scale = 1n
  for (const paise of instalments) {
    scale *= whole
    owed = owed * grown - paise * scale
  }
  return owed <= 0n
}
