// Databases on the PostgreSQL server of TEST_DATABASE_URL.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Database, type DatabaseConfig, openDatabase } from '#gateway/manage/db/client.ts'

/** Creates a database from a template, opens it, and drops it on close. */
export async function openNewDatabase(
  url: string,
  template = 'template0',
  config: DatabaseConfig = {},
): Promise<{ database: Database; close(): Promise<void> }> {
  const name = `console_test_${randomBytes(8).toString('hex')}`
  await onServer(url, async (client) => {
    await client.query(`create database ${name} template ${template}`)
    // the server is never killed: waiting for its disk at each commit would only take time
    await client.query(`alter database ${name} set synchronous_commit = off`)
  })
  const database = await openDatabase({ ...config, url: withName(url, name) })
  async function close(): Promise<void> {
    await database.close()
    await onServer(url, (client) => client.query(`drop database if exists ${name} with (force)`))
  }
  return { database, close }
}

export async function onServer<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The same server, another database. */
export function withName(url: string, name: string): string {
  const named = new URL(url)
  named.pathname = `/${name}`
  return named.href
}
