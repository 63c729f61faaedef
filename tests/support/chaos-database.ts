/**
 * The database of a chaos test: ready for work but without customers (roles, accounts, a product, a
 * machine key), and the environment of a process that uses it. PGlite, or PostgreSQL with
 * TEST_DATABASE_URL.
 */
import { existsSync, mkdtempSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createLogger } from '#gateway/kernel/logger.ts'
import { type Database, openDatabase } from '#gateway/manage/db/client.ts'
import { prepareDatabase } from '#gateway/manage/foundation/foundation.ts'
import { syncRolesAndMenus } from '#gateway/manage/features/session/sync-menus.ts'
import { rememberKeys } from '#gateway/manage/kernel/book-keys.ts'
import { createMachineKey, type MachineKey } from '#gateway/manage/kernel/machine.ts'
import { buildManage } from '#gateway/manage/manage.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { addReviewers } from '#tests/factories/staff.ts'
import { migrationsHash } from './database.ts'
import { addAccounts } from './manage.ts'
import { preparedDump } from './pglite-clone.ts'
import { openNewDatabase, withName } from './postgres-server.ts'

const MASTER_KEY = Buffer.alloc(32, 1)
export const INTERNAL_SECRET = 'a secret of the tests'

export interface ChaosDatabase {
  engine: 'PGlite' | 'PostgreSQL'
  /** Environment of a process that uses the database. */
  env: Record<string, string>
  /** Keys of the customer app, the machine review and the payment channel. */
  key: MachineKey
  /** Accounts of reviewers beside the built-in ones. */
  reviewers: string[]
  /**
   * Opens the database in its current state; a PGlite directory is copied, so that its owner may
   * have been killed and may start again meanwhile.
   */
  look<T>(work: (database: Database) => Promise<T>): Promise<T>
  /** Ends every connection to the database, as when it restarts; PGlite has none. */
  cutConnections: (() => Promise<void>) | null
  drop(): Promise<void>
}

interface Furnishing {
  reviewers?: number
}

/** The engine of this run; each engine has a run of its own. */
export const engine: ChaosDatabase['engine'] = process.env.TEST_DATABASE_URL
  ? 'PostgreSQL'
  : 'PGlite'

export function makeChaosDatabase(furnishing: Furnishing = {}): Promise<ChaosDatabase> {
  // a test of two cores sets it for itself
  const url = process.env.TEST_DATABASE_URL
  return url ? makePostgresDatabase(url, furnishing) : makeEmbeddedDatabase(furnishing)
}

export async function makeEmbeddedDatabase({
  reviewers = 0,
}: Furnishing = {}): Promise<ChaosDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'console-ground-'))
  const dataDir = join(folder, 'database')
  const dump = await preparedDump(await migrationsHash(), prepareDatabase)
  const database = await openDatabase({ dataDir, loadFrom: dump })
  const furnished = await furnish(database, reviewers)
  await database.close()
  let copies = 0
  return {
    engine: 'PGlite',
    env: {
      DATA_DIR: folder,
      SEED: 'none',
      FIELD_KEY: MASTER_KEY.toString('base64'),
      MACHINE_REVIEW: 'external',
    },
    ...furnished,
    async look(work) {
      const copy = join(folder, `copy-${(copies += 1)}`)
      await cp(dataDir, copy, { recursive: true })
      // The lock belongs to the original.
      if (existsSync(join(copy, 'pglite.lock'))) await rm(join(copy, 'pglite.lock'))
      try {
        const opened = await openDatabase({ dataDir: copy })
        try {
          return await work(opened)
        } finally {
          await opened.close()
        }
      } finally {
        await rm(copy, { recursive: true, force: true })
      }
    },
    cutConnections: null,
    drop: () => rm(folder, { recursive: true, force: true }),
  }
}

async function makePostgresDatabase(
  server: string,
  { reviewers = 0 }: Furnishing,
): Promise<ChaosDatabase> {
  const { database, close } = await openNewDatabase(server)
  await prepareDatabase(database)
  const furnished = await furnish(database, reviewers)
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
    database.kysely,
  )
  return {
    engine: 'PostgreSQL',
    env: {
      DATABASE_URL: withName(server, rows[0]?.name ?? ''),
      FIELD_KEY: MASTER_KEY.toString('base64'),
      PAYOUT_VENDOR: 'sandbox',
      MACHINE_REVIEW: 'external',
    },
    ...furnished,
    async cutConnections() {
      await sql`
        select pg_terminate_backend(a.pid) from pg_stat_activity a where a.datname = current_database()
          and a.pid <> pg_backend_pid()`.execute(database.kysely)
    },
    look: (work) => work(database),
    drop: close,
  }
}

/** The database itself, while no console uses it. */
export async function withDatabase<T>(
  { env }: ChaosDatabase,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { DATABASE_URL: own, DATA_DIR: folder } = env
  const database = await openDatabase(
    own === undefined ? { dataDir: join(folder as string, 'database') } : { url: own },
  )
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Everything but customers, made by the product's own code. */
async function furnish(
  database: Database,
  reviewers: number,
): Promise<{ key: MachineKey; reviewers: string[] }> {
  const manage = await buildManage(
    {
      database,
      masterKey: Buffer.from(MASTER_KEY),
      log: createLogger('error'),
      version: { version: 'test', commit: 'test', build: 'test' },
      internalSecret: INTERNAL_SECRET,
      production: false,
      checkAnswers: true,
    },
    { kind: 'sandbox' },
  )
  await syncRolesAndMenus(database, manage.parts.menus)
  await addAccounts(database)
  await makeProduct(manage)
  const key = await createMachineKey(manage.context, {
    name: 'customer app, machine review and payment channel',
    scopes: ['application', 'machineReview', 'payment'],
  })
  const accounts = await addReviewers({ database }, reviewers)
  // as after a first start: what factories write instead of sealed values proves no key
  await rememberKeys(database, manage.context.secrets)
  await manage.close()
  return { key, reviewers: accounts }
}
