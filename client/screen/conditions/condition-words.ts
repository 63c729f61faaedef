/** Conditions in words. */
import type { Text } from '#client/base/use-text.ts'
import { dayText } from '#client/ui/form/day-text.ts'
import {
  type Catalogue,
  type ConditionField,
  fieldOf,
  type FieldOption,
  operatorOf,
} from '#shared/conditions/catalogue.ts'
import {
  type Comparison,
  type Condition,
  type ConditionValue,
  isGroup,
} from '#shared/conditions/condition.ts'
import { formatBasisPoints, formatPaise } from '#shared/kernel/money.ts'

/** Namespaces of the texts of a catalogue. */
export function namespacesOf(catalogue: Catalogue): string[] {
  const keys = catalogue.flatMap(({ text, meaning, unit, options = [] }) => [
    text,
    meaning,
    unit,
    ...options.map((option) => option.text),
  ])
  return [
    ...new Set(keys.flatMap((key) => (key?.includes(':') ? [key.split(':')[0] as string] : []))),
  ]
}

/** An operator reads otherwise for days: "on or after" instead of "at least". */
export function operatorKey({ type }: ConditionField, operator: string): string {
  return type === 'day' && DAY_WORDS.has(operator)
    ? `operators.day.${operator}`
    : `operators.${operator}`
}
const DAY_WORDS = new Set(['atLeast', 'atMost', 'moreThan', 'lessThan'])

export function optionText(t: Text, { value, text, name }: FieldOption): string {
  return text === undefined ? (name ?? value) : t(text)
}

export function listText(t: Text, field: ConditionField, values: readonly string[]): string {
  return values.map((value) => valueText(t, field, value, 'en')).join(', ')
}

/** "Age at least 21 years". What is unknown stands as its name. */
export function comparisonText(
  t: Text,
  catalogue: Catalogue,
  { field: name, operator, value }: Comparison,
  language: string,
): string {
  const field = fieldOf(catalogue, name)
  if (field === undefined || operatorOf(operator) === null) return `${name} ${operator}`
  const values = value === undefined ? '' : valuesText(t, field, operator, value, language)
  const unit = field.unit !== undefined && values !== '' ? t(field.unit) : ''
  return [t(field.text), t(operatorKey(field, operator)), values, unit].filter(Boolean).join(' ')
}

/** A condition on one line: "City is Pune and (Age at least 21 years or Age is empty)". */
export function conditionLine(
  t: Text,
  catalogue: Catalogue,
  condition: Condition,
  language: string,
): string {
  // keys of this folder, where the namespace of the caller is another
  const own: Text = (key, params) => t(key.includes(':') ? key : `conditions:${key}`, params)
  if (!isGroup(condition)) return comparisonText(own, catalogue, condition, language)
  return condition.of
    .map((part) => {
      const line = conditionLine(t, catalogue, part, language)
      return isGroup(part) && part.of.length > 1 ? `(${line})` : line
    })
    .join(` ${own(`joint.${condition.kind}`)} `)
}

function valuesText(
  t: Text,
  field: ConditionField,
  operator: string,
  value: ConditionValue,
  language: string,
): string {
  if (!Array.isArray(value)) return valueText(t, field, value, language)
  const texts = value.map((one: number | string) => valueText(t, field, one, language))
  return operator === 'between' ? texts.join(` ${t('rangeAnd')} `) : texts.join(', ')
}

/** A value of a field as people read it. */
export function valueText(
  t: Text,
  field: ConditionField,
  value: unknown,
  language: string,
): string {
  if (typeof value === 'boolean') return t(value ? 'ui:yes' : 'ui:no')
  if (field.type === 'money' && typeof value === 'number') return formatPaise(value)
  if (field.type === 'percent' && typeof value === 'number') return formatBasisPoints(value)
  if (field.type === 'day') return dayText(value, language)
  const option = field.options?.find((known) => known.value === value)
  return option ? optionText(t, option) : String(value)
}
