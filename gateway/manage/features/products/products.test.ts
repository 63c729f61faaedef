import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { inboundApplication } from '#shared/orders/inbound-api.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import * as api from '#shared/products/products-api.ts'
import { readLoan } from '#gateway/manage/features/repayments/loan-store.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeOrder, makeProduct } from '#tests/factories/orders.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let manager: Person
let director: Person
let app: Machine
beforeAll(async () => {
  floor = await testManage()
  await makeProduct(floor)
  ;[manager, director, app] = await Promise.all([
    floor.signIn('manager'),
    floor.signIn('director'),
    machineOf(floor, ['application']),
  ])
})
afterAll(() => floor.close())

const FIELDS: InputOf<typeof api.addProduct> = {
  name: 'Harvest 60',
  appId: 'A1',
  merchantId: 'MC001',
  minAmount: 500_000,
  maxAmount: 4_000_000,
  tenureDays: 60,
  periods: 2,
  daysPerPeriod: 30,
  serviceRate: 250,
  dailyRate: 7,
  coolingOffDays: 3,
  microfinance: false,
}
let made = 0
/** An active product with a unique name. */
async function product(more: Partial<typeof FIELDS> = {}) {
  made += 1
  const { productId } = await manager.call(api.addProduct, {
    ...FIELDS,
    name: `Harvest ${made}`,
    ...more,
  })
  return manager.call(api.setProductStatus, { productId, version: 1, status: 'enabled' })
}
const apply = (n: number, productId: string, amount: number) =>
  app.call(inboundApplication, makeApplication(n, { productId, amount }))
const refusal = async (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => String(error),
  )

test('a new product is inactive, can be activated, and then accepts applications with its terms', async () => {
  const { productId } = await manager.call(api.addProduct, FIELDS)
  const [row] = (await director.call(api.listProducts, { name: 'harvest 60' })).rows
  expect(row).toMatchObject({
    productId,
    ...FIELDS,
    appName: 'RupeeOnce',
    merchantName: 'Own book',
    description: '',
    status: 'disabled',
    openOrders: 0,
    version: 1,
  })
  expect(await app.refused(inboundApplication, makeApplication(1, { productId }))).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'productClosed' } },
  })
  await manager.call(api.setProductStatus, { productId, version: 1, status: 'enabled' })
  const { orderId } = await apply(1, productId, 1_000_000)
  expect((await manager.call(orderDetail, { orderId })).order).toMatchObject({
    serviceCharge: 25_000,
    interest: 42_000,
    tenureDays: 60,
    term: 2,
  })
  expect(
    (await manager.call(api.listProducts, { status: 'enabled', appId: 'A1' })).rows.find(
      (one) => one.productId === productId,
    ),
  ).toMatchObject({ openOrders: 1 })
  expect(
    (await floor.events()).filter((event) => event.type === 'config.refreshed').at(-1),
  ).toMatchObject({ rooms: ['all'], data: { area: 'products', ids: [productId] } })
})

test('an order keeps all terms it was made with', async () => {
  const { productId, version } = await product()
  const { version: fined } = await manager.call(api.editPenalty, {
    productId,
    version,
    penalty: [
      { dayFrom: 1, dayTo: 3, rate: 10, capRatio: null },
      { dayFrom: 4, dayTo: null, rate: 20, capRatio: 500 },
    ],
  })
  const { orderId } = await apply(2, productId, 1_000_000)
  const before = await manager.call(orderDetail, { orderId })
  const { version: edited } = await manager.call(api.editProduct, {
    ...FIELDS,
    productId,
    version: fined,
    name: 'Harvest anew',
    minAmount: 2_000_000,
    serviceRate: 900,
    dailyRate: 20,
    coolingOffDays: 9,
  })
  const { version: free } = await manager.call(api.editPenalty, {
    productId,
    version: edited,
    penalty: [],
  })
  await manager.call(api.editExtension, {
    productId,
    version: free,
    extend: { enabled: true, days: 15, feeType: 'rate', fee: 400, commission: 60, maxTimes: 2 },
  })
  const after = await manager.call(orderDetail, { orderId })
  expect(after).toEqual({ ...before, order: { ...before.order, productName: 'Harvest anew' } })
  expect(after.terms.penalty).toEqual([
    { dayFrom: 1, dayTo: 3, rate: 10, capRatio: null },
    { dayFrom: 4, dayTo: null, rate: 20, capRatio: 500 },
  ])
  expect(await manager.call(api.productPenalty, { productId })).toMatchObject({ penalty: [] })
  const later = await apply(3, productId, 2_000_000)
  expect((await manager.call(orderDetail, later)).terms).toMatchObject({
    serviceRate: 900,
    coolingOffDays: 9,
    penalty: [],
  })
})

test('fines follow the ranges the order was made with', async () => {
  const { productId, version } = await product()
  await manager.call(api.editPenalty, {
    productId,
    version,
    penalty: [{ dayFrom: 1, dayTo: null, rate: 25, capRatio: 1_000 }],
  })
  const { orderId } = await makeOrder(floor, {
    status: 30,
    amount: 1_000_000,
    product: { id: productId },
  })
  expect(await readLoan(floor.database.kysely, orderId)).toMatchObject({
    penalty: [{ dayFrom: 1, dayTo: null, rate: 25, capRatio: 1_000 }],
    plans: [{ planned: 500_000 }, { planned: 500_000 }],
  })
})

test("a quota limits amount and instalments by the borrower's class and number of loans", async () => {
  const { productId, version } = await product()
  const quota = [
    { customerClass: 'new' as const, orderNoFrom: 1, orderNoTo: 1, limit: 900_000, term: 1 },
    { customerClass: 'new' as const, orderNoFrom: 2, orderNoTo: null, limit: 4_000_000, term: 2 },
  ]
  await manager.call(api.editQuota, { productId, version, quota })
  expect(await manager.call(api.productQuota, { productId })).toMatchObject({ quota })
  expect(
    await app.refused(inboundApplication, makeApplication(4, { productId, amount: 900_001 })),
  ).toMatchObject({ problem: { params: { reason: 'amountOutsideProduct' } } })
  const { orderId } = await apply(4, productId, 900_000)
  // one instalment of 30 days: 900,000 paise × 7 bp × 30
  expect((await manager.call(orderDetail, { orderId })).order).toMatchObject({
    term: 1,
    tenureDays: 30,
    interest: 18_900,
  })
  await sql`
    update loan_order set status = 40, close_type = 'repaidClosed', disbursed_at = clock_timestamp()
      where id = ${orderId}`.execute(floor.database.kysely)
  expect(
    (await manager.call(orderDetail, await apply(4, productId, 2_000_000))).order,
  ).toMatchObject({ term: 2, tenureDays: 60 })
})

test("a product's limits cannot become narrower than its quotas", async () => {
  const { productId, version, name } = await product({
    tenureDays: 30,
    periods: 3,
    daysPerPeriod: 10,
  })
  const quota = (limit: number, term: number) => [
    { customerClass: 'new' as const, orderNoFrom: 1, orderNoTo: null, limit: 900_000, term: 1 },
    { customerClass: 'old' as const, orderNoFrom: 1, orderNoTo: null, limit, term },
  ]
  const { version: limited } = await manager.call(api.editQuota, {
    productId,
    version,
    quota: quota(4_000_000, 3),
  })
  const once = {
    ...FIELDS,
    productId,
    version: limited,
    name,
    tenureDays: 30,
    periods: 1,
    daysPerPeriod: 30,
  }
  expect(
    (await manager.refused(api.editProduct, { ...once, minAmount: 900_001, maxAmount: 3_999_999 }))
      .data,
  ).toEqual({
    fields: {
      minAmount: 'products:fault.quota.new.minAmount',
      maxAmount: 'products:fault.quota.old.maxAmount',
      periods: 'products:fault.quota.old.periods',
    },
  })
  const { version: narrowed } = await manager.call(api.editQuota, {
    productId,
    version: limited,
    quota: quota(4_000_000, 1),
  })
  await manager.call(api.editProduct, { ...once, version: narrowed })
  // a range older than the check against product limits
  const old = { customerClass: 'new', orderNoFrom: 1, orderNoTo: null, limit: 900_000, term: 3 }
  await sql`
    update product
    set quota = ${JSON.stringify([old])}::jsonb
    where id = ${productId}`.execute(floor.database.kysely)
  expect((await manager.call(orderDetail, await apply(6, productId, 900_000))).order).toMatchObject(
    { term: 1, tenureDays: 30, interest: 18_900 },
  )
})

test('each invalid value is reported at its field', async () => {
  const { productId, version } = await product()
  const fault = async (input: Partial<typeof FIELDS>) =>
    (await manager.refused(api.addProduct, { ...FIELDS, name: 'Never', ...input })).data
  expect(await fault({ maxAmount: 400_000, tenureDays: 61 })).toEqual({
    fields: { maxAmount: 'products:fault.amounts', tenureDays: 'products:fault.tenure' },
  })
  expect(await fault({ appId: 'NONE', merchantId: 'NONE' })).toEqual({
    fields: { appId: 'unknown', merchantId: 'unknown' },
  })
  expect(await fault({ name: `Harvest ${made}` })).toEqual({
    fields: { name: 'products:fault.taken' },
  })
  const gap = [
    { dayFrom: 1, dayTo: 3, rate: 10, capRatio: null },
    { dayFrom: 5, dayTo: null, rate: 10, capRatio: null },
  ]
  expect(
    (await manager.refused(api.editPenalty, { productId, version, penalty: gap })).data,
  ).toEqual({ fields: { penalty: 'products:fault.ranges' } })
  const quota = (limit: number, term: number) => [
    { customerClass: 'old', orderNoFrom: 1, orderNoTo: null, limit, term },
  ]
  expect(
    (await manager.refused(api.editQuota, { productId, version, quota: quota(4_000_001, 1) })).data,
  ).toEqual({ fields: { quota: 'products:fault.limit' } })
  expect(
    (await manager.refused(api.editQuota, { productId, version, quota: quota(4_000_000, 3) })).data,
  ).toEqual({ fields: { quota: 'products:fault.term' } })
  const extend = {
    enabled: true,
    days: 15,
    feeType: 'rate',
    fee: 10_001,
    commission: 0,
    maxTimes: 2,
  }
  expect((await manager.refused(api.editExtension, { productId, version, extend })).data).toEqual({
    fields: { 'extend.fee': 'products:fault.rate' },
  })
})

test('the second of two concurrent editors gets the product the first one saved', async () => {
  const { productId, version, name } = await product()
  await manager.call(api.editProduct, { ...FIELDS, productId, version, name, serviceRate: 300 })
  expect(
    await manager.refused(api.editProduct, {
      ...FIELDS,
      productId,
      version,
      name,
      serviceRate: 500,
    }),
  ).toMatchObject({
    code: 409,
    problem: { id: 'G409' },
    data: { productId, serviceRate: 300, version: version + 1 },
  })
})

test('the second of two concurrent editors of terms gets the terms the first one saved', async () => {
  const { productId, version } = await product()
  const [quota, penalty] = [
    [{ customerClass: 'old' as const, orderNoFrom: 1, orderNoTo: null, limit: 900_000, term: 1 }],
    [{ dayFrom: 1, dayTo: null, rate: 10, capRatio: null }],
  ]
  const extend = {
    enabled: true,
    days: 15,
    feeType: 'rate' as const,
    fee: 400,
    commission: 60,
    maxTimes: 2,
  }
  const { version: limited } = await manager.call(api.editQuota, { productId, version, quota })
  const { version: fined } = await manager.call(api.editPenalty, {
    productId,
    version: limited,
    penalty,
  })
  const { version: extended } = await manager.call(api.editExtension, {
    productId,
    version: fined,
    extend,
  })
  const fresh = {
    code: 409,
    problem: { id: 'G409' },
    data: { quota, penalty, extend, version: extended },
  }
  expect(await manager.refused(api.editQuota, { productId, version, quota: [] })).toMatchObject(
    fresh,
  )
  expect(await manager.refused(api.editPenalty, { productId, version, penalty: [] })).toMatchObject(
    fresh,
  )
  expect(
    await manager.refused(api.editExtension, {
      productId,
      version,
      extend: { ...extend, fee: 500 },
    }),
  ).toMatchObject(fresh)
})

test('a product with orders cannot move to another app', async () => {
  const { productId, version, name } = await product()
  await sql`insert into app (id, code, name) values ('A9', 'other', 'Other') on conflict do nothing`.execute(
    floor.database.kysely,
  )
  const { version: moved } = await manager.call(api.editProduct, {
    ...FIELDS,
    productId,
    version,
    name,
    appId: 'A9',
  })
  const { version: back } = await manager.call(api.editProduct, {
    ...FIELDS,
    productId,
    version: moved,
    name,
  })
  await apply(5, productId, 1_000_000)
  expect(
    await refusal(
      manager.call(api.editProduct, { ...FIELDS, productId, version: back, name, appId: 'A9' }),
    ),
  ).toContain('K-USED')
})

test('a product is linked to a merchant only once', async () => {
  const [one, two] = [await product(), await product()]
  expect(
    await manager.call(api.linkProducts, { merchantId: 'MC001', productIds: [one.productId] }),
  ).toEqual({ count: 1 })
  expect(
    await manager.call(api.linkProducts, {
      merchantId: 'MC001',
      productIds: [one.productId, two.productId],
    }),
  ).toEqual({ count: 1 })
  expect((await director.call(api.listMerchants, { name: 'own' }))[0]?.productIds).toEqual([
    one.productId,
    two.productId,
  ])
  expect(
    await refusal(manager.call(api.linkProducts, { merchantId: 'MC001', productIds: ['NONE'] })),
  ).toContain('G-FIELD')
})
