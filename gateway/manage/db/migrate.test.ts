import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '#tests/support/engines.ts'
import type { Database } from './client.ts'
import { migrate, schemaVersion } from './migrate.ts'

describe.each(engines)('migrations on $name', ({ open }) => {
  let folder: string
  let database: Database
  let close: () => Promise<void>
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'migrations-'))
    await write(
      '0001-customers.sql',
      'create table customer (id text primary key);\ncreate index on customer (id);',
    )
    await write(
      '0002-orders.sql',
      `create table loan (id text primary key);\ninsert into loan (id) values ('o;1');`,
    )
    ;({ database, close } = await open())
  })
  afterEach(async () => {
    await close()
    await rm(folder, { recursive: true })
  })

  test('are applied in order, once', async () => {
    expect(await schemaVersion(database)).toBeNull()
    expect(await migrate(database, folder)).toEqual(['0001-customers', '0002-orders'])
    expect(await migrate(database, folder)).toEqual([])
    expect(await schemaVersion(database)).toBe('0002-orders')
    expect((await database.pool.query('select id from loan')).rows).toEqual([{ id: 'o;1' }])
  })

  test('are applied once when several start at the same time', async () => {
    const applied = await Promise.all([
      migrate(database, folder),
      migrate(database, folder),
      migrate(database, folder),
    ])
    expect(applied.flat().toSorted()).toEqual(['0001-customers', '0002-orders'])
  })

  test('a new file is applied to a database that has the others', async () => {
    await migrate(database, folder)
    await write('0003-tickets.sql', 'create table ticket (id text primary key)')
    expect(await migrate(database, folder)).toEqual(['0003-tickets'])
  })

  test('a changed file is refused by name', async () => {
    await migrate(database, folder)
    await write('0001-customers.sql', 'create table customer (id int primary key)')
    await expect(migrate(database, folder)).rejects.toMatchObject({
      code: 'MIGRATION_REFUSED',
      message: expect.stringContaining('0001-customers'),
    })
  })

  test('a database from before the first file is refused with what to do', async () => {
    await migrate(database, folder)
    await rm(path.join(folder, '0001-customers.sql'))
    await write('0001-people.sql', 'create table person (id text primary key)')
    await expect(migrate(database, folder)).rejects.toThrow(/start with an empty DATA_DIR/)
    expect(await schemaVersion(database)).toBe('0002-orders')
  })

  test('a file that fails is rolled back, and its error names the line', async () => {
    await write('0003-broken.sql', 'create table half (id int);\ncreate table other (id nonsense);')
    await expect(migrate(database, folder)).rejects.toThrow(/0003-broken\.sql line 2: .*nonsense/)
    expect(await schemaVersion(database)).toBe('0002-orders')
    expect((await database.pool.query(`select to_regclass('half') as half`)).rows).toEqual([
      { half: null },
    ])
  })

  test('two files with one number are refused before anything is applied', async () => {
    await write('0002-again.sql', 'select 1')
    await expect(migrate(database, folder)).rejects.toThrow(/number 0002/)
    expect(await schemaVersion(database)).toBeNull()
  })

  async function write(name: string, text: string): Promise<void> {
    await writeFile(path.join(folder, name), text)
  }
})
