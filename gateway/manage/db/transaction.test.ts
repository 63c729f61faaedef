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
    ({ database, close } = await open())
    await database.pool.query(`create table account (id int primary key, paise bigint not null)`)
    await database.pool.query(`insert into account values (1, 100), (2, 100)`)
  }, 60_000)
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

  test('is read committed', async () => {
    const { rows } = await inTransaction(database, (trx) => sql<{ level: string }>`select current_setting('transaction_isolation') as level`.execute(trx))
    expect(rows).toEqual([{ level: 'read committed' }])
  })

  test('runs again after a serialization failure, at most four times in all', async () => {
    let runs = 0
    const succeeds = inTransaction(database, async (trx) => {
      runs += 1
      if (runs < 3) await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(trx)
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

  // PGlite runs one transaction at a time, so only a server can deadlock.
  // one PGlite session cannot wait for itself
  if (name === 'PostgreSQL') test('both sides of a deadlock succeed', async () => {
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
    const { rows } = await database.pool.query<{ paise: number }>('select paise from account where id < 3 order by id')
    expect(rows.map((row) => row.paise)).toEqual([100, 100])
  }, 30_000)

  async function idsFrom(id: number): Promise<number[]> {
    const { rows } = await database.pool.query<{ id: number }>('select id from account where id >= $1 order by id', [id])
    return rows.map((row) => row.id)
  }
})
