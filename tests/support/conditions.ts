/** Random conditions and facts over a catalogue with a field of every type. */
import fc from 'fast-check'
import {
  type Catalogue,
  type ConditionField,
  type Operator,
  OPERATORS,
  operatorsOf,
} from '#shared/conditions/catalogue.ts'
import type { Comparison, Condition, ConditionValue } from '#shared/conditions/condition.ts'

const named = (name: string) => ({ name, text: `t:${name}`, meaning: `m:${name}` })

export const SAMPLE_CATALOGUE: Catalogue = [
  { ...named('age'), type: 'number', unit: 'u:years', mayBeEmpty: true },
  { ...named('income'), type: 'money' },
  { ...named('share'), type: 'percent', mayBeEmpty: true },
  { ...named('joined'), type: 'day' },
  { ...named('city'), type: 'text', mayBeEmpty: true },
  { ...named('certified'), type: 'yesNo' },
  { ...named('tier'), type: 'choice', options: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] },
]

/** Few values of each type, so that comparisons meet. */
const FEW: Record<ConditionField['type'], readonly (number | string | boolean)[]> = {
  number: [-1, 0, 0.5, 21, 60],
  money: [0, 100, 5_000_000],
  percent: [0, 7, 10_000],
  day: ['2026-01-01', '2026-11-25', '2028-02-29'],
  text: ['Pune', 'PUNE', 'Pu', 'Ünë', '100%', 'a_b'],
  yesNo: [true, false],
  choice: ['a', 'b', 'c'],
}

const oneOf = (field: ConditionField) => fc.constantFrom(...FEW[field.type])

function valueOf(
  field: ConditionField,
  operator: Operator,
): fc.Arbitrary<ConditionValue | undefined> {
  const one = oneOf(field)
  const many = one as fc.Arbitrary<number | string>
  switch (OPERATORS[operator]) {
    case 'none':
      return fc.constant(undefined)
    case 'one':
      return one
    case 'many':
      return fc.uniqueArray(many, { minLength: 1, maxLength: 3 })
    case 'range':
      return fc.tuple(many, many).map(([a, b]) => (a <= b ? [a, b] : [b, a]))
  }
}

const comparison: fc.Arbitrary<Comparison> = fc.constantFrom(...SAMPLE_CATALOGUE).chain((field) =>
  fc.constantFrom(...operatorsOf(field)).chain((operator) =>
    valueOf(field, operator).map((value) => ({
      field: field.name,
      operator,
      ...(value === undefined ? {} : { value }),
    })),
  ),
)

/** Without faults: at most four levels, one to three members in a group. */
export const soundCondition: fc.Arbitrary<Condition> = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    comparison,
    fc.record({
      kind: fc.constantFrom('all' as const, 'any' as const),
      of: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
    }),
  ),
})).node

const factOf = (field: ConditionField): fc.Arbitrary<unknown> =>
  field.mayBeEmpty ? fc.option(oneOf(field)) : oneOf(field)

/** Of their type; empty only where the catalogue says so. */
export const soundFacts: fc.Arbitrary<Record<string, unknown>> = fc.record(
  Object.fromEntries(SAMPLE_CATALOGUE.map((field) => [field.name, factOf(field)])),
)

/** Some missing, some empty, some of another type. */
export const anyFacts: fc.Arbitrary<Record<string, unknown>> = fc.record(
  Object.fromEntries(
    SAMPLE_CATALOGUE.map((field) => [
      field.name,
      fc.oneof(
        oneOf(field),
        fc.constant(null),
        fc.constant(undefined),
        fc.constantFrom({}, [], 'x', 1.5, true, Number.NaN),
      ),
    ]),
  ),
)
