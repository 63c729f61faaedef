/**
 * The drill of a backup of PostgreSQL: the command dumps a book while it is open, the dump is
 * restored beside it and proven. Passed over where there is no server or no client of it.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { type Database, openDatabase } from '#gateway/manage/db/client.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { findServer, onLocalServer } from '#tests/support/local-server.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { onServer, withName } from '#tests/support/postgres-server.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'dump-'))
const restored = `console_test_${randomBytes(8).toString('hex')}`
const hasClient = spawnSync('pg_restore', ['--version']).status === 0
let floor: Floor | null = null
beforeAll(async () => {
  if (hasClient) floor = await onLocalServer(testManage)
})
afterAll(async () => {
  await floor?.close()
  rmSync(folder, { recursive: true, force: true })
})

const countsOf = async ({ kysely }: Database) =>
  (
    await sql<Record<string, number>>`
      select (select count(*)::int from loan_order) as orders,
        (select count(*)::int from ledger_entry) as entries,
        (select count(*)::int from operate_log) as logged,
        (select sum(debit)::bigint from ledger_entry) as debit`.execute(kysely)
  ).rows[0]

test('a dump made by the command holds the book to the paisa, and its rules are unbroken', async () => {
  if (floor === null) return
  const url = (await findServer()) as string
  for (let n = 0; n < 3; n += 1)
    await makeOrder(floor, { status: 30, amount: 1_000_001 + n, vendorCode: 'elsewhere' })
  await floor.settle()
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
    floor.database.kysely,
  )
  const made = spawnSync(
    process.execPath,
    ['--import', 'tsx', join('gateway', 'back-up.ts'), folder],
    {
      cwd: ROOT,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH ?? '',
        DATABASE_URL: withName(url, rows[0]?.name ?? ''),
        FIELD_KEY: Buffer.alloc(32, 1).toString('base64'),
      },
    },
  )
  expect([made.status, made.stdout]).toEqual([
    0,
    expect.stringMatching(/^\S+Z\.dump\. FIELD_KEY is not in it\.\n$/),
  ])
  const [file = ''] = made.stdout.split('. FIELD_KEY')
  await onServer(url, (client) => client.query(`create database ${restored} template template0`))
  try {
    const target = withName(url, restored)
    const back = spawnSync('pg_restore', [
      '--no-owner',
      '--exit-on-error',
      `--dbname=${target}`,
      file,
    ])
    expect([back.status, back.stderr.toString()]).toEqual([0, ''])
    const database = await openDatabase({ url: target })
    expect(await countsOf(database)).toEqual(await countsOf(floor.database))
    expect(await brokenInvariants(database)).toEqual([])
    await database.close()
  } finally {
    await onServer(url, (client) =>
      client.query(`drop database if exists ${restored} with (force)`),
    )
  }
})
