import type { FastifyInstance } from 'fastify'
import * as api from '#shared/rules/rule-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { setRuleStatus } from './enable-rule.ts'
import { deleteRuleCase, readCases, saveRuleCase } from './rule-cases.ts'
import {
  addRuleAction,
  deleteRuleAction,
  editRuleAction,
  findActions,
  findGroups,
  saveRuleGroup,
} from './rule-parts.ts'
import { findRules, readRule, readVersions } from './rule-store.ts'
import { addRule, deleteRule, editRule } from './save-rule.ts'
import { type RuleFacts, testRule } from './test-rule.ts'

export function bookRoutes(
  app: FastifyInstance,
  context: AppContext,
  facts: readonly RuleFacts[],
): void {
  serveQuery(app, context, api.listRules, ({ db }, input) => findRules(db, input))
  serveQuery(app, context, api.ruleDetail, async ({ db }, { ruleId }) => {
    const rule = await readRule(db, ruleId)
    const versions = await readVersions(db, ruleId)
    const { expression } = versions[0] ?? rule
    return { rule, versions, cases: await readCases(db, ruleId, expression) }
  })
  serveQuery(app, context, api.testRule, (_, input) => testRule(context, facts, input))
  serveQuery(app, context, api.listRuleGroups, ({ db }, input) => findGroups(db, input))
  serveQuery(app, context, api.listRuleActions, ({ db }, input) => findActions(db, input))

  serveCommand(app, context, api.addRule, addRule)
  serveCommand(app, context, api.editRule, editRule)
  serveCommand(app, context, api.setRuleStatus, setRuleStatus)
  serveCommand(app, context, api.deleteRule, deleteRule)
  serveCommand(app, context, api.saveRuleCase, saveRuleCase)
  serveCommand(app, context, api.deleteRuleCase, deleteRuleCase)
  serveCommand(app, context, api.saveRuleGroup, saveRuleGroup)
  serveCommand(app, context, api.addRuleAction, addRuleAction)
  serveCommand(app, context, api.editRuleAction, editRuleAction)
  serveCommand(app, context, api.deleteRuleAction, deleteRuleAction)
}
