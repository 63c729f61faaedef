/**
 * Tests of races take a PostgreSQL that runs on this machine: the embedded database has one
 * connection, on which nobody waits for a lock. Where there is none they are passed over, and
 * `say-races.ts` says so once before all tests.
 */
import { userInfo } from 'node:os'
import pg from 'pg'

/** The server of TEST_DATABASE_URL, else one on the usual port that lets this user in. */
export async function findServer(): Promise<string | null> {
  const { username } = userInfo()
  const given = process.env.TEST_DATABASE_URL
  for (const url of given ? [given] : [`postgres://${username}@127.0.0.1:5432/postgres`]) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    try {
      await client.connect()
      await client.query('select 1')
      return url
    } catch {
      continue
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  return null
}

/**
 * Opens something on that server, whatever the other tests run on.
 * @returns null when there is no server
 * @throws Error when TEST_DATABASE_URL names one that does not answer
 */
export async function onLocalServer<T>(open: () => Promise<T>): Promise<T | null> {
  const url = await findServer()
  if (url === null) {
    if (process.env.TEST_DATABASE_URL) throw new Error('TEST_DATABASE_URL does not answer')
    return null
  }
  const before = process.env.TEST_DATABASE_URL
  process.env.TEST_DATABASE_URL = url
  try {
    return await open()
  } finally {
    if (before === undefined) delete process.env.TEST_DATABASE_URL
    else process.env.TEST_DATABASE_URL = before
  }
}
