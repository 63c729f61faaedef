/**
 * How a call of the robot ended: a willing to repay, b unwilling, c already repaid, d denies the debt
 * or is not the borrower, e needs a follow-up, f not reached, g voicemail, h needs help.
 */
export const AI_RESULTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
export type AiResult = (typeof AI_RESULTS)[number]

/** Nobody was spoken to: the robot dials again. */
export function isUnreached(result: AiResult): boolean {
  return result === 'f' || result === 'g'
}

export const CONFIG_STATUSES = ['enabled', 'disabled'] as const

/** Why a task was cancelled. `answered`: its borrower was spoken to while it was paused. */
export const CANCEL_CAUSES = ['byStaff', 'held', 'closed', 'person', 'answered', 'ignored'] as const
export type CancelCause = (typeof CANCEL_CAUSES)[number]

/** One dialled call: handed over, in progress, ended with a result, or never taken by the vendor. */
export const CALL_STATES = ['dialling', 'calling', 'ended', 'refused'] as const
export type CallState = (typeof CALL_STATES)[number]
