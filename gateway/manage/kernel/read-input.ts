/** What a request carries, read and checked by its endpoint's schema. */
import type { FastifyRequest } from 'fastify'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import { type Endpoint, pathParts, placeOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, lastPage, TOTAL_CAP } from '#shared/kernel/page.ts'
import {
  BAD_REQUEST,
  INVALID_FIELDS,
  KEY_MISSING,
  NOTHING_SELECTED,
  PAGE_TOO_FAR,
  Problem,
} from '#shared/kernel/problem.ts'

const KEY_FORM = /^[A-Za-z0-9_-]{8,80}$/

/**
 * Reads, converts (query only) and checks the input.
 * @throws Problem G-FIELD with a message key per field, G-PAGE
 */
export function inputReader(e: Endpoint): (request: FastifyRequest) => unknown {
  const check = inputCheck(e)
  return (request) =>
    check(
      placeOf(e) === 'query' ? request.query : (request.body ?? {}),
      request.params as Record<string, unknown>,
    )
}

export function inputCheck(
  e: Endpoint,
): (given: unknown, params?: Record<string, unknown>) => unknown {
  // compiled by the first call: a start need not wait for those of every call
  const validatorOf = once(() => Compile(e.input))
  const place = placeOf(e)
  const parts = pathParts(e.path)
  const names = new Set(Object.keys(e.input.properties))
  return (given, params = {}) => {
    if (given === null || typeof given !== 'object' || Array.isArray(given))
      throw new Problem(BAD_REQUEST)
    const input: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(given)) {
      // the query carries cache-busting parameters; a body must hold what is declared and nothing
      // else
      if (place === 'query' && !names.has(name)) continue
      input[name] = IS_PASSWORD.test(name) ? value : tidy(value, name)
    }
    for (const part of parts) input[part] = params[part]
    // an empty filter is no filter
    if (place === 'query')
      for (const name of Object.keys(input)) if (input[name] === '') delete input[name]
    // a query and a form hold texts
    const converted = Value.Default(
      e.input,
      place === 'query' || e.files ? Value.Convert(e.input, input) : input,
    )
    const validator = validatorOf()
    if (!validator.Check(converted)) throw refusalOf(validator.Errors(converted))
    if (names.has('pageNum')) refuseFarPage(converted)
    return converted
  }
}

function refuseFarPage({ pageNum = 1, pageSize = DEFAULT_PAGE_SIZE }): void {
  if (pageNum > lastPage(pageSize)) throw new Problem(PAGE_TOO_FAR, { n: TOTAL_CAP })
}

export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

interface SchemaError {
  keyword: string
  instancePath: string
  params: object
}

/** Only an empty selection has a message of its own; the field is marked in both cases. */
function refusalOf(errors: readonly SchemaError[]): Problem {
  const isEmptySelection = errors.every(
    ({ keyword, params }) => keyword === 'minItems' && 'limit' in params && params.limit === 1,
  )
  return new Problem(
    isEmptySelection ? NOTHING_SELECTED : INVALID_FIELDS,
    {},
    { fields: fieldErrors(errors) },
  )
}

/** Field → message key, as the client's forms make them from the same schema. */
function fieldErrors(errors: readonly SchemaError[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const error of errors) {
    const params = error.params as {
      requiredProperties?: string[]
      additionalProperties?: string[]
    }
    const at = error.instancePath.slice(1).replaceAll('/', '.')
    for (const name of params.requiredProperties ?? [])
      fields[at ? `${at}.${name}` : name] ??= 'required'
    for (const name of params.additionalProperties ?? [])
      fields[at ? `${at}.${name}` : name] = 'unknown'
    if (
      error.keyword !== 'required' &&
      error.keyword !== 'additionalProperties' &&
      error.keyword !== 'boolean' &&
      at
    )
      fields[at] ??= error.keyword
  }
  return fields
}

/** Taken letter by letter: a blank belongs to it. */
const IS_PASSWORD = /^password$|Pwd$/

const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/

/**
 * Trims texts; refuses control characters, which no field has a use for and the database cannot
 * store.
 */
function tidy(value: unknown, field: string, depth = 0): unknown {
  if (depth > 32) throw new Problem(BAD_REQUEST)
  if (typeof value === 'string') {
    if (CONTROL.test(value))
      throw new Problem(INVALID_FIELDS, {}, { fields: { [field]: 'pattern' } })
    return value.trim()
  }
  if (Array.isArray(value)) return value.map((item) => tidy(item, field, depth + 1))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, tidy(v, field, depth + 1)]))
  return value
}

export function idempotencyKey(e: Endpoint, request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) {
    if (e.idempotency === 'required') throw new Problem(KEY_MISSING)
    return null
  }
  if (typeof key !== 'string' || !KEY_FORM.test(key)) throw new Problem(BAD_REQUEST)
  return key
}
