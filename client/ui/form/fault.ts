/** An error of a field, as an i18n key, and the schema's fault for a missing value. */
import type { TSchema } from 'typebox'

export interface Fault {
  /** i18n key with namespace. */
  key: string
  params: Record<string, string | number>
}
export type Faults = Record<string, Fault>

export interface SchemaNode {
  properties?: Record<string, TSchema>
  required?: readonly string[]
}

export function fault(keyword: string, params: Fault['params'] = {}): Fault {
  const name = KEYWORDS[keyword] ?? 'invalid'
  return { key: `ui:fault.${name}`, params }
}

/** JSON schema keyword → our key and the parameter of its message. */
export const KEYWORDS: Readonly<Record<string, string>> = {
  required: 'required',
  minLength: 'minLength',
  maxLength: 'maxLength',
  minItems: 'minItems',
  maxItems: 'maxItems',
  minimum: 'minimum',
  maximum: 'maximum',
  exclusiveMinimum: 'above',
  exclusiveMaximum: 'below',
  pattern: 'pattern',
  format: 'pattern',
  enum: 'choice',
  const: 'choice',
  type: 'type',
  multipleOf: 'type',
  uniqueItems: 'unique',
}

export function isBlank(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (typeof value === 'string' && value.trim() === '') ||
    (typeof value === 'number' && Number.isNaN(value))
  )
}

/** A union with null, as `Nullable` makes it. */
export function allowsNull(property: TSchema): boolean {
  const { type, anyOf } = property as { type?: unknown; anyOf?: TSchema[] }
  return type === 'null' || (anyOf?.some(allowsNull) ?? false)
}
