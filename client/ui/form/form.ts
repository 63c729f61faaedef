/**
 * Between a form and the input schema of its call: what is checked, what is sent, server errors.
 */
import type { FieldError, FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type { TObject, TSchema } from 'typebox'
import {
  allowsNull,
  type Fault,
  type Faults,
  fault,
  isBlank,
  KEYWORDS,
  type SchemaNode,
} from './fault.ts'

/**
 * Values of a form while it is filled in: any of them may be empty or wrong by itself. An empty
 * text or choice is '', an empty number null, an unreadable one NaN.
 */
export type Unfinished<Values> = {
  [Name in keyof Values]: NonNullable<Values[Name]> extends number
    ? Values[Name] | null
    : Values[Name]
}

/**
 * Rules the schema cannot express (two fields together, states). It is called with unfinished
 * values, so that all errors show at once; a field that is wrong by itself keeps that error.
 */
export type CrossCheck<Values> = (values: Unfinished<Values>) => Faults | null

/** Fields that these values make required, besides those of the schema. */
export type AlsoRequired<Values> = (
  values: Unfinished<Values>,
) => readonly (string & keyof Values)[]

/**
 * Fields to mark as required: not a switch, which has a value from the start, nor one that is sent
 * as null when it is empty.
 */
export function requiredNames(schema: TObject): string[] {
  const { properties = {}, required = [] } = schema as SchemaNode
  return required.filter((name) => {
    const property = properties[name] as TSchema & { type?: string }
    return property.type !== 'boolean' && !allowsNull(property)
  })
}

/** Types of errors: one found here goes when the values are right, one of the server with its field. */
export const CHECKED = 'checked'
const REFUSED = 'refused'

/** What is sent: without blank optional fields, blank nullable ones as null. */
export function schemaInput(
  schema: TObject,
  values: Record<string, unknown>,
): Record<string, unknown> {
  const { properties = {}, required = [] } = schema as SchemaNode
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (!(name in properties)) return []
      if (!isBlank(value)) return [[name, value]]
      return required.includes(name) && allowsNull(properties[name] as TSchema)
        ? [[name, null]]
        : []
    }),
  )
}

/**
 * The validator is 20 KB gzip, which no list needs before its first form. Until it has loaded only
 * the server checks, and its errors are shown on the fields.
 */
export const loadCheck = () => import('./schema-check.ts').catch(() => null)

/**
 * react-hook-form's resolver; the message of an error is its i18n key, `types` has the parameters.
 */
export function schemaResolver<Values extends FieldValues>(
  schema: TObject,
  options: {
    omit?: readonly string[]
    check?: CrossCheck<Values>
    alsoRequired?: AlsoRequired<Values>
  } = {},
): Resolver<Values> {
  return async (values) => {
    let faults = (await loadCheck())?.schemaFaults(schema, values, options.omit) ?? {}
    // An unreadable amount is not an empty one: it would be sent as none.
    for (const [name, value] of Object.entries(values))
      if (Number.isNaN(value) && !options.omit?.includes(name))
        faults = { ...faults, [name]: fault('unreadable') }
    const missing = options.alsoRequired?.(values).filter((name) => isBlank(values[name])) ?? []
    faults = {
      ...options.check?.(values),
      ...Object.fromEntries(missing.map((name) => [name, fault('required')])),
      ...faults,
    }
    const names = Object.keys(faults)
    return names.length
      ? {
          values: {},
          errors: Object.fromEntries(
            names.map((name) => [name, fieldError(faults[name] as Fault, CHECKED)]),
          ) as FieldErrors<Values>,
        }
      : { values, errors: {} }
  }
}

/**
 * Field errors of a refused call: `fields` (or `data.fields`) of the error, field name → message
 * key. An error inside a field (`rows.0.amount`) is shown on the field. The server sends only the
 * keyword; the limit in the message comes from the schema.
 */
export function serverFaults(error: unknown, schema?: TObject): Faults {
  const source = error as { fields?: unknown; data?: { fields?: unknown } | null } | null
  const fields = source?.fields ?? source?.data?.fields
  if (typeof fields !== 'object' || fields === null) return {}
  const properties = (schema as SchemaNode | undefined)?.properties ?? {}
  return Object.fromEntries(
    Object.entries(fields).map(([path, key]) => {
      const name = path.split('.')[0] as string
      return [name, serverFault(String(key), path === name ? properties[name] : undefined)]
    }),
  )
}

export function fieldError(found: Fault, type = REFUSED): FieldError {
  return { type, message: found.key, types: found.params as never }
}

/** The error that a field error of the form library was made from. */
export function faultOfError(error: FieldError | undefined): Fault | null {
  return error?.message
    ? { key: error.message, params: (error.types ?? {}) as Fault['params'] }
    : null
}

function serverFault(key: string, property: TSchema | undefined): Fault {
  if (key.includes(':')) return { key, params: {} }
  const sentence = KEYWORDS[key]
  if (!sentence) return { key: `ui:fault.${key}`, params: {} }
  if (!LIMITED.has(sentence)) return fault(key)
  const limit = limitOf(property, key)
  return limit === undefined ? fault('invalid') : fault(key, { limit })
}

function limitOf(property: TSchema | undefined, keyword: string): number | undefined {
  const node = property as ({ anyOf?: TSchema[] } & Record<string, unknown>) | undefined
  const own = node?.[keyword]
  return typeof own === 'number'
    ? own
    : node?.anyOf?.map((part) => limitOf(part, keyword)).find((limit) => limit !== undefined)
}

/** Messages that contain a limit. */
const LIMITED: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'above',
  'below',
])
