/** Conditions as graphs of the engine: read back the same, and judged the same. */
import { ZenEngine } from '@gorules/zen-engine'
import { expect, test } from 'vitest'
import { operatorsOf, OPERATORS } from '#shared/conditions/catalogue.ts'
import { type Condition, conditionText } from '#shared/conditions/condition.ts'
import { conditionFaults } from '#shared/conditions/condition-faults.ts'
import { type Evaluation, evaluateCondition } from '#shared/conditions/evaluate-condition.ts'
import { EDGE_CATALOGUE, OPERATOR_EDGES } from '#tests/support/condition-edges.ts'
import { SEED } from '#tests/support/seed.ts'
import { engineFacts, fromGraph, keyOf, toGraph } from './rule-graph.ts'

const CATALOGUE = EDGE_CATALOGUE
const TEXTS = [
  'Pune',
  'PUNE',
  'pune',
  "D'Souza",
  'the "old" town',
  '',
  'É',
  'a, ["b"][1]',
  '$.n0',
  '中',
]
const DAYS = ['2026-01-01', '2026-02-28', '2026-03-01', '2024-02-29']
const NUMBERS = [0, 1, -1, 0.1, 0.30000000000000004, 1e-7, -2.5, 123456789012, 99.99]
const WHOLE = [0, 1, -5, 1_199_999, 1_200_000, 9_007_199_254_740]
const OF: Record<string, readonly unknown[]> = {
  number: NUMBERS,
  money: WHOLE,
  percent: WHOLE,
  day: DAYS,
  text: TEXTS,
  yesNo: [true, false],
  choice: ['new', 'old'],
}

/** mulberry32 */
function random(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

function generators(next: () => number) {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T
  function comparison(): Condition {
    const asked = pick(CATALOGUE)
    const operator = pick(operatorsOf(asked))
    const operand = OPERATORS[operator]
    const usual = (OF[asked.type] as readonly (number | string)[]).filter((v) => v !== '')
    if (operand === 'none') return { field: asked.name, operator }
    if (operand === 'one') return { field: asked.name, operator, value: pick(usual) }
    if (operand === 'many')
      return { field: asked.name, operator, value: [pick(usual), pick(usual), pick(usual)] }
    const [from, to] = [pick(usual), pick(usual)]
    return { field: asked.name, operator, value: from > to ? [to, from] : [from, to] }
  }
  function tree(levels: number): Condition {
    if (levels === 0 || next() < 0.35) return comparison()
    const of = Array.from({ length: 1 + Math.floor(next() * 3) }, () => tree(levels - 1))
    return { kind: pick(['all', 'any'] as const), of }
  }
  /** Missing, empty, unreadable, or a value. */
  function facts(): Record<string, unknown> {
    const all: Record<string, unknown> = {}
    for (const { name, type } of CATALOGUE) {
      const chance = next()
      if (chance < 0.12) continue
      if (chance < 0.24) all[name] = null
      else if (chance < 0.32) all[name] = pick([{}, [], 'x', Number.NaN, 7.5, true, '2026-02-30'])
      else all[name] = pick(OF[type] as readonly unknown[])
    }
    return all
  }
  return { tree, facts }
}

test(`a condition that is stored and read again is the same (seed ${SEED})`, () => {
  const { tree } = generators(random(SEED))
  for (let i = 0; i < 600; i += 1) {
    const condition = tree(4)
    expect(
      conditionFaults(condition, CATALOGUE).filter(({ fault }) => fault !== 'tooMany'),
    ).toEqual([])
    const graph = JSON.parse(JSON.stringify(toGraph(condition, CATALOGUE)))
    const again = fromGraph(graph, CATALOGUE)
    expect(again && conditionText(again)).toBe(conditionText(condition))
  }
})

test(`the engine judges every node as the console does (seed ${SEED})`, async () => {
  const { tree, facts } = generators(random(SEED + 1))
  const engine = new ZenEngine()
  for (let i = 0; i < 400; i += 1) {
    const condition = tree(4)
    const decision = engine.createDecision(
      Buffer.from(JSON.stringify(toGraph(condition, CATALOGUE))),
    )
    for (let k = 0; k < 3; k += 1) {
      const given = facts()
      const { result } = await decision.evaluate(engineFacts(given, CATALOGUE))
      // the engine leaves out what is null
      const expected: Record<string, boolean> = {}
      collect(evaluateCondition(condition, given, CATALOGUE), expected)
      expect({ condition, given, result }).toEqual({ condition, given, result: expected })
    }
  }
})

test('the engine says of every operator at its edges what the console says', async () => {
  const engine = new ZenEngine()
  for (const { edges, ...comparison } of OPERATOR_EDGES) {
    const decision = engine.createDecision(
      Buffer.from(JSON.stringify(toGraph(comparison, CATALOGUE))),
    )
    for (const [fact, truth] of edges) {
      const given = { [comparison.field]: fact }
      const { result } = await decision.evaluate(engineFacts(given, CATALOGUE))
      const answer = (result as Record<string, boolean | undefined>)[keyOf('')] ?? null
      expect({ comparison, fact, answer }).toEqual({ comparison, fact, answer: truth })
    }
  }
})

function collect({ path, truth, of = [] }: Evaluation, into: Record<string, boolean>): void {
  if (truth !== null) into[keyOf(path)] = truth
  for (const one of of) collect(one, into)
}

test('a graph that expresses something else is not read as a condition', () => {
  const graph = toGraph({ field: 'score', operator: 'is', value: 1 }, CATALOGUE)
  const [, node] = graph.nodes as { content: { expressions: { value: string }[] } }[]
  const row = node?.content.expressions[0] as { value: string }
  for (const value of ['score == null ? null : score == 1 or true', 'score == 1', 'true', '']) {
    row.value = value
    expect(fromGraph(graph, CATALOGUE)).toBeNull()
  }
})
