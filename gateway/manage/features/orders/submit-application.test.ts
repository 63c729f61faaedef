import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { inboundApplication } from '#shared/orders/inbound-api.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { makeOrder, makeProduct } from '#tests/factories/orders.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { withReadyPhotos } from '#gateway/manage/features/customers/public.ts'
import { amountsOf } from './amounts-of.ts'
import { type SubmittedApplication, submitApplication } from './submit-application.ts'

type Application = InputOf<typeof inboundApplication>

let floor: Floor

beforeAll(async () => {
  floor = await testManage({ parts: () => ({}) })
  await makeProduct(floor)
})
afterAll(() => floor.close())

async function submit(application: Application): Promise<SubmittedApplication> {
  const ready = await withReadyPhotos(application)
  const { result } = await runCommand(
    floor.context,
    { actor: systemActor('app'), audit: { action: 'application' } },
    (tx) => submitApplication(tx, ready),
  )
  return result
}

async function stored(orderId: string): Promise<Record<string, unknown>> {
  const { rows } = await sql<Record<string, unknown>>`
    select o.status, o.amount, o.service_charge, o.interest, o.arrival_amount, o.contract_amount,
      o.tenure_days, o.term, o.tags, o.version, o.kfs_version, o.product_snapshot from loan_order o
      where o.id = ${orderId}`.execute(floor.database.kysely)
  return rows[0] as Record<string, unknown>
}

test("an application becomes a customer and an order with the product's amounts", async () => {
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const application = makeApplication(1, { amount: 1_234_567 })
  const { orderId, customerId, customerName, amount, customerClass } = await submit(application)
  expect({ customerName, amount, customerClass }).toEqual({
    customerName: application.customer.name,
    amount: 1_234_567,
    customerClass: 'new',
  })
  // 10 % of 12,345.67 = 1,234.567 → 1,234.57; 0.05 % × 90 days = 4.5 % → 555.55515 → 555.56
  expect(await stored(orderId)).toEqual({
    status: 10,
    amount: 1_234_567,
    service_charge: 123_457,
    interest: 55_556,
    arrival_amount: 1_111_110,
    contract_amount: 1_290_123,
    tenure_days: 90,
    term: 3,
    tags: ['firstLoan'],
    version: 1,
    kfs_version: 'KFS-1',
    product_snapshot: {
      serviceRate: 1_000,
      dailyRate: 5,
      penalty: [{ dayFrom: 1, dayTo: null, rate: 10, capRatio: null }],
      periods: 3,
      daysPerPeriod: 30,
      coolingOffDays: 3,
      minAmount: 100_000,
      maxAmount: 20_000_000,
      extend: null,
    },
  })
  expect(await floor.events(before)).toMatchObject([
    {
      type: 'order.created',
      subject: `order:${orderId}`,
      rooms: ['scope:all'],
      entity_version: 1,
      data: { orderId, userId: customerId, status: 10, tags: ['firstLoan'], amount: 1_234_567 },
    },
  ])
})

const ANY_DAY = '2026-01-01'

test('half a paisa is rounded up in each component', () => {
  expect(
    amountsOf(1_005, { serviceRate: 100, dailyRate: 1, periods: 2, daysPerPeriod: 25 }, ANY_DAY),
  ).toEqual({ serviceCharge: 10, interest: 5, arrival: 995, contract: 1_010, tenureDays: 50 })
  expect(
    amountsOf(1_050, { serviceRate: 100, dailyRate: 1, periods: 1, daysPerPeriod: 100 }, ANY_DAY),
  ).toEqual({ serviceCharge: 11, interest: 11, arrival: 1_039, contract: 1_061, tenureDays: 100 })
})

test('an order keeps its terms when the product changes', async () => {
  await makeProduct(floor, { id: 'PR-TERMS' })
  const { orderId } = await submit(makeApplication(2, { productId: 'PR-TERMS' }))
  await sql`update product set service_rate = 9999, periods = 1 where id = 'PR-TERMS'`.execute(
    floor.database.kysely,
  )
  expect(await stored(orderId)).toMatchObject({
    product_snapshot: { serviceRate: 1_000, periods: 3 },
  })
})

test("an amount outside the product's limits is refused, and the limits themselves are allowed", async () => {
  for (const amount of [99_999, 20_000_001])
    await expect(submit(makeApplication(3, { amount }))).rejects.toMatchObject({
      id: 'O-RULE',
      params: { reason: 'amountOutsideProduct' },
    })
  await submit(makeApplication(4, { amount: 100_000 }))
  await submit(makeApplication(5, { amount: 20_000_000 }))
})

test('a closed product, a product of another app and an unknown product are refused', async () => {
  await makeProduct(floor, { id: 'PR-CLOSED', enabled: false })
  await sql`insert into app (id, code, name) values ('A2', 'other', 'Other')`.execute(
    floor.database.kysely,
  )
  for (const given of [
    { productId: 'PR-CLOSED' },
    { productId: 'PR-NONE' },
    { appId: 'A2' },
    { channelId: 'CH-NONE' },
  ]) {
    await expect(submit(makeApplication(6, given))).rejects.toMatchObject({
      id: 'O-RULE',
      params: { reason: 'productClosed' },
    })
  }
})

test('a Key Facts Statement with an acceptance time in the future is refused', async () => {
  await expect(
    submit(makeApplication(7, { kfsAcceptTime: new Date(Date.now() + 3_600_000).toISOString() })),
  ).rejects.toMatchObject({ id: 'O-RULE', params: { reason: 'kfsNotAccepted' } })
})

test('a customer with an open order cannot apply again until it has ended', async () => {
  const application = makeApplication(8)
  const { orderId } = await submit(application)
  await expect(submit(application)).rejects.toMatchObject({
    id: 'O-RULE',
    params: { reason: 'openOrder' },
  })
  for (const status of [22, 30, 43, 50, 90]) {
    await sql`update loan_order set status = ${status} where id = ${orderId}`.execute(
      floor.database.kysely,
    )
    await expect(submit(application)).rejects.toMatchObject({ params: { reason: 'openOrder' } })
  }
  await sql`update loan_order set status = 21 where id = ${orderId}`.execute(floor.database.kysely)
  expect(await stored((await submit(application)).orderId)).toMatchObject({ tags: ['firstLoan'] })
})

test('a customer refused by a rule can apply again on the day the cool-down ends', async () => {
  const application = makeApplication(12)
  const { orderId } = await submit(application)
  const coolsDown = (days: number) =>
    sql`
      update loan_order set status = 21, refusal_code = 'R12',
        cool_down_until = (clock_timestamp() at time zone 'Asia/Kolkata')::date + ${days}::int
        where id = ${orderId}`.execute(floor.database.kysely)
  await coolsDown(1)
  const { rows } = await sql<{
    day: string
  }>`select ((clock_timestamp() at time zone 'Asia/Kolkata')::date + 1)::text as day`.execute(
    floor.database.kysely,
  )
  await expect(submit(application)).rejects.toMatchObject({
    id: 'O-RULE',
    params: { reason: 'coolDown', until: rows[0]?.day },
  })
  await coolsDown(0)
  expect(await stored((await submit(application)).orderId)).toMatchObject({ tags: ['firstLoan'] })
})

test.each([
  [40, 'repaidClosed', 'reLoan'],
  [41, 'repaidClosed', 'reLoan'],
  [80, 'extensionClosed', 'firstLoan'],
  [100, 'writeOffClosed', 'firstLoan'],
  [110, 'writeOffClosed', 'firstLoan'],
])('after a loan that ended in %i, %s, the next one is a %s', async (status, closeType, tag) => {
  const application = makeApplication(1_000 + status)
  const { orderId } = await submit(application)
  await sql`
    update loan_order set status = ${status}, close_type = ${closeType} where id = ${orderId}`.execute(
    floor.database.kysely,
  )
  expect(await stored((await submit(application)).orderId)).toMatchObject({ tags: [tag] })
})

test('a blacklisted customer is refused and nothing is stored', async () => {
  const application = makeApplication(10)
  const { orderId, customerId } = await submit(application)
  await sql`update loan_order set status = 21 where id = ${orderId}`.execute(floor.database.kysely)
  await sql`update customer set blacklisted = true where id = ${customerId}`.execute(
    floor.database.kysely,
  )
  await expect(
    submit({ ...application, customer: { ...application.customer, city: 'Elsewhere' } }),
  ).rejects.toMatchObject({ id: 'O-RULE', params: { reason: 'blacklisted' } })
  const { rows } = await sql<{
    city: string
  }>`select c.city from customer c where c.id = ${customerId}`.execute(floor.database.kysely)
  expect(rows[0]?.city).toBe(application.customer.city)
})

test('eight concurrent copies of one application create one order', async () => {
  const application = makeApplication(11)
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => submit(application)))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ id: 'O-RULE', params: { reason: 'openOrder' } })
})

test('the order factory computes the same amounts as an application', async () => {
  const { orderId } = await makeOrder(floor, { amount: 1_234_567 })
  expect(await stored(orderId)).toMatchObject({
    service_charge: 123_457,
    interest: 55_556,
    arrival_amount: 1_111_110,
    contract_amount: 1_290_123,
  })
})
