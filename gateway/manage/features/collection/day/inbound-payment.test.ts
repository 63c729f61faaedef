/**
 * Money reported by its channel on orders in collection: loan, case and promise change in one
 * transaction, and the ledger stays balanced.
 */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { caseDetail } from '#shared/collection/cases-api.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { repaymentsRoutes } from '#gateway/manage/features/repayments/repayments-routes.ts'
import { type CaseGiven, makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeCollector, makeUnit, type Unit } from '#tests/factories/units.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { workRoutes } from '../work-routes.ts'
import { casePaid } from './case-paid.ts'

let floor: Floor
let unit: Unit
let holder: { userId: string; account: string }
let collector: Person
let channel: Machine
let serial = 0
const today = istDay(Date.now())
/** Of twelve days: 10 basis points of 10,000.00 a day, charged at the payment. */
const FINE = 12_000

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...SESSION_MENU, ...SETUP_MENU, ...WORK_MENU],
      routes: (base) => {
        workRoutes(base, context)
        repaymentsRoutes(base, context, { whenPaid: [casePaid] })
      },
    }),
  })
  unit = await makeUnit(floor, { weight: 100, inHouse: true })
  holder = await makeCollector(floor, unit)
  collector = await floor.signIn(holder.account)
  channel = await machineOf(floor, ['payment'])
})
afterAll(() => floor.close())
afterEach(async () => {
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
})

const held = (given: Partial<CaseGiven> = {}) =>
  makeCase(floor, { collectorId: holder.userId, overdueDays: 12, ...given })
function pay(made: MadeCase, amount: number, payTime?: string) {
  serial += 1
  return channel.call(inboundPayment, {
    vendorOrderNo: `V${serial}`,
    orderId: made.orderId,
    amount,
    channel: 1,
    result: 'success',
    utr: String(100_000_000_000 + serial),
    ...(payTime === undefined ? {} : { payTime }),
  })
}
async function row(made: MadeCase) {
  return (await collector.call(caseDetail, { caseId: made.caseId })).case
}

test('a part payment reduces the case, is listed among its payments and reaches its holder', async () => {
  const made = await held()
  const before = (await floor.events()).at(-1)?.seq ?? 0
  await pay(made, 15_000)
  const { case: after, payments, order } = await collector.call(caseDetail, { caseId: made.caseId })
  expect(after).toMatchObject({
    state: 'allocated',
    paidAmount: 15_000,
    paidToday: 15_000,
    outstanding: made.outstanding + FINE - 15_000,
    amountDue: made.outstanding + FINE,
  })
  expect(payments).toMatchObject([
    { amount: 15_000, payState: 'success', reversed: false, channel: 1 },
  ])
  expect(order.outstanding).toBe(after.outstanding)
  const own = (await floor.events(before))
    .filter(({ rooms }) => rooms.includes(`user:${holder.userId}`))
    .map(({ type }) => type)
  expect(own).toEqual(
    expect.arrayContaining(['order.status.changed', 'plan.changed', 'case.amount.changed']),
  )
})

test('a full payment ends the case with its order', async () => {
  const made = await held({ state: 'promised' })
  await pay(made, made.outstanding + FINE)
  expect(await row(made)).toMatchObject({
    state: 'closed',
    endReason: 'repaid',
    recovered: made.outstanding + FINE,
    ptpState: 'kept',
  })
})

test('the same payment reported three times counts once', async () => {
  const made = await held()
  serial += 1
  const reported = {
    vendorOrderNo: `V${serial}`,
    orderId: made.orderId,
    amount: 10_000,
    channel: 1,
    result: 'success' as const,
    utr: String(100_000_000_000 + serial),
  }
  await Promise.all([
    channel.call(inboundPayment, reported),
    channel.call(inboundPayment, reported),
    channel.call(inboundPayment, reported),
  ])
  expect((await row(made)).paidAmount).toBe(10_000)
})

test('money with an earlier value date keeps a promise of yesterday that is not judged yet', async () => {
  const yesterday = new Date(`${addDays(today, -1)}T18:00:00+05:30`).toISOString()
  const made = await held({ state: 'promised', ptpAmount: 20_000, ptpTime: yesterday })
  await sql`
    update collection_case set ptp_made_at = clock_timestamp() - interval '3 days' where id = ${made.caseId}`.execute(
    floor.database.kysely,
  )
  await pay(made, 20_000, new Date(`${addDays(today, -1)}T23:59:59+05:30`).toISOString())
  expect(await row(made)).toMatchObject({
    state: 'allocated',
    ptpState: 'keptPart',
    paidAmount: 20_000,
    paidToday: 0,
  })
})

test("an overpayment ends the case with the amount due, and the rest is the customer's credit", async () => {
  const made = await held()
  await pay(made, made.outstanding + FINE + 5_000)
  expect(await row(made)).toMatchObject({ state: 'closed', recovered: made.outstanding + FINE })
})

test('payment of the due instalment ends the case while the order goes on', async () => {
  const made = await held({ product: { id: 'PR3', periods: 3 }, overdueDays: 0 })
  const { rows } = await sql<{
    due: number
  }>`select p.outstanding as due from repay_plan p where p.order_id = ${made.orderId} and p.serial_no = 1`.execute(
    floor.database.kysely,
  )
  await pay(made, rows[0]?.due as number)
  const { case: after, order } = await collector.call(caseDetail, { caseId: made.caseId })
  expect(after).toMatchObject({ state: 'closed', endReason: 'repaid' })
  expect(order.status).toBe(30)
})
