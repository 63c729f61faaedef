import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextUpkeep } from './pglite-upkeep.ts'

let engine: PGlite
beforeAll(async () => {
  engine = await PGlite.create()
  await engine.exec('checkpoint; create table plan (id int primary key, note text)')
})
afterAll(() => engine.close())

test('nothing is due in a quiet database', async () => {
  expect(await next()).toBeNull()
})

test('a table that grew is analysed, one with many dead rows is vacuumed, and then nothing is due', async () => {
  await engine.exec('insert into plan select n, n::text from generate_series(1, 5000) n')
  expect(await perform()).toBe('analyze public.plan')
  await engine.exec(`update plan set note = 'changed' where id <= 4000`)
  expect(await perform()).toBe('vacuum (analyze) public.plan')
  expect(await next()).toBeNull()
})

test('a log that grew long asks for a checkpoint first', async () => {
  await engine.exec(
    `insert into plan select n, repeat('x', 1000) from generate_series(10001, 80000) n`,
  )
  expect(await perform()).toBe('checkpoint')
  expect(await next()).toBe('analyze public.plan')
})

async function next(): Promise<string | null> {
  return nextUpkeep(async (sql) => (await engine.query<Record<string, unknown>>(sql)).rows)
}

async function perform(): Promise<string | null> {
  const statement = await next()
  if (statement !== null) await engine.exec(statement)
  return statement
}
