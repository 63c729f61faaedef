import fc from 'fast-check'
import { Check } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { EDGE_CATALOGUE, OPERATOR_EDGES } from '#tests/support/condition-edges.ts'
import { anyFacts, SAMPLE_CATALOGUE, soundCondition } from '#tests/support/conditions.ts'
import { OPERATORS } from './catalogue.ts'
import { conditionFaults } from './condition-faults.ts'
import {
  type Condition,
  ConditionSchema,
  conditionText,
  isGroup,
  readCondition,
} from './condition.ts'
import { evaluateCondition, type Evaluation, type Truth } from './evaluate-condition.ts'

const truthOf = (condition: Condition, facts: Record<string, unknown>): Truth =>
  evaluateCondition(condition, facts, SAMPLE_CATALOGUE).truth
const adult: Condition = { field: 'age', operator: 'atLeast', value: 21 }
const inPune: Condition = { field: 'city', operator: 'is', value: 'Pune' }

test('a condition saved and read again is the same', () => {
  fc.assert(
    fc.property(soundCondition, (condition) => {
      const read = readCondition(JSON.parse(JSON.stringify(condition))) as Condition
      expect(read).toEqual(condition)
      expect(conditionText(read)).toBe(conditionText(condition))
      expect(Check(ConditionSchema(), read)).toBe(true)
      expect(conditionFaults(read, SAMPLE_CATALOGUE)).toEqual([])
    }),
  )
})

test('the text of a condition does not depend on the order of its keys', () => {
  const turned = JSON.parse('{"value":21,"operator":"atLeast","field":"age"}') as Condition
  expect(conditionText(turned)).toBe(conditionText(adult))
})

test('text that is not a condition is rejected', () => {
  const other = [
    null,
    1,
    'x',
    {},
    { kind: 'none', of: [] },
    { kind: 'all', of: [1] },
    { field: 'age' },
  ]
  expect(other.map(readCondition)).toEqual(other.map(() => null))
  expect(readCondition({ ...adult, value: { more: 1 } })).toBeNull()
})

test('ten thousand random conditions evaluate as a plain interpreter says', () => {
  // one matcher at the end: ten thousand of them cost more than the conditions
  const differs: unknown[] = []
  const seed = Number(process.env.TEST_SEED ?? 21)
  const facts = fc.sample(anyFacts, { numRuns: 250, seed })
  for (const [n, condition] of fc.sample(soundCondition, { numRuns: 10_000, seed }).entries()) {
    const given = facts[n % facts.length] as Record<string, unknown>
    if (truthOf(condition, given) !== plainTruth(condition, given))
      differs.push({ seed, condition, given })
  }
  expect(differs).toEqual([])
})

test.each(
  OPERATOR_EDGES.flatMap(({ edges, ...comparison }) =>
    edges.map(([fact, truth]) => [comparison, fact, truth] as const),
  ),
)('%o of %o is %s', (comparison, fact, truth) => {
  const facts = { [comparison.field]: fact }
  expect(evaluateCondition(comparison, facts, EDGE_CATALOGUE).truth).toBe(truth)
})

test('the edges are those of every operator', () => {
  const tested = new Set(OPERATOR_EDGES.map(({ operator }) => operator))
  expect(Object.keys(OPERATORS).filter((operator) => !tested.has(operator))).toEqual([])
})

describe('a comparison without its fact is not evaluated', () => {
  const causeOf = (facts: Record<string, unknown>, condition: Condition = adult) =>
    evaluateCondition(condition, facts, SAMPLE_CATALOGUE)
  test.each([
    ['missing', {}],
    ['missing', { age: undefined }],
    ['empty', { age: null }],
    ['unreadable', { age: '30' }],
    ['unreadable', { age: Number.NaN }],
  ])('%s: %o', (cause, facts) => {
    expect(causeOf(facts)).toEqual({ path: '', truth: null, cause })
  })
  test('an unknown field or operator is faulty', () => {
    expect(causeOf({ height: 1 }, { ...adult, field: 'height' }).cause).toBe('faulty')
    expect(causeOf({ age: 1 }, { ...adult, operator: 'near' }).cause).toBe('faulty')
  })
  test('empty and not empty distinguish an empty value from a missing fact', () => {
    const empty: Condition = { field: 'age', operator: 'empty' }
    const full: Condition = { field: 'age', operator: 'notEmpty' }
    expect([truthOf(empty, { age: null }), truthOf(full, { age: null })]).toEqual([true, false])
    expect([truthOf(empty, {}), truthOf(full, {})]).toEqual([null, null])
  })
})

test('an unknown member leaves a group undecided unless another member decides it', () => {
  const all: Condition = { kind: 'all', of: [adult, inPune] }
  const any: Condition = { kind: 'any', of: [adult, inPune] }
  expect(truthOf(all, { city: 'Pune' })).toBeNull()
  expect(truthOf(all, { city: 'Goa' })).toBe(false)
  expect(truthOf(any, { city: 'Pune' })).toBe(true)
  expect(truthOf(any, { city: 'Goa' })).toBeNull()
})

test('every node has its result under its path', () => {
  const tree: Condition = { kind: 'any', of: [{ kind: 'all', of: [adult, inPune] }, adult] }
  const { of = [] } = evaluateCondition(tree, { age: 30 }, SAMPLE_CATALOGUE)
  const results: Evaluation[] = [...(of[0]?.of ?? []), ...of]
  expect(results.map(({ path, truth }) => [path, truth])).toEqual([
    ['0.0', true],
    ['0.1', null],
    ['0', null],
    ['1', true],
  ])
})

test('texts are compared without the case of A to Z', () => {
  expect(truthOf({ field: 'city', operator: 'startsWith', value: 'PU' }, { city: 'pune' })).toBe(
    true,
  )
  expect(truthOf({ field: 'city', operator: 'oneOf', value: ['GOA'] }, { city: 'Goa' })).toBe(true)
})

describe('a fault names its node', () => {
  const deep = (levels: number): Condition =>
    levels === 0 ? adult : { kind: 'all', of: [deep(levels - 1)] }
  const faults: [string, Condition, string, string][] = [
    ['an empty group', { kind: 'all', of: [adult, { kind: 'any', of: [] }] }, '1', 'emptyGroup'],
    ['no field', { kind: 'all', of: [{ field: '', operator: '' }] }, '0', 'noField'],
    ['an unknown field', { ...adult, field: 'height' }, '', 'unknownField'],
    ['an operator of another type', { ...adult, operator: 'contains' }, '', 'operator'],
    [
      'asking a field for emptiness that has none',
      { field: 'income', operator: 'empty' },
      '',
      'operator',
    ],
    ['no value', { field: 'age', operator: 'is' }, '', 'noValue'],
    ['an empty text', { ...inPune, value: '' }, '', 'noValue'],
    ['an empty list', { ...inPune, operator: 'oneOf', value: [] }, '', 'noValue'],
    ['a value of another type', { ...adult, value: 'x' }, '', 'value'],
    ['a part of a paisa', { field: 'income', operator: 'is', value: 0.5 }, '', 'value'],
    [
      'a day that does not exist',
      { field: 'joined', operator: 'is', value: '2026-02-30' },
      '',
      'value',
    ],
    ['no option', { field: 'tier', operator: 'oneOf', value: ['a', 'z'] }, '', 'option'],
    ['a range the wrong way round', { ...adult, operator: 'between', value: [9, 1] }, '', 'range'],
    ['half a range', { ...adult, operator: 'between', value: [9] }, '', 'noValue'],
    ['six levels', deep(6), '0.0.0.0.0', 'tooDeep'],
    ['many nodes', { kind: 'all', of: Array.from({ length: 60 }, () => adult) }, '', 'tooMany'],
  ]
  test.each(faults)('%s', (_name, condition, path, fault) => {
    expect(conditionFaults(condition, SAMPLE_CATALOGUE)).toEqual([{ path, fault }])
  })
  test('five levels are allowed', () => {
    expect(conditionFaults(deep(5), SAMPLE_CATALOGUE)).toEqual([])
  })
})

/** Written apart from the evaluator: a table of operators, groups by counting. */
function plainTruth(node: Condition, facts: Record<string, unknown>): Truth {
  if (isGroup(node)) {
    const members = node.of.map((child) => plainTruth(child, facts))
    const count = (truth: Truth) => members.filter((member) => member === truth).length
    if (node.kind === 'all') return count(false) > 0 ? false : count(null) > 0 ? null : true
    return count(true) > 0 ? true : count(null) > 0 ? null : false
  }
  const fact = facts[node.field]
  const { type } = SAMPLE_CATALOGUE.find(({ name }) => name === node.field) as { type: string }
  if (fact === undefined) return null
  if (node.operator === 'empty' || node.operator === 'notEmpty')
    return (fact === null) === (node.operator === 'empty')
  if (!PLAIN_TYPES[type]?.(fact)) return null
  const fold = (value: unknown) => (type === 'text' ? String(value).toLowerCase() : value) as number
  const values = (Array.isArray(node.value) ? node.value : [node.value]).map(fold)
  return PLAIN[node.operator]?.(fold(fact), values) ?? null
}

const PLAIN_TYPES: Record<string, (fact: unknown) => boolean> = {
  number: Number.isFinite,
  money: Number.isInteger,
  percent: Number.isInteger,
  day: (fact) => /^\d{4}-\d\d-\d\d$/.test(String(fact)),
  text: (fact) => typeof fact === 'string',
  yesNo: (fact) => fact === true || fact === false,
  choice: (fact) => typeof fact === 'string',
}

const PLAIN: Record<string, (fact: number, values: number[]) => boolean> = {
  is: (fact, [value]) => fact === value,
  isNot: (fact, [value]) => fact !== value,
  atLeast: (fact, [value]) => !(fact < (value as number)),
  moreThan: (fact, [value]) => fact > (value as number),
  atMost: (fact, [value]) => !(fact > (value as number)),
  lessThan: (fact, [value]) => fact < (value as number),
  between: (fact, [from, to]) => !(fact < (from as number)) && !(fact > (to as number)),
  oneOf: (fact, values) => values.some((value) => value === fact),
  noneOf: (fact, values) => values.every((value) => value !== fact),
  contains: (fact, [value]) => String(fact).indexOf(String(value)) >= 0,
  startsWith: (fact, [value]) => String(fact).indexOf(String(value)) === 0,
}
