/** Values and facts of a type of field: which are readable, and how two of them compare. */
import { isDay } from '#shared/kernel/time.ts'
import type { ConditionField } from './catalogue.ts'

export type Fact = number | string | boolean

/** Whether a value of a condition, or a fact, is one of the field's type. */
export function isReadable(field: ConditionField, value: unknown): value is Fact {
  switch (field.type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'money':
    case 'percent':
      return typeof value === 'number' && Number.isSafeInteger(value)
    case 'day':
      return typeof value === 'string' && isDay(value)
    case 'text':
    case 'choice':
      return typeof value === 'string'
    case 'yesNo':
      return typeof value === 'boolean'
  }
}

/** Letters A to Z in one case: what the database and the browser fold alike. */
export function foldText(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** A fact or a value as it is compared: the case of texts makes no difference. */
export function comparable({ type }: ConditionField, value: Fact): Fact {
  return type === 'text' ? foldText(String(value)) : value
}
