/** EMI products from their parameters to a loan that is paid out. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerDetail } from '#shared/customers/customer-detail-api.ts'
import { istDay } from '#shared/kernel/time.ts'
import { inboundApplication } from '#shared/orders/inbound-api.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { inboundApp } from '#shared/products/apps-api.ts'
import * as api from '#shared/products/emi-api.ts'
import { type EmiConfig, emiOffer } from '#shared/products/emi-offer.ts'
import { editQuota, listProducts, setProductStatus } from '#shared/products/products-api.ts'
import { grantCredit } from '#gateway/manage/features/customers/public.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeOrder, makeProduct } from '#tests/factories/orders.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let admin: Person
let manager: Person
let app: Machine
beforeAll(async () => {
  floor = await testManage()
  await makeProduct(floor)
  ;[admin, manager, app] = await Promise.all([
    floor.signIn('administrator'),
    floor.signIn('manager'),
    machineOf(floor, ['application']),
  ])
})
afterAll(() => floor.close())

const CONFIG = {
  minAmount: 500_000,
  maxAmount: 5_000_000,
  instalments: [24, 12],
  annualRate: 1_500,
  processingFee: 200,
  dueDay: 5,
  graceDays: 3,
  bounceCharge: 25_000,
  prepayment: 'fewerInstalments',
  coolingOffDays: 3,
} as const satisfies EmiConfig
const value = { ...CONFIG, instalments: [24, 12] }
const today = () => istDay(new Date())

const INFO = {
  name: 'RupeeOnce EMI',
  package: 'in.rupeeonce.emi',
  appVersion: '1.2.0',
  minVersion: '1.0.0',
  privacyUrl: 'https://rupeeonce.example.com/emi',
  servicePhone: '18001234567',
}

async function product() {
  const { rows } = await manager.call(listProducts, { pageSize: 200 })
  return rows.find(({ kind }) => kind === 'emi')
}

test('parameters make a product of the app, which is off until it is switched on', async () => {
  expect((await manager.call(api.listEmiConfig, {})).rows).toMatchObject([
    { appId: 'A1', config: null, productId: null, version: 0, gstRate: 1_800 },
  ])
  const saved = await admin.call(api.saveEmiConfig, { appId: 'A1', version: 0, value })
  expect(saved).toMatchObject({ version: 1, productStatus: 'disabled' })
  expect(saved.config?.instalments).toEqual([12, 24])
  expect(await product()).toMatchObject({ annualRate: 1_500, periods: 24, minAmount: 500_000 })
  expect(
    (await app.refused(api.inboundEmiOffer, { appId: 'A1', amount: 2_000_000, instalments: 24 }))
      .msg,
  ).toContain('productClosed')
  const { productId, version } = (await product()) ?? { productId: '', version: 0 }
  await manager.call(setProductStatus, { productId, version, status: 'enabled' })
  const again = await admin.call(api.saveEmiConfig, {
    appId: 'A1',
    version: 1,
    value: { ...value, maxAmount: 6_000_000 },
  })
  expect(again).toMatchObject({ version: 2, productStatus: 'enabled', productId })
  expect(await product()).toMatchObject({ maxAmount: 6_000_000 })
})

test('a second person who saves what the first had changed is refused', async () => {
  const refused = await admin.refused(api.saveEmiConfig, { appId: 'A1', version: 1, value })
  expect(refused).toMatchObject({ code: 409, data: { config: { maxAmount: 6_000_000 } } })
})

test('terms that make no plan are refused, and a manager only reads', async () => {
  const wrong = { ...value, maxAmount: 10_000 }
  expect(
    (await admin.refused(api.saveEmiConfig, { appId: 'A1', version: 2, value: wrong })).data,
  ).toMatchObject({ fields: { maxAmount: 'products:fault.amounts' } })
  expect((await manager.refused(api.saveEmiConfig, { appId: 'A1', version: 2, value })).code).toBe(
    403,
  )
  const { productId, version } = (await product()) ?? { productId: '', version: 0 }
  expect((await manager.refused(editQuota, { productId, version, quota: [] })).data).toMatchObject({
    fields: { quota: 'products:fault.emiTerms' },
  })
})

test('an app hears its information and its terms at once', async () => {
  const config = (await manager.call(api.listEmiConfig, {})).rows[0]
  await admin.call(api.saveEmiInfo, { appId: 'A1', version: config?.version ?? 0, value: INFO })
  const offered = await app.call(inboundApp, { appId: 'A1' })
  expect(offered.emi).toEqual(INFO)
  expect(offered.products.find(({ emi }) => emi !== null)?.emi).toMatchObject({ annualRate: 1_500 })
  const offer = emiOffer(CONFIG, { amount: 2_000_000, instalments: 24 }, 1_800, today())
  const { plan, ...rest } = await app.call(api.inboundEmiOffer, {
    appId: 'A1',
    amount: 2_000_000,
    instalments: 24,
  })
  const { plan: planned, ...figures } = offer
  expect(rest).toMatchObject(figures)
  expect(plan).toHaveLength(planned.length)
})

test('an application chooses a number of instalments that the product offers', async () => {
  const { productId } = (await product()) ?? { productId: '' }
  const apply = (instalments?: number) =>
    makeApplication(1, {
      productId,
      amount: 2_000_000,
      ...(instalments === undefined ? {} : { instalments }),
    })
  for (const wrong of [undefined, 36])
    expect((await app.refused(inboundApplication, apply(wrong))).msg).toContain('instalments')
  // parameters are read in the transaction: the embedded database has no second session for them
  floor.context.parameters.forget()
  const { orderId } = await app.call(inboundApplication, apply(24))
  const { order, terms } = await manager.call(orderDetail, { orderId })
  const offer = emiOffer(CONFIG, { amount: 2_000_000, instalments: 24 }, 1_800, today())
  expect(order).toMatchObject({
    serviceCharge: offer.fee + offer.gst,
    arrivalAmount: offer.arrival,
    interest: offer.interest,
    contractAmount: offer.contract,
  })
  expect(terms).toMatchObject({ apr: offer.apr, emi: { instalments: 24, fee: 40_000, gst: 7_200 } })
})

test("a passed application leaves the credit with the product's interest a year and due day", async () => {
  const { productId } = (await product()) ?? { productId: '' }
  const { orderId, customerId } = await makeOrder(floor, {
    status: 20,
    product: { id: productId },
    amount: 2_000_000,
    instalments: 24,
  })
  await runCommand(floor.context, { actor: systemActor('test'), audit: { action: 'pass' } }, (tx) =>
    grantCredit(tx, orderId, { state: 'passed', limit: null }),
  )
  const { credit } = await manager.call(customerDetail, {
    userId: customerId,
    sections: ['credit'],
  })
  expect(credit).toMatchObject({
    periods: 24,
    emi: { annualRate: CONFIG.annualRate, dueDay: CONFIG.dueDay },
  })
})

test('an EMI loan that is paid out has the plan of its day, and its GST is owed apart', async () => {
  const { productId } = (await product()) ?? { productId: '' }
  const { orderId } = await makeOrder(floor, {
    status: 30,
    product: { id: productId },
    amount: 2_000_000,
    instalments: 24,
  })
  const { order, plans, terms, ledger } = await manager.call(orderDetail, { orderId })
  const offer = emiOffer(CONFIG, { amount: 2_000_000, instalments: 24 }, 1_800, today())
  expect(plans.map(({ dueTime, principal, interest }) => [dueTime, principal, interest])).toEqual(
    offer.plan.map(({ dueDay, principal, interest }) => [
      dueDay,
      Number(principal),
      Number(interest),
    ]),
  )
  expect(order).toMatchObject({ interest: offer.interest, outstanding: offer.contract })
  expect(terms.apr).toBe(offer.apr)
  expect(ledger.find(({ account }) => account === 'gstPayable')).toMatchObject({ credit: 7_200 })
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from repay_plan p where p.order_id = ${orderId}`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.n).toBe(24)
})
