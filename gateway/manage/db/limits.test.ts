/** Limits of a server, so on PostgreSQL; the embedded database has one session and none of them. */
import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onLocalServer } from '#tests/support/local-server.ts'
import { openNewDatabase } from '#tests/support/postgres-server.ts'
import type { Database } from './client.ts'
import { whileWaiting } from './caller-gone.ts'
import { inTransaction } from './transaction.ts'

const limits = { statementMillis: 2_000, lockMillis: 200, idleMillis: 1_500 }
let server: { database: Database; close(): Promise<void> } | null
beforeAll(async () => {
  server = await onLocalServer(() =>
    openNewDatabase(process.env.TEST_DATABASE_URL as string, 'template0', { limits }),
  )
  if (server === null) return
  await sql`create table till (id int primary key, n int)`.execute(server.database.kysely)
  await sql`insert into till values (1, 0)`.execute(server.database.kysely)
})
afterAll(() => server?.close())

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error as { code?: string }).code,
  )

test('a statement and a wait for a lock end in time', async () => {
  if (server === null) return
  const { database } = server
  expect(await codeOf(sql`select pg_sleep(9)`.execute(database.kysely))).toBe('57014')
  await inTransaction(database, async (trx) => {
    await sql`update till set n = n + 1 where id = 1`.execute(trx)
    const other = sql`update till set n = n + 10 where id = 1`.execute(database.kysely)
    expect(await codeOf(other)).toBe('55P03')
  })
})

test('a read ends when its caller goes away, and the next one is not harmed', async () => {
  if (server === null) return
  const { kysely } = server.database
  // what is read of an answer: whether it was finished when its connection closed
  const answer = Object.assign(new EventEmitter(), { writableFinished: false })
  const read = whileWaiting(answer, () => codeOf(sql`select pg_sleep(20)`.execute(kysely)))
  await pause(100)
  const began = performance.now()
  answer.emit('close')
  expect(await read).toBe('57014')
  expect(performance.now() - began).toBeLessThan(5_000)
  for (let n = 0; n < 20; n += 1) await sql`select 1`.execute(kysely)
})

test('a transaction whose process stands still loses its locks, and runs again later', async () => {
  if (server === null) return
  const { database } = server
  const add = () => sql`update till set n = n + 100 where id = 1`.execute(database.kysely)
  await sql`update till set n = 1 where id = 1`.execute(database.kysely)
  let runs = 0
  const frozen = inTransaction(database, async (trx) => {
    runs += 1
    await sql`update till set n = n * 2 where id = 1`.execute(trx)
    // the second time it may: work of its own that takes long is not given up again
    await pause(2_500)
    await sql`select 1`.execute(trx)
  })
  await pause(100)
  expect(await codeOf(add())).toBe('55P03')
  await pause(1_800)
  expect(await codeOf(add())).toBeNull()
  await frozen
  expect(runs).toBe(2)
  const { rows } = await sql<{ n: number }>`select n from till`.execute(database.kysely)
  expect(rows[0]?.n).toBe(202)
})
