/**
 * Concurrent commands on one loan: their locks need a server with several connections. Each pair
 * waits for the lock of the order, in the order in which it is started.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import * as reduce from '#shared/repayments/reductions-api.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { casePaid } from '#gateway/manage/features/collection/public.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { onLocalServer } from '#tests/support/local-server.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { paymentTimeout } from './payment-timeout-job.ts'
import { reduceExpire } from './reductions/reduce-expire-job.ts'
import { repaymentsRoutes } from './repayments-routes.ts'

interface Site extends Floor {
  clock: TestClock
  channel: Machine
  manager: Person
  director: Person
}

let site: Site | null
let serial = 0
const today = istDay(Date.now())

beforeAll(async () => {
  const floor = await onLocalServer(() =>
    testManage({
      parts: (context) => ({
        menus: [...ORDERS_MENU, ...REPAYMENTS_MENU, ...SETUP_MENU],
        routes: (base) => {
          ordersRoutes(base, context, { whenCancelled: [] })
          repaymentsRoutes(base, context, { whenPaid: [casePaid] })
        },
      }),
    }),
  )
  if (floor === null) {
    site = null
    return
  }
  const clock = await testClock(floor.database)
  const [channel, manager, director] = await Promise.all([
    machineOf(floor, ['payment']),
    floor.signIn('manager'),
    floor.signIn('director'),
  ])
  site = { ...floor, clock, channel, manager, director }
})
afterAll(() => site?.close())

function paymentReport(orderId: string, amount: number) {
  serial += 1
  const utr = String(710_000_000_000 + serial)
  return { vendorOrderNo: `V-RACE${serial}`, orderId, amount, channel: 1 as const, utr }
}

/** Starts both while the order is locked, the second when the first waits for it. */
async function bothWaiting<A, B>(
  { database }: Site,
  orderId: string,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[A, B]> {
  const db = database.kysely
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity a where a.datname = current_database()
        and a.wait_event_type = 'Lock'`.execute(db)
    return rows[0]?.n
  }
  const [one, other] = await db.transaction().execute(async (trx) => {
    await sql`select from loan_order o where o.id = ${orderId} for update`.execute(trx)
    const begun = first()
    await expect.poll(waiting).toBe(1)
    const begunToo = second()
    await expect.poll(waiting).toBe(2)
    // awaited after the lock is free
    return [{ done: begun }, { done: begunToo }] as const
  })
  return [await one.done, await other.done]
}

test('a time-out does not fail a payment whose result has just arrived', async () => {
  if (site === null) return
  const { channel, context } = site
  const { orderId } = await makeOrder(site, { status: 30, amount: 1_000_000 })
  const report = paymentReport(orderId, 50_000)
  await channel.call(inboundPayment, { ...report, result: 'processing' })
  await sql`update repay_record set created_at = created_at - interval '25 hours'`.execute(
    site.database.kysely,
  )
  const [answer, timedOut] = await bothWaiting(
    site,
    orderId,
    () => channel.call(inboundPayment, { ...report, result: 'success' }),
    () => paymentTimeout.run(context),
  )
  expect(answer).toMatchObject({ payState: 'success', applied: true })
  expect(timedOut).toEqual({ failed: 0 })
})

test('two payments of one loan at the same moment both count', async () => {
  if (site === null) return
  const { channel, manager } = site
  const { orderId } = await makeOrder(site, { status: 30, amount: 1_000_000 })
  const pay = (amount: number) => () =>
    channel.call(inboundPayment, { ...paymentReport(orderId, amount), result: 'success' })
  await bothWaiting(site, orderId, pay(300_000), pay(200_000))
  const { order, plans } = await manager.call(orderDetail, { orderId })
  expect(order.outstanding).toBe(1_045_000 - 500_000)
  expect(plans.reduce((sum, { paidAmount }) => sum + paidAmount, 0)).toBe(500_000)
  expect(await brokenInvariants(site.database)).toEqual([])
})

test('a reduction does not lapse while a payment made in its validity is being counted', async () => {
  if (site === null) return
  const { channel, clock, context, director, manager } = site
  const made = await makeCase(site, { overdueDays: 12 })
  const { orderId } = made
  const { order, plans } = await manager.call(orderDetail, { orderId })
  const { reduceId } = await manager.call(reduce.launchReduction, {
    orderId,
    planId: plans[0]?.planId ?? '',
    version: order.version,
    reduceItems: { overdueFine: 12_000, serviceFee: 0, interest: 0 },
    validUntil: today,
    reason: 'Pays at once',
  })
  await director.call(reduce.decideReductions, { reduceIds: [reduceId], result: 'approved' })
  // received on the last day, told on the next one; the job looks at the reduction as it comes
  const report = { ...paymentReport(orderId, 1_015_000), payTime: new Date().toISOString() }
  await channel.call(inboundPayment, { ...report, result: 'processing' })
  await clock.to('00:05', addDays(today, 1))
  const [answer, lapsed] = await bothWaiting(
    site,
    orderId,
    () => channel.call(inboundPayment, { ...report, result: 'success' }),
    () => reduceExpire([casePaid]).run(context),
  )
  expect(answer).toMatchObject({ status: 41, payState: 'success' })
  expect(lapsed).toEqual({ expired: 0 })
  const [row] = (await manager.call(reduce.listReductions, { reduceId })).rows
  expect(row).toMatchObject({ state: 'used', usedAmount: 12_000 })
  expect(await brokenInvariants(site.database)).toEqual([])
})
