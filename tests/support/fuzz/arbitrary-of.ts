/**
 * Contract → valid values: a small translator from JSON Schema to fast-check for the schemas used
 * by the contracts. Known ids are mixed in, so that calls reach existing rows.
 */
import fc from 'fast-check'

export interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  maxProperties?: number
}

/** Values of fields by name: ids of existing rows, secrets of accounts, … */
export type Known = Readonly<Record<string, readonly unknown[]>>

const MOST_ITEMS = 6
/** The largest integers that survive a JSON round trip. */
const WIDE = Number.MAX_SAFE_INTEGER

export function arbitraryOf(schema: Schema, known: Known, name = ''): fc.Arbitrary<unknown> {
  const values = known[name]
  // For an open pattern short texts are generated first, and a long minimum would reject all of
  // them.
  if (values && schema.pattern !== undefined && (schema.minLength ?? 0) > 10)
    return fc.constantFrom(...values)
  const plain = plainOf(schema, known, name)
  return values && values.length > 0
    ? fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...values) },
        { weight: 1, arbitrary: plain },
      )
    : plain
}

function plainOf(schema: Schema, known: Known, name: string): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => arbitraryOf(one, known, name)))
  switch (schema.type) {
    case 'string':
      return stringOf(schema)
    case 'integer':
      // Generated within its bounds: filtering all numbers for a narrow range would never end.
      return fc.oneof(
        fc.integer({
          min: Math.max(schema.minimum ?? -1_000, -1_000),
          max: Math.max(schema.minimum ?? 0, Math.min(schema.maximum ?? 1_000, 1_000)),
        }),
        fc.integer({
          min: Math.max(schema.minimum ?? -WIDE, -WIDE),
          max: Math.min(schema.maximum ?? WIDE, WIDE),
        }),
      )
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const length = {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(
          schema.maxItems ?? MOST_ITEMS,
          Math.max(MOST_ITEMS, schema.minItems ?? 0),
        ),
      }
      // The ids of a list are named after one of them: reviewIds → reviewId.
      const item = arbitraryOf(schema.items ?? {}, known, name.replace(/s$/, ''))
      return schema.uniqueItems ? fc.uniqueArray(item, length) : fc.array(item, length)
    }
    case 'object':
      return objectOf(schema, known)
    default:
      throw new TypeError(
        `no arbitrary for the schema ${JSON.stringify(schema).slice(0, 200)} of ${name}`,
      )
  }
}

function objectOf(
  { properties = {}, required = [], patternProperties, maxProperties }: Schema,
  known: Known,
): fc.Arbitrary<Record<string, unknown>> {
  const [pattern, values] = Object.entries(patternProperties ?? {})[0] ?? []
  // The JSON parser refuses a field `__proto__` before the contract is checked.
  const isField = (text: string) => text !== '__proto__'
  if (pattern !== undefined && values !== undefined)
    return fc.dictionary(
      stringOf({ type: 'string', pattern, maxLength: 20 }).filter(isField),
      arbitraryOf(values, known),
      { maxKeys: Math.min(maxProperties ?? 4, 4) },
    )
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema, known, name)]),
  )
  return fc.record(model, { requiredKeys: required as never[] })
}

function stringOf({ pattern, minLength = 0, maxLength = 80 }: Schema): fc.Arbitrary<string> {
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern)).filter(fits)
  // Trimmed by the server, so its length must be right without leading and trailing blanks.
  return fc
    .string({
      unit: 'grapheme',
      minLength,
      maxLength: Math.min(maxLength, Math.max(minLength, 60)),
    })
    .filter((text) => fits(text) && text.trim().length >= minLength)
}
