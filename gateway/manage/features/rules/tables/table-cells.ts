/** Cells of a table in the expression language of zen-engine, and read back from it. */
import type { ConditionField } from '#shared/conditions/catalogue.ts'
import type { Cell } from '#shared/rules/tables/decision-table.ts'
import { literal, readValue } from '../engine/rule-literals.ts'

const SIGNS = { atLeast: '>=', moreThan: '>', atMost: '<=', lessThan: '<' } as const
/** What excludes values also excludes the empty one. */
const KNOWN = '$ != null and '

export function cellExpression(field: ConditionField, cell: Cell | null): string {
  if (cell === null) return ''
  const { operator, value } = cell
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  const values = given.map((one) => (value === undefined ? '' : literal(field, one)))
  switch (operator) {
    case 'is':
      return String(values[0])
    case 'isNot':
      return `${KNOWN}$ != ${values[0]}`
    case 'atLeast':
    case 'moreThan':
    case 'atMost':
    case 'lessThan':
      return `${SIGNS[operator]} ${values[0]}`
    case 'between':
      return `[${values[0]}..${values[1]}]`
    case 'oneOf':
      // one value alone would read as `is`
      return values.length === 1 ? `$ in [${values[0]}]` : values.join(', ')
    case 'noneOf':
      return `${KNOWN}not($ in [${values.join(', ')}])`
    case 'empty':
      return 'null'
    case 'notEmpty':
      return '$ != null'
    default:
      throw new TypeError(`${operator} is no operator of a cell`)
  }
}

/** Null: any value; undefined: it cannot be read. The field's type is checked by `tableFaults`. */
export function readCell(given: string): Cell | null | undefined {
  const text = given.trim()
  if (text === '' || text === '-') return null
  if (text === 'null') return { operator: 'empty' }
  if (text === '$ != null') return { operator: 'notEmpty' }
  const known = text.startsWith(KNOWN) ? text.slice(KNOWN.length) : text
  const none = /^not\(\$ in \[(.*)\]\)$/.exec(known)?.[1]
  if (none !== undefined) return many('noneOf', none)
  const some = /^\$ in \[(.*)\]$/.exec(known)?.[1]
  if (some !== undefined) return many('oneOf', some)
  const range = /^\[(.+)\.\.(.+)\]$/.exec(text)
  if (range) {
    const [from, to] = [whole(range[1] as string), whole(range[2] as string)]
    return typeof from === 'number' && typeof to === 'number'
      ? { operator: 'between', value: [from, to] }
      : undefined
  }
  const not = /^(?:\$ )?!= *(.+)$/.exec(known)?.[1]
  if (not !== undefined) return single('isNot', not)
  for (const [operator, sign] of Object.entries(SIGNS)) {
    const after = text.startsWith(sign) ? text.slice(sign.length).trim() : null
    if (after !== null && !after.startsWith('=')) return single(operator, after)
  }
  return valuesIn(text).length > 1 ? many('oneOf', text) : single('is', text)
}

/** Null: no value; undefined: it is not a plain number. */
export function readOutput(text: string): number | null | undefined {
  const plain = text.trim()
  if (plain === '') return null
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined
}

type Value = number | string | boolean

/** The values of a list; none when a part of it cannot be read. */
function valuesIn(text: string): Value[] {
  const values: Value[] = []
  for (let rest = text; ; rest = rest.slice(1)) {
    const read = readValue(rest.trimStart())
    if (read === null) return []
    values.push(read.value)
    rest = read.rest.trimStart()
    if (rest === '') return values
    if (!rest.startsWith(',')) return []
  }
}

function whole(text: string): Value | undefined {
  const values = valuesIn(text)
  return values.length === 1 ? values[0] : undefined
}

function single(operator: string, text: string): Cell | undefined {
  const value = whole(text)
  return value === undefined ? undefined : { operator, value }
}

function many(operator: string, text: string): Cell | undefined {
  const values = valuesIn(text)
  // true and false have no list
  return values.length === 0 ? undefined : { operator, value: values as (number | string)[] }
}
