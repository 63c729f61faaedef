import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { emptyDump } from '#tests/support/engines.ts'
import { type Database, openDatabase } from './client.ts'

let database: Database
beforeAll(
  async () =>
    void (database = await openDatabase({
      dataDir: 'memory://',
      loadFrom: await emptyDump(),
      waitMillis: 400,
    })),
  60_000,
)
beforeEach(() =>
  database.pool.query('drop table if exists step; create table step (n serial, who text)'),
)
afterAll(() => database.close())

test('two transactions at once do not interleave', async () => {
  const run = (who: string): Promise<void> =>
    database.kysely.transaction().execute(async (trx) => {
      for (let n = 0; n < 20; n += 1) await sql`insert into step (who) values (${who})`.execute(trx)
    })
  await Promise.all([run('asha'), run('ravi'), run('meena')])
  const { rows } = await database.pool.query<{ who: string }>('select who from step order by n')
  const changes = rows.filter((row, index) => row.who !== rows[index - 1]?.who)
  expect(rows).toHaveLength(60)
  expect(changes).toHaveLength(3)
})

test('a query outside waits until the transaction has ended and then sees its rows', async () => {
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query(`insert into step (who) values ('inside')`)
  const outside = database.pool.query('select who from step')
  await client.query(`insert into step (who) values ('inside too')`)
  await client.query('commit')
  client.release()
  expect((await outside).rows).toHaveLength(2)
})

test('a client killed inside a transaction is rolled back', async () => {
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query(`insert into step (who) values ('never')`)
  client.release(true)
  expect((await database.pool.query('select who from step')).rows).toEqual([])
})

test('a client killed in the middle of reading a portal frees the session', async () => {
  const client = new pg.Client({ ...database.pool.options, pipeline: false })
  await client.connect()
  const portions = {
    text: 'select n from generate_series(1, 100) n where n > $1',
    values: [0],
    rows: 10,
  }
  const ended = client.query(portions).catch(() => 'ended')
  await client.end()
  await ended
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a prepared statement of a client that has gone is freed', async () => {
  const client = await database.pool.connect()
  await client.query({ name: 'kept', text: 'select $1::int as n' }, [1])
  // reads of the pool's clients are prepared, too
  const kept = async () =>
    (
      await database.pool.query(
        `select name from pg_prepared_statements where statement = 'select $1::int as n'`,
      )
    ).rows
  expect(await kept()).toHaveLength(1)
  client.release(true)
  // its end comes by a port of its own, so another client's query may be before it
  await expect.poll(kept).toEqual([])
})

test('an idle transaction cannot hold the others for ever, and the error names it', async () => {
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query(`insert into step (who) values ('slow')`)
  const refused = await database.pool.query('select 1').catch((error: unknown) => error)
  expect(refused).toMatchObject({
    code: '55P03',
    message: expect.stringContaining('`db` awaited inside a transaction'),
  })
  expect(refused).toMatchObject({ hint: expect.stringContaining('insert into step') })
  await client.query('commit')
  client.release()
  expect((await database.pool.query('select who from step')).rows).toEqual([{ who: 'slow' }])
})

test('a refused query with parameters leaves its connection in order', async () => {
  const holder = await database.pool.connect()
  const waiter = await database.pool.connect()
  await holder.query('begin')
  await expect(waiter.query('select $1::int as n', [1])).rejects.toMatchObject({ code: '55P03' })
  await holder.query('rollback')
  expect((await waiter.query('select $1::int as n', [2])).rows).toEqual([{ n: 2 }])
  holder.release()
  waiter.release()
})

test('one client may send many queries without waiting for answers', async () => {
  const client = await database.pool.connect()
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) =>
      client.query<{ n: number }>('select $1::int as n', [n]),
    ),
  )
  client.release()
  expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 1_000 }, (_, n) => n))
})

test('a channel of a client that has gone is no longer listened to', async () => {
  const client = await database.pool.connect()
  await client.query('listen gone')
  client.release(true)
  await expect
    .poll(async () => (await database.pool.query('select pg_listening_channels() as channel')).rows)
    .toEqual([])
})

test('a dump waits for the open transaction and loads into another database', async () => {
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query(`insert into step (who) values ('dumped')`)
  const folder = await mkdtemp(`${tmpdir()}/dump-`)
  const dumped = database.dump(`${folder}/all.tgz`)
  await client.query('commit')
  client.release()
  await dumped
  const copy = await openDatabase({ dataDir: 'memory://', loadFrom: `${folder}/all.tgz` })
  expect((await copy.pool.query('select who from step')).rows).toEqual([{ who: 'dumped' }])
  await copy.close()
  await rm(folder, { recursive: true })
})
