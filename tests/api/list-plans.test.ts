/**
 * Every list, as it opens, with each filter and by each sort key, in the scopes of all, of an agency
 * and of a person, on a book of 50,000 orders: none reads a table that grows from end to end, and
 * neither do payments and claims.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimReviews } from '#shared/review/review-api.ts'
import { inboundPayment, REPAY_CHANNEL } from '#shared/repayments/inbound-payment-api.ts'
import { seedDemo } from '#gateway/manage/demo/seed-demo.ts'
import { onLocalServer } from '#tests/support/local-server.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { addFewRows } from '#tests/support/read-plans/few-rows.ts'
import { KNOWN_LONG_READS } from '#tests/support/read-plans/known-long-reads.ts'
import { longReadsOf } from '#tests/support/read-plans/long-reads.ts'
import { multiplyBook } from '#tests/support/read-plans/multiply-book.ts'
import { scannedDuring } from '#tests/support/read-plans/scanned-rows.ts'
import { BOUNDED } from '#tests/support/read-plans/tables.ts'

const ORDERS = 50_000
/** Rows of the other tables: more than a total is counted to. */
const OTHERS = 12_000
/** One account of each scope; the others ask without filters. */
const ACCOUNTS = [
  'administrator',
  'external_supervisor',
  'team_leader',
  'collector',
  'reviewer',
  'tele_unborrowed',
]

let floor: Floor
let reads: Awaited<ReturnType<typeof longReadsOf>>
beforeAll(async () => {
  // the plans of a server are read where one runs: it grows the book five times faster
  floor = (await onLocalServer(() => testManage())) ?? (await testManage())
  await seedDemo(floor.context, { customers: 150 })
  await addFewRows(floor.database)
  await multiplyBook(floor.database, { main: ORDERS, other: OTHERS })
  reads = await longReadsOf(floor, ACCOUNTS)
}, 600_000)
afterAll(() => floor.close())

test('no list reads a growing table completely', () => {
  const unknown = reads.found.filter(
    (one) =>
      !KNOWN_LONG_READS.some(({ read, table }) => table === one.table && read.test(one.name)),
  )
  expect(
    unknown.map(({ name, how }) => `${name}: ${how}`),
    HOW_TO_MEND,
  ).toEqual([])
})

test('payments and claims scan no growing table', async ({ skip }) => {
  const { database } = floor
  if (database.engine !== 'postgresql') return skip('the embedded database counts no scans')
  // some hold all they may
  await database.pool.query(
    `update sys_config set value = '100000' where code = 'review.maxClaimed'`,
  )
  const channel = await machineOf(floor, ['payment'])
  const reviewers = await Promise.all(
    ['reviewer', 'reviewer2', 'reviewer3', 'reviewer4'].map((account) => floor.signIn(account)),
  )
  // loans of the demo itself, running and late, the late ones with a case
  const { rows: loans } = await database.pool.query<{ id: string }>(`
    (select o.id from loan_order o where o.status = 30 and o.outstanding > 100000 and o.id not like '%x%'
      order by o.id limit 6)
    union all
    (select o.id from loan_order o join collection_case c on c.order_id = o.id and c.state <> 'closed'
      where o.status = 50 and o.outstanding > 100000 and o.id not like '%x%' order by o.id limit 6)`)
  const work = async (): Promise<void> => {
    for (const { id } of loans)
      await channel.call(inboundPayment, {
        vendorOrderNo: randomUUID(),
        orderId: id,
        amount: 100,
        utr: randomUUID().replaceAll('-', '').slice(0, 22),
        channel: REPAY_CHANNEL.bankTransfer,
        result: 'success',
      })
    for (const reviewer of reviewers) await reviewer.call(claimReviews, { count: 1 })
  }
  const scanned = await scannedDuring(database, work)
  expect(loans).toHaveLength(12)
  expect(Object.entries(scanned).filter(([table]) => !(table in BOUNDED))).toEqual([])
})

test('the planner knows that the groups of a board are few, so it does not sort cases for them', async () => {
  const places = 'c.agency_id, c.department_id, c.group_id, c.collector_id, c.stage_id'
  const { rows } = await floor.database.pool.query<{
    'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }]
  }>(
    `explain (format json) select ${places}, count(*) from collection_case c
     where c.state <> 'closed' group by ${places}`,
  )
  expect(rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows']).toBeLessThan(400)
})

test('each long read with a reason is a read of a list', () => {
  const gone = KNOWN_LONG_READS.filter(
    ({ read }) => ![...reads.asked].some((name) => read.test(name)),
  )
  expect(gone.map(({ read }) => read.source)).toEqual([])
})

const HOW_TO_MEND = `
These reads would become slower with every order. For each of them do one of:
  - a filter: add an index in a migration (partial, where the value is rare), on the filter's column and
    then the columns of the list's default order; "column = one value" and not "= any", an expression
    that is written as in the index; compare a time with both ends, for one open end counts as a third
  - a sort key: add an index in that order. Read backwards an index gives rows without a value first, so
    a column that may be null needs "desc nulls last" in an index of its own, one that is never null is
    declared with notNull(). Or take the key from the list's SORTS and "sort" from its column
  - a count or figure above the list: count to a cap, or keep it
  - a table that does not grow: name it in BOUNDED of tests/support/read-plans/tables.ts, with the reason
  - a table that is empty here: give it a row in tests/support/read-plans/few-rows.ts
  - none of these is worth it: name the read in tests/support/read-plans/known-long-reads.ts, with the reason
`
