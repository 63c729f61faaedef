/**
 * The data of the bench: the demo book with about 20,000 orders, a queue long enough to last, and
 * signed-in users. On PostgreSQL product and baseline share one database; PGlite belongs to one
 * process, so the baseline has a copy.
 */
import { mkdtempSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createLogger } from '#gateway/kernel/logger.ts'
import { type Database, openDatabase } from '#gateway/manage/db/client.ts'
import { prepareDatabase } from '#gateway/manage/foundation/foundation.ts'
import { inTransaction, type Trx } from '#gateway/manage/db/transaction.ts'
import { seedDemo } from '#gateway/manage/demo/seed-demo.ts'
import { insertSession, newToken } from '#gateway/manage/features/session/session-store.ts'
import { syncRolesAndMenus } from '#gateway/manage/features/session/sync-menus.ts'
import { buildManage } from '#gateway/manage/manage.ts'
import { openNewDatabase, withName } from '#tests/support/postgres-server.ts'

export interface BookSize {
  customers: number
  /** Reviews that wait to be claimed, besides those of the demo. */
  queue: number
}
const SIZE: BookSize = { customers: 8_000, queue: 60_000 }
const PEOPLE = 50
const QUEUED_ORDERS = 5_000
const KEY = Buffer.alloc(32, 1)
export const SECRET = 'a secret of the bench'

/** How a baseline reaches its database. */
export interface BareDatabase {
  url?: string
  dataDir?: string
}

export interface Book {
  engine: 'PostgreSQL' | 'PGlite'
  /** Environment of manage. */
  env: Record<string, string>
  bare: BareDatabase
  orders: number
  /** Tokens of users who see all orders, of reviewers, and of one collector and the director of the demo. */
  tokens: { managers: string[]; reviewers: string[]; collector: string; director: string }
  /** Some orders, newest first: the first page of the list. */
  orderIds: string[]
  drop(): Promise<void>
}

export async function makeBook(url: string | undefined, size = SIZE): Promise<Book> {
  return url === undefined ? pgliteBook(size) : postgresBook(url, size)
}

async function postgresBook(url: string, size: BookSize): Promise<Book> {
  const { database, close } = await openNewDatabase(url)
  const written = await writeOr(close, database, size)
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
    database.kysely,
  )
  const own = withName(url, rows[0]?.name ?? '')
  return {
    engine: 'PostgreSQL',
    env: { DATABASE_URL: own, FIELD_KEY: KEY.toString('base64'), INTERNAL_SECRET: SECRET },
    bare: { url: own },
    ...written,
    drop: close,
  }
}

async function pgliteBook(size: BookSize): Promise<Book> {
  const folder = mkdtempSync(join(tmpdir(), 'console-bench-'))
  const dataDir = join(folder, 'database')
  const drop = (): Promise<void> => rm(folder, { recursive: true, force: true })
  const database = await openDatabase({ dataDir })
  const written = await writeOr(() => database.close().then(drop), database, size)
  await database.close()
  const copy = join(folder, 'copy')
  await cp(dataDir, copy, { recursive: true })
  return {
    engine: 'PGlite',
    env: {
      DATA_DIR: folder,
      SEED: 'none',
      FIELD_KEY: KEY.toString('base64'),
      INTERNAL_SECRET: SECRET,
    },
    bare: { dataDir: copy },
    ...written,
    drop,
  }
}

/** When the book cannot be written, everything is removed. */
async function writeOr(
  undo: () => Promise<void>,
  database: Database,
  size: BookSize,
): ReturnType<typeof write> {
  try {
    await prepareDatabase(database)
    return await write(database, size)
  } catch (error) {
    await undo()
    throw error
  }
}

async function write(
  database: Database,
  { customers, queue }: BookSize,
): Promise<Pick<Book, 'orders' | 'tokens' | 'orderIds'>> {
  const manage = await buildManage(
    {
      database,
      masterKey: Buffer.from(KEY),
      log: createLogger('error'),
      version: { version: 'bench', commit: 'bench', build: 'bench' },
      internalSecret: SECRET,
      production: false,
      checkAnswers: false,
    },
    { kind: 'sandbox' },
  )
  await syncRolesAndMenus(database, manage.parts.menus)
  const { orders } = await seedDemo(manage.context, { customers })
  await manage.close()
  const db = database.kysely
  // Claims of the bench neither reach the limit of a reviewer nor expire during the run.
  await sql`
    update sys_config set value = '86400'
      where code in ('review.idleMinutes', 'review.liveSeconds', 'review.maxClaimed',
      'session.renewMinutes')`.execute(db)
  await queueReviews(database, queue)
  const tokens = {
    managers: await people(database, 'manager'),
    reviewers: await people(database, 'reviewer'),
    collector: await inTransaction(database, (trx) => session(trx, 'collector')),
    director: await inTransaction(database, (trx) => session(trx, 'director')),
  }
  await sql`analyze`.execute(db)
  const { rows } = await sql<{
    id: string
  }>`select o.id from loan_order o order by o.created_at desc, o.id desc limit 50`.execute(db)
  return { orders, tokens, orderIds: rows.map((row) => row.id) }
}

/** Orders that wait for a review, each as often as it takes. */
export async function queueReviews(database: Database, count: number): Promise<void> {
  await sql`
    insert into review (order_id, customer_id, customer_name, amount, state, machine_state, machine_at,
      need_manual, bind_state, name_similarity, queued_at)
    select o.id, o.customer_id, c.name, o.amount, 'unclaimed', 'undecided', clock_timestamp(), true,
      'bound', 9500, clock_timestamp() + n * interval '1 millisecond'
    from generate_series(1, ${Math.ceil(count / QUEUED_ORDERS)}::int) n cross
      join (select * from loan_order order by id limit ${sql.lit(QUEUED_ORDERS)}) o
        join customer c on c.id = o.customer_id`.execute(database.kysely)
}

/** Accounts of a role with one session each; @returns their tokens */
async function people(database: Database, mark: string): Promise<string[]> {
  const tokens: string[] = []
  await inTransaction(database, async (trx) => {
    for (let n = 1; n <= PEOPLE; n += 1) {
      const account = `bench_${mark}${n}`
      await sql`
        insert into sys_user (account, nickname, user_name, password_hash, role_id)
          select ${account}, ${account}, ${account}, 'none', g.id from sys_role g
          where g.unique_mark = ${mark}`.execute(trx)
      tokens.push(await session(trx, account))
    }
  })
  return tokens
}

/** @returns the token of a session that lasts as long as the bench */
async function session(trx: Trx, account: string): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`select u.id from sys_user u where u.account = ${account}`.execute(trx)
  const token = newToken()
  await insertSession(trx, {
    id: `S${account}`,
    userId: (rows[0] as { id: string }).id,
    token,
    bind: null,
    ip: null,
    agent: null,
    idleMinutes: 600,
  })
  return token
}
