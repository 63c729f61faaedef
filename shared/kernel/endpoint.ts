import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { FileKind, SheetKind } from './file-kind.ts'

/** Of an answer of a core that is closing: the call was not looked at and may be asked elsewhere. */
export const UNREAD_HEADER = 'x-unread'

/**
 * Everything under `/api/manage` is declared once, as an endpoint; server route, OpenAPI and client
 * call are made from it.
 */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call: `none` no session · `any` any session · `machine` a machine key with that scope
 * (HMAC) · a list of permission codes, of which the caller needs one (`menu:action`, or `menu:view`
 * = the menu is in their tree).
 */
export type Access = 'none' | 'any' | { machine: string } | readonly [string, ...string[]]

export interface Endpoint<Input extends TObject = TObject, Data extends TSchema = TSchema> {
  method: Method
  /** Below the base; `:name` parts are taken from the input. */
  path: string
  access: Access
  /**
   * Every parameter in one object. Path parts go to the path, the others to the query (GET, DELETE)
   * or the JSON body (POST, PUT).
   */
  input: Input
  /** Overrides where the rest of the input travels. */
  place?: 'query' | 'body'
  data: Data
  /**
   * Action name in the operate log. Present = a command (one transaction, logged); absent = a read,
   * or a heartbeat that changes no business row.
   */
  audit?: string
  /** Does not count as use of the session: what an idle tab sends by itself. */
  passive?: true
  /** Session and rights are read from the database, never from a core's cache of sessions. */
  uncached?: true
  /** Open to a session whose account must change its password or set up its second step first. */
  unsettled?: true
  /** Open to a paired wall screen, too. */
  screens?: true
  /**
   * Files that travel with the input, as multipart/form-data: each of one of the kinds by its
   * bytes, whatever it calls itself. Several fields have a rule each.
   */
  files?: FileRule | readonly FileRule[]
  /**
   * A list that goes into files: the codes of which one is needed, each for the filters it is
   * for.
   */
  exports?: readonly ExportCode[]
  /** The path that returns such a file at once. */
  file?: DirectFile
  /** Menu under which the action is logged. */
  menu?: string
  /**
   * `required`: the caller must send an Idempotency-Key. Other mutations accept one.
   */
  idempotency?: 'required'
  summary: string
}

export interface FileRule {
  /** Field they are in. */
  name: string
  least: number
  most: number
  /** Of each. */
  bytes: number
  kinds: readonly (FileKind | SheetKind)[]
  /** Longest side of a picture as it is stored; without it as large as a desk shows. */
  side?: number
  /** Message key for a file of another kind, when they are no receipts. */
  refusal?: string
}

export function fileRules({ files = [] }: Pick<Endpoint, 'files'>): readonly FileRule[] {
  return 'name' in files ? [files] : files
}

/** `code` lets a list be exported; `when` = only with one of these values in the filters named. */
export interface ExportCode {
  code: string
  when?: Readonly<Record<string, readonly string[]>>
}

/**
 * Address of a call that answers a list as a file. Lists that share one name their own values of a
 * parameter.
 */
export interface DirectFile {
  path: string
  when?: Readonly<Record<string, readonly string[]>>
}

/**
 * Declares an endpoint; unknown keys in the input are refused for mutations and ignored for reads
 * (cache-busting).
 */
export function endpoint<const Input extends TObject, const Data extends TSchema>(
  declared: Endpoint<Input, Data>,
): Endpoint<Input, Data> {
  return declared
}

export type InputOf<E extends Endpoint> = Static<E['input']>
export type DataOf<E extends Endpoint> = Static<E['data']>

export function placeOf(e: Pick<Endpoint, 'method' | 'place'>): 'query' | 'body' {
  return e.place ?? (e.method === 'GET' || e.method === 'DELETE' ? 'query' : 'body')
}

/** Names of the `:parts` of a path. */
export function pathParts(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((m) => m[1] as string)
}

const ID = { minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9._:-]+$' }
export const Id = (options: Record<string, unknown> = {}): Type.TString =>
  Type.String({ ...ID, ...options })

/** Whether a field for an id holds what cannot be one, so that asking would be refused whole. */
export function namesNoId(
  { input: { properties } }: Endpoint,
  input: Record<string, unknown>,
): boolean {
  const isNone = (text: string) => text.length > ID.maxLength || !new RegExp(ID.pattern).test(text)
  return Object.entries(properties).some(
    ([name, schema]) =>
      'pattern' in schema &&
      schema.pattern === ID.pattern &&
      input[name] !== undefined &&
      isNone(String(input[name])),
  )
}
/**
 * Versions and fencing tokens are 4-byte integers in the database; a greater number would break
 * there instead of being refused.
 */
const INT4 = 2_147_483_647
export const Version = (): Type.TInteger => Type.Integer({ minimum: 1, maximum: INT4 })
export const Token = (): Type.TInteger => Type.Integer({ minimum: 0, maximum: INT4 })
/** Whole paise, safe as a JSON number. */
export const Paise = (options: Record<string, unknown> = {}): Type.TInteger =>
  Type.Integer({ minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991, ...options })
// Only days that exist (29 February in leap years alone), in years a loan or a birth can have: an
// impossible one would pass here and break in the database, and the evening of 31 December 9999 is
// the year 10000 in India.
const LEAP_DAY = '(?:(?:19|20|21)(?:0[48]|[2468][048]|[13579][26])|2000)-02-29'
const REAL_DAY = `(?:(?:19|20|21)\\d\\d-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|${LEAP_DAY})`
/** IST day `YYYY-MM-DD`. */
export const Day = (): Type.TString => Type.String({ pattern: `^${REAL_DAY}$` })
/** Instant, ISO 8601 with Z or an offset. */
export const Time = (): Type.TString =>
  Type.String({
    pattern: `^${REAL_DAY}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,6})?)?(?:Z|[+-](?:0\\d|1[0-4]):[0-5]\\d)$`,
    maxLength: 40,
  })
export const OneOf = <const Values extends readonly [string, ...string[]]>(
  values: Values,
): Type.TUnsafe<Values[number]> =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] })
/** A text of the user: trimmed on the server, no control characters but line breaks. */
export const Text = (min: number, max: number): Type.TString =>
  Type.String({ minLength: min, maxLength: max })
export const Nullable = <T extends TSchema>(schema: T): Type.TUnion<[T, Type.TNull]> =>
  Type.Union([schema, Type.Null()])
/**
 * An object whose keys are data, all with values of one kind. Made by hand: `Type.Record` brings
 * TypeBox's engine of computed types to the browser (12 KB gzip).
 */
export const MapOf = <T extends TSchema>(
  value: T,
  options: { keys?: string; maxProperties?: number } = {},
): Type.TUnsafe<Record<string, Static<T>>> => {
  const { keys, ...rest } = options
  // a pattern alone would let any other key through with any value
  return Type.Unsafe({
    type: 'object',
    patternProperties: { [keys ?? '^.*$']: value },
    ...(keys === undefined ? {} : { additionalProperties: false }),
    ...rest,
  })
}
/** Answer without data. */
export const Nothing = (): Type.TNull => Type.Null()
