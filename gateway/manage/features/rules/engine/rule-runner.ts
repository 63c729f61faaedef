/** Rules as one decision of the engine. */
import {
  type Evaluation,
  evaluateCondition,
  type Facts,
  type UnknownCause,
} from '#shared/conditions/evaluate-condition.ts'
import type { Condition } from '#shared/conditions/condition.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import { engineFacts, expressionNode, fromGraph, ROOT, rowsOf } from './rule-graph.ts'
import { RuleSetInvalid } from './rule-set-invalid.ts'
import type { JudgingRule, RuleResult } from './rules-in-force.ts'

/** Said of each rule by itself, whatever its group does. */
export type RuleOutcomes = ReadonlyMap<JudgingRule, SingleOutcome>
interface SingleOutcome {
  truth: boolean | null
  cause: UnknownCause | null
}

export interface RuleRunner {
  run(facts: Facts): Promise<RuleOutcomes>
}

/** In the order of the rules; a serial one is skipped after a hit in its group. */
export function resultsOf(rules: readonly JudgingRule[], outcomes: RuleOutcomes): RuleResult[] {
  const ended = new Set<string>()
  return rules.map((rule): RuleResult => {
    const { ruleId, versionNo, groupId, isSerial } = rule
    if (isSerial && ended.has(groupId)) return { ruleId, versionNo, truth: 'skipped', cause: null }
    const { truth, cause } = outcomes.get(rule) ?? { truth: null, cause: 'faulty' as const }
    if (truth === true) ended.add(groupId)
    return { ruleId, versionNo, truth, cause }
  })
}

/**
 * All rules as one decision of the engine.
 * @throws RuleSetInvalid naming the rule whose graph is not a condition
 */
export async function ruleRunner(rules: readonly JudgingRule[]): Promise<RuleRunner> {
  // loaded on first use, so that start-up and installations with their own engine do not need it
  const { ZenEngine } = await import('@gorules/zen-engine')
  const conditions = rules.map(conditionOf)
  const decision = new ZenEngine().createDecision(Buffer.from(JSON.stringify(oneGraph(rules))))
  return {
    async run(facts) {
      const { result } = (await decision.evaluate(engineFacts(facts, RULE_CATALOGUE))) as {
        result: Record<string, Record<string, unknown> | undefined>
      }
      return new Map(
        rules.map((rule, place): [JudgingRule, SingleOutcome] => {
          // the engine leaves out what is null
          const answer = result[pathOf(place)]?.[ROOT]
          if (typeof answer === 'boolean') return [rule, { truth: answer, cause: null }]
          const open = evaluateCondition(conditions[place] as Condition, facts, RULE_CATALOGUE)
          return [rule, { truth: null, cause: causeOf(open) }]
        }),
      )
    },
  }
}

/**
 * Why the outcome is unknown: the worst cause of its comparisons. `empty` is known and orders nothing;
 * any other means that the rule could not do its work.
 */
export function causeOf(evaluation: Evaluation): UnknownCause | null {
  const causes = causesIn(evaluation)
  return (
    (['faulty', 'unreadable', 'missing', 'empty'] as const).find((one) => causes.has(one)) ?? null
  )
}

function causesIn({ cause, of = [] }: Evaluation): Set<UnknownCause> {
  return new Set([...(cause ? [cause] : []), ...of.flatMap((one) => [...causesIn(one)])])
}

export function conditionOf({
  ruleId,
  versionNo,
  graph,
}: Pick<JudgingRule, 'ruleId' | 'versionNo' | 'graph'>): Condition {
  const condition = fromGraph(graph, RULE_CATALOGUE)
  if (condition === null)
    throw new RuleSetInvalid(`rule ${ruleId}, version ${versionNo}: its graph is not a condition`)
  return condition
}

const pathOf = (place: number) => `r${place}`

function oneGraph(rules: readonly JudgingRule[]): object {
  const nodes = rules.map(({ ruleId, graph }, place) =>
    expressionNode(`rule${place}`, ruleId, rowsOf(graph) ?? [], pathOf(place)),
  )
  return {
    nodes: [
      { id: 'input', name: 'in', type: 'inputNode' },
      ...nodes,
      { id: 'output', name: 'out', type: 'outputNode' },
    ],
    edges: nodes.flatMap(({ id }) => [
      { id: `i-${id}`, type: 'edge', sourceId: 'input', targetId: id },
      { id: `o-${id}`, type: 'edge', sourceId: id, targetId: 'output' },
    ]),
  }
}
