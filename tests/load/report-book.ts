/** Of a manage process: the book of the reports, and what is timed on it beside calls. */
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import { FILLED_TOGETHER, fillRollups, ROLLUPS } from '#gateway/manage/features/reports/rollup.ts'
import { bookRows } from '#gateway/manage/features/reports/rollup-types.ts'
import { fillRollups as fillBook } from '#tests/support/fill-rollups.ts'
import { multiplyBook } from '#tests/support/read-plans/multiply-book.ts'
import { queueReviews } from './book.ts'

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
const SPAN_MINUTES = 92 * 24 * 60
/** Enough for fifty reviewers while a day is filled. */
const QUEUE = 20_000

export interface ReportBook {
  orders: number
  plans: number
  payments: number
  /** How long its rollups took, all days of all of them. */
  fillSeconds: number
  megabytes: number
}
export interface Days {
  from: string
  to: string
}
export interface PlainDays extends Days {
  menu: string
}

export async function makeReportBook(database: Database, orders: number): Promise<ReportBook> {
  const db = database.kysely
  // Nothing that a copied order is due for may happen while it is measured; the refresh stays.
  await sql`
    update scheduled_task set status = 'disabled' where class <> 'reportRefresh'`.execute(db)
  await addInstalments(database)
  const { rows: demo } = await sql<{ orders: number }>`
    select count(*)::int as orders from loan_order`.execute(db)
  await multiplyBook(database, {
    main: orders,
    other: orders * OTHERS,
    also: ALSO,
    // a small book has as many days as a large one
    minutesApart: Math.ceil((SPAN_MINUTES * (demo[0]?.orders ?? 1)) / orders),
  })
  await queueReviews(database, QUEUE)
  const began = performance.now()
  await fillBook(database)
  const fillSeconds = (performance.now() - began) / 1_000
  await database.pool.query(`vacuum analyze`)
  const { rows } = await sql<Omit<ReportBook, 'fillSeconds'>>`
    select (select count(*)::int from loan_order) as orders,
      (select count(*)::int from repay_plan) as plans,
      (select count(*)::int from repay_record) as payments,
      (pg_database_size(current_database()) / 1000000)::int as megabytes`.execute(db)
  return { ...(rows[0] as Omit<ReportBook, 'fillSeconds'>), fillSeconds }
}

/** Earlier instalments of a loan, with their payments: a column → its value in the n-th of them. */
const EARLIER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  repay_plan: {
    id: `t.id || 'i' || n`,
    serial_no: `t.serial_no + n * 1000`,
    due_at: `t.due_at - n * 30`,
    actual_repayment_at: `t.actual_repayment_at - n * interval '30 days'`,
  },
  repay_record: {
    id: `t.id || 'i' || n`,
    plan_id: `t.plan_id || 'i' || n`,
    utr: `t.utr || 'i' || n`,
    vendor_order_no: `t.vendor_order_no || 'i' || n`,
    paid_at: `t.paid_at - n * interval '30 days'`,
  },
  ledger_entry: {
    id: `t.id + n * 100000`,
    txn_id: `t.txn_id || 'i' || n`,
    plan_id: `t.plan_id || 'i' || n`,
    ref_id: `t.ref_id || 'i' || n`,
    biz_date: `t.biz_date - n * 30`,
  },
}

/** Loans of the demo have two plans and payments; with one or two more of each instalment they have five. */
async function addInstalments({ pool }: Database): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const [table, earlier] of Object.entries(EARLIER)) {
      const { rows } = await client.query<{ name: string }>(
        `select attname as name from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      )
      await client.query(`
        insert into ${table} (${rows.map(({ name }) => name).join(', ')}) overriding system value
        select ${rows.map(({ name }) => earlier[name] ?? `t.${name}`).join(', ')}
        from ${table} t cross join generate_series(1, 1 + abs(hashtext(t.order_id)) % 2) n
        where ${table === 'repay_plan' ? `t.kind = 'instalment'` : 't.plan_id is not null'}`)
    }
    await client.query('reset session_replication_role')
  } finally {
    client.release()
  }
}

/** Days of the range with the most applications and instalments, the fullest first. */
export async function fullestDays({ pool }: Database, { from, to }: Days): Promise<string[]> {
  const { rows } = await pool.query<{ day: string }>(
    `select x.day::text as day from (
       select ist_day(o.created_at) as day from loan_order o
       union all
       select p.due_at from repay_plan p
     ) x
     where x.day >= $1::date and x.day < $2::date
     group by x.day
     order by count(*) desc
     limit 20`,
    [from, to],
  )
  return rows.map(({ day }) => day)
}

/** A closed day of every rollup, as the refresh fills it. @returns milliseconds */
export async function fillDay(database: Database, day: string): Promise<number> {
  const began = performance.now()
  for (const rollups of FILLED_TOGETHER)
    await inTransaction(database, (trx) => fillRollups(trx, rollups, { from: day, to: day }))
  return performance.now() - began
}

/** The statements over the book that count what the menu shows. @returns milliseconds */
export async function plainMs(database: Database, { menu, from, to }: PlainDays): Promise<number> {
  const tables = ROLLUPS.flatMap((rollup) =>
    rollup.menus.includes(menu) ? rollup.tables : [],
  ).filter(({ grain }) => grain === undefined)
  return inTransaction(database, async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    const began = performance.now()
    for (const table of tables)
      await sql`select count(*) from (${bookRows(table, { from, to })}) book`.execute(trx)
    return performance.now() - began
  })
}
