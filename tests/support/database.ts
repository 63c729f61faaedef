// A database for one test file, with all migrations applied: on the server of TEST_DATABASE_URL
// when that is set, else PGlite in memory. Applying migrations takes seconds, so each set of
// migrations is applied once, kept as a template (PostgreSQL) or a dump (PGlite) under a name that
// contains its hash, and cloned from there.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { type Database, openDatabase } from '#gateway/manage/db/client.ts'
import { readMigrations } from '#gateway/manage/db/migrate.ts'
import { FOUNDATION, prepareDatabase } from '#gateway/manage/foundation/foundation.ts'
import { cloneDump } from './pglite-clone.ts'
import { onServer, openNewDatabase, withName } from './postgres-server.ts'

export interface TestDatabase {
  database: Database
  /** Closes the connections and drops the database. */
  close(): Promise<void>
}

/** One process prepares the template, the others wait for it. */
const TEMPLATE_LOCK = 7_265_018_835

export async function testDatabase(): Promise<TestDatabase> {
  const url = process.env.TEST_DATABASE_URL
  const hash = await migrationsHash()
  return url ? cloneTemplate(url, `console_template_${hash}`) : cloneDump(hash, prepareDatabase)
}

/** Name of a prepared database: other migrations or another foundation have another name. */
export async function migrationsHash(): Promise<string> {
  const files = await readMigrations()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file.name} ${file.sha256}\n`)
  hash.update(JSON.stringify(FOUNDATION))
  return hash.digest('hex').slice(0, 16)
}

async function cloneTemplate(url: string, template: string): Promise<TestDatabase> {
  await prepareTemplate(url, template)
  return openNewDatabase(url, template)
}

async function prepareTemplate(url: string, template: string): Promise<void> {
  await onServer(url, async (client) => {
    if (await exists(client, template)) return
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    if (await exists(client, template)) return
    const draft = `${template}_draft`
    await client.query(`drop database if exists ${draft} with (force)`)
    await client.query(`create database ${draft}`)
    const database = await openDatabase({ url: withName(url, draft) })
    await prepareDatabase(database)
    await database.close()
    await client.query(`alter database ${draft} rename to ${template}`)
  })
}

async function exists(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
  return rowCount === 1
}
