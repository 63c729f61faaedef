/** Closed sets of back-tests, shadows and shares. */
import { UNKNOWN_CAUSES } from '#shared/conditions/evaluate-condition.ts'

/** Where the machine sends an application. */
export const MACHINE_ROUTES = ['pass', 'people', 'fail'] as const
export type MachineRoute = (typeof MACHINE_ROUTES)[number]

/**
 * `shadow`: judges beside the version in force and decides nothing. `share`: decides a share of the
 * applications in its place.
 */
export const TRIAL_KINDS = ['shadow', 'share'] as const
export type TrialKind = (typeof TRIAL_KINDS)[number]

/** Of a share: the version in force, and the one on trial. */
export const TRIAL_SIDES = ['champion', 'challenger'] as const
export type TrialSide = (typeof TRIAL_SIDES)[number]

export const BACKTEST_STATES = ['running', 'done', 'cancelled', 'failed'] as const

/**
 * Why an application has no outcome: the machine has not judged it, it judged without keeping
 * what it knew (an external one does), or the limit of that day is not known. The others are why a
 * condition was left open; a version that fails has none either.
 */
export const TRIAL_CAUSES = ['notJudged', 'noFacts', 'noLimit', ...UNKNOWN_CAUSES] as const
export type TrialCause = (typeof TRIAL_CAUSES)[number]

export const BACKTEST_DAYS_MOST = 365
