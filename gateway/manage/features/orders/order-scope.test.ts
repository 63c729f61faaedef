/** Orders and customers that collection staff see through their cases. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import { listOrders, remarkOrder } from '#shared/orders/orders-api.ts'
import { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { liveRooms, userInfo } from '#shared/session/session-api.ts'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import { CUSTOMERS_AUDIENCE } from '#gateway/manage/features/customers/customers-audience.ts'
import { ORDERS_AUDIENCE } from '#gateway/manage/features/orders/orders-audience.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeCollector, makeLeader, makeUnit } from '#tests/factories/units.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let supervisor: Person
let other: Person
let collector: Person
const cases: Record<string, MadeCase> = {}

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...SESSION_MENU, ...ORDERS_MENU, ...SETUP_MENU, ...WORK_MENU],
      audiences: [ORDERS_AUDIENCE, CUSTOMERS_AUDIENCE],
      routes: (base) => ordersRoutes(base, context, { whenCancelled: [] }),
    }),
  })
  const [home, elsewhere] = [await makeUnit(floor), await makeUnit(floor)]
  const holder = await makeCollector(floor, home)
  const stranger = await makeCollector(floor, elsewhere)
  supervisor = await floor.signIn((await makeLeader(floor, home, 'internal_supervisor')).account)
  other = await floor.signIn((await makeLeader(floor, elsewhere, 'internal_supervisor')).account)
  collector = await floor.signIn(holder.account)
  Object.assign(cases, {
    open: await makeCase(floor, { collectorId: holder.userId }),
    held: await makeCase(floor, { collectorId: holder.userId, state: 'held' }),
    closedLately: await makeCase(floor, { collectorId: holder.userId, state: 'closed' }),
    closedLongAgo: await makeCase(floor, { collectorId: holder.userId, state: 'closed' }),
    pool: await makeCase(floor),
    theirs: await makeCase(floor, { collectorId: stranger.userId }),
  })
  await sql`
    update collection_case set ended_at = clock_timestamp() - interval '89 days'
      where id = ${cases.closedLately?.caseId}`.execute(floor.database.kysely)
  await sql`
    update collection_case set ended_at = clock_timestamp() - interval '91 days'
      where id = ${cases.closedLongAgo?.caseId}`.execute(floor.database.kysely)
})
afterAll(() => floor.close())

const of = (...names: string[]) => names.map((name) => cases[name]?.orderId).toSorted()

test("a supervisor sees orders of the department's open cases and of those closed within 90 days", async () => {
  expect(
    (await supervisor.call(listOrders, {})).rows.map(({ orderId }) => orderId).toSorted(),
  ).toEqual(of('open', 'held', 'closedLately'))
  expect((await other.call(listOrders, {})).rows.map(({ orderId }) => orderId)).toEqual(
    of('theirs'),
  )
})

test('an order out of scope is answered like a missing one, in the detail and as a room', async () => {
  const missing = await supervisor.refused(orderDetail, { orderId: 'L1' })
  for (const name of ['closedLongAgo', 'pool', 'theirs'])
    expect(await supervisor.refused(orderDetail, { orderId: cases[name]?.orderId })).toEqual(
      missing,
    )
  const rooms = await supervisor.call(liveRooms, {
    watch: `order:${cases.open?.orderId},order:${cases.theirs?.orderId}`,
  })
  expect(rooms.refused).toEqual([`order:${cases.theirs?.orderId}`])
})

test('listed orders within scope are heard, however many', async () => {
  const listed = of('open', 'held', 'closedLately', 'theirs').map((orderId) => `order:${orderId}`)
  const { rows, rooms } = await supervisor.call(liveRooms, { rows: listed.join(',') })
  const own = of('open', 'held', 'closedLately').map((orderId) => `order:${orderId}`)
  expect(rows.toSorted()).toEqual(own)
  expect(rooms.filter((room) => listed.includes(room)).toSorted()).toEqual(own)
})

test('the holder of a case opens its order without its ledger and notes', async () => {
  const [context, outside] = [
    await makeUnit(floor, { inHouse: true }),
    await makeUnit(floor, { inHouse: false }),
  ]
  const manager = await floor.signIn('manager')
  const seen = async (unit: typeof context) => {
    const holder = await makeCollector(floor, unit)
    const { orderId } = await makeCase(floor, { collectorId: holder.userId })
    await manager.call(remarkOrder, { orderId, remark: 'Asked for the new address' })
    await sql`update order_status_log set note = 'Told by the bank' where order_id = ${orderId}`.execute(
      floor.database.kysely,
    )
    const person = await floor.signIn(holder.account)
    return {
      orderId,
      person,
      life: await person.call(orderDetail, { orderId }),
      timeline: await person.call(orderTimeline, { orderId }),
    }
  }
  const [ours, theirs] = [await seen(context), await seen(outside)]
  expect([
    ours.life.withheld,
    ours.life.remarks.length,
    new Set(ours.timeline.map(({ note }) => note)),
  ]).toEqual([[], 1, new Set(['Told by the bank'])])
  expect([
    theirs.life.withheld,
    theirs.life.remarks,
    theirs.life.ledger,
    new Set(theirs.timeline.map(({ note }) => note)),
  ]).toEqual([['ledger', 'remarks'], [], [], new Set([null])])
  expect(theirs.life.customer.phone).toMatch(/^XXXXXX\d{4}$/)
  expect(theirs.life.transfers.every(({ account }) => /^XXXXXX\d{4}$/.test(account))).toBe(true)
  expect(theirs.life.allowed).toEqual([])
  expect(
    (
      await theirs.person.call(liveRooms, {
        watch: `order:${theirs.orderId},order:${ours.orderId}`,
      })
    ).refused,
  ).toEqual([`order:${ours.orderId}`])
  expect(await theirs.person.refused(orderDetail, { orderId: ours.orderId })).toEqual(
    await theirs.person.refused(orderDetail, { orderId: 'L1' }),
  )
})

test('only staff of an outside agency see the names of their own staff alone', async () => {
  const [context, outside] = [
    await makeUnit(floor, { inHouse: true }),
    await makeUnit(floor, { inHouse: false }),
  ]
  const circleOf = async ({ account }: { account: string }) =>
    (await (await floor.signIn(account)).call(liveRooms, {})).circle
  expect(await circleOf(await makeCollector(floor, context))).toBeNull()
  expect(await circleOf(await makeCollector(floor, outside))).toBe(outside.agencyId)
  expect(await circleOf({ account: 'manager' })).toBeNull()
})

test('customers are visible through open cases only', async () => {
  const watched = ['open', 'held', 'closedLately', 'pool', 'theirs'].map(
    (name) => `customer:${cases[name]?.customerId}`,
  )
  expect((await collector.call(liveRooms, { watch: watched.join(',') })).refused).toEqual(
    watched.slice(2),
  )
  expect((await supervisor.call(liveRooms, { watch: watched.join(',') })).refused).toEqual(
    watched.slice(2),
  )
})

test('a person whose unit was removed loses all visibility at once', async () => {
  const { user } = await other.call(userInfo, {})
  await sql`
    update sys_user set agency_id = null, department_id = null, group_id = null where id = ${user.userId}`.execute(
    floor.database.kysely,
  )
  floor.context.forgetSessions(null)
  expect((await other.call(listOrders, {})).rows).toEqual([])
  expect(
    (await other.call(liveRooms, {})).rooms.filter((room) => room.startsWith('scope:')),
  ).toEqual([])
})
