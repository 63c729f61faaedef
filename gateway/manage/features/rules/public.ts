/** What other features may use of the rules. */
export {
  compileRuleSet,
  currentRuleSet,
  type RuleGraph,
  type RuleSet,
  RuleSetInvalid,
} from './rule-set.ts'
