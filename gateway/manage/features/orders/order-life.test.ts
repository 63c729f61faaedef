/**
 * Applications sent through the inbound API of the whole product with the sandbox vendor; the
 * ledger is checked afterwards.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  inboundApplication,
  inboundCancel,
  inboundMachineReview,
} from '#shared/orders/inbound-api.ts'
import { listOrders } from '#shared/orders/orders-api.ts'
import { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { checkInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let manager: Person
let app: Machine
let engine: Machine

beforeAll(async () => {
  floor = await testManage()
  await makeProduct(floor)
  manager = await floor.signIn('manager')
  app = await machineOf(floor, ['application'])
  engine = await machineOf(floor, ['machineReview'])
})
afterAll(() => floor.close())

async function apply(n: number): Promise<{ orderId: string; reviewId: string }> {
  return app.call(inboundApplication, makeApplication(n, { amount: 500_000 + n * 12_345 }))
}
function judge(reviewId: string, result: 'passed' | 'undecided' | 'failed' | 'limitFailed') {
  return engine.call(inboundMachineReview, {
    reviewId,
    machineId: 'M1',
    result,
    needManual: result === 'undecided',
    rules: [],
    ...(result === 'failed' ? { refusalCode: 'R01' } : {}),
    ...(result === 'limitFailed' ? { limit: 100 } : {}),
  })
}
async function brokenRules(): Promise<unknown[]> {
  return (await checkInvariants(floor.database)).filter((rule) => rule.violations > 0)
}

test('applications the machine passes become running loans or failed disbursements without manual work', async () => {
  const applied = []
  for (let n = 1; n <= 60; n += 1) applied.push(await apply(n))
  for (const { reviewId } of applied) await judge(reviewId, 'passed')
  await floor.settle()
  const { rows, total } = await manager.call(listOrders, { pageSize: 200 })
  expect(total).toBe(60)
  expect(new Set(rows.map((row) => row.status))).toEqual(new Set([30, 31]))
  const failed = rows.filter((row) => row.status === 31)
  expect(
    failed.every(
      (row) => row.failReason !== null && row.outstanding === 0 && row.disburseTime === null,
    ),
  ).toBe(true)
  for (const row of rows.filter((r) => r.status === 30))
    expect(row.outstanding).toBe(row.contractAmount)
  expect(
    (
      await manager.call(orderTimeline, {
        orderId: (rows.find((row) => row.status === 30) as { orderId: string }).orderId,
      })
    ).map((step) => step.to),
  ).toEqual([10, 20, 29, 30])
  expect(await brokenRules()).toEqual([])
})

test('applications the machine refuses end as refused', async () => {
  const [failed, limited] = [await apply(101), await apply(102)]
  await judge(failed.reviewId, 'failed')
  await judge(limited.reviewId, 'limitFailed')
  await floor.settle()
  const refused = await manager.call(orderDetail, { orderId: failed.orderId })
  expect(refused).toMatchObject({
    order: { status: 21, failReason: 'R01' },
    refusal: { code: 'R01' },
  })
  expect(refused.refusal?.coolDownUntil).toBe(addDays(istDay(refused.order.closeTime ?? ''), 30))
  expect((await manager.call(orderTimeline, { orderId: failed.orderId })).at(-1)).toMatchObject({
    to: 21,
    cause: 'machineReview',
    note: 'R01',
  })
  expect(await app.refused(inboundApplication, makeApplication(101))).toMatchObject({
    problem: {
      id: 'O-RULE',
      params: { reason: 'coolDown', until: refused.refusal?.coolDownUntil },
    },
  })
  expect((await manager.call(orderDetail, { orderId: limited.orderId })).order.status).toBe(23)
  expect(await brokenRules()).toEqual([])
})

test('a customer can withdraw while the order waits for a reviewer', async () => {
  const { orderId, reviewId } = await apply(103)
  await judge(reviewId, 'undecided')
  expect((await manager.call(orderDetail, { orderId })).order.status).toBe(22)
  await app.call(inboundCancel, { orderId, reason: 'I changed my mind' })
  const { rows } = await sql<{
    finished: boolean
  }>`select r.finished_at is not null as finished from review r where r.id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.finished).toBe(true)
  expect((await manager.call(orderDetail, { orderId })).order).toMatchObject({
    status: 70,
    reviewId,
  })
})
