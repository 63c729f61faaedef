// Numbered SQL files, applied in order and once. A file is append-only history: one that was
// applied may not change.
import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Database } from './client.ts'

const FILE_NAME = /^\d{4}-[a-z0-9-]+\.sql$/
/** Any number will do as long as nothing else of this product uses it. */
const LOCK_KEY = 7_265_018_834
/** Beside this file in the source tree; the build copies the folder beside the bundle. */
const DEFAULT_FOLDER = fileURLToPath(new URL('./migrations/', import.meta.url))

export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
  readonly code = 'MIGRATION_REFUSED'
}

export interface MigrationFile {
  /** File name without .sql; sorts in the order of application. */
  name: string
  text: string
  sha256: string
}

/**
 * Applies the files that the database does not have yet, each in its own transaction, and returns
 * their names. Several processes may start at once: an advisory lock lets one apply while the
 * others wait. A statement that cannot get its table within 3 s fails, rather than stop the work of
 * everybody behind it.
 * @throws {MigrationRefused} when a file was changed after it was applied or is badly named, or the
 * database is older than the first file
 */
export async function migrate(
  database: Database,
  folder: string = DEFAULT_FOLDER,
): Promise<string[]> {
  const files = await readMigrations(folder)
  const client = await database.pool.connect()
  try {
    const known = await knownFiles(client)
    const first = files[0]
    if (first && known.size > 0 && !known.has(first.name))
      throw new MigrationRefused(
        'This database was made before the first release; start with an empty DATA_DIR, ' +
          'or an empty database at DATABASE_URL',
      )
    const applied: string[] = []
    // what was applied unchanged needs no lock to find that out
    for (const file of files)
      if (known.get(file.name) !== file.sha256 && (await apply(client, file)))
        applied.push(file.name)
    return applied
  } finally {
    client.release()
  }
}

/** Name of the last migration in order that the database has, or null when it has none. */
export async function schemaVersion(database: Database): Promise<string | null> {
  const table = await database.pool.query<{ found: string | null }>(
    `select to_regclass('schema_migration')::text as found`,
  )
  if (table.rows[0]?.found == null) return null
  const { rows } = await database.pool.query<{ name: string | null }>(
    'select max(name) as name from schema_migration',
  )
  return rows[0]?.name ?? null
}

/** The migrations of a folder, in order. */
export async function readMigrations(folder: string = DEFAULT_FOLDER): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const numbers = new Set<string>()
  for (const name of names) {
    if (!FILE_NAME.test(name)) throw new MigrationRefused(`${name} is not named NNNN-words.sql`)
    if (numbers.has(name.slice(0, 4)))
      throw new MigrationRefused(`Two migrations have the number ${name.slice(0, 4)}`)
    numbers.add(name.slice(0, 4))
  }
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(folder, name), 'utf8')
      return {
        name: name.slice(0, -4),
        text,
        sha256: createHash('sha256').update(text).digest('hex'),
      }
    }),
  )
}

/** Name → sha256 of what the database has. */
async function knownFiles(client: pg.PoolClient): Promise<ReadonlyMap<string, string>> {
  const table = await client.query<{ found: string | null }>(
    `select to_regclass('schema_migration')::text as found`,
  )
  if (table.rows[0]?.found == null) return new Map()
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration',
  )
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]))
}

async function apply(client: pg.PoolClient, file: MigrationFile): Promise<boolean> {
  await client.query('begin')
  try {
    const isNew = await applyInTransaction(client, file)
    await client.query('commit')
    return isNew
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function applyInTransaction(client: pg.PoolClient, file: MigrationFile): Promise<boolean> {
  // another core may apply for minutes
  await client.query('set local lock_timeout = 0')
  await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY])
  await client.query(`set local lock_timeout = '3s'`)
  await client.query('set local statement_timeout = 0')
  await client.query(`
    create table if not exists schema_migration (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`)
  const { rows } = await client.query<{ sha256: string }>(
    'select sha256 from schema_migration where name = $1',
    [file.name],
  )
  if (rows[0]) {
    if (rows[0].sha256 === file.sha256) return false
    throw new MigrationRefused(
      `${file.name}.sql was changed after it had been applied; put it back and write a new migration`,
    )
  }
  await run(client, file)
  await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [
    file.name,
    file.sha256,
  ])
  return true
}

async function run(client: pg.PoolClient, file: MigrationFile): Promise<void> {
  try {
    await client.query(file.text)
  } catch (error) {
    const position =
      error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN
    const line = Number.isNaN(position)
      ? ''
      : ` line ${file.text.slice(0, position).split('\n').length}`
    throw new Error(
      `Migration ${file.name}.sql${line}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
}
