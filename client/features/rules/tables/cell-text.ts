/**
 * Cells as people type them and as spreadsheets paste them: `≥ 3`, `3 – 5`, `new; old`, `≠ 3`. Signs
 * are read in the ways a keyboard has them, words in the language of the page. Pure.
 */
import type { ConditionField } from '#shared/conditions/catalogue.ts'
import { formatPaise, parseRupees } from '#shared/kernel/money.ts'
import { type Cell, type OutputName, TABLE_OUTPUTS } from '#shared/rules/tables/decision-table.ts'

export interface CellWords {
  yes: string
  no: string
  /** There is no value. */
  empty: string
  /** Of a choice, by its value. */
  options: Readonly<Record<string, string>>
}

const SIGNS = { atLeast: '≥', moreThan: '>', atMost: '≤', lessThan: '<' } as const
/** The longest first: `>` begins `>=`. */
const TYPED = [
  ['>=', 'atLeast'],
  ['=>', 'atLeast'],
  ['≥', 'atLeast'],
  ['<=', 'atMost'],
  ['=<', 'atMost'],
  ['≤', 'atMost'],
  ['<>', 'isNot'],
  ['!=', 'isNot'],
  ['≠', 'isNot'],
  ['>', 'moreThan'],
  ['<', 'lessThan'],
  ['=', 'is'],
] as const
const RANGE = /^(.+?)(?:\s*(?:\.\.+|…|–|—)\s*|\s+-\s+|(?<=\d)-(?=\d))(.+)$/

type Value = number | string | boolean

export function cellText(field: ConditionField, cell: Cell | null, words: CellWords): string {
  if (cell === null) return ''
  const { operator, value } = cell
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  const values = given.map((one) => valueText(field, one, words))
  switch (operator) {
    case 'is':
      return values.join('')
    case 'isNot':
    case 'noneOf':
      return `≠ ${values.join('; ')}`
    case 'oneOf':
      return values.join('; ')
    case 'between':
      return values.join(' – ')
    case 'empty':
      return words.empty
    case 'notEmpty':
      return `≠ ${words.empty}`
    default:
      return operator in SIGNS
        ? `${SIGNS[operator as keyof typeof SIGNS]} ${values[0]}`
        : values.join('; ')
  }
}

/** Null: any value; undefined: it cannot be read. */
export function readCellText(
  field: ConditionField,
  given: string,
  words: CellWords,
): Cell | null | undefined {
  const text = given.normalize('NFKC').replaceAll(/\s+/g, ' ').trim()
  if (text === '' || text === '-' || text === '*') return null
  const sign = TYPED.find(([typed]) => text.startsWith(typed))
  const rest = sign ? text.slice(sign[0].length).trim() : text
  const isNot = sign?.[1] === 'isNot'
  if (field.mayBeEmpty && same(rest, words.empty) && (sign === undefined || isNot))
    return { operator: isNot ? 'notEmpty' : 'empty' }
  if (sign === undefined || isNot || sign[1] === 'is') {
    const range = sign === undefined && isNumber(field) ? RANGE.exec(text) : null
    if (range) return between(field, range[1] as string, range[2] as string, words)
    const parts = rest.split(/[;|\n]/).map((part) => part.trim())
    const values = parts.filter(Boolean).map((part) => readValue(field, part, words))
    if (values.length === 0 || values.includes(undefined)) return undefined
    if (values.length === 1) return { operator: isNot ? 'isNot' : 'is', value: values[0] as Value }
    return { operator: isNot ? 'noneOf' : 'oneOf', value: values as (number | string)[] }
  }
  const value = readValue(field, rest, words)
  return value === undefined ? undefined : { operator: sign[1], value }
}

function between(
  field: ConditionField,
  from: string,
  to: string,
  words: CellWords,
): Cell | undefined {
  const [first, last] = [readValue(field, from, words), readValue(field, to, words)]
  return first === undefined || last === undefined
    ? undefined
    : { operator: 'between', value: [first, last] as number[] }
}

const isNumber = ({ type }: ConditionField) => type !== 'choice' && type !== 'yesNo'
const same = (a: string, b: string) =>
  a.normalize('NFKC').toLocaleLowerCase() === b.normalize('NFKC').toLocaleLowerCase()

function valueText(field: ConditionField, value: unknown, words: CellWords): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') return numberText(field.type, value)
  return words.options[String(value)] ?? String(value)
}

function readValue(field: ConditionField, text: string, words: CellWords): Value | undefined {
  if (field.type === 'yesNo') {
    if (same(text, words.yes) || same(text, 'true')) return true
    return same(text, words.no) || same(text, 'false') ? false : undefined
  }
  if (field.type === 'choice')
    return field.options?.find(
      ({ value }) => same(text, value) || same(text, words.options[value] ?? value),
    )?.value
  return readNumber(field.type, text)
}

/** Paise as rupees, basis points as per cent. */
function numberText(type: string, value: number): string {
  if (type === 'money') return formatPaise(value).replace('₹', '').replace(/\.00$/, '')
  if (type === 'percent') return String(value / 100)
  return String(value)
}

function readNumber(type: string, text: string): number | undefined {
  if (type === 'money') return parseRupees(text) ?? undefined
  if (type === 'percent') return parseRupees(text.replace(/\s*%$/, '')) ?? undefined
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

export function outputText(name: OutputName, value: number | null): string {
  return value === null ? '' : numberText(TABLE_OUTPUTS[name].type, value)
}

/** Null: stays as it was; undefined: it cannot be read. */
export function readOutputText(name: OutputName, given: string): number | null | undefined {
  const text = given.normalize('NFKC').trim()
  return text === '' || text === '-' ? null : readNumber(TABLE_OUTPUTS[name].type, text)
}
