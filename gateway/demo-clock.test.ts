import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { beginDemoDay, beginningOf, followClockOfBook } from './demo-clock.ts'
import { clockShift, realNow, shiftClock } from './kernel/shifted-clock.ts'
import { openDatabase } from './manage/db/client.ts'

const at = (text: string): number => Date.parse(`${text}+05:30`)

afterEach(() => shiftClock(0))

test.each([
  ['a new demo begins on the day it is in India', null, '2026-11-26T01:50', '2026-11-26T10:00'],
  ['also in the evening', null, '2026-11-26T22:00', '2026-11-26T10:00'],
  [
    'a book that has not seen ten yet begins the same day',
    0,
    '2026-11-26T01:50',
    '2026-11-26T10:00',
  ],
  ['a book that has seen ten begins the next day', 0, '2026-11-26T10:01', '2026-11-27T10:00'],
  ['a book ahead of the clock stays ahead', 8, '2026-11-26T05:00', '2026-11-27T10:00'],
])('%s', (_title, hoursAhead, now, begins) => {
  const seen = hoursAhead === null ? null : at(now) + hoursAhead * 3_600_000
  expect(new Date(beginningOf('10:00', seen, at(now)))).toEqual(new Date(at(begins)))
})

test('dates of a moved clock are dates, and only the present is moved', () => {
  const before = new Date(0)
  shiftClock(3_600_000)
  expect(Date.now() - realNow()).toBeGreaterThan(3_599_000)
  expect(new Date().getTime() - realNow()).toBeGreaterThan(3_599_000)
  expect(new Date('2026-11-26T00:00:00Z').toISOString()).toBe('2026-11-26T00:00:00.000Z')
  expect(before instanceof Date && new Date() instanceof Date).toBe(true)
})

test('the clock is kept in the data directory, and the database has it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'demo-clock-'))
  const book = { dataDir, databaseUrl: null }
  try {
    beginDemoDay({ dataDir, demoClock: '10:00' })
    followClockOfBook(book)
    const first = clockShift()
    const database = await openDatabase({ dataDir: 'memory://' })
    const { rows } = await sql<{ clock: string }>`
      select to_char(clock_timestamp() at time zone 'Asia/Kolkata', 'HH24:MI') as clock`.execute(
      database.kysely,
    )
    await database.close()
    expect(rows[0]?.clock).toMatch(/^10:0/)

    mkdirSync(join(dataDir, 'database'))
    beginDemoDay({ dataDir, demoClock: null })
    followClockOfBook(book)
    expect(clockShift()).toBe(first)
    beginDemoDay({ dataDir, demoClock: '10:00' })
    followClockOfBook(book)
    expect(Math.round((clockShift() - first) / 3_600_000)).toBe(24)
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})
