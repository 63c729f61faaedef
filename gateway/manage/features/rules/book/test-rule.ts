/** Evaluates a version on one application, node by node. */
import type { Static } from 'typebox'
import type { Condition } from '#shared/conditions/condition.ts'
import { type Evaluation, evaluateCondition } from '#shared/conditions/evaluate-condition.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { testRule as testCall, Trace } from '#shared/rules/rule-api.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import type { MachineRoute } from '#shared/rules/trial-sets.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { currentRuleSet, type Verdict, withLimit } from '../rule-set.ts'
import { readRow, readVersion } from '../versions/version-store.ts'
import { outcomeOf, RULE } from './rule-kind.ts'

/** Reads what is known of an application; the feature that judges brings it. */
export interface RuleFacts {
  /** @returns null when there is no such order, or its customer has none */
  factsOf(
    context: AppContext,
    target: { orderId: string } | { userId: string },
  ): Promise<{ orderId: string; facts: Facts } | null>
  /** Where an application with these facts and this limit goes when the rules say so. */
  routeOf(verdict: Verdict, facts: Record<string, unknown>, limit: number): MachineRoute
}
type Facts = DataOf<typeof testCall>['facts']

declare module '#gateway/manage/kernel/feature.ts' {
  interface Hooks {
    ruleFacts: RuleFacts
  }
}

/** @throws Problem G404, G-FIELD when neither facts nor their owner are given */
export async function testRule(
  context: AppContext,
  sources: readonly RuleFacts[],
  { ruleId, versionNo, orderId, userId, sample }: InputOf<typeof testCall>,
): Promise<DataOf<typeof testCall>> {
  const db = context.database.kysely
  const { latestNo } = await readRow(db, RULE, ruleId)
  const version = await readVersion(db, RULE, ruleId, versionNo ?? latestNo)
  const found =
    sample === undefined
      ? await applicationOf(context, sources, orderId, userId)
      : { orderId: null, facts: sample }
  const evaluation = evaluateCondition(version.expression, found.facts, RULE_CATALOGUE)
  return {
    versionNo: version.versionNo,
    orderId: found.orderId,
    outcome: outcomeOf(evaluation.truth),
    output: evaluation.truth === true ? version.output : null,
    facts: onlyRead(found.facts, version.expression),
    expression: version.expression,
    trace: traceOf(evaluation),
  }
}

async function applicationOf(
  context: AppContext,
  [source]: readonly RuleFacts[],
  orderId: string | undefined,
  userId: string | undefined,
): Promise<{ orderId: string | null; facts: Facts }> {
  const target = orderId !== undefined ? { orderId } : userId !== undefined ? { userId } : null
  if (target === null) throw new Problem(INVALID_FIELDS, {}, { fields: { orderId: 'required' } })
  const found = await source?.factsOf(context, target)
  if (!source || !found) throw new Problem(NOT_FOUND)
  const ruleSet = await currentRuleSet(context.database.kysely)
  const { limit } = await ruleSet.judge(found.facts, null)
  return { orderId: found.orderId, facts: withLimit(found.facts, limit) as Facts }
}

/** The values that the condition asks for: no other is shown. */
function onlyRead(facts: Facts, expression: Condition): Facts {
  const names = namesIn(expression)
  return Object.fromEntries(Object.entries(facts).filter(([name]) => names.has(name)))
}

function namesIn(node: Condition): Set<string> {
  return 'of' in node ? new Set(node.of.flatMap((one) => [...namesIn(one)])) : new Set([node.field])
}

/** Each node by its path, the parents first. */
export function traceOf({ path, truth, cause, of = [] }: Evaluation): Static<typeof Trace> {
  return [{ path, truth, cause: cause ?? null }, ...of.flatMap(traceOf)]
}
