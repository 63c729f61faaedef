/**
 * Each report over 92 days from its rollups, on a small and on a large book, beside the plain
 * `group by` over the book that fills the same days. Makes books of its own, of copies of the demo's rows.
 */
import { sql } from 'kysely'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { fillRollup, ROLLUPS } from '#gateway/manage/features/reports/rollup.ts'
import { seedDemo } from '#gateway/manage/demo/seed-demo.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { fillRollups } from '#tests/support/fill-rollups.ts'
import { multiplyBook } from '#tests/support/read-plans/multiply-book.ts'
import { median, spreadOf } from './measure.ts'
import type { Bench } from './stage.ts'
import { type Line, short } from './table.ts'

/** Orders of the books; PGlite is for a small lender. REPORTS_ORDERS says another large one. */
const SIZES = { PostgreSQL: [10_000, 1_000_000], PGlite: [10_000, 50_000] } as const
/** What rollups count: as often as the orders, so that each has its customer, its plans and its payments. */
const ALSO = [
  'bank_card',
  'case_allocation',
  'collection_case',
  'credit_grant',
  'customer',
  'customer_contact',
  'customer_kyc',
  'customer_photo',
  'ledger_entry',
  'message_log',
  'order_status_log',
  'payout_transfer',
  'recovery_bill',
  'repay_plan',
  'repay_record',
  'review',
  'review_log',
  'rule_hit',
]
const OTHERS = 0.3
const DAYS = 92
const CALLS = 12
const MOST_MS = 150
const MOST_RATIO = 1.5
const LEAST_FASTER = 50
const MOST_DAY_MS = 10_000
/** Below this a ratio is that of two overheads. */
const NOISE_MS = 5

interface Timing {
  p50: number
  p95: number
}
interface Timed {
  /** By path of the report's call. */
  reports: Map<string, Timing>
  /** Of the menu's rollups: the plain statements, in milliseconds. */
  plain: Map<string, number>
  /** A closed day of all rollups. */
  dayMs: number
}

export async function reportLines({ book }: Pick<Bench, 'book'>): Promise<Line[]> {
  const [small, large] = SIZES[book.engine]
  const orders = Number(process.env.REPORTS_ORDERS ?? large)
  const before = await timed(small)
  const after = await timed(orders)
  const sizes = [small, orders].map((size) => size.toLocaleString('en-US')).join(' → ')
  const lines = [...after.reports].map(([path, now]): Line => {
    const was = before.reports.get(path) ?? now
    const plain = after.plain.get(path) ?? 0
    const grown = Math.max(now.p50, NOISE_MS) / Math.max(was.p50, NOISE_MS)
    const faster = plain / Math.max(now.p50, 1)
    return {
      what: `${path}, ${DAYS} days, ${sizes} orders (${book.engine})`,
      product: `p95 ${short(now.p95)} ms; ${grown.toFixed(1)}× the small book`,
      baseline: `plain group by ${short(plain)} ms`,
      ratio: faster,
      target: `p95 ≤ ${MOST_MS} ms, ≤ ${MOST_RATIO}×, ≥ ${LEAST_FASTER} × faster`,
      pass: now.p95 <= MOST_MS && grown <= MOST_RATIO && faster >= LEAST_FASTER,
    }
  })
  return [
    ...lines,
    {
      what: `a closed day of all rollups filled again, ${orders.toLocaleString('en-US')} orders`,
      product: `${short(after.dayMs)} ms`,
      baseline: `${short(before.dayMs)} ms on the small book`,
      ratio: null,
      target: `≤ ${MOST_DAY_MS} ms`,
      pass: after.dayMs <= MOST_DAY_MS,
    },
  ]
}

async function timed(orders: number): Promise<Timed> {
  const floor = await testManage()
  try {
    await seedDemo(floor.context, { customers: 150 })
    await multiplyBook(floor.database, { main: orders, other: orders * OTHERS, also: ALSO })
    await fillRollups(floor.database)
    await sql`analyze`.execute(floor.database.kysely)
    return await timeAll(floor)
  } finally {
    await floor.close()
  }
}

async function timeAll(floor: Floor): Promise<Timed> {
  const person = await floor.signIn('director')
  const dateTo = istDay(Date.now())
  const range = { dateFrom: addDays(dateTo, 1 - DAYS), dateTo }
  const own = floor.manage.endpoints.filter(
    ({ method, path, exports, input }) =>
      method === 'GET' &&
      path.startsWith('/report/') &&
      exports !== undefined &&
      'dateFrom' in input.properties,
  )
  const reports = new Map<string, Timing>()
  const plain = new Map<string, number>()
  for (const endpoint of own) {
    const taken: number[] = []
    for (let n = 0; n <= CALLS; n += 1) {
      const began = performance.now()
      const { statusCode } = await person.send(endpoint, range)
      if (statusCode !== 200) throw new Error(`${endpoint.path} answered ${statusCode}`)
      // the first call fills caches
      if (n > 0) taken.push(performance.now() - began)
    }
    reports.set(endpoint.path, { p50: median(taken), p95: spreadOf(taken).p95 })
    plain.set(endpoint.path, await plainMs(floor, endpoint.menu ?? '', range))
  }
  const day = addDays(dateTo, -3)
  const began = performance.now()
  for (const rollup of ROLLUPS)
    await inTransaction(floor.database, (trx) => fillRollup(trx, rollup, { from: day, to: day }))
  return { reports, plain, dayMs: performance.now() - began }
}

/** The statements over the book that count what the menu shows. */
async function plainMs(
  { database }: Floor,
  menu: string,
  { dateFrom: from, dateTo: to }: { dateFrom: string; dateTo: string },
): Promise<number> {
  const began = performance.now()
  for (const rollup of ROLLUPS.filter(({ menus }) => menus.includes(menu)))
    for (const table of rollup.tables)
      await sql`select count(*) from (${table.rows({ from, to })}) book`.execute(database.kysely)
  return performance.now() - began
}
