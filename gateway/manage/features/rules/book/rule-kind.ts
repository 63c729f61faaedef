/** A rule of the review, as something that is kept in versions. */
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import { conditionFaults } from '#shared/conditions/condition-faults.ts'
import { evaluateCondition } from '#shared/conditions/evaluate-condition.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/rules/rule-api.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import { RULE_WRONG } from '#shared/rules/rule-problems.ts'
import type { RuleOutcome } from '#shared/rules/rule-sets.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { fromGraph, toGraph } from '../engine/rule-graph.ts'
import { RuleSetInvalid } from '../engine/rule-set-invalid.ts'
import { endTrialsOf, hadShare } from '../trials/trial-store.ts'
import type { VersionKind } from '../versions/version-kind.ts'

export type RuleRow = Static<typeof api.RuleRow>
export type RuleVersionRow = Static<typeof api.RuleVersion>
type RuleFields = InputOf<typeof api.addRule>

// both ends, each asked once: else the planner counts a third of all hits, and no index is used
const counted = (outcome: string): RawBuilder<unknown> => sql`
  (select count(*)::int from rule_hit h where h.rule_id = d.id and h.outcome = ${outcome}
    and h.at > (select clock_timestamp() - interval '7 days') and h.at <= (select clock_timestamp()))`

export const RULE: VersionKind<RuleRow, RuleVersionRow, RuleFields> = {
  targetKind: 'rule',
  approvalKind: 'ruleEnable',
  table: 'rule',
  versions: 'rule_version',
  key: 'rule_id',
  nameLock: 0,
  actions: {
    add: 'addRule',
    edit: 'editRule',
    delete: 'deleteRule',
    ask: 'setRuleStatus',
    enable: 'enableRule',
    disable: 'disableRule',
  },
  columns: sql`v.version_no as "versionNo", v.type, v.group_id as "groupId", v.priority, v.mode,
    v.description, v.action_id as "actionId", v.output, v.refusal_code as "refusalCode",
    g.name as "groupName", x.name as "actionName", x.kind as "actionKind"`,
  shown: sql`d.id as "ruleId", ${counted('hit')} as "hitCount7d",
    ${counted('notEvaluated')} as "openCount7d"`,
  joins: sql`join rule_group g on g.id = v.group_id join rule_action x on x.id = v.action_id`,
  contentOf({ content, name }) {
    const expression = fromGraph(content, RULE_CATALOGUE)
    if (expression === null) throw new RuleSetInvalid(`the graph of "${name}" is not a condition`)
    return { expression }
  },
  idOf: ({ ruleId }) => ruleId,
  eventOf: ({ versionNo, status }, ruleId) => ({ ruleId, versionNo, status }),
  requireValid,
  insertVersion,
  catalogue: RULE_CATALOGUE,
  outcomeOf: ({ expression }, facts) => ({
    outcome: outcomeOf(evaluateCondition(expression, facts, RULE_CATALOGUE).truth),
    got: null,
  }),
  hasJudged: (tx, ruleId) => hadShare(tx.db, ruleId),
  whenChanged: endTrialsOf,
}

export function outcomeOf(truth: boolean | null): RuleOutcome {
  if (truth === null) return 'notEvaluated'
  return truth ? 'hit' : 'noHit'
}

/** @throws Problem X-RULE naming the nodes, G-FIELD */
async function requireValid(tx: CommandTx, fields: RuleFields): Promise<void> {
  const faults = conditionFaults(fields.expression, RULE_CATALOGUE)
  if (faults[0])
    throw new Problem(
      RULE_WRONG,
      { position: faults[0].path || '0' },
      { faults, fields: { expression: 'conditions:fault.tree' } },
    )
  const { rows: parts } = await sql<{ kind: string | null; hasGroup: boolean }>`
    select (select x.kind from rule_action x where x.id = ${fields.actionId}) as kind,
      exists (select 1 from rule_group g where g.id = ${fields.groupId}) as "hasGroup"`.execute(
    tx.db,
  )
  const { kind, hasGroup } = parts[0] as { kind: string | null; hasGroup: boolean }
  const faulty: Record<string, string> = {}
  if (kind === null) faulty.actionId = 'required'
  if (!hasGroup) faulty.groupId = 'required'
  if (kind === 'reject' && !fields.refusalCode) faulty.refusalCode = 'required'
  if (kind === 'setOutput' && !fields.output) faulty.output = 'required'
  if (Object.keys(faulty).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields: faulty })
}

function insertVersion(
  tx: CommandTx,
  ruleId: string,
  versionNo: number,
  fields: RuleFields,
): Promise<unknown> {
  return sql`
    insert into rule_version (rule_id, version_no, name, type, group_id, priority, mode, description,
      content, action_id, output, refusal_code, created_by_name)
    values (${ruleId}, ${versionNo}, ${fields.name}, ${fields.type}, ${fields.groupId}, ${fields.priority},
      ${fields.mode}, ${fields.description ?? ''},
      ${JSON.stringify(toGraph(fields.expression, RULE_CATALOGUE))}::jsonb, ${fields.actionId},
      ${fields.output ?? null}::text, ${fields.refusalCode ?? null}::text, ${tx.actor.userName})`.execute(
    tx.db,
  )
}
