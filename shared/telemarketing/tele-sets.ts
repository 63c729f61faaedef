/** Closed sets of telemarketing. */

/** Registered only · credit granted, nothing borrowed · repaid, not borrowed again · payout failed. */
export const SEGMENTS = ['no_certified', 'unrequished', 'no_relented', 'loan_failed'] as const
export type Segment = (typeof SEGMENTS)[number]

/** Results of a follow-up by the specification; the texts are under `result.<number>`. */
export const FOLLOW_RESULTS = [10, 11, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29] as const
export type FollowResult = (typeof FOLLOW_RESULTS)[number]

/** Busy or no answer, and agreed: the next follow-up must be named. */
export const NEEDS_NEXT: readonly number[] = [11, 21]
/** Other: the remark must say what. */
export const NEEDS_REMARK: readonly number[] = [29]

export const CONTACT_WAYS = ['phone', 'whatsapp'] as const
export type ContactWay = (typeof CONTACT_WAYS)[number]

/** Why a task ended: its goal, with and without credit, or without it. */
export const CLOSE_CAUSES = ['reached', 'returned', 'left', 'blacklisted', 'tooOld'] as const
export type CloseCause = (typeof CLOSE_CAUSES)[number]

/** A goal reached within so many days after a follow-up is credited to it. */
export const CREDIT_DAYS = 7

/** Tasks not followed up yet, due today or before, due later, and ended. */
export const LANES = ['open', 'fresh', 'due', 'later', 'closed'] as const
export type Lane = (typeof LANES)[number]

/** Registered only · gave a PAN · sent photographs · named a bank account. */
export const LAST_STEPS = ['registered', 'identity', 'photos', 'bankAccount'] as const
