// The one way to the database. Both engines are reached through Kysely's PostgresDialect on a pg
// Pool: PostgreSQL over its socket, PGlite over the bridge to its own thread, so SQL, types, errors
// and LISTEN are the same.
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { CheckedClient, NamingPool } from './checked-pool.ts'
import type { Copied } from './copy-directory.ts'
import { openListener } from './listener.ts'
import { startPglite } from './pglite-engine.ts'
import { columnTypes } from './types.ts'

export interface DatabaseConfig {
  /** PostgreSQL; without it PGlite in `dataDir`. */
  url?: string
  /** Data directory of PGlite, or 'memory://' for a database that is gone at close. */
  dataDir?: string
  poolSize?: number
  /** A PGlite dump (.tar, .tgz) to begin with; the data directory must hold no database yet. */
  loadFrom?: string
  /**
   * How long a query waits for a connection (or for PGlite's one session) before it fails; 15 s.
   */
  waitMillis?: number
  /**
   * How long PostgreSQL lets a statement run, wait for a lock, and leaves a transaction without a
   * statement; without them, the limits of the server hold. PGlite has no such limits.
   */
  limits?: { statementMillis: number; lockMillis: number; idleMillis: number }
  /**
   * Hears of trouble no query reports: an idle connection lost, the thread of PGlite stopped (then
   * the process should end).
   */
  onError?: (error: Error) => void
}

export interface Database {
  engine: 'postgresql' | 'pglite'
  kysely: Kysely<unknown>
  pool: pg.Pool
  /**
   * Calls `onNotify` with the payload of each notification, and with '' after a lost connection is
   * back: some may be missed.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
  /** Writes the whole database to a file (.tar, or compressed .tgz); PGlite only. */
  dump(path: string): Promise<void>
  /**
   * Copies the database's directory while no statement runs; PGlite only.
   * @param earlier a copy whose unchanged files are shared
   */
  copyTo(target: string, earlier: { dir: string; at: number } | null): Promise<Copied>
  close(): Promise<void>
}

const WAIT_MILLIS = 15_000
const POOL_SIZE = { postgresql: 10, pglite: 4 } as const

/**
 * @throws {DataDirInUse} when another process has the data directory open
 */
export function openDatabase(config: DatabaseConfig): Promise<Database> {
  return config.url === undefined ? openPglite(config) : openPostgres(config, config.url)
}

async function openPostgres(config: DatabaseConfig, url: string): Promise<Database> {
  const clientConfig: pg.ClientConfig = {
    connectionString: url,
    types: columnTypes,
    keepAlive: true,
    // compiling a statement takes longer than any of ours runs
    options: ['-c TimeZone=UTC -c DateStyle=ISO -c jit=off', ...limitOptions(config)].join(' '),
    connectionTimeoutMillis: config.waitMillis ?? WAIT_MILLIS,
  }
  const database = assemble('postgresql', config, clientConfig)
  async function refuse(): Promise<never> {
    throw new Error('this is for PGlite; use pg_dump for PostgreSQL')
  }
  return { ...database, dump: refuse, copyTo: refuse, close: database.closeClients }
}

function limitOptions({ limits }: DatabaseConfig): string[] {
  if (!limits) return []
  return [
    `-c statement_timeout=${limits.statementMillis}`,
    `-c lock_timeout=${limits.lockMillis}`,
    `-c idle_in_transaction_session_timeout=${limits.idleMillis}`,
  ]
}

async function openPglite(config: DatabaseConfig): Promise<Database> {
  if (config.dataDir === undefined)
    throw new Error('A database needs a url (PostgreSQL) or a dataDir (PGlite)')
  const waitMillis = config.waitMillis ?? WAIT_MILLIS
  const engine = await startPglite({
    dataDir: config.dataDir,
    loadFrom: config.loadFrom,
    waitMillis,
    onError: (error) => config.onError?.(error),
  })
  const database = assemble('pglite', config, {
    types: columnTypes,
    stream: () => engine.openStream(),
    user: 'postgres',
    password: '',
    connectionTimeoutMillis: waitMillis,
  })
  async function close(): Promise<void> {
    await database.closeClients()
    await engine.close()
  }
  return {
    ...database,
    dump: (path) => engine.dump(path),
    copyTo: (target, earlier) => engine.copyTo(target, earlier),
    close,
  }
}

function assemble(
  engine: Database['engine'],
  config: DatabaseConfig,
  clientConfig: pg.ClientConfig,
) {
  const onError = (error: Error): void => config.onError?.(error)
  const pool = new NamingPool({
    ...clientConfig,
    pipeline: true,
    max: config.poolSize ?? POOL_SIZE[engine],
    idleTimeoutMillis: 0,
    Client: CheckedClient,
  })
  pool.on('error', onError)
  const listener = openListener(() => new pg.Client(clientConfig), onError)
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  async function closeClients(): Promise<void> {
    await listener.close()
    await pool.end()
  }
  return { engine, kysely, pool, listen: listener.listen, closeClients }
}
