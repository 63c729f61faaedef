// How column values arrive in JavaScript, the same from PostgreSQL and from PGlite. Timestamps and
// days stay text: building Dates was half the cost of a list request, and a Date shifts a day by
// the server's time zone.
import pg from 'pg'

type Parse = (text: string) => unknown

// The published types of pg-types describe a later major version of this one member.
const arrayParser = pg.types.arrayParser as unknown as {
  create(text: string, parse: Parse): { parse(): unknown[] }
}

const OID = {
  int8: 20,
  int8Array: 1016,
  numeric: 1700,
  numericArray: 1231,
  date: 1082,
  dateArray: 1182,
  timestamp: 1114,
  timestampArray: 1115,
  timestamptz: 1184,
  timestamptzArray: 1185,
  json: 114,
  jsonArray: 199,
  jsonb: 3802,
  jsonbArray: 3807,
} as const

const PARSERS = new Map<number, Parse>([
  [OID.int8, parseInt8],
  [OID.int8Array, arrayOf(parseInt8)],
  [OID.numeric, keepText],
  [OID.numericArray, arrayOf(keepText)],
  [OID.date, keepText],
  [OID.dateArray, arrayOf(keepText)],
  [OID.timestamp, keepText],
  [OID.timestampArray, arrayOf(keepText)],
  [OID.timestamptz, parseTimestamptz],
  [OID.timestamptzArray, arrayOf(parseTimestamptz)],
  [OID.json, parseJson],
  [OID.jsonArray, arrayOf(parseJson)],
  [OID.jsonb, parseJson],
  [OID.jsonbArray, arrayOf(parseJson)],
])

/** The `types` option of every pg client of this product. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const own = format === 'binary' ? undefined : PARSERS.get(oid)
    return own ?? pg.types.getTypeParser(oid, format)
  },
}

/**
 * bigint columns (paise, counts, sequence numbers) as numbers.
 * @throws {RangeError} beyond ±(2^53 − 1), where a number would silently lose paise
 */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(
      `bigint ${text} is too large for a number; select it as text (column::text)`,
    )
  }
  return value
}

/**
 * timestamptz as ISO 8601 in UTC with milliseconds; further digits are cut, not rounded.
 * @throws {RangeError} for infinity, BC and years beyond 9999: no column of this product may hold
 * them
 */
export function parseTimestamptz(text: string): string {
  // 2026-11-21 10:00:00[.123456]+00 : the session's time zone is UTC, so text is enough.
  if (
    text.endsWith('+00') &&
    text.charCodeAt(10) === 32 &&
    (text.length === 22 || text.charCodeAt(19) === 46)
  ) {
    const fraction = text.length === 22 ? '000' : text.slice(20, -3).padEnd(3, '0').slice(0, 3)
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
  }
  return parseOtherTimestamptz(text)
}

function parseOtherTimestamptz(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?([+-]\d\d)(?::?(\d\d))?$/.exec(text)
  if (!match) throw new RangeError(`timestamptz ${text} is outside the years 0001 to 9999`)
  const [, day, time, fraction = '', hours, minutes = '00'] = match
  return new Date(
    `${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${hours}:${minutes}`,
  ).toISOString()
}

function keepText(text: string): string {
  return text
}

function parseJson(text: string): unknown {
  return JSON.parse(text)
}

function arrayOf(parse: Parse): Parse {
  return (text) => arrayParser.create(text, parse).parse()
}
