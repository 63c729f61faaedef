import type { FastifyInstance } from 'fastify'
import * as cases from '#shared/rules/case-api.ts'
import { orderDecision as decisionCall } from '#shared/rules/decision-api.ts'
import * as api from '#shared/rules/rule-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { orderDecision } from '../decisions/order-decision.ts'
import { setStatus } from '../versions/enable-version.ts'
import { deleteCase } from '../versions/delete-case.ts'
import { addVersioned, deleteVersioned, editVersioned } from '../versions/save-version.ts'
import { readCases, saveCase } from '../versions/version-cases.ts'
import { readRow, readVersion, readVersions } from '../versions/version-store.ts'
import { RULE } from './rule-kind.ts'
import { findRules } from './rule-list.ts'
import {
  addRuleAction,
  deleteRuleAction,
  editRuleAction,
  findActions,
  findGroups,
  saveRuleGroup,
} from './rule-parts.ts'
import { type RuleFacts, testRule } from './test-rule.ts'

export function bookRoutes(
  app: FastifyInstance,
  context: AppContext,
  facts: readonly RuleFacts[],
): void {
  serveQuery(app, context, api.listRules, ({ db }, input) => findRules(db, input))
  serveQuery(app, context, api.ruleDetail, async ({ db }, { ruleId }) => {
    const rule = await readRow(db, RULE, ruleId)
    const latest = await readVersion(db, RULE, ruleId, rule.latestNo)
    return {
      rule,
      versions: await readVersions(db, RULE, ruleId),
      cases: await readCases(db, RULE, ruleId, latest),
    }
  })
  serveQuery(app, context, api.testRule, (_, input) => testRule(context, facts, input))
  serveQuery(app, context, decisionCall, ({ db, actor }, input) => orderDecision(db, actor, input))
  serveQuery(app, context, api.listRuleGroups, ({ db }, input) => findGroups(db, input))
  serveQuery(app, context, api.listRuleActions, ({ db }, input) => findActions(db, input))

  serveCommand(app, context, api.addRule, async (tx, fields) => {
    const { id: ruleId, versionNo } = await addVersioned(tx, RULE, fields)
    return { ruleId, versionNo }
  })
  serveCommand(app, context, api.editRule, async (tx, { ruleId: id, version, ...fields }) => {
    const { versionNo } = await editVersioned(tx, RULE, { id, version }, fields)
    return { ruleId: id, versionNo }
  })
  serveCommand(app, context, api.setRuleStatus, async (tx, { ruleId: id, ...change }) => ({
    ruleId: id,
    approvalId: await setStatus(tx, RULE, { id, ...change }),
  }))
  serveCommand(app, context, api.deleteRule, (tx, { ruleId: id, version }) =>
    deleteVersioned(tx, RULE, { id, version }),
  )
  serveCommand(app, context, cases.saveRuleCase, (tx, { ruleId, ...fields }) =>
    saveCase(tx, RULE, ruleId, { ...fields, gives: null }),
  )
  serveCommand(app, context, cases.deleteRuleCase, deleteCase)
  serveCommand(app, context, api.saveRuleGroup, saveRuleGroup)
  serveCommand(app, context, api.addRuleAction, addRuleAction)
  serveCommand(app, context, api.editRuleAction, editRuleAction)
  serveCommand(app, context, api.deleteRuleAction, deleteRuleAction)
}
