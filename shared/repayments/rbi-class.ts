/** Asset class of a loan at a day-end. */
export const RBI_CLASSES = ['standard', 'sma0', 'sma1', 'sma2', 'npa'] as const
export type RbiClass = (typeof RBI_CLASSES)[number]

/**
 * Class of a loan by its days past due at the start of an IST day, which is the class of the
 * previous day-end: SMA-0 up to 30, SMA-1 31 to 60, SMA-2 61 to 90, NPA above. An NPA stays one
 * until all arrears are paid, whatever the days past due (RBI circular of 12 Nov 2021).
 */
export function rbiClassOf(overdueDays: number, before: string): RbiClass {
  if (overdueDays <= 0) return 'standard'
  if (overdueDays > 90 || before === 'npa') return 'npa'
  if (overdueDays > 60) return 'sma2'
  return overdueDays > 30 ? 'sma1' : 'sma0'
}
