import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { engines } from '#tests/support/engines.ts'
import { migrate } from './migrate.ts'

const MIGRATIONS = fileURLToPath(new URL('./migrations/', import.meta.url))
/** The first one that says which transaction wrote a row. */
const SAYS_SO = '0048'

describe.each(engines)('$name', ({ open }) => {
  test('a chain of records from before is whole, and goes on', async () => {
    const older = await mkdtemp(path.join(tmpdir(), 'migrations-'))
    const { database, close } = await open()
    const write = () =>
      database.pool.query(
        `insert into operate_log (user_name, action, result) select 'test', 'test', 'ok' from generate_series(1, 3)`,
      )
    const seal = (most: number) => database.pool.query('select operate_log_seal($1)', [most])
    try {
      for (const name of await readdir(MIGRATIONS))
        if (name < SAYS_SO) await cp(path.join(MIGRATIONS, name), path.join(older, name))
      await migrate(database, older)
      await write()
      await seal(2)
      await migrate(database)
      // one was written before and is sealed after
      await write()
      await seal(10)
      expect(
        (
          await database.pool.query(
            'select operate_log_broken_at() as at, (select count(*)::int from operate_log l where l.chain_no is not null) as sealed',
          )
        ).rows,
      ).toEqual([{ at: null, sealed: 6 }])
      expect(
        (
          await database.pool.query(
            'select count(*)::int as n from operate_log l where l.written_in is null',
          )
        ).rows,
      ).toEqual([{ n: 3 }])
    } finally {
      await close()
      await rm(older, { recursive: true })
    }
  }, 60_000)
})
