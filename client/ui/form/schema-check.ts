/**
 * Checks values against the input schema of a call, the same schema the server checks, and returns
 * errors as i18n keys. Each field is checked alone, so that a missing field does not hide errors in
 * the others.
 */
import type { TObject, TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import { allowsNull, type Fault, type Faults, fault, isBlank, type SchemaNode } from './fault.ts'

/**
 * Errors by field name; empty texts count as absent. `omit` are fields the caller fills in (ids,
 * versions).
 */
export function schemaFaults(
  schema: TObject,
  values: Record<string, unknown>,
  omit: readonly string[] = [],
): Faults {
  const { properties = {}, required = [] } = schema as SchemaNode
  const faults: Faults = {}
  for (const [name, property] of Object.entries(properties)) {
    if (omit.includes(name)) continue
    const value = values[name]
    if (isBlank(value)) {
      if (required.includes(name) && !allowsNull(property)) faults[name] = fault('required')
      continue
    }
    const [first] = Errors(property, value)
    if (first) faults[name] = faultOf(first.keyword, first.params, property)
  }
  return faults
}

function faultOf(keyword: string, params: Record<string, unknown>, property: TSchema): Fault {
  // Of a union with null only the other member needs a message.
  const own = (property as { fault?: string }).fault
  if (own) return { key: own, params: {} }
  const limit = params.limit
  return fault(keyword, typeof limit === 'number' || typeof limit === 'string' ? { limit } : {})
}
