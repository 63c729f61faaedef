/** Compares the list with a plain in-memory filter over the same rows. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { istDay } from '#shared/kernel/time.ts'
import { listOrders, orderOptions } from '#shared/orders/orders-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { REVIEW_MENU } from '#shared/review/review-menu.ts'
import {
  type MadeOrder,
  type MakeableStatus,
  makeBorrower,
  makeOrder,
} from '#tests/factories/orders.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { ordersRoutes } from './orders-routes.ts'

type Row = DataOf<typeof listOrders>['rows'][number]
type Filters = InputOf<typeof listOrders>

let floor: Floor
let manager: Person
let all: Row[]
let made: MadeOrder[]

const STATUSES: MakeableStatus[] = [10, 20, 21, 22, 23, 26, 27, 29, 30, 31, 70]

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...REVIEW_MENU],
      routes: (base) => ordersRoutes(base, context, { whenCancelled: [] }),
    }),
  })
  made = []
  for (let i = 0; i < 44; i += 1) {
    const status = STATUSES[i % STATUSES.length] as MakeableStatus
    made.push(
      await makeOrder(floor, {
        status,
        name: ['Asha Verma', 'asha 50%_off', 'Bharat\\Rao', 'Chitra Iyer'][i % 4] as string,
        amount: 500_000 + (i % 7) * 100_000,
        tags: [['firstLoan'], ['reLoan'], ['extension', 'reLoan']][i % 3] as string[],
        product: { id: i % 5 === 0 ? 'PR2' : 'PR1' },
        createdAt: new Date(Date.UTC(2026, 10, 1 + (i % 10), 12)).toISOString(),
      }),
    )
  }
  await sql`update loan_order set overdue_days = (substring(id from 2)::int) % 9 where status = 30`.execute(
    floor.database.kysely,
  )
  manager = await floor.signIn('manager')
  all = (await manager.call(listOrders, { pageSize: 200, sort: 'orderId:asc' })).rows
})
afterAll(() => floor.close())

async function listed(filters: Filters): Promise<string[]> {
  const page = await manager.call(listOrders, { pageSize: 200, ...filters })
  expect(page.total).toBe(page.rows.length)
  expect(page).not.toHaveProperty('totalCapped')
  return page.rows.map((row) => row.orderId)
}
function expected(fits: (row: Row) => boolean): string[] {
  const rows = all.filter(fits)
  expect(rows.length, 'the case would prove nothing').toBeGreaterThan(0)
  expect(rows.length, 'the case would prove nothing').toBeLessThan(all.length)
  return rows
    .toSorted((a, b) => compare(b.createTime, a.createTime) || compare(b.orderId, a.orderId))
    .map((row) => row.orderId)
}
function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0
}

test('without filters every order is listed, newest first', async () => {
  expect(all).toHaveLength(44)
  const ids = await listed({})
  expect(ids).toEqual(
    [...all]
      .toSorted((a, b) => compare(b.createTime, a.createTime) || compare(b.orderId, a.orderId))
      .map((row) => row.orderId),
  )
})

test('each filter finds the same rows as a plain in-memory filter', async () => {
  const first = made[0] as MadeOrder
  const cases: [Filters, (row: Row) => boolean][] = [
    [{ orderId: first.orderId }, (row) => row.orderId === first.orderId],
    [{ userId: first.customerId }, (row) => row.userId === first.customerId],
    [{ phone: first.phone }, (row) => row.userId === first.customerId],
    [{ userName: 'ASHA' }, (row) => row.userName.toLowerCase().startsWith('asha')],
    [{ userName: 'asha 50%_' }, (row) => row.userName === 'asha 50%_off'],
    [{ userName: 'bharat\\' }, (row) => row.userName === 'Bharat\\Rao'],
    [{ status: '30' }, (row) => row.status === 30],
    [{ status: '10,31,70' }, (row) => [10, 31, 70].includes(row.status)],
    [{ tags: 'extension' }, (row) => row.tags.includes('extension')],
    [
      { tags: 'firstLoan,extension' },
      (row) => row.tags.includes('firstLoan') || row.tags.includes('extension'),
    ],
    [{ productId: 'PR2' }, (row) => row.productId === 'PR2'],
    [{ amountFrom: 700_000 }, (row) => row.amount >= 700_000],
    [{ amountTo: 700_000 }, (row) => row.amount <= 700_000],
    [{ amountFrom: 600_000, amountTo: 600_000 }, (row) => row.amount === 600_000],
    [
      { createTimeFrom: '2026-11-05T12:00:00.000Z' },
      (row) => row.createTime >= '2026-11-05T12:00:00.000Z',
    ],
    [
      { createTimeTo: '2026-11-05T12:00:00.000Z' },
      (row) => row.createTime <= '2026-11-05T12:00:00.000Z',
    ],
    [{ overdueFrom: 3, overdueTo: 5 }, (row) => row.overdueDays >= 3 && row.overdueDays <= 5],
    [
      { status: '30', productId: 'PR1', overdueTo: 4 },
      (row) => row.status === 30 && row.productId === 'PR1' && row.overdueDays <= 4,
    ],
  ]
  for (const [filters, fits] of cases)
    expect(await listed(filters), JSON.stringify(filters)).toEqual(expected(fits))
  expect(await listed({ appId: 'A1', channelId: 'CH1', closeType: 'notClosed' })).toHaveLength(44)
  for (const none of [
    { appId: 'A9' },
    { channelId: 'CH9' },
    { closeType: 'repaidClosed' as const },
    { userName: 'verma' },
    { phone: '9999999999' },
  ])
    expect(await listed(none)).toEqual([])
})

test('due days are compared as IST days', async () => {
  const due = all.find((row) => row.dueTime !== null)?.dueTime as string
  // 18:30 UTC is the next IST day
  const dayBefore = new Date(Date.parse(`${due}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
  expect(istDay(`${dayBefore}T18:30:00Z`)).toBe(due)
  const inside = all.filter((row) => row.dueTime === due).length
  expect(
    await listed({ dueTimeFrom: `${dayBefore}T18:30:00Z`, dueTimeTo: `${due}T18:29:59Z` }),
  ).toHaveLength(inside)
  expect(await listed({ dueTimeFrom: `${due}T18:30:00Z` })).toHaveLength(0)
})

test('each sort gives the same sequence as a plain sort, with empty values last', async () => {
  const fields = [
    'createTime',
    'orderId',
    'status',
    'dueTime',
    'closeTime',
    'disburseTime',
  ] as const
  for (const field of fields) {
    for (const direction of ['asc', 'desc'] as const) {
      const sign = direction === 'asc' ? 1 : -1
      const rows = [...all].toSorted((a, b) => {
        const [left, right] = [a[field], b[field]]
        if (left === null || right === null)
          return left === right ? sign * compare(a.orderId, b.orderId) : left === null ? 1 : -1
        return sign * compare(left, right) || sign * compare(a.orderId, b.orderId)
      })
      expect(await listed({ sort: `${field}:${direction}` }), `${field} ${direction}`).toEqual(
        rows.map((row) => row.orderId),
      )
    }
  }
  const two = [...all].toSorted(
    (a, b) =>
      compare(a.status, b.status) ||
      compare(b.createTime, a.createTime) ||
      compare(a.orderId, b.orderId),
  )
  expect(await listed({ sort: 'status:asc,createTime:desc' })).toEqual(
    two.map((row) => row.orderId),
  )
})

test('an unsupported sort field is refused', async () => {
  for (const sort of ['phone:asc', 'constructor:asc', 'status:asc,secret:desc', 'amount:asc'])
    expect(await manager.refused(listOrders, { sort })).toMatchObject({
      code: 400,
      data: { fields: { sort: 'unknown' } },
    })
  expect(await manager.refused(listOrders, { sort: 'created_at:asc' })).toMatchObject({ code: 400 })
})

test('the pages together contain each row exactly once', async () => {
  const seen: string[] = []
  for (let pageNum = 1; pageNum <= 5; pageNum += 1) {
    const page = await manager.call(listOrders, { pageNum, pageSize: 10, sort: 'dueTime:desc' })
    expect(page.total).toBe(44)
    seen.push(...page.rows.map((row) => row.orderId))
  }
  expect(seen).toEqual(await listed({ sort: 'dueTime:desc' }))
  expect((await manager.call(listOrders, { pageNum: 6, pageSize: 10 })).rows).toEqual([])
})

test("a row contains masked personal values and the order's own fields", async () => {
  const order = made.find((o) => o.status === 30) as MadeOrder
  const row = all.find((r) => r.orderId === order.orderId) as Row
  expect(row).toMatchObject({
    userId: order.customerId,
    phone: `XXXXXX${order.phone.slice(-4)}`,
    appName: 'RupeeOnce',
    channelName: 'Organic',
    amount: order.amount,
    status: 30,
    closeType: 'notClosed',
    closeTime: null,
    reviewId: null,
    term: 3,
    tenureDays: 90,
    rbiClass: 'standard',
    kfsVersion: 'KFS-1',
    outstanding: row.contractAmount,
    contractAmount: row.amount + row.interest,
    arrivalAmount: row.amount - row.serviceCharge,
  })
  expect(row.disburseTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(row.dueTime).toMatch(/^\d{4}-\d\d-\d\d$/)
})

test('a reviewer sees the orders of visible reviews, and roles that work by cases see none', async () => {
  const open = made.filter((o) => o.status === 22)
  const [claimable, held] = open as [MadeOrder, MadeOrder]
  const other = await floor.signIn('reviewer2')
  await sql`
    insert into review (order_id, customer_id, customer_name, amount, state)
      values (${claimable.orderId}, ${claimable.customerId}, '', 1, 'unclaimed')`.execute(
    floor.database.kysely,
  )
  await sql`
    insert into review (order_id, customer_id, customer_name, amount, state, reviewer_id, idle_until,
      live_until)
    values (${held.orderId}, ${held.customerId}, '', 1, 'toAudit', ${other.userId},
      clock_timestamp() + interval '1 hour', clock_timestamp() + interval '1 hour')`.execute(
    floor.database.kysely,
  )
  const reviewer = await floor.signIn('reviewer')
  expect((await reviewer.call(listOrders, {})).rows.map((row) => row.orderId)).toEqual([
    claimable.orderId,
  ])
  expect(
    (await other.call(listOrders, { sort: 'orderId:asc' })).rows.map((row) => row.orderId),
  ).toEqual([claimable.orderId, held.orderId].toSorted())
  expect((await reviewer.call(listOrders, { orderId: held.orderId })).total).toBe(0)
  expect((await (await floor.signIn('internal_supervisor')).call(listOrders, {})).total).toBe(0)
  expect(await (await floor.signIn('collector')).refused(listOrders, {})).toMatchObject({
    code: 403,
  })
})

test('the filters offer products, apps and channels', async () => {
  expect(await manager.call(orderOptions, {})).toEqual({
    products: [
      { id: 'PR1', name: 'Cash PR1' },
      { id: 'PR2', name: 'Cash PR2' },
    ],
    apps: [{ id: 'A1', name: 'RupeeOnce' }],
    channels: [{ id: 'CH1', name: 'Organic' }],
  })
})

test('the total is exact up to 10,000 and capped above', async () => {
  const borrower = await makeBorrower(floor)
  const source = (made[2] as MadeOrder).orderId
  const add = (count: number) =>
    sql`
    insert into loan_order (customer_id, product_id, app_id, channel_id, amount, arrival_amount,
      service_charge, interest, contract_amount, tenure_days, term, status, product_snapshot)
    select ${borrower.customerId}, o.product_id, o.app_id, o.channel_id, o.amount, o.arrival_amount,
      o.service_charge, o.interest, o.contract_amount, o.tenure_days, o.term, 21, o.product_snapshot
    from loan_order o cross join generate_series(1, ${count}::int) where o.id = ${source}`.execute(
      floor.database.kysely,
    )
  await add(10_000)
  const exact = await manager.call(listOrders, { userId: borrower.customerId })
  expect([exact.total, exact.totalCapped, exact.rows.length]).toEqual([10_000, undefined, 50])
  await add(1)
  const capped = await manager.call(listOrders, { userId: borrower.customerId })
  expect([capped.total, capped.totalCapped, capped.rows.length]).toEqual([10_000, true, 50])
  const ofAll = async (input: Parameters<typeof manager.call<typeof listOrders>>[1]) => {
    const { rows, total, totalCapped } = await manager.call(listOrders, input)
    return [rows.length, total, totalCapped]
  }
  expect(await ofAll({})).toEqual([50, 10_000, true])
  expect(await ofAll({})).toEqual([50, 10_000, true])
  expect(await ofAll({ pageNum: 200 })).toEqual([50, 10_000, true])
  expect(await manager.refused(listOrders, { pageNum: 201 })).toMatchObject({
    msg: 'A list is shown up to row 10000; set a filter to see what comes after it',
    problem: { id: 'G-PAGE', params: { n: 10_000 } },
  })
  expect(await ofAll({ orderId: source })).toEqual([1, 1, undefined])
})
