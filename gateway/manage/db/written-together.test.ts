import { describe, expect, test } from 'vitest'
import { engines } from '#tests/support/engines.ts'
import { migrate } from './migrate.ts'

describe.each(engines)('$name', ({ open }) => {
  test('records without their transaction are chained beside those that name it', async () => {
    const { database, close } = await open()
    const write = (columns = '', values = '') =>
      database.pool.query(
        `insert into operate_log (user_name, action, result${columns})
         select 'test', 'test', 'ok'${values} from generate_series(1, 3)`,
      )
    const seal = (most: number) => database.pool.query('select operate_log_seal($1)', [most])
    try {
      await migrate(database)
      await write(', written_in', ', null')
      // one of the first kind is sealed with those of the second
      await seal(2)
      await write()
      await seal(10)
      expect(
        (
          await database.pool.query(
            `select operate_log_broken_at() as at,
               (select count(*)::int from operate_log l where l.chain_no is not null) as sealed`,
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
    }
  })
})
