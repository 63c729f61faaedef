/**
 * The demo portfolio: the same seed and the same instant give the same book. It is written in one
 * transaction, so a start that is cut off leaves an empty book and the next one begins again.
 */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { istDay } from '#shared/kernel/time.ts'
import { hashPassword } from '#gateway/manage/features/session/password.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { inTransaction, type Trx } from '#gateway/manage/db/transaction.ts'
import { seedAdvertising } from './advertising.ts'
import { DEMO_PASSWORD, insertAccounts, type Staff } from './accounts.ts'
import { seedAttachedFiles } from './attached-files.ts'
import { type Borrower, borrowerOf } from './borrower.ts'
import { seedCases } from './collection-cases.ts'
import { insertCollectionStaff } from './collection-staff.ts'
import { seedCoupons } from './coupons.ts'
import { channelOf } from './channel-of.ts'
import { addCustomer, type CustomerContext } from './customer-rows.ts'
import { seedHolidays } from './holidays.ts'
import { type Life, MINUTE, type World } from './life.ts'
import { seedLines } from './lines.ts'
import { seedAnnouncements } from './announcements.ts'
import { addOrder, addPostings } from './order-rows.ts'
import type { GivenIds, Numbers } from './row-ids.ts'
import { type Person, personOf } from './people.ts'
import { seedProofs } from './proofs.ts'
import { rngOf } from './random.ts'
import { seedReminders } from './reminders.ts'
import { addReview } from './review-rows.ts'
import { seedRobot } from './robot.ts'
import { seedMachineFacts, seedRuleChange, seedRuleHits } from './rule-hits.ts'
import { scriptsOf } from './scripts.ts'
import { insertFoundation } from './seed-foundation.ts'
import { analyzeTables, Batch, FIRST_NUMBER, moveSequences } from './tables.ts'
import { seedTelemarketing } from './telemarketing.ts'
import { seedThirdParties } from './third-parties.ts'
import { seedTickets } from './tickets.ts'

export { demoAccounts, type DemoAccount } from './accounts.ts'

export interface SeedOptions {
  customers: number
  seed?: number
  /** Instant the book is of; now by the database's clock. */
  asOf?: string
}
export interface Seeded {
  customers: number
  orders: number
  rows: number
}

const DEFAULT_SEED = 20_260_101
/**
 * Up to this size every reviewed customer has drawn documents, above it only those who wait for a
 * reviewer.
 */
const PHOTOS_UP_TO = 5_000
const CUSTOMERS_PER_FLUSH = 1_000
const CUSTOMERS_PER_TURN = 10

/** Whether nobody has worked with this database yet. */
export async function isEmptyBook(database: Database): Promise<boolean> {
  const { rows } = await sql<{
    empty: boolean
  }>`select not exists (select 1 from customer) and not exists (select 1 from loan_order) as empty`.execute(
    database.kysely,
  )
  return rows[0]?.empty === true
}

/** Roles must be there (syncRolesAndMenus). */
export async function seedDemo(
  context: AppContext,
  { customers, seed = DEFAULT_SEED, asOf }: SeedOptions,
): Promise<Seeded> {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  return inTransaction(context.database, async (trx) => {
    // several processes may start at once; the second one finds a book and adds nothing
    await sql`select pg_advisory_xact_lock(7005)`.execute(trx)
    const { rows } = await sql<{
      now: string
      taken: boolean
    }>`select clock_timestamp() as now, exists (select 1 from customer) as taken`.execute(trx)
    const clock = rows[0] as { now: string; taken: boolean }
    if (clock.taken) return { customers: 0, orders: 0, rows: 0 }
    // the rollups of a new book are filled as a whole once it runs
    await sql`set local reports.marks = 'off'`.execute(trx)
    await insertFoundation(trx, context)
    const staff = await insertAccounts(trx, passwordHash)
    const world = worldAt(Date.parse(asOf ?? clock.now), staff)
    const written = await writeBook(trx, context, { customers, seed, world })
    // what follows joins them: unknown to the planner, ten times the book took a hundred times as long
    await analyzeTables(trx)
    // fines and stages of the book are those of today's opening
    await sql`
      insert into day_opening (day, finished_at)
        values (${world.today}, ${new Date(world.asOf).toISOString()}) on conflict (day) do nothing`.execute(
      trx,
    )
    await seedHolidays(trx, world.today)
    await seedCases(trx, await insertCollectionStaff(trx, world.asOf), { ...world, seed })
    await seedTickets(trx, { asOf: world.asOf, seed, customers })
    await seedProofs(trx, { asOf: world.asOf, seed })
    await seedAttachedFiles(trx, seed)
    await seedLines(trx)
    await seedTelemarketing(trx, world.asOf)
    await seedCoupons(trx, world.asOf)
    await seedAnnouncements(trx, world.asOf)
    await seedAdvertising(trx, world.today)
    await seedReminders(trx, world.today)
    await seedRuleHits(trx)
    await seedMachineFacts(trx)
    await seedThirdParties(trx, context)
    await seedRobot(trx)
    await seedRuleChange(trx, world.today)
    await sql`analyze`.execute(trx)
    return written
  })
}

function worldAt(asOf: number, staff: Staff): World {
  // the day opens at 00:05 IST
  return {
    asOf,
    today: istDay(asOf - 5 * MINUTE),
    reviewers: staff.reviewers,
    inspectors: staff.inspectors,
    managers: staff.managers,
  }
}

interface Book {
  customers: number
  seed: number
  world: World
}

async function writeBook(
  trx: Trx,
  context: AppContext,
  { customers, seed, world }: Book,
): Promise<Seeded> {
  const scripts = scriptsOf(customers, rngOf(seed, 'scripts'))
  const live = (index: number): Borrower =>
    borrowerOf(seed, index, customers, world, scripts.get(index))
  const orderNumbers = numberOrders(customers, live)
  let batch = new Batch()
  let rows = 0
  let writing: Promise<void> = Promise.resolve()
  const write = async (): Promise<void> => {
    const full = batch
    batch = new Batch()
    await writing
    writing = full.flush(trx).then(() => {
      rows += full.written
    })
    // it is awaited with the next batch; a failure in between must not count as unhandled
    writing.catch(() => undefined)
  }
  const numbers = {
    plan: FIRST_NUMBER,
    transfer: FIRST_NUMBER,
    record: FIRST_NUMBER,
    txn: FIRST_NUMBER,
    blacklist: FIRST_NUMBER,
    handover: FIRST_NUMBER,
  }
  const customerContext: CustomerContext = {
    secrets: context.secrets,
    seed,
    manager: world.managers[0] ?? null,
    nextBlacklist: () => numbers.blacklist++,
    withPhotos: customers <= PHOTOS_UP_TO,
  }
  let order = 0
  for (let index = 0; index < customers; index += 1) {
    const borrower = live(index)
    const person = personOf(seed, index, world.today)
    const orderIds = borrower.lives.map(() => `${FIRST_NUMBER + (orderNumbers[order++] as number)}`)
    addBorrower(
      batch,
      `C${FIRST_NUMBER + index}`,
      orderIds,
      borrower,
      person,
      customerContext,
      numbers,
    )
    if ((index + 1) % CUSTOMERS_PER_FLUSH === 0) await write()
    // the database writes one batch while the next is lived
    if (index % CUSTOMERS_PER_TURN === 0) await setImmediate()
  }
  await write()
  await writing
  await moveSequences(trx, {
    customer_id_seq: FIRST_NUMBER + customers,
    order_id_seq: FIRST_NUMBER + order,
    review_id_seq: FIRST_NUMBER + order,
    plan_id_seq: numbers.plan,
    transfer_id_seq: numbers.transfer,
    record_id_seq: numbers.record,
    ledger_txn_seq: numbers.txn,
    blacklist_id_seq: numbers.blacklist,
    handover_id_seq: numbers.handover,
  })
  return { customers, orders: order, rows }
}

function addBorrower(
  batch: Batch,
  customerId: string,
  orderNumbers: string[],
  borrower: Borrower,
  person: Person,
  context: CustomerContext,
  numbers: Numbers & { handover: number },
): void {
  const channelId = channelOf(context.seed, borrower.index)
  addCustomer(batch, { customerId, channelId, appId: borrower.appId }, person, borrower, context)
  const given: GivenIds = { plans: new Map(), payments: new Map() }
  const idOf = (life: Life | null): string | null =>
    life ? `L${orderNumbers[borrower.lives.indexOf(life)]}` : null
  for (const life of borrower.lives) {
    const orderId = idOf(life) as string
    addOrder(
      batch,
      { orderId, customerId, channelId, fromOrderId: idOf(life.follows) },
      life,
      person,
      context.secrets,
      numbers,
      given,
    )
    if (life.review)
      addReview(
        batch,
        {
          reviewId: `R${orderId.slice(1)}`,
          orderId,
          customerId,
          handoverId: () => `H${numbers.handover++}`,
        },
        life,
        life.review,
        person,
        borrower.hasBoundCard,
      )
  }
  for (const life of borrower.lives)
    addPostings(
      batch,
      life,
      idOf(life) as string,
      idOf(borrower.lives.find((next) => next.follows === life) ?? null),
      numbers,
      given,
    )
}

/**
 * Ids follow the time of application, so all lives are lived once to know the order.
 * @returns rank by borrower and loan
 */
function numberOrders(customers: number, live: (index: number) => Borrower): Uint32Array {
  const times: number[] = []
  for (let index = 0; index < customers; index += 1)
    for (const life of live(index).lives) times.push(life.createdAt)
  const at = Float64Array.from(times)
  const byTime = Uint32Array.from(at, (_, i) => i).toSorted(
    (a, b) => (at[a] as number) - (at[b] as number) || a - b,
  )
  const ranks = new Uint32Array(at.length)
  byTime.forEach((i, rank) => {
    ranks[i] = rank
  })
  return ranks
}
