/** Overdue and recovery buckets: days after the due day, and ranges of overdue days. */

/** Of the repayment curve: earlier and later days are counted at its ends. */
export const CURVE_FIRST = -4
export const CURVE_LAST = 31

/** An instalment is in `T<n>` when it was not paid by the end of the day `n` days after its due day. */
export const BUCKETS = {
  T1: { day: 1 },
  T2: { day: 2 },
  T3: { day: 3 },
  T4: { day: 4 },
  T5: { day: 5 },
  T6: { day: 6 },
  T7: { day: 7 },
  T10: { day: 10 },
  T15: { day: 15 },
  T30: { day: 30 },
  /** Overdue so many days today; what was missed is what was open the day before the first. */
  '11-30': { from: 11, to: 30 },
  '30+': { from: 31, to: null },
} as const satisfies Record<string, { day: number } | { from: number; to: number | null }>

export type Bucket = keyof typeof BUCKETS
// the keys of a closed set
export const BUCKET_NAMES = Object.keys(BUCKETS) as [Bucket, ...Bucket[]]
