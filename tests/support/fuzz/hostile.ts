/** Invalid values, bodies and headers that have broken other systems. */
import fc from 'fast-check'

/** Deeper than any parser should follow. */
function deep(levels: number): unknown {
  let value: unknown = 'bottom'
  for (let n = 0; n < levels; n += 1) value = n % 2 === 0 ? [value] : { deeper: value }
  return value
}

const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\r\nx-evil: 1',
  '\uFFFD',
  '\uD800',
  '\u202Eevil',
  'İ',
  'ß',
  '😀'.repeat(40),
  '../../etc/passwd',
  '%2e%2e%2f',
  '%00',
  "' or 1=1 --",
  '"; drop table sys_user; --',
  '$1',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=1+1',
  '+1',
  '-1',
  '@x',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-0',
  '1e309',
  '9'.repeat(400),
  '0x10',
  '1,000',
  '١٢٣',
  '2026-02-30',
  '2026-13-01T25:61:61Z',
  '0000-00-00',
  '9999-12-31T23:59:59Z',
  'R1',
  'L1',
  'H1',
  'x'.repeat(5_000),
  'ɐ'.repeat(70_000),
  'a:desc,b:asc,c:asc',
  'sqrt:desc',
  'state:asc;select 1',
  '\\',
  '%',
  '_',
  'a,b',
  ',',
  ':',
  '....//',
]
const NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.5,
  -0.000_1,
  1e21,
  -1e21,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e308,
  5e-324,
]
const OTHERS = [
  null,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  [{}],
  { length: 3 },
  { toString: 'x' },
  { $gt: '' },
  deep(20),
  deep(40),
  deep(400),
  Array.from({ length: 6_000 }, (_, n) => n),
]

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(...OTHERS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Names of members that every object inherits. */
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '',
  ' ',
  'role',
  'userId',
  'isAdmin',
  'status',
  'version',
  'token',
  'data',
  '$where',
  'a.b',
  'a[b]',
  '\u0000',
]

/** A valid input with one defect. */
export function spoiled(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const place = fc.nat(30)
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(valid, place, hostileValue)
        .map(([input, at, value]) => replaced(input, at, value)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(valid, fc.constantFrom(...NAMES), hostileValue)
        .map(([input, name, value]) => withField(input, name, value)),
    },
    { weight: 1, arbitrary: fc.tuple(valid, place).map(([input, at]) => without(input, at)) },
    { weight: 1, arbitrary: hostileValue },
  )
}

/** Bodies that are not a JSON object, or an unusual one. */
export const hostileBody: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{',
    '}',
    '[]',
    'null',
    '0',
    '"x"',
    'true',
    '{"a":}',
    '{"a":1,}',
    "{'a':1}",
    '\uFEFF{}',
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"a":1}{"b":2}',
    '{"a":"\\u0000"}',
    '{"a":1e999}',
    `{"a":${'['.repeat(5_000)}`,
    `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
    `{"a":"${'x'.repeat(200_000)}"}`,
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
)

export const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc.constantFrom<
  Record<string, string>
>(
  {},
  {},
  {},
  {},
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-7' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': '\tapplication/json' },
  { 'idempotency-key': '' },
  { 'idempotency-key': 'short' },
  { 'idempotency-key': "x' or 1=1 --" },
  { 'idempotency-key': 'k'.repeat(5_000) },
  { 'accept-language': '%' },
  { 'x-request-id': '${jndi:ldap://x}' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'user-agent': 'ü'.repeat(10) },
  { cookie: 'bind=x; bind=y; Admin-Token=%' },
  { 'x-client-id': '<b>' },
)

function replaced(input: unknown, at: number, value: unknown): unknown {
  if (input === null || typeof input !== 'object') return value
  const keys = Object.keys(input)
  const key = keys[at % Math.max(1, keys.length)]
  if (key === undefined) return value
  const copy = (Array.isArray(input) ? [...(input as unknown[])] : { ...input }) as Record<
    string,
    unknown
  >
  // One time in four a step deeper.
  copy[key] = at % 4 === 0 ? replaced(copy[key], at >> 2, value) : value
  return copy
}
function withField(input: unknown, name: string, value: unknown): unknown {
  if (input === null || typeof input !== 'object') return { [name]: value }
  const copy = { ...input }
  // `copy.__proto__ = …` would set the prototype instead of a field.
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true })
  return copy
}
function without(input: unknown, at: number): unknown {
  if (input === null || typeof input !== 'object') return null
  const keys = Object.keys(input)
  return Object.fromEntries(
    Object.entries(input).filter(([key]) => key !== keys[at % Math.max(1, keys.length)]),
  )
}
