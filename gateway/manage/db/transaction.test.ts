import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '#tests/support/engines.ts'
import type { Database } from './client.ts'
import { inTransaction } from './transaction.ts'

describe.each(engines)('a transaction on $name', ({ name, open }) => {
  let database: Database
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ database, close } = await open())
    await database.pool.query(`create table account (id int primary key, paise bigint not null)`)
    await database.pool.query(`insert into account values (1, 100), (2, 100)`)
  })
  afterAll(() => close())

  test('commits what it did and gives its result', async () => {
    const result = await inTransaction(database, async (trx) => {
      await sql`insert into account values (3, 5)`.execute(trx)
      return 'done'
    })
    expect(result).toBe('done')
    expect(await idsFrom(3)).toEqual([3])
  })

  test('is rolled back by an error, which passes unchanged', async () => {
    const refusal = new Error('refused')
    const failed = inTransaction(database, async (trx) => {
      await sql`insert into account values (9, 5)`.execute(trx)
      throw refusal
    })
    await expect(failed).rejects.toBe(refusal)
    expect(await idsFrom(9)).toEqual([])
  })

  test('is rolled back by a statement nobody waited for, whose error is the one that counts', async () => {
    const taken = new Error('taken')
    for (const waits of [false, true]) {
      const failed = inTransaction(database, async (trx, _endWith, send) => {
        await sql`insert into account values (9, 5)`.execute(trx)
        send(sql`insert into account values (1, 5)`, () => taken)
        send(sql`insert into account values (10, 5)`)
        if (waits) await sql`select 1`.execute(trx)
      })
      await expect(failed).rejects.toBe(taken)
      expect(await idsFrom(9)).toEqual([])
    }
  })

  test('is read committed', async () => {
    const { rows } = await inTransaction(database, (trx) =>
      sql<{ level: string }>`select current_setting('transaction_isolation') as level`.execute(trx),
    )
    expect(rows).toEqual([{ level: 'read committed' }])
  })

  test('runs again after a serialization failure, at most four times in all', async () => {
    let runs = 0
    const succeeds = inTransaction(database, async (trx) => {
      runs += 1
      if (runs < 3)
        await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(trx)
      return runs
    })
    expect(await succeeds).toBe(3)
    runs = 0
    const fails = inTransaction(database, async (trx) => {
      runs += 1
      await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(trx)
    })
    await expect(fails).rejects.toBeInstanceOf(pg.DatabaseError)
    expect(runs).toBe(4)
  })

  test('does not run again after another error', async () => {
    let runs = 0
    const fails = inTransaction(database, async (trx) => {
      runs += 1
      await sql`insert into account values (1, 1)`.execute(trx)
    })
    await expect(fails).rejects.toMatchObject({ code: '23505' })
    expect(runs).toBe(1)
  })

  test('ends with the statements left for its end, and their error is its error', async () => {
    await inTransaction(database, async (trx, endWith) => {
      await sql`insert into account values (20, 1)`.execute(trx)
      endWith(sql`update account set paise = paise + 1 where id = ${20}`)
    })
    const { rows } = await database.pool.query<{ paise: number }>(
      'select paise from account where id = 20',
    )
    expect(rows).toEqual([{ paise: 2 }])
    const failed = inTransaction(database, async (trx, endWith) => {
      await sql`insert into account values (21, 1)`.execute(trx)
      endWith(sql`insert into account values (20, 1)`)
    })
    await expect(failed).rejects.toMatchObject({ code: '23505' })
    expect(await idsFrom(21)).toEqual([])
  })

  test('of statements sent together the first failure is reported, and none takes effect', async () => {
    const failed = inTransaction(database, (trx) =>
      Promise.all([
        sql`insert into account values (30, 1)`.execute(trx),
        sql`insert into account values (1, 1)`.execute(trx),
        sql`insert into account values (31, 1)`.execute(trx),
      ]),
    )
    await expect(failed).rejects.toMatchObject({ code: '23505' })
    expect(await idsFrom(30)).toEqual([])
  })

  test('refuses a statement that comes after its end', async () => {
    let late: Promise<unknown> = Promise.resolve()
    await inTransaction(database, async (trx) => {
      late = Promise.resolve()
        .then(() => new Promise((resume) => setImmediate(resume)))
        .then(() => idsFrom(1))
        .then(() => sql`insert into account values (40, 1)`.execute(trx))
      late.catch(() => undefined)
      await sql`select 1`.execute(trx)
    })
    await expect(late).rejects.toThrow('the transaction is over')
    expect(await idsFrom(40)).toEqual([])
  })

  test('works again after a table changed under a prepared statement', async () => {
    const add = (id: number) =>
      inTransaction(database, (trx) =>
        sql`insert into account (id, paise) values (${id}, 1) returning *`.execute(trx),
      )
    for (let id = 50; id < 60; id += 1) await add(id)
    await database.pool.query('alter table account add column owner text')
    // each connection may have prepared it once
    for (let tries = 0; tries < 10; tries += 1)
      await add(60).catch((error: unknown) =>
        expect(error).toMatchObject({ code: expect.stringMatching(/0A000|23505/) }),
      )
    expect(await idsFrom(60)).toEqual([60])
    await database.pool.query('alter table account drop column owner')
  })

  // PGlite runs one transaction at a time, so only a server can deadlock.
  // one PGlite session cannot wait for itself
  if (name === 'PostgreSQL')
    test('both sides of a deadlock succeed', async () => {
      let waiting = 0
      let open = (): void => {}
      const bothHoldOne = new Promise<void>((resolve) => (open = resolve))
      async function move(from: number, to: number): Promise<void> {
        await inTransaction(database, async (trx) => {
          await sql`update account set paise = paise - 1 where id = ${from}`.execute(trx)
          waiting += 1
          if (waiting === 2) open()
          await bothHoldOne
          await sql`update account set paise = paise + 1 where id = ${to}`.execute(trx)
        })
      }
      await Promise.all([move(1, 2), move(2, 1)])
      const { rows } = await database.pool.query<{ paise: number }>(
        'select paise from account where id < 3 order by id',
      )
      expect(rows.map((row) => row.paise)).toEqual([100, 100])
    })

  async function idsFrom(id: number): Promise<number[]> {
    const { rows } = await database.pool.query<{ id: number }>(
      'select id from account where id >= $1 order by id',
      [id],
    )
    return rows.map((row) => row.id)
  }
})
