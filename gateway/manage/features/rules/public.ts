/** What other features may use of the rules. */
export type { BatchAsk, BatchCandidate, BatchType } from './batch/batch-type.ts'
export { RuleSetInvalid } from './engine/rule-set-invalid.ts'
export type { RuleFacts } from './book/test-rule.ts'
export type { JudgingRule, RuleResult } from './engine/rules-in-force.ts'
export { storeJudgement, type TrialVerdict } from './engine/store-judgement.ts'
export { currentRuleSet, type Heard, type Judged, type RuleSet } from './rule-set.ts'
export type { TableJudgement } from './tables/tables-in-force.ts'
export { withLimit } from './tables/with-limit.ts'
