import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type {
  addRule,
  listRuleActions,
  listRuleGroups,
  listRules,
  ruleDetail,
  testRule,
} from '#shared/rules/rule-api.ts'

export type Rule = DataOf<typeof listRules>['rows'][number]
export type RuleFields = InputOf<typeof addRule>
export type RuleGroup = DataOf<typeof listRuleGroups>['rows'][number]
export type RuleAction = DataOf<typeof listRuleActions>['rows'][number]
export type RuleDetail = DataOf<typeof ruleDetail>
export type RuleVersion = RuleDetail['versions'][number]
export type RuleCase = RuleDetail['cases'][number]
export type RuleTest = DataOf<typeof testRule>
