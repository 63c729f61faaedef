/** Values in the expression language of zen-engine, and comparisons read back from it. */
import type { ConditionField } from '#shared/conditions/catalogue.ts'
import type { Comparison } from '#shared/conditions/condition.ts'
import { foldText } from '#shared/conditions/condition-values.ts'

/**
 * The language has no escapes within a text: quotation marks are put together from parts. A text
 * stands as written and as it is compared.
 */
export function literal({ type }: ConditionField, value: unknown): string {
  if (type === 'day') return `date(${quoted(String(value))})`
  if (type === 'text') return `[${quoted(String(value))}, ${quoted(foldText(String(value)))}][1]`
  if (typeof value === 'number') return plainNumber(value)
  return typeof value === 'boolean' ? String(value) : quoted(String(value))
}

function quoted(text: string): string {
  return text
    .split('"')
    .map((part) => `"${part}"`)
    .join(` + '"' + `)
}

/** Without an exponent, which the language does not know. */
function plainNumber(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  const [digits = '', exponent = '0'] = text.split('e')
  const sign = digits.startsWith('-') ? '-' : ''
  const [whole = '', part = ''] = digits.replace('-', '').split('.')
  const places = Number(exponent)
  return places < 0
    ? `${sign}0.${'0'.repeat(-places - whole.length)}${whole}${part}`
    : `${sign}${whole}${part.padEnd(places, '0')}`
}

const OPERATOR_OF: Readonly<Record<string, string>> = {
  '==': 'is',
  '!=': 'isNot',
  '>=': 'atLeast',
  '>': 'moreThan',
  '<=': 'atMost',
  '<': 'lessThan',
}

/** A comparison of the form that is written; null for any other text. */
export function readComparison(text: string): Comparison | null {
  const presence = /^"(\w+)" in absent \? null : (not\()?"/.exec(text)
  if (presence)
    return { field: presence[1] as string, operator: presence[2] ? 'notEmpty' : 'empty' }
  const [, field, rest] = /^(\w+) == null \? null : (.*)$/s.exec(text) ?? []
  if (field === undefined || rest === undefined) return null
  const have = rest.includes(`date(${field})`) ? `date(${field})` : field
  const list = [
    ['oneOf', `${have} in [`],
    ['noneOf', `not(${have} in [`],
    ['contains', `contains(${have}, `],
    ['startsWith', `startsWith(${have}, `],
  ] as const
  for (const [operator, start] of list)
    if (rest.startsWith(start)) {
      const values = readValues(rest.slice(start.length))
      if (values === null) return null
      const one = operator === 'oneOf' || operator === 'noneOf' ? values : values[0]
      return { field, operator, value: one as Comparison['value'] & {} }
    }
  const [, sign, tail] = /^ (==|!=|>=|>|<=|<) (.*)$/s.exec(rest.slice(have.length)) ?? []
  if (sign === undefined || tail === undefined) return null
  const first = readValue(tail)
  if (first === null) return null
  const and = ` and ${have} <= `
  if (!first.rest.startsWith(and))
    return { field, operator: OPERATOR_OF[sign] as string, value: first.value }
  const second = readValue(first.rest.slice(and.length))
  if (second === null) return null
  return { field, operator: 'between', value: [first.value, second.value] as (number | string)[] }
}

interface Read {
  value: string | number | boolean
  rest: string
}

function readValues(text: string): Read['value'][] | null {
  const values: Read['value'][] = []
  for (let rest = text; ; rest = rest.slice(2)) {
    const read = readValue(rest)
    if (read === null) return null
    values.push(read.value)
    rest = read.rest
    if (!rest.startsWith(', ')) return values
  }
}

export function readValue(text: string): Read | null {
  if (text.startsWith('date(')) {
    const inner = readText(text.slice(5))
    return inner && { value: inner.value, rest: inner.rest.slice(1) }
  }
  if (text.startsWith('["')) {
    const written = readText(text.slice(1))
    const compared = written && readText(written.rest.slice(2))
    return written && compared && { value: written.value, rest: compared.rest.slice('][1]'.length) }
  }
  if (text.startsWith('"')) return readText(text)
  const [plain] = /^(true|false|-?[\d.]+)/.exec(text) ?? []
  if (plain === undefined) return null
  const value = plain === 'true' || plain === 'false' ? plain === 'true' : Number(plain)
  return { value, rest: text.slice(plain.length) }
}

const JOINED = ` + '"' + `

function readText(text: string): Read | null {
  const end = text.startsWith('"') ? text.indexOf('"', 1) : -1
  if (end < 0) return null
  const value = text.slice(1, end)
  const rest = text.slice(end + 1)
  if (!rest.startsWith(JOINED)) return { value, rest }
  const further = readText(rest.slice(JOINED.length))
  return further && { value: `${value}"${further.value}`, rest: further.rest }
}
