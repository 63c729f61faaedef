/** What is in the address, in the types the contract of the list takes. */
import type { Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { isDay, istEnd, istStart } from '#shared/kernel/time.ts'

/**
 * Several values become one text, `true` a boolean, digits a number; a day becomes the instant it
 * begins with, or, as the end of a range, the one it ends with. Where the contract takes them as
 * they are, they stay.
 */
export function listInput<E extends Endpoint>(
  endpoint: E,
  query: Record<string, unknown>,
): InputOf<E> {
  const { properties } = endpoint.input
  const input: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(query)) {
    const typed = typedBy(properties[name] ?? {}, name, value)
    if (typed !== undefined) input[name] = typed
  }
  // every field has the type the schema of its name asks for
  return input as InputOf<E>
}

interface FieldSchema {
  type?: string
  pattern?: string
}

function typedBy({ type, pattern }: FieldSchema, name: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined
    return type === 'string' ? value.join(',') : value
  }
  if (typeof value !== 'string') return value
  if (type === 'boolean') return value === 'true'
  if (type === 'integer' || type === 'number') return Number(value)
  if (pattern !== undefined && isDay(value) && !new RegExp(pattern).test(value))
    return name.endsWith('To') ? istEnd(value) : istStart(value)
  return value
}
