/** Closed sets of the rules of the machine review. */

export const RULE_TYPES = ['admission', 'antiFraud', 'credit', 'limit', 'pricing'] as const
export type RuleType = (typeof RULE_TYPES)[number]

/** `serial`: judged only while no earlier rule of its group was hit. `parallel`: always judged. */
export const RULE_MODES = ['parallel', 'serial'] as const
export type RuleMode = (typeof RULE_MODES)[number]

/** What a hit does: it refuses, sends to people, only marks, or gives its output. */
export const ACTION_KINDS = ['reject', 'manual', 'pass', 'setOutput'] as const
export type ActionKind = (typeof ACTION_KINDS)[number]

/** The output by which a hit demands a verification call before the review can pass. */
export const TELE_DEMAND = 'teleVerify'

export const RULE_STATES = ['draft', 'enabled', 'disabled'] as const
export type RuleStatus = (typeof RULE_STATES)[number]

/** `retired`: was in force once. */
export const VERSION_STATES = ['draft', 'enabled', 'retired'] as const
export type VersionState = (typeof VERSION_STATES)[number]

/** Outcomes a test case can expect of its rule or table, and a judgement can give. */
export const RULE_OUTCOMES = ['hit', 'noHit', 'notEvaluated'] as const
export type RuleOutcome = (typeof RULE_OUTCOMES)[number]

export const MOST_CASES = 50
