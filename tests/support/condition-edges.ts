/**
 * Every operator at its edges, over a catalogue with a field of every type: the fact and what must be
 * said, where undefined is a fact that is missing and null one that is known to be empty.
 */
import type { Catalogue } from '#shared/conditions/catalogue.ts'
import type { ConditionValue } from '#shared/conditions/condition.ts'
import type { Truth } from '#shared/conditions/evaluate-condition.ts'
import { istDay } from '#shared/kernel/time.ts'

const field = (name: string) => ({ name, text: name, meaning: name, mayBeEmpty: true })

export const EDGE_CATALOGUE: Catalogue = [
  { ...field('score'), type: 'number' },
  { ...field('income'), type: 'money' },
  { ...field('rate'), type: 'percent' },
  { ...field('since'), type: 'day' },
  { ...field('city'), type: 'text' },
  { ...field('bound'), type: 'yesNo' },
  { ...field('kind'), type: 'choice', options: [{ value: 'new' }, { value: 'old' }] },
]

type Edge = readonly [fact: unknown, truth: Truth]
interface EdgesOf {
  field: string
  operator: string
  value?: ConditionValue
  edges: readonly Edge[]
}

/** A day of India begins at half past six in the evening, UTC. */
const BEFORE_MIDNIGHT = istDay('2026-03-01T18:29:59.999Z')
const MIDNIGHT = istDay('2026-03-01T18:30:00.000Z')
const SUM = 0.1 + 0.2
const LARGEST = 9_007_199_254_740

/** The same for each operator that compares: nothing is known of what is missing or unreadable. */
const OPEN: readonly Edge[] = [
  [undefined, null],
  [null, null],
  [Number.NaN, null],
  [{}, null],
]

export const OPERATOR_EDGES: readonly EdgesOf[] = [
  {
    field: 'score',
    operator: 'is',
    value: 0.3,
    edges: [[0.3, true], [SUM, false], [0, false], ...OPEN],
  },
  {
    field: 'score',
    operator: 'isNot',
    value: 0,
    edges: [[0, false], [-0, false], [1e-7, true], ...OPEN],
  },
  {
    field: 'score',
    operator: 'atLeast',
    value: 0.3,
    edges: [[0.3, true], [SUM, true], [0.29, false], ...OPEN],
  },
  { field: 'score', operator: 'moreThan', value: 0.3, edges: [[0.3, false], [SUM, true], ...OPEN] },
  {
    field: 'score',
    operator: 'atMost',
    value: -2.5,
    edges: [[-2.5, true], [-2.4999, false], ...OPEN],
  },
  { field: 'score', operator: 'lessThan', value: 0, edges: [[0, false], [-1e-7, true], ...OPEN] },
  {
    field: 'score',
    operator: 'between',
    value: [0.5, 1],
    edges: [[0.5, true], [1, true], [0.4999, false], [1.0001, false], ...OPEN],
  },
  {
    field: 'score',
    operator: 'oneOf',
    value: [0, 99.99],
    edges: [[99.99, true], [99.9, false], ...OPEN],
  },
  {
    field: 'score',
    operator: 'noneOf',
    value: [0, 99.99],
    edges: [[99.99, false], [1, true], ...OPEN],
  },
  {
    field: 'score',
    operator: 'empty',
    edges: [
      [null, true],
      [0, false],
      [undefined, null],
    ],
  },
  {
    field: 'score',
    operator: 'notEmpty',
    edges: [
      [null, false],
      [0, true],
      [undefined, null],
    ],
  },
  // paise: a part of one is no amount
  {
    field: 'income',
    operator: 'atLeast',
    value: 1_200_000,
    edges: [[1_200_000, true], [1_199_999, false], [0.5, null], ...OPEN],
  },
  {
    field: 'income',
    operator: 'is',
    value: LARGEST,
    edges: [
      [LARGEST, true],
      [LARGEST - 1, false],
    ],
  },
  {
    field: 'rate',
    operator: 'lessThan',
    value: 1,
    edges: [
      [0, true],
      [1, false],
      [0.5, null],
    ],
  },
  {
    field: 'since',
    operator: 'is',
    value: MIDNIGHT,
    edges: [
      [MIDNIGHT, true],
      [BEFORE_MIDNIGHT, false],
      ['2026-02-30', null],
      ['2026-3-2', null],
      ...OPEN,
    ],
  },
  {
    field: 'since',
    operator: 'isNot',
    value: MIDNIGHT,
    edges: [
      [MIDNIGHT, false],
      [BEFORE_MIDNIGHT, true],
    ],
  },
  {
    field: 'since',
    operator: 'atLeast',
    value: MIDNIGHT,
    edges: [
      [MIDNIGHT, true],
      [BEFORE_MIDNIGHT, false],
    ],
  },
  {
    field: 'since',
    operator: 'moreThan',
    value: BEFORE_MIDNIGHT,
    edges: [
      [MIDNIGHT, true],
      [BEFORE_MIDNIGHT, false],
    ],
  },
  {
    field: 'since',
    operator: 'atMost',
    value: BEFORE_MIDNIGHT,
    edges: [
      [MIDNIGHT, false],
      [BEFORE_MIDNIGHT, true],
    ],
  },
  {
    field: 'since',
    operator: 'lessThan',
    value: MIDNIGHT,
    edges: [
      [MIDNIGHT, false],
      [BEFORE_MIDNIGHT, true],
    ],
  },
  {
    field: 'since',
    operator: 'between',
    value: ['2024-02-29', BEFORE_MIDNIGHT],
    edges: [
      ['2024-02-29', true],
      ['2024-02-28', false],
      [BEFORE_MIDNIGHT, true],
      [MIDNIGHT, false],
    ],
  },
  {
    field: 'city',
    operator: 'is',
    value: 'Pune',
    edges: [['PUNE', true], ['Pune ', false], ['', false], ...OPEN],
  },
  {
    field: 'city',
    operator: 'isNot',
    value: 'Pune',
    edges: [['pune', false], ['', true], ...OPEN],
  },
  {
    field: 'city',
    operator: 'contains',
    value: "D'S",
    edges: [["d'souza", true], ['souza', false], ...OPEN],
  },
  {
    field: 'city',
    operator: 'startsWith',
    value: 'Pu',
    edges: [['PUNE', true], ['une', false], ['', false], ...OPEN],
  },
  {
    field: 'city',
    operator: 'oneOf',
    value: ['Goa', '中'],
    edges: [['GOA', true], ['中', true], ['', false], ...OPEN],
  },
  {
    field: 'city',
    operator: 'noneOf',
    value: ['Goa'],
    edges: [['goa', false], ['', true], ...OPEN],
  },
  {
    field: 'city',
    operator: 'empty',
    edges: [
      [null, true],
      ['', false],
      [undefined, null],
    ],
  },
  {
    field: 'bound',
    operator: 'is',
    value: false,
    edges: [
      [false, true],
      [true, false],
      [0, null],
      ['false', null],
    ],
  },
  {
    field: 'kind',
    operator: 'is',
    value: 'new',
    edges: [
      ['new', true],
      ['old', false],
      [1, null],
    ],
  },
  {
    field: 'kind',
    operator: 'noneOf',
    value: ['new'],
    edges: [
      ['new', false],
      ['old', true],
      [null, null],
    ],
  },
]
