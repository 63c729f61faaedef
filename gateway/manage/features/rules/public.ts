/** What other features may use of the rules. */
export type { BatchRequest, BatchCandidate, BatchType } from './batch/batch-type.ts'
export { RuleSetInvalid } from './engine/rule-set-invalid.ts'
export type { RuleFacts } from './book/test-rule.ts'
export type { JudgingRule, RuleResult } from './engine/rules-in-force.ts'
export { storeJudgement, type TrialVerdict } from './engine/store-judgement.ts'
export { currentRuleSet, type Judged, type RuleSet, type Verdict } from './rule-set.ts'
export type { TableJudgement } from './tables/tables-in-force.ts'
export { withLimit } from './tables/with-limit.ts'
