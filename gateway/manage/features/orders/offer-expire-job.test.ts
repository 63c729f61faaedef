import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOrder, type MadeOrder } from '#tests/factories/orders.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { offerExpire } from './offer-expire-job.ts'

let floor: Floor

beforeAll(async () => {
  floor = await testManage({ parts: () => ({ schedules: [offerExpire] }) })
})
afterAll(() => floor.close())

async function statusOf({ orderId }: MadeOrder): Promise<number> {
  const { rows } = await sql<{
    status: number
  }>`select o.status from loan_order o where o.id = ${orderId}`.execute(floor.database.kysely)
  return rows[0]?.status ?? 0
}
async function ageBy(hours: number, { orderId }: MadeOrder): Promise<void> {
  await sql`
    update order_status_log set at = clock_timestamp() - make_interval(hours => ${hours})
      where order_id = ${orderId}`.execute(floor.database.kysely)
}

test('an offer older than order.offerHours ends; a younger one and an order without an offer stay', async () => {
  const stale = [await makeOrder(floor, { status: 20 }), await makeOrder(floor, { status: 26 })]
  const fresh = await makeOrder(floor, { status: 26 })
  const others = [await makeOrder(floor, { status: 22 }), await makeOrder(floor, { status: 29 })]
  for (const order of [...stale, ...others]) await ageBy(73, order)
  await ageBy(71, fresh)
  const before = (await floor.events()).at(-1)?.seq ?? 0
  floor.context.wakeSchedule('offerExpire')
  await floor.settle()
  expect(await Promise.all([...stale, fresh, ...others].map(statusOf))).toEqual([
    70, 70, 26, 22, 29,
  ])
  expect((await floor.events(before)).map((event) => event.data.cause)).toEqual([
    'offerExpired',
    'offerExpired',
  ])
})

test('the hours count from the approval of the order, not from its creation', async () => {
  const order = await makeOrder(floor, { status: 20 })
  await sql`
    update loan_order set created_at = clock_timestamp() - interval '30 days' where id = ${order.orderId}`.execute(
    floor.database.kysely,
  )
  await sql`
    update order_status_log set at = clock_timestamp() - interval '30 days'
      where order_id = ${order.orderId} and to_status = 10`.execute(floor.database.kysely)
  expect(await offerExpire.run(floor.context)).toEqual({ expired: 0 })
  expect(await statusOf(order)).toBe(20)
})

test('the parameter sets the hours', async () => {
  const order = await makeOrder(floor, { status: 20 })
  await ageBy(2, order)
  await sql`update sys_config set value = '1' where code = 'order.offerHours'`.execute(
    floor.database.kysely,
  )
  floor.context.parameters.forget()
  await offerExpire.run(floor.context)
  expect(await statusOf(order)).toBe(70)
})
