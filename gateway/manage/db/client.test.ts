import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { engines } from '#tests/support/engines.ts'
import type { Database } from './client.ts'

describe.each(engines)('the database on $name', ({ open }) => {
  let database: Database
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ database, close } = await open())
    await database.pool.query(
      'create table account (id int primary key, owner text not null, paise bigint not null)',
    )
  })
  afterAll(() => close())

  test('a duplicate key surfaces as a DatabaseError with its code and constraint', async () => {
    await sql`insert into account (id, owner, paise) values (1, 'asha', 100)`.execute(
      database.kysely,
    )
    const error = await sql`insert into account (id, owner, paise) values (1, 'ravi', 5)`
      .execute(database.kysely)
      .catch((e: unknown) => e)
    expect(error).toBeInstanceOf(pg.DatabaseError)
    expect(error).toMatchObject({ code: '23505', constraint: 'account_pkey', table: 'account' })
  })

  test('a syntax error says where it is', async () => {
    await expect(database.pool.query('select 1 frm account')).rejects.toMatchObject({
      code: '42601',
      position: '14',
    })
    await expect(database.pool.query('select $1::int as n', ['x'])).rejects.toMatchObject({
      code: '22P02',
    })
  })

  test('the client is usable after an error', async () => {
    const client = await database.pool.connect()
    await expect(client.query('select nothing($1)', [1])).rejects.toMatchObject({ code: '42883' })
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    client.release()
  })

  test('1,000 small queries at once each get their own answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, async (_, n) => {
        const { rows } = await database.pool.query<{ n: number }>('select $1::int as n', [n])
        return rows[0]?.n
      }),
    )
    expect(answers).toEqual(Array.from({ length: 1_000 }, (_, n) => n))
  })

  test('a result of 100,000 rows arrives whole and in order', async () => {
    const { rows } = await database.pool.query<{ n: number; text: string }>(
      `select n, 'row ' || n as text from generate_series(1, 100000) n`,
    )
    expect(rows).toHaveLength(100_000)
    expect(rows[99_999]).toEqual({ n: 100_000, text: 'row 100000' })
    expect(rows.every((row, index) => row.n === index + 1)).toBe(true)
  })

  test('a parameter and a value of 5 MB pass unchanged', async () => {
    const text = 'पैसा-'.repeat(350_000)
    const { rows } = await database.pool.query<{ text: string; size: number }>(
      'select $1::text as text, octet_length($1) as size',
      [text],
    )
    expect(rows[0]?.size).toBe(Buffer.byteLength(text))
    expect(rows[0]?.text === text).toBe(true)
  })

  test('two clients may prepare different statements under one name', async () => {
    const [one, two] = await Promise.all([database.pool.connect(), database.pool.connect()])
    const first = { name: 'who', text: 'select $1::int + 1 as n' }
    const second = { name: 'who', text: 'select $1::int * 10 as n' }
    for (const n of [1, 2, 3]) {
      expect((await one.query(first, [n])).rows).toEqual([{ n: n + 1 }])
      expect((await two.query(second, [n])).rows).toEqual([{ n: n * 10 }])
    }
    one.release()
    two.release()
  })

  test('a portal read in portions gives every row', async () => {
    // the pool's clients send without waiting, which a portal does not bear
    const client = new pg.Client({ ...database.pool.options, pipeline: false })
    await client.connect()
    const portions = {
      text: 'select n from generate_series(1, 25) n where n > $1',
      values: [0],
      rows: 10,
    }
    expect((await client.query(portions)).rows).toHaveLength(25)
    await client.end()
  })

  test('a cursor inside a transaction is read piece by piece', async () => {
    const sizes = await database.kysely.transaction().execute(async (trx) => {
      await sql`declare pages cursor for select n from generate_series(1, 25) n`.execute(trx)
      const pages = [
        await sql`fetch 10 from pages`.execute(trx),
        await sql`fetch 100 from pages`.execute(trx),
      ]
      return pages.map((page) => page.rows.length)
    })
    expect(sizes).toEqual([10, 15])
  })

  test('several statements in one text give several results', async () => {
    const results: unknown = await database.pool.query('select 1 as a; select 2 as b')
    expect(results).toMatchObject([{ rows: [{ a: 1 }] }, { rows: [{ b: 2 }] }])
  })

  test('a copy to the client is refused or finished without breaking the connection', async () => {
    await database.pool.query('copy (select 1) to stdout').catch(() => null)
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('a notification reaches every listener of its channel and no other', async () => {
    const received: string[] = []
    const both = new Promise<void>((resolve) => {
      const note = (who: string) => (payload: string) => {
        received.push(`${who} ${payload}`)
        if (received.length === 2) resolve()
      }
      void Promise.all([
        database.listen('Orders', note('one')),
        database.listen('Orders', note('two')),
        database.listen('other', note('other')),
      ]).then(() => database.pool.query(`select pg_notify('Orders', 'o-1')`))
    })
    await both
    expect(received.toSorted()).toEqual(['one o-1', 'two o-1'])
  })

  test('a notification is sent at commit and never after a rollback', async () => {
    const received: string[] = []
    let resolveLast = (): void => {}
    const done = new Promise<void>((resolve) => (resolveLast = resolve))
    const stop = await database.listen('commits', (payload) => {
      received.push(payload)
      if (payload === 'last') resolveLast()
    })
    const client = await database.pool.connect()
    for (const [payload, end] of [
      ['lost', 'rollback'],
      ['kept', 'commit'],
      ['last', 'commit'],
    ] as const) {
      await client.query('begin')
      await client.query(`select pg_notify('commits', $1)`, [payload])
      await client.query(end)
    }
    client.release()
    await done
    await stop()
    expect(received).toEqual(['kept', 'last'])
  })

  test('a client that stops listening does not end the listening of another', async () => {
    const [stays, goes] = await Promise.all([database.pool.connect(), database.pool.connect()])
    const received = new Promise<string | undefined>((resolve) =>
      stays.once('notification', ({ payload }) => resolve(payload)),
    )
    await stays.query('listen shared')
    await goes.query('listen shared')
    await goes.query('unlisten shared')
    await goes.query(`select pg_notify('shared', 'still here')`)
    expect(await received).toBe('still here')
    await stays.query('unlisten *')
    stays.release()
    goes.release()
  })

  test('a commit that the server turned into a rollback fails', async () => {
    const swallowed = database.kysely.transaction().execute(async (trx) => {
      await sql`insert into account (id, owner, paise) values (50, 'meena', 1)`.execute(trx)
      await sql`select 1 / 0`.execute(trx).catch(() => null)
    })
    await expect(swallowed).rejects.toMatchObject({ name: 'TransactionRolledBack' })
    const { rows } = await database.pool.query('select id from account where id = 50')
    expect(rows).toEqual([])
  })
})

describe.each(engines.filter(({ name }) => name === 'PostgreSQL'))(
  'a listener on $name',
  ({ open }) => {
    test('listens again after its connection was lost, and is notified that it may have missed something', async () => {
      const { database, close } = await open()
      const received: string[] = []
      let wake = (): void => {}
      await database.listen('feed', (payload) => {
        received.push(payload)
        wake()
      })
      const next = (): Promise<void> => new Promise((resolve) => (wake = resolve))
      const back = next()
      await database.pool.query(
        `
          select pg_terminate_backend(pid)
          from pg_stat_activity
          where datname = current_database()
            and query like 'listen%'`,
      )
      await back
      const notified = next()
      await database.pool.query(`select pg_notify('feed', 'after')`)
      await notified
      expect(received).toEqual(['', 'after'])
      await close()
    })
  },
)

describe.each(engines.filter(({ name }) => name === 'PostgreSQL'))(
  'a restart of $name',
  ({ open }) => {
    test('an outage fails what was under way and is over with the next query', async () => {
      const { database, close } = await open()
      const ends: unknown[] = []
      const note = ({ code }: { code?: string }): void => void ends.push(code)
      let isIdle = (): void => {}
      let isCut = (): void => {}
      const idle = new Promise<void>((resolve) => (isIdle = resolve))
      const cut = new Promise<void>((resolve) => (isCut = resolve))
      const thinking = database.kysely
        .transaction()
        .execute(async (trx) => {
          await sql`select 1`.execute(trx)
          isIdle()
          await cut
          await sql`select 2`.execute(trx)
        })
        .catch(note)
      const sleeping = [
        database.kysely.transaction().execute((trx) => sql`select pg_sleep(60)`.execute(trx)),
        database.pool.query('select pg_sleep(60)'),
      ].map((query) => query.catch(note))
      await idle
      const others = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
      await vi.waitFor(async () =>
        expect(
          (await database.pool.query(`select pid ${others} and query like 'select pg_sleep%'`))
            .rows,
        ).toHaveLength(2),
      )
      await database.pool.query(`select pg_terminate_backend(pid) ${others}`)
      await Promise.all(sleeping)
      isCut()
      await thinking
      expect(ends.filter((code) => code !== '08006' && code !== '57P01')).toEqual([])
      expect(ends).toHaveLength(3)
      expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      await close()
    })
  },
)

describe.each(engines)('a query that waits for its own caller on $name', ({ open }) => {
  test('fails with an error that names the likely cause, and the database keeps working', async () => {
    const { database, close } = await open({ poolSize: 1, waitMillis: 300 })
    const stuck = database.kysely
      .transaction()
      .execute(() => sql`select 1`.execute(database.kysely))
    await expect(stuck).rejects.toThrow(/`db` awaited inside a transaction/)
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await close()
  })
})
