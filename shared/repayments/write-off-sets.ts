/** Closed sets of write-offs. */
export const WRITE_OFF_TYPES = ['full', 'partial', 'operational', 'batch', 'rollover'] as const
export const WRITE_OFF_STATES = ['pending', 'done', 'rejected'] as const
/** Kinds a user launches for one order. */
export const LAUNCHED_TYPES = ['operational', 'full', 'partial', 'rollover'] as const
export type LaunchedType = (typeof LAUNCHED_TYPES)[number]

/** Statuses from which an order can be written off operationally. */
export const OPERATIONAL_FROM: readonly number[] = [30, 50, 90]
export const BATCH_FROM: readonly number[] = [50, 90]

/**
 * Parameter with the largest amount a role may write off at once; a role without one may not. The
 * administrator has the limit of the director.
 */
export function writeOffCapOf(roleMark: string): string | null {
  if (roleMark === 'manager') return 'writeoff.cap.manager'
  return roleMark === 'director' || roleMark === 'administrator' ? 'writeoff.cap.director' : null
}

/**
 * Why an order of a batch is excluded: unknown, wrong status, something open on it, not an id,
 * named twice, above the maximum number.
 */
export const LEFT_OUT = ['unknown', 'status', 'busy', 'unreadable', 'repeated', 'tooMany'] as const
/** Maximum number of orders of one batch. */
export const BATCH_MOST = 5_000
/** Size limit of the sheet, which has one column of ids. */
export const BATCH_SHEET = {
  bytes: 1_048_576,
  kinds: ['xlsx', 'csv'],
  refusal: 'repayments:batch.fileKind',
} as const
