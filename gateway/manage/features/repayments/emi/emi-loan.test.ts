/** EMI loans from payment to payment: what is paid ahead, called in, taken back. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as approvals from '#shared/approvals/approvals-api.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { saveEmiConfig } from '#shared/products/emi-api.ts'
import { listProducts, setProductStatus } from '#shared/products/products-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeOrder, makeProduct } from '#tests/factories/orders.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { openDays } from '../open-day.ts'

let floor: Floor
let manager: Person
let director: Person
let channel: Machine
let productId: string
let sent = 0
beforeAll(async () => {
  floor = await testManage()
  await makeProduct(floor)
  const admin = await floor.signIn('administrator')
  manager = await floor.signIn('manager')
  director = await floor.signIn('director')
  channel = await machineOf(floor, ['payment'])
  await admin.call(saveEmiConfig, {
    appId: 'A1',
    version: 0,
    value: {
      minAmount: 500_000,
      maxAmount: 5_000_000,
      instalments: [12],
      annualRate: 1_800,
      processingFee: 200,
      dueDay: 5,
      graceDays: 3,
      bounceCharge: 25_000,
      prepayment: 'fewerInstalments',
      coolingOffDays: 3,
    },
  })
  const { rows } = await manager.call(listProducts, { pageSize: 200 })
  const product = rows.find(({ kind }) => kind === 'emi')
  productId = product?.productId ?? ''
  await manager.call(setProductStatus, {
    productId,
    version: product?.version ?? 0,
    status: 'enabled',
  })
})
afterAll(() => floor.close())
afterEach(async () => {
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
})

async function loan(): Promise<string> {
  const product = { id: productId }
  const { orderId } = await makeOrder(floor, { status: 30, product, amount: 1_200_000 })
  return orderId
}

async function pay(orderId: string, amount: number, more: object = {}): Promise<string> {
  sent += 1
  const { payState, recordId } = await channel.call(inboundPayment, {
    vendorOrderNo: `V${sent}`,
    orderId,
    amount,
    utr: String(500_000_000_000 + sent),
    channel: 2,
    result: 'success',
    ...more,
  })
  expect(payState).toBe('success')
  return recordId
}
const detail = (orderId: string) => manager.call(orderDetail, { orderId })

test('money in advance pays the next instalment, and more of it gives fewer instalments', async () => {
  const orderId = await loan()
  const before = await detail(orderId)
  const first = before.plans[0]
  await pay(orderId, first?.outstanding ?? 0)
  expect((await detail(orderId)).plans[0]).toMatchObject({ outstanding: 0, paymentStatus: 'paid' })
  await pay(orderId, 500_000)
  const { plans, order, ledger } = await detail(orderId)
  const prepaid = plans.find(({ serialNo }) => serialNo > 12)
  expect(prepaid).toMatchObject({ principal: 500_000, paidAmount: 500_000, outstanding: 0 })
  expect(plans.filter(({ paymentStatus }) => paymentStatus === 'dropped').length).toBeGreaterThan(3)
  expect(plans.reduce((sum, plan) => sum + plan.principal, 0)).toBe(1_200_000)
  expect(ledger.some(({ kind }) => kind === 'replan')).toBe(true)
  const interest = plans.reduce((sum, plan) => sum + plan.interest, 0)
  expect(order.outstanding).toBe(1_200_000 + interest - 500_000 - (first?.outstanding ?? 0))
  expect(interest).toBeLessThan(order.interest)
})

test('a payment says that it gives lower instalments', async () => {
  const orderId = await loan()
  await pay(orderId, 300_000, { ahead: 'lowerInstalments' })
  const { plans } = await detail(orderId)
  expect(plans.filter(({ paymentStatus }) => paymentStatus === 'dropped')).toHaveLength(0)
  expect(plans.filter(({ serialNo }) => serialNo <= 12)).toHaveLength(12)
})

test('a prepayment that is taken back leaves the plan as it was agreed, and one told late changes it', async () => {
  const orderId = await loan()
  const agreed = (await detail(orderId)).plans.map(({ principal, interest }) => [
    principal,
    interest,
  ])
  const recordId = await pay(orderId, 400_000)
  await pay(orderId, 50_000, { ahead: 'lowerInstalments' })
  const { record } = await manager.call(api.recordDetail, { recordId })
  const { approvalId } = await manager.call(api.reverseRecord, {
    recordId,
    version: record.version,
    cause: 'bounced',
    reason: 'The bank took it back',
  })
  await director.call(approvals.decideApproval, { approvalId, version: 1, result: 'approved' })
  const { plans } = await detail(orderId)
  const open = plans.filter(({ outstanding }) => outstanding > 0)
  expect(open).toHaveLength(12)
  expect(plans.find(({ principal }) => principal === 50_000)).toMatchObject({ outstanding: 0 })
  expect(open[1]?.interest).toBeLessThan(agreed[1]?.[1] ?? 0)
})

test('the quote ends the loan without the interest of the months to come', async () => {
  const orderId = await loan()
  const { order } = await detail(orderId)
  const quote = await manager.call(api.quotePayment, { orderId, type: 'full' })
  // paid out today: no day of interest has passed
  expect(quote).toMatchObject({ amountDue: 1_200_000, components: { interest: 0 } })
  expect(order.outstanding).toBeGreaterThan(1_200_000)
  await pay(orderId, 1_200_000)
  const ended = await detail(orderId)
  expect(ended.order).toMatchObject({ status: 40, outstanding: 0 })
  expect(ended.plans.find(({ serialNo }) => serialNo > 12)).toMatchObject({ principal: 1_200_000 })
})

test('a preview lists the instalments by their numbers and names the row of money ahead', async () => {
  const orderId = await loan()
  const { plans } = await manager.call(api.previewPayment, {
    orderId,
    repaymentType: 'partial',
    amount: 500_000,
    payTime: new Date().toISOString(),
    ahead: 'lowerInstalments',
  })
  const numbers = plans.map(({ serialNo }) => serialNo)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(plans[0]).toMatchObject({ serialNo: 1, kind: 'instalment' })
  expect(plans.at(-1)).toMatchObject({ serialNo: 13, kind: 'prepayment' })
})

test('the ledger of an order names the instalment that each line is booked on', async () => {
  const { ledger, plans } = await detail(await loan())
  const agreed = ledger.filter(({ account }) => account === 'interestReceivable')
  expect(agreed.map(({ serialNo }) => serialNo)).toEqual(plans.map(({ serialNo }) => serialNo))
  expect(ledger.find(({ account }) => account === 'payoutClearing')?.serialNo).toBeNull()
})

test('a row of money ahead says what its payment cleared, and is no instalment', async () => {
  const orderId = await loan()
  const recordId = await pay(orderId, 500_000, { ahead: 'fewerInstalments' })
  const planId = (await detail(orderId)).plans.find(({ serialNo }) => serialNo > 12)?.planId ?? ''
  const { allocations, order } = await manager.call(api.planDetail, { planId })
  expect(allocations).toMatchObject([{ recordId, principal: 500_000, interest: 0 }])
  expect(order.instalments).toBe(12)
  const shown = await manager.call(api.recordDetail, { recordId })
  expect(shown.allocations).toMatchObject([{ planId, kind: 'repayment', principal: 500_000 }])
})

test('a bad debt is called in: the rest is due at once', async () => {
  const orderId = await loan()
  const { plans } = await detail(orderId)
  const first = plans[0]?.dueTime ?? ''
  await sql`delete from day_opening`.execute(floor.database.kysely)
  for (const overdue of [1, 90, 91]) {
    await sql`
      insert into day_opening (day, finished_at) values (${addDays(first, overdue - 1)}, clock_timestamp())
      on conflict do nothing`.execute(floor.database.kysely)
    await openDays(floor.context, addDays(first, overdue), [])
  }
  const bad = await detail(orderId)
  expect(bad.order.status).toBe(90)
  const rest = bad.plans.find(({ serialNo }) => serialNo > 12)
  expect(rest).toMatchObject({ dueTime: addDays(first, 91) })
  expect(
    bad.plans.filter(({ dueTime, outstanding }) => dueTime > addDays(first, 91) && outstanding > 0),
  ).toHaveLength(0)
  expect(istDay(new Date()) < first).toBe(true)
})
