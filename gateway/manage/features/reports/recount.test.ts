/**
 * Reports against a count of the whole book by other arithmetic: random lives of customers and
 * loans, then changes of days that were filled before.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#shared/kernel/time.ts'
import { approveReport } from '#shared/reports/approve-api.ts'
import { channelReport } from '#shared/reports/channel-api.ts'
import { processReport } from '#shared/reports/process-api.ts'
import { bucketReport, recyclingTrend, repaymentReport } from '#shared/reports/repayment-api.ts'
import { acquisitionTrend, lendingTrend } from '#shared/reports/trends-api.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { type BookOrder, readBook } from '#tests/support/report-book.ts'
import {
  add,
  countBucket,
  countChannel,
  countOrders,
  countRepayment,
  furthest,
  like,
  paidBy,
  RANGE,
  rate,
  startOf,
  TODAY,
  within,
} from '#tests/support/report-counts.ts'
import { reportFloor } from '#tests/support/report-floor.ts'
import { proveRollups } from './prove-rollups.ts'
import { ROLLUPS } from './rollup.ts'

const NO_KEYS = { day: null, productId: null, productName: null, customerClass: null }
let floor: Floor
let director: Person
let refreshed: () => Promise<void>
beforeAll(async () => {
  ;({ floor, director, refreshed } = await reportFloor())
})
afterAll(() => floor.close())

async function expectChannels(): Promise<void> {
  const book = await readBook(floor.database)
  const byDay = await director.call(channelReport, { ...RANGE, groupBy: 'day' })
  expect(byDay.isFilling).toBe(false)
  expect(byDay.rows).toHaveLength(61)
  for (const row of [...byDay.rows, ...byDay.previous])
    expect(row).toMatchObject(
      countChannel(book, {
        isIn: () => true,
        on: (one) => one === row.day,
        isCompleteOnly: false,
      }),
    )
  const whole = { on: (day: string | null) => within(day), isCompleteOnly: true }
  expect(byDay.sum).toMatchObject(countChannel(book, { ...whole, isIn: () => true }))
  expect(byDay.sum.disbursed).toBeGreaterThan(0)
  const byChannel = await director.call(channelReport, { ...RANGE, groupBy: 'channel' })
  expect(byChannel.sum).toEqual(byDay.sum)
  expect(byChannel.rows.length).toBeGreaterThan(1)
  for (const row of byChannel.rows)
    expect(row).toMatchObject(
      countChannel(book, { ...whole, isIn: (one) => one.channelId === row.channelId }),
    )
  const [first] = byChannel.rows
  const filtered = await director.call(channelReport, {
    ...RANGE,
    channelId: first?.channelId ?? '',
  })
  expect(filtered.sum.disbursedAmount).toBe(first?.disbursedAmount)
}

async function expectProcess(): Promise<void> {
  const { customers, orders } = await readBook(floor.database)
  const { rows, previous } = await director.call(processReport, RANGE)
  const count = (from: string, to: string, place: number) =>
    customers.filter(
      (one) => one.registeredOn >= from && one.registeredOn <= to && furthest(one, orders) >= place,
    ).length
  expect(rows.map(({ reached }) => reached)).toEqual(
    rows.map((_, place) => count(RANGE.dateFrom, RANGE.dateTo, place)),
  )
  expect(previous.map(({ reached }) => reached)).toEqual(
    rows.map((_, place) => count(addDays(TODAY, -121), addDays(TODAY, -61), place)),
  )
  expect(rows[3]?.stepRate).toBe(rate(rows[3]?.reached ?? 0, rows[2]?.reached ?? 0))
  expect(rows[8]?.totalRate).toBe(rate(rows[8]?.reached ?? 0, rows[0]?.reached ?? 0))
  expect(rows[8]?.reached).toBeGreaterThan(0)
}

async function expectApproval(): Promise<void> {
  const { orders } = await readBook(floor.database)
  const whole = (day: string | null) => within(day)
  const byDay = await director.call(approveReport, RANGE)
  for (const row of byDay.rows)
    expect(row).toEqual({
      ...NO_KEYS,
      day: row.day,
      ...like(
        countOrders(orders, (one) => one === row.day),
        row,
      ),
    })
  expect(byDay.sum).toEqual(like(countOrders(orders, whole), byDay.sum))
  const byProduct = await director.call(approveReport, { ...RANGE, groupBy: 'product' })
  expect(byProduct.rows.length).toBeGreaterThan(1)
  for (const row of byProduct.rows)
    expect(row).toEqual({
      ...NO_KEYS,
      productId: row.productId,
      productName: row.productName,
      ...like(
        countOrders(
          orders.filter(({ productId }) => productId === row.productId),
          whole,
        ),
        row,
      ),
    })
  const byClass = await director.call(approveReport, { ...RANGE, groupBy: 'class' })
  const old = orders.filter(({ tags }) => !tags.includes('firstLoan'))
  expect(byClass.rows.find(({ customerClass }) => customerClass === 'old')).toMatchObject(
    like(countOrders(old, whole), byClass.sum),
  )
  const onlyOld = await director.call(approveReport, { ...RANGE, customerClass: 'old' })
  expect(onlyOld.sum).toEqual(like(countOrders(old, whole), onlyOld.sum))
}

async function expectTrends(): Promise<void> {
  const { orders, customers } = await readBook(floor.database)
  for (const grain of ['week', 'month'] as const) {
    const on = (start: string) => (day: string | null) =>
      day !== null && within(day) && startOf(day, grain) === start
    const lending = await director.call(lendingTrend, { ...RANGE, grain })
    for (const { day, ...figures } of lending.rows)
      expect(figures).toEqual(like(countOrders(orders, on(day)), figures))
    expect(lending.sum).toEqual(
      like(
        countOrders(orders, (day) => within(day)),
        lending.sum,
      ),
    )
    const acquisition = await director.call(acquisitionTrend, { ...RANGE, grain })
    for (const row of acquisition.rows) {
      const { day, channelId: _id, channelName: _name, registrations, certified, ...figures } = row
      const own = customers.filter(({ registeredOn }) => on(day)(registeredOn))
      expect({ registrations, certified }).toEqual({
        registrations: own.length,
        certified: own.filter((one) => one.certified).length,
      })
      expect(figures).toEqual(like(countOrders(orders, on(day)), figures))
    }
  }
}

async function expectRepayment(): Promise<void> {
  const { orders } = await readBook(floor.database)
  const plansOf = (some: readonly BookOrder[]) =>
    some.flatMap(({ plans }) => plans.filter(({ dueDay }) => within(dueDay)))
  const all = plansOf(orders)
  const byDay = await director.call(repaymentReport, RANGE)
  expect(byDay.sum).toEqual(countRepayment(all, true))
  expect(byDay.sum.lateAmount).toBeGreaterThan(0)
  for (const row of byDay.rows)
    expect(row).toEqual({
      ...NO_KEYS,
      tag: null,
      day: row.day,
      ...countRepayment(
        all.filter(({ dueDay }) => dueDay === row.day),
        false,
      ),
    })
  const byTag = await director.call(repaymentReport, { ...RANGE, groupBy: 'tag' })
  for (const row of byTag.rows)
    expect(row).toMatchObject(
      countRepayment(plansOf(orders.filter(({ tags }) => tags.includes(row.tag ?? ''))), true),
    )
  const buckets = await director.call(bucketReport, RANGE)
  for (const { bucket, day: _day, ...figures } of buckets.rows)
    expect({ bucket, ...figures }).toEqual({ bucket, ...countBucket(all, bucket) })
  expect(buckets.rows).toHaveLength(12)
  const curves = await director.call(recyclingTrend, { ...RANGE, grain: 'month' })
  for (const { at, cohort, repaidShare } of curves.rows) {
    const group = all.filter(
      ({ dueDay }) => cohort === 'all' || startOf(dueDay, 'month') === cohort,
    )
    const old = group.filter(({ dueDay }) => addDays(dueDay, at) < TODAY)
    const counted = cohort === 'all' || old.length === group.length ? old : []
    expect(repaidShare).toBe(
      rate(
        add(counted, (plan) => paidBy(plan, addDays(plan.dueDay, at))),
        add(counted, ({ amount }) => amount),
      ),
    )
  }
}

test('repayment figures, buckets and curves match the stored rows', expectRepayment)

test('a supervisor sees the due days of the orders of their own department', async () => {
  const { orders } = await readBook(floor.database)
  const supervisor = await floor.signIn('internal_supervisor')
  const { rows } = await sql<{ id: string | null }>`
    select u.department_id as id from sys_user u where u.account = 'internal_supervisor'`.execute(
    floor.database.kysely,
  )
  const own = orders.filter(({ departmentId }) => departmentId === rows[0]?.id)
  const plans = own.flatMap((one) => one.plans.filter(({ dueDay }) => within(dueDay)))
  expect(plans.length).toBeGreaterThan(0)
  const { sum } = await supervisor.call(repaymentReport, RANGE)
  expect(sum).toEqual(countRepayment(plans, true))
})
test('conversion figures match the stored rows', expectProcess)
test('approval figures match the stored rows', expectApproval)
test('trends by week and month match the stored rows', expectTrends)

test('random days summed again equal the rollups, and a paisa more does not', async () => {
  for (const { violations, sample } of await proveRollups(floor.database))
    expect({ violations, sample }).toEqual({ violations: 0, sample: [] })
  const changed = await sql`
    update report_order_day set disbursed_amount = disbursed_amount + 1`.execute(
    floor.database.kysely,
  )
  expect(Number(changed.numAffectedRows)).toBeGreaterThan(60)
  const wrong = (await proveRollups(floor.database)).filter(({ violations }) => violations > 0)
  expect(wrong.map(({ code }) => code)).toEqual(['F:report_order_day'])
  await sql`update report_order_day set disbursed_amount = disbursed_amount - 1`.execute(
    floor.database.kysely,
  )
})

test('figures of channels match the stored rows', expectChannels)

test('a change of a filled day is counted after the next refresh', async () => {
  const before = await director.call(channelReport, RANGE)
  await makeOrder(floor, { status: 30 })
  await sql`update customer_kyc set verify_state = 'pending' where customer_id < 'C10000020'`.execute(
    floor.database.kysely,
  )
  await sql`
    update customer c set certified = not c.certified
    where ist_day(c.registered_at) >= ${addDays(TODAY, -50)}::date`.execute(floor.database.kysely)
  await refreshed()
  const after = await director.call(channelReport, RANGE)
  expect(after.sum.disbursed).toBe((before.sum.disbursed ?? 0) + 1)
  expect(after.sum.certified).not.toBe(before.sum.certified)
  await expectChannels()
  await expectProcess()
  await expectApproval()
  await expectTrends()
  await expectRepayment()
  const events = (await floor.events()).filter(({ type }) => type === 'report.refreshed')
  // the rooms of those who watch a report of the rollup, and no others
  const due = events.find(({ subject }) => subject === 'rollup:due')
  expect(due?.rooms).toEqual(
    ROLLUPS.find(({ name }) => name === 'due')?.menus.map((menu) => `menu:${menu}`),
  )
})

test('days in the wrong order and more than 92 are refused', async () => {
  const { code } = await director.refused(channelReport, {
    dateFrom: TODAY,
    dateTo: addDays(TODAY, -1),
  })
  expect(code).toBe(400)
  await director.refused(channelReport, { dateFrom: addDays(TODAY, -92), dateTo: TODAY })
})
