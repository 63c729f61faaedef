/** Parts of a year in which time is counted: a month has 365 of them, a day 12. */
const YEAR = 4_380n
/** Basis points; far above any real product. */
const MOST = 2 ** 40

/** Time between two payments. A month is a twelfth of a year, a day a 365th. */
export interface Span {
  months: number
  days: number
}

export interface AprTerms {
  /** Paise that reach the borrower: the amount less the deductions. */
  net: bigint
  /** In order: paise with all charges, and the time since the one before or the disbursement. */
  instalments: readonly { paise: bigint; after: Span }[]
}

/**
 * Annual percentage rate of a loan as shown in its key facts statement: the internal rate of return
 * of one period on the amount that reached the borrower, times the periods of a 365-day year, not
 * compounded (RBI, Key Facts Statement for Loans & Advances, 15 April 2024, Annex B). Penal charges
 * are contingent and excluded. Exact: rates are compared as fractions, never as floats.
 * @returns basis points, rounded half up; 0 when no more is repaid than was received
 * @throws RangeError for nothing received, no instalment, a negative one, less than a day between
 * two, or a rate beyond 2⁴⁰ basis points
 */
export function aprOf({ net, instalments }: AprTerms): number {
  if (net <= 0n || instalments.length === 0 || instalments.some(({ paise }) => paise < 0n))
    throw new RangeError('a loan pays something out and takes it back in instalments')
  const dues = instalments.map(({ paise, after }) => ({ paise, parts: partsOf(after) }))
  const costs = (halfPoints: number) => costsAtLeast(net, dues, BigInt(halfPoints))
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

function partsOf({ months, days }: Span): bigint {
  const parts = months * 365 + days * 12
  if (!Number.isInteger(parts) || months < 0 || days < 0 || parts < 12)
    throw new RangeError('a whole number of days or months lies between two instalments')
  return BigInt(parts)
}

/**
 * Whether the instalments, discounted at that many half basis points per year, are worth at least
 * the received amount.
 */
function costsAtLeast(
  net: bigint,
  dues: readonly { paise: bigint; parts: bigint }[],
  halfPoints: bigint,
): boolean {
  // the discount factor of a span is (whole + halfPoints × its parts) / whole
  const whole = 20_000n * YEAR
  let owed = net
  let scale = 1n
  for (const { paise, parts } of dues) {
    scale *= whole
    owed = owed * (whole + halfPoints * parts) - paise * scale
  }
  return owed <= 0n
}
