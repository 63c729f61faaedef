import fc from 'fast-check'
import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import {
  Day,
  endpoint,
  Id,
  namesNoId,
  Nothing,
  Nullable,
  OneOf,
  Paise,
  pathParts,
  placeOf,
  Text,
  Time,
} from './endpoint.ts'

/** Both lists as a caller sends them. */
function expectSchema(schema: TSchema, taken: readonly unknown[], refused: readonly unknown[]) {
  for (const value of taken)
    expect(Check(schema, value), `takes ${JSON.stringify(value)}`).toBe(true)
  for (const value of refused)
    expect(Check(schema, value), `refuses ${JSON.stringify(value)}`).toBe(false)
}

test('the declaration comes back as it was written', () => {
  const declared = {
    method: 'GET',
    path: '/get/time',
    access: 'none',
    input: Type.Object({}),
    data: Nothing(),
    summary: 'Server time',
  } as const
  expect(endpoint(declared)).toBe(declared)
})

test('GET and DELETE carry their input in the query, POST and PUT in the body', () => {
  expect((['GET', 'DELETE', 'POST', 'PUT'] as const).map((method) => placeOf({ method }))).toEqual([
    'query',
    'query',
    'body',
    'body',
  ])
})

test('a declaration may place the input elsewhere', () => {
  expect(placeOf({ method: 'POST', place: 'query' })).toBe('query')
})

test('the parts of a path are named in order', () => {
  expect(pathParts('/code/valid/save/:userId/:switchVal/:validSecret')).toEqual([
    'userId',
    'switchVal',
    'validSecret',
  ])
  expect(pathParts('/order/list')).toEqual([])
})

test('an id is a short word', () => {
  expectSchema(
    Id(),
    ['o1', '01JD:a.b-c_d', 'x'.repeat(64)],
    ['', 'a b', "o'1", 'x'.repeat(65), 7, null],
  )
})

test('an impossible id is recognised before it is sent, in fields for ids only', () => {
  const list = endpoint({
    method: 'GET',
    path: '/order/list',
    access: 'none',
    input: Type.Object({ orderId: Type.Optional(Id()), userName: Type.Optional(Text(1, 60)) }),
    data: Nothing(),
    summary: 'Orders',
  })
  expect(
    ['O1', 'O 1', "o'1", 'x'.repeat(65), undefined].map((orderId) => namesNoId(list, { orderId })),
  ).toEqual([false, true, true, true, false])
  expect(namesNoId(list, { userName: "d'Souza, A", unknown: '/' })).toBe(false)
})

test('an amount is a whole safe number of paise', () => {
  expectSchema(
    Paise(),
    [0, -1, Number.MAX_SAFE_INTEGER],
    [0.5, Number.MAX_SAFE_INTEGER + 1, '100', null, Number.NaN],
  )
  expectSchema(Paise({ minimum: 1 }), [1], [0, -1])
})

describe('a day', () => {
  test('exists in the calendar', () => {
    expectSchema(
      Day(),
      ['2026-11-21', '2028-02-29', '2000-02-29', '2026-12-31', '2026-04-30'],
      [
        '2026-02-29',
        '2100-02-29',
        '2026-02-30',
        '2026-04-31',
        '2026-13-01',
        '2026-00-10',
        '2026-11-00',
        '0000-01-01',
        '0400-02-29',
        '1899-12-31',
        '1900-02-29',
        '2200-01-01',
        '9999-12-31',
      ],
    )
  })

  test('is written YYYY-MM-DD and nothing else', () => {
    expectSchema(
      Day(),
      [],
      [
        '2026-1-1',
        '21-11-2026',
        '2026-11-21T00:00:00Z',
        ' 2026-11-21',
        '2026-11-21\n',
        '',
        20_261_121,
        null,
      ],
    )
  })

  test('a date from 1900 to 2199 is accepted exactly when the calendar has it', () => {
    const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'))
    fc.assert(
      fc.property(
        fc.integer({ min: 1900, max: 2199 }),
        two(14),
        two(33),
        (year, month, dayOfMonth) => {
          const day = `${year}-${month}-${dayOfMonth}`
          const instant = new Date(`${day}T00:00:00Z`)
          const exists = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day)
          expect(Check(Day(), day)).toBe(exists)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

test('a time is an instant that exists, with its zone', () => {
  expectSchema(
    Time(),
    [
      '2026-11-21T18:30Z',
      '2026-11-21T18:30:00Z',
      '2026-11-21T18:30:00.123456Z',
      '2026-11-21T18:30:00+05:30',
    ],
    [
      '2026-11-21',
      '2026-11-21T18:30:00',
      '2026-11-21T24:00:00Z',
      '2026-11-21T18:60:00Z',
      '2026-02-30T00:00:00Z',
      '2026-99-99T99:99Z',
      '2026-11-21T18:30:00+99:00',
      '2026-11-21 18:30:00Z',
    ],
  )
})

test('every time taken is one the clock can read', () => {
  const digits = fc.integer({ min: 0, max: 99 }).map((n) => String(n).padStart(2, '0'))
  fc.assert(
    fc.property(digits, digits, digits, (hour, minute, second) => {
      const time = `2026-11-21T${hour}:${minute}:${second}Z`
      if (Check(Time(), time)) expect(new Date(time).toISOString()).toBe(time.replace('Z', '.000Z'))
    }),
  )
})

test('a closed set takes its members only', () => {
  expectSchema(OneOf(['pass', 'fail']), ['pass', 'fail'], ['Pass', '', null])
})

test('a text has its bounds and null where it may be absent', () => {
  expectSchema(Text(4, 6), ['four', 'sixsix'], ['six', 'seven77', null])
  expectSchema(Nullable(Text(1, 2)), [null, 'a'], ['', 7])
  expectSchema(Nothing(), [null], [0, '', {}])
})
