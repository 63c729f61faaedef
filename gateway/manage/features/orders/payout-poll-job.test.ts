import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DISBURSEMENT_MENU } from '#shared/orders/disbursement-menu.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import type { PayoutVendor, TransferResult } from '#gateway/manage/vendors/payout-vendor.ts'
import { makeOrder, type MadeOrder } from '#tests/factories/orders.ts'
import { onlyVendor } from '#tests/support/only-vendor.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { payoutPoll } from './payout-poll-job.ts'

let floor: Floor
let asked: string[] = []
let answers = new Map<string, TransferResult>()

/** A vendor that answers as the test sets it; any other request fails as unreachable. */
const vendor: PayoutVendor = {
  code: 'sandbox',
  send: () => Promise.reject(new Error('nothing is sent here')),
  query: (platformOrderNo) => {
    asked.push(platformOrderNo)
    const answer = answers.get(platformOrderNo)
    return answer ? Promise.resolve(answer) : Promise.reject(new Error('connection reset'))
  },
  settle: () => Promise.resolve(),
  close: () => Promise.resolve(),
}
const poll = payoutPoll(onlyVendor(vendor))

beforeAll(async () => {
  floor = await testManage({ parts: () => ({ menus: [...ORDERS_MENU, ...DISBURSEMENT_MENU] }) })
})
afterAll(() => floor.close())

async function statusOf({ orderId }: MadeOrder): Promise<number> {
  const { rows } = await sql<{
    status: number
  }>`select o.status from loan_order o where o.id = ${orderId}`.execute(floor.database.kysely)
  return rows[0]?.status ?? 0
}
async function sentAgo(seconds: number, { orderId }: MadeOrder): Promise<void> {
  await sql`
    update payout_transfer set sent_at = clock_timestamp() - make_interval(secs => ${seconds}),
      next_send_at = clock_timestamp() where order_id = ${orderId}`.execute(floor.database.kysely)
}

test('only transfers without a result or poll for five minutes are polled', async () => {
  const late: MadeOrder[] = []
  for (let i = 0; i < 5; i += 1) late.push(await makeOrder(floor, { status: 29 }))
  const young = await makeOrder(floor, { status: 29 })
  for (const order of late) await sentAgo(301, order)
  // half a minute of room, so that a slow machine does not make it late
  await sentAgo(270, young)
  const numbers = late.map((order) => order.platformOrderNo as string)
  const results: TransferResult[] = [
    { state: 'success', vendorOrderNo: 'V-1', utr: null },
    { state: 'fail', vendorOrderNo: 'V-2', reason: 'Bank offline' },
    { state: 'processing', vendorOrderNo: 'V-3' },
    { state: 'unknown' },
  ]
  answers = new Map(results.map((answer, i) => [numbers[i] as string, answer]))
  expect(await poll.run(floor.context)).toEqual({
    polled: 5,
    answered: 2,
    late: 0,
    withoutVendor: 0,
  })
  expect(asked.toSorted()).toEqual(numbers.toSorted())
  expect(await Promise.all([...late, young].map(statusOf))).toEqual([30, 31, 29, 29, 29, 29])
  asked = []
  expect(await poll.run(floor.context)).toEqual({
    polled: 0,
    answered: 0,
    late: 0,
    withoutVendor: 0,
  })
  expect(asked).toEqual([])
  // the vendor accepted one and does not know it now: people are told, once
  for (let n = 0; n < 2; n += 1) {
    await sentAgo(400, late[3] as MadeOrder)
    await poll.run(floor.context)
  }
  const { rows } = await sql<{ account: string; orderId: string }>`
    select u.account, n.params ->> 'orderId' as "orderId" from notification n
    join sys_user u on u.id = n.user_id where n.title_key = 'orders:notification.lost'
    order by 1`.execute(floor.database.kysely)
  expect(rows.map(({ orderId }) => orderId)).toEqual(rows.map(() => late[3]?.orderId))
  expect(rows.map(({ account }) => account)).toEqual(
    expect.arrayContaining(['director', 'manager']),
  )
  expect(new Set(rows.map(({ account }) => account)).size).toBe(rows.length)
})

test('transfers for an unconfigured vendor are reported', async () => {
  const order = await makeOrder(floor, { status: 29 })
  await sql`update payout_transfer set vendor_code = 'bank' where order_id = ${order.orderId}`.execute(
    floor.database.kysely,
  )
  expect(await poll.run(floor.context)).toMatchObject({ withoutVendor: 1 })
})
