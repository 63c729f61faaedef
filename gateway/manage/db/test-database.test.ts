import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { readMigrations, schemaVersion } from './migrate.ts'

test('a test database has every migration, and two of them are separate', async () => {
  const [one, two] = await Promise.all([testDatabase(), testDatabase()])
  expect(await schemaVersion(one.database)).toBe((await readMigrations()).at(-1)?.name)
  await one.database.pool.query('create table only_here (id int)')
  const { rows } = await two.database.pool.query(`select to_regclass('only_here') as found`)
  expect(rows).toEqual([{ found: null }])
  await Promise.all([one.close(), two.close()])
})
