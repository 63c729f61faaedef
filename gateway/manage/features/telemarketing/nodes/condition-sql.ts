/** A condition as SQL. It is null where it cannot be evaluated, like the evaluator's result. */
import { type RawBuilder, sql } from 'kysely'
import {
  type Catalogue,
  type ConditionField,
  fieldOf,
  type FieldType,
  operatorOf,
} from '#shared/conditions/catalogue.ts'
import { type Comparison, type Condition, isGroup } from '#shared/conditions/condition.ts'
import { comparable } from '#shared/conditions/condition-values.ts'

/** Trusted SQL of each field; what is null there has no value. */
export type FieldSql = Readonly<Record<string, string>>

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const TYPES: Record<FieldType, string> = {
  number: 'float8',
  money: 'bigint',
  percent: 'bigint',
  day: 'date',
  text: 'text',
  yesNo: 'boolean',
  choice: 'text',
}

/** @param condition without faults: what is wrong in it is a bug here */
export function conditionSql(
  condition: Condition,
  catalogue: Catalogue,
  columns: FieldSql,
): RawBuilder<boolean> {
  if (!isGroup(condition)) return comparisonSql(condition, catalogue, columns)
  const parts = condition.of.map((node) => conditionSql(node, catalogue, columns))
  const between = condition.kind === 'all' ? sql` and ` : sql` or `
  return sql<boolean>`(${sql.join(parts, between)})`
}

function comparisonSql(
  { field: name, operator: operatorName, value }: Comparison,
  catalogue: Catalogue,
  columns: FieldSql,
): RawBuilder<boolean> {
  const field = fieldOf(catalogue, name)
  const operator = operatorOf(operatorName)
  const column = columns[name]
  if (field === undefined || operator === null || column === undefined)
    throw new TypeError(`no SQL for ${name} ${operatorName}`)
  const type = sql.raw(TYPES[field.type])
  const have = foldedColumn(field, column)
  const values = (Array.isArray(value) ? value : [value]).map((one: number | string | boolean) =>
    comparable(field, one),
  )
  const [first, second] = values
  const one = sql`${first}::${type}`
  const many = sql`${values}::${type}[]`
  switch (operator) {
    case 'is':
      return sql<boolean>`(${have} = ${one})`
    case 'isNot':
      return sql<boolean>`(${have} <> ${one})`
    case 'atLeast':
      return sql<boolean>`(${have} >= ${one})`
    case 'moreThan':
      return sql<boolean>`(${have} > ${one})`
    case 'atMost':
      return sql<boolean>`(${have} <= ${one})`
    case 'lessThan':
      return sql<boolean>`(${have} < ${one})`
    case 'between':
      return sql<boolean>`(${have} >= ${one} and ${have} <= ${second}::${type})`
    case 'oneOf':
      return sql<boolean>`(${have} = any(${many}))`
    case 'noneOf':
      return sql<boolean>`(${have} <> all(${many}))`
    case 'contains':
      return sql<boolean>`(strpos(${have}, ${one}) > 0)`
    case 'startsWith':
      return sql<boolean>`starts_with(${have}, ${one})`
    case 'empty':
      return sql<boolean>`(${have} is null)`
    case 'notEmpty':
      return sql<boolean>`(${have} is not null)`
  }
}

/** In the type of the field; of a text A to Z in one case, as the evaluator folds it. */
function foldedColumn({ type }: ConditionField, column: string): RawBuilder<unknown> {
  const folded =
    type === 'text' ? `translate((${column}), '${UPPER}', '${UPPER.toLowerCase()}')` : `(${column})`
  return sql.raw(`${folded}::${TYPES[type]}`)
}
