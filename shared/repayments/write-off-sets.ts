/** Closed sets of write-offs (domain.md 2.6; roles.md 4 and 5.7). */
export const WRITE_OFF_TYPES = ['full', 'partial', 'operational', 'batch', 'rollover'] as const
export const WRITE_OFF_STATES = ['pending', 'done', 'rejected'] as const
/** What a person launches for one order. */
export const LAUNCHED_TYPES = ['operational', 'full', 'partial', 'rollover'] as const
export type LaunchedType = (typeof LAUNCHED_TYPES)[number]

/** Statuses an order can be given up from. */
export const OPERATIONAL_FROM: readonly number[] = [30, 50, 90]
export const BATCH_FROM: readonly number[] = [50, 90]

/** Parameter with the largest amount a role writes off at once; a role without one none. The administrator stands beside the director. */
export function writeOffCapOf(roleMark: string): string | null {
  if (roleMark === 'manager') return 'writeoff.cap.manager'
  return roleMark === 'director' || roleMark === 'administrator' ? 'writeoff.cap.director' : null
}

/** Why an order of a batch is left out: nobody here knows it, its status, something open on it, not an id, named twice, beyond the most. */
export const LEFT_OUT = ['unknown', 'status', 'busy', 'unreadable', 'repeated', 'tooMany'] as const
/** Orders of one batch. */
export const BATCH_MOST = 5_000
/** A column of ids is a small sheet. */
export const BATCH_SHEET = {
  bytes: 1_048_576,
  kinds: ['xlsx', 'csv'],
  refusal: 'repayments:batch.fileKind',
} as const
