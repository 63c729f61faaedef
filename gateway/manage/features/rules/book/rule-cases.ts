/** Test cases of a rule: facts with what it must say of them. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Condition } from '#shared/conditions/condition.ts'
import { evaluateCondition, type Facts } from '#shared/conditions/evaluate-condition.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/rules/rule-api.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import { RULE_TOO_MANY_CASES } from '#shared/rules/rule-problems.ts'
import { MOST_CASES, type RuleOutcome } from '#shared/rules/rule-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitRule } from './rule-events.ts'
import { lockRule, readRule, readVersion } from './rule-store.ts'

type Case = Static<typeof api.RuleCase>

export function outcomeOf(truth: boolean | null): RuleOutcome {
  if (truth === null) return 'notEvaluated'
  return truth ? 'hit' : 'noHit'
}

/** With what a version says of each. */
export async function readCases(db: Db, ruleId: string, expression: Condition): Promise<Case[]> {
  const { rows } = await sql<Omit<Case, 'outcome'>>`
    select k.id as "caseId", k.name, k.facts, k.expects from rule_case k
    where k.rule_id = ${ruleId} order by k.id`.execute(db)
  return rows.map((row) => ({ ...row, outcome: outcomeFor(expression, row.facts) }))
}

function outcomeFor(expression: Condition, facts: Facts): RuleOutcome {
  return outcomeOf(evaluateCondition(expression, facts, RULE_CATALOGUE).truth)
}

export async function failingCases(db: Db, ruleId: string, expression: Condition): Promise<Case[]> {
  const cases = await readCases(db, ruleId, expression)
  return cases.filter(({ outcome, expects }) => outcome !== expects)
}

/** @throws Problem G404, X-MANY, G-FIELD for a fact that no rule knows */
export async function saveRuleCase(
  tx: CommandTx,
  { ruleId, caseId, name, facts, expects }: InputOf<typeof api.saveRuleCase>,
): Promise<DataOf<typeof api.saveRuleCase>> {
  const rule = await lockRule(tx.db, ruleId)
  const known = new Set(RULE_CATALOGUE.map((field) => field.name))
  if (Object.keys(facts).some((fact) => !known.has(fact)))
    throw new Problem(INVALID_FIELDS, {}, { fields: { facts: 'unknown' } })
  if (caseId === undefined && rule.caseCount >= MOST_CASES)
    throw new Problem(RULE_TOO_MANY_CASES, { n: MOST_CASES })
  const { rows } =
    caseId === undefined
      ? await sql<{ id: string }>`
          insert into rule_case (rule_id, name, facts, expects, updated_by_name)
          values (${ruleId}, ${name}, ${JSON.stringify(facts)}::jsonb, ${expects},
            ${tx.actor.userName}) returning id`.execute(tx.db)
      : await sql<{ id: string }>`
          update rule_case set name = ${name}, facts = ${JSON.stringify(facts)}::jsonb,
            expects = ${expects}, updated_by_name = ${tx.actor.userName},
            updated_at = clock_timestamp()
          where id = ${caseId} and rule_id = ${ruleId} returning id`.execute(tx.db)
  const [saved] = rows
  if (!saved) throw new Problem(NOT_FOUND)
  emitRule(tx, rule)
  tx.log({
    action: 'saveRuleCase',
    targetKind: 'rule',
    targetId: ruleId,
    after: { caseId: saved.id, name, facts, expects },
  })
  const { expression } = await readVersion(tx.db, ruleId, rule.latestNo)
  return { caseId: saved.id, name, facts, expects, outcome: outcomeFor(expression, facts) }
}

/** @throws Problem G404 */
export async function deleteRuleCase(
  tx: CommandTx,
  { caseId }: InputOf<typeof api.deleteRuleCase>,
): Promise<null> {
  const { rows } = await sql<{ ruleId: string; name: string }>`
    delete from rule_case where id = ${caseId} returning rule_id as "ruleId", name`.execute(tx.db)
  const [gone] = rows
  if (!gone) throw new Problem(NOT_FOUND)
  emitRule(tx, await readRule(tx.db, gone.ruleId))
  tx.log({
    action: 'deleteRuleCase',
    targetKind: 'rule',
    targetId: gone.ruleId,
    before: { caseId, name: gone.name },
  })
  return null
}
