import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '#tests/support/engines.ts'
import type { Database } from './client.ts'
import { parseTimestamptz } from './types.ts'

describe.each(engines)('column values from $name', ({ open }) => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeAll(async () => (opened = await open()), 60_000)
  afterAll(() => opened.close())

  test.each([
    [`9007199254740991::bigint`, 9007199254740991],
    [`(-5)::bigint`, -5],
    [`(select count(n) from generate_series(1, 3) n)`, 3],
    [`array[1, null, 3]::bigint[]`, [1, null, 3]],
    [`0.30::numeric(12, 2)`, '0.30'],
    [`array[1.50, 2]::numeric[]`, ['1.50', '2']],
    [`date '2026-11-21'`, '2026-11-21'],
    [`array['2026-01-31', '2026-02-28']::date[]`, ['2026-01-31', '2026-02-28']],
    [`timestamptz '2026-11-21 10:00:00+00'`, '2026-11-21T10:00:00.000Z'],
    [`timestamptz '2026-11-21 10:00:00.5+05:30'`, '2026-11-21T04:30:00.500Z'],
    [`timestamptz '2026-11-21 10:00:00.123999+00'`, '2026-11-21T10:00:00.123Z'],
    [`array[timestamptz '2026-11-21 10:00:00+00']`, ['2026-11-21T10:00:00.000Z']],
    [`timestamp '2026-11-21 10:00:00'`, '2026-11-21 10:00:00'],
    [`'{"paise": 12, "tags": ["a"]}'::json`, { paise: 12, tags: ['a'] }],
    [`'[1, null]'::jsonb`, [1, null]],
    [`array['{"a": 1}', '"x"']::jsonb[]`, [{ a: 1 }, 'x']],
    [`true`, true],
    [`7::int`, 7],
    [`array['a', 'b,"c']::text[]`, ['a', 'b,"c']],
    [`null::bigint`, null],
  ])('%s arrives as %j', async (expression, expected) => {
    expect(await valueOf(opened.database, expression)).toEqual(expected)
  })

  test('a bigint beyond 2^53 is refused and not rounded', async () => {
    await expect(valueOf(opened.database, `9007199254740992::bigint`)).rejects.toThrow(
      /too large for a number/,
    )
    expect(await valueOf(opened.database, `1`)).toBe(1)
  })

  test('an infinite timestamp is refused', async () => {
    await expect(valueOf(opened.database, `timestamptz 'infinity'`)).rejects.toThrow(RangeError)
  })
})

test('a timestamp in another time zone is converted to UTC', () => {
  expect(parseTimestamptz('2026-11-21 10:00:00+05:30')).toBe('2026-11-21T04:30:00.000Z')
  expect(parseTimestamptz('2026-11-21 01:00:00.25-02')).toBe('2026-11-21T03:00:00.250Z')
})

async function valueOf(database: Database, expression: string): Promise<unknown> {
  const { rows } = await database.pool.query<{ value: unknown }>(`select ${expression} as value`)
  return rows[0]?.value
}
