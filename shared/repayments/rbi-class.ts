/** Asset class of a loan at a day-end (domain.md 1, #18). */
export const RBI_CLASSES = ['standard', 'sma0', 'sma1', 'sma2', 'npa'] as const
export type RbiClass = (typeof RBI_CLASSES)[number]

/**
 * Class that a loan has from its days past due at the start of an IST day, which is the class of the day-end before: SMA-0 up to
 * 30, SMA-1 31 to 60, SMA-2 61 to 90, NPA above. An NPA stays one until all arrears are paid, however few days are left.
 */
export function rbiClassOf(overdueDays: number, before: string): RbiClass {
  if (overdueDays <= 0) return 'standard'
  if (overdueDays > 90 || before === 'npa') return 'npa'
  if (overdueDays > 60) return 'sma2'
  return overdueDays > 30 ? 'sma1' : 'sma0'
}
