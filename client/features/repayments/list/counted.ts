/** Totals of what a payment cleared, and why it cleared nothing. */
import type { RecordDetail, RecordRow } from '../payment-types.ts'

/** In the order of allocation. */
export const PARTS = ['overdueFine', 'interest', 'serviceFee', 'principal'] as const

/** @param part null = all parts */
export function sumOf(
  lines: RecordDetail['allocations'],
  part: (typeof PARTS)[number] | null,
): number {
  return lines.reduce(
    (sum, line) =>
      sum + (part === null ? PARTS.reduce((all, one) => all + line[one], 0) : line[part]),
    0,
  )
}

/** @returns i18n key */
export function nothingCounted({ payState, flag }: Pick<RecordRow, 'payState' | 'flag'>): string {
  if (payState === 'fail') return 'record.none.fail'
  if (payState === 'inProgress') return flag === null ? 'record.none.waiting' : 'record.none.parked'
  return flag === 'recovery' ? 'record.none.recovery' : 'record.none.surplus'
}
