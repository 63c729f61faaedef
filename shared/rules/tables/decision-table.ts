/**
 * A decision table: the first row whose conditions all hold gives its outputs (hit policy first). A
 * cell without a condition holds for every application; an output without a value stays as it was.
 */
import Type from 'typebox'
import { type Catalogue, type ConditionField, fieldOf } from '#shared/conditions/catalogue.ts'
import { type Comparison, MOST_VALUES } from '#shared/conditions/condition.ts'
import { Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { RULE_CATALOGUE } from '../rule-fields.ts'

/** What a column gives. Money in paise, percentages in basis points. */
export const OUTPUT_NAMES = [
  'limit',
  'limitOfIncome',
  'limitChange',
  'serviceRate',
  'dailyRate',
  'priority',
] as const
export type OutputName = (typeof OUTPUT_NAMES)[number]

/** The highest value of each; none is below 0. */
export const TABLE_OUTPUTS = {
  limit: { type: 'money', most: 1_000_000_000 },
  limitOfIncome: { type: 'percent', most: 100_000 },
  limitChange: { type: 'percent', most: 100_000 },
  serviceRate: { type: 'percent', most: 10_000 },
  dailyRate: { type: 'percent', most: 1_000 },
  priority: { type: 'number', most: 100 },
} as const satisfies Record<OutputName, { type: 'money' | 'percent' | 'number'; most: number }>

/** Outputs from which a limit follows; one table in force must have one of the first two. */
export const GIVES_LIMIT: readonly OutputName[] = ['limit', 'limitOfIncome']

/** Days and texts have no cells: nothing an application brings is one. */
export const TABLE_CATALOGUE: Catalogue = RULE_CATALOGUE.filter(
  ({ type }) => type !== 'day' && type !== 'text',
)

export type Cell = Omit<Comparison, 'field'>
export interface TableRow {
  /** One for each input; null: any value. */
  when: readonly (Cell | null)[]
  /** One for each output; null: stays as it was. */
  gives: readonly (number | null)[]
}
export interface DecisionTable {
  inputs: readonly string[]
  outputs: readonly OutputName[]
  rows: readonly TableRow[]
}

export const MOST_ROWS = 200
export const MOST_INPUTS = 10

const strict = { additionalProperties: false }
const one = Type.Union([Type.Number(), Type.String({ maxLength: 60 })])
const CellSchema = Type.Object(
  {
    operator: Type.String({ maxLength: 20 }),
    value: Type.Optional(
      Type.Union([one, Type.Boolean(), Type.Array(one, { maxItems: MOST_VALUES })]),
    ),
  },
  strict,
)

/** The form of a table, for contracts; `tableFaults` checks its content. */
export const TableSchema = () =>
  Type.Unsafe<DecisionTable>(
    Type.Object(
      {
        inputs: Type.Array(Type.String({ maxLength: 60 }), { maxItems: MOST_INPUTS }),
        outputs: Type.Array(OneOf(OUTPUT_NAMES), { maxItems: OUTPUT_NAMES.length }),
        rows: Type.Array(
          Type.Object(
            {
              when: Type.Array(Nullable(CellSchema), { maxItems: MOST_INPUTS }),
              gives: Type.Array(Nullable(Type.Number()), { maxItems: OUTPUT_NAMES.length }),
            },
            strict,
          ),
          { maxItems: MOST_ROWS },
        ),
      },
      strict,
    ),
  )

/** The table as a text that is equal for equal tables, whatever the order of their keys. */
export function tableText({ inputs, outputs, rows }: DecisionTable): string {
  const cell = (given: Cell | null) =>
    given && {
      operator: given.operator,
      ...(given.value === undefined ? {} : { value: given.value }),
    }
  return JSON.stringify([inputs, outputs, rows.map((row) => [row.when.map(cell), row.gives])])
}

export function inputField(name: string): ConditionField | undefined {
  return fieldOf(TABLE_CATALOGUE, name)
}
