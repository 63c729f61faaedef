/** What conditions may ask about: fields with their type, and the operators of each type. */

export const FIELD_TYPES = ['number', 'money', 'percent', 'day', 'text', 'yesNo', 'choice'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export interface FieldOption {
  value: string
  /** i18n key with its namespace, or a name that is data; without both the value is shown. */
  text?: string
  name?: string
}

export interface ConditionField {
  name: string
  /**
   * Facts are numbers, whole paise, basis points, IST days `YYYY-MM-DD`, texts, true or false, and
   * values of `options`.
   */
  type: FieldType
  /** i18n keys with their namespace: its label, and its exact definition. */
  text: string
  meaning: string
  /** i18n key of what a number counts: days, years, loans. */
  unit?: string
  options?: readonly FieldOption[]
  /** Some have no value, which a condition may ask for. */
  mayBeEmpty?: boolean
}

export type Catalogue = readonly ConditionField[]

/** What is behind the operator: one value, two, several, or nothing. */
export type Operand = 'one' | 'range' | 'many' | 'none'

export const OPERATORS = {
  is: 'one',
  isNot: 'one',
  atLeast: 'one',
  moreThan: 'one',
  atMost: 'one',
  lessThan: 'one',
  between: 'range',
  oneOf: 'many',
  noneOf: 'many',
  contains: 'one',
  startsWith: 'one',
  empty: 'none',
  notEmpty: 'none',
} as const satisfies Record<string, Operand>
export type Operator = keyof typeof OPERATORS

const ORDERED = ['atLeast', 'atMost', 'moreThan', 'lessThan', 'between', 'is', 'isNot'] as const

const OF_TYPE = {
  number: ORDERED,
  money: ORDERED,
  percent: ORDERED,
  day: ORDERED,
  text: ['is', 'isNot', 'contains', 'startsWith', 'oneOf', 'noneOf'],
  yesNo: ['is'],
  choice: ['oneOf', 'noneOf', 'is', 'isNot'],
} as const satisfies Record<FieldType, readonly Operator[]>

const OF_EMPTY = ['empty', 'notEmpty'] as const

/** The operators of a field; the first is the usual one. */
export function operatorsOf(field: ConditionField): readonly Operator[] {
  const own: readonly Operator[] = OF_TYPE[field.type]
  return field.mayBeEmpty ? [...own, ...OF_EMPTY] : own
}

export function operatorOf(name: string): Operator | null {
  return Object.hasOwn(OPERATORS, name) ? (name as Operator) : null
}

export function fieldOf(catalogue: Catalogue, name: string): ConditionField | undefined {
  return catalogue.find((field) => field.name === name)
}
