/**
 * Totals stored beside the ledger, because lists and figures sum them: each is proven against the
 * ledger.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as approvals from '#shared/approvals/approvals-api.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { istDay } from '#shared/kernel/time.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import * as reduce from '#shared/repayments/reductions-api.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import { brokenInvariants, checkRule } from '#gateway/manage/db/check-invariants.ts'
import { approvalsRoutes } from '#gateway/manage/features/approvals/approvals-routes.ts'
import { casePaid, openDayCases } from '#gateway/manage/features/collection/public.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { openDays } from '../open-day.ts'
import { repaymentsRoutes } from '../repayments-routes.ts'
import { reversalApproval } from '../reversal/request-reversal.ts'

let floor: Floor
let manager: Person
let director: Person
let channel: Machine
let serial = 0
const today = istDay(Date.now())
/** 10,000.00, 150.00 interest and 120.00 of fine. */
const OWED = 1_000_000 + 15_000 + 12_000

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...REPAYMENTS_MENU, ...SETUP_MENU],
      routes: (base) => {
        ordersRoutes(base, context, { whenCancelled: [] })
        approvalsRoutes(base, context, { kinds: [reversalApproval([casePaid])] })
        repaymentsRoutes(base, context, { whenPaid: [casePaid] })
      },
    }),
  })
  ;[manager, director, channel] = await Promise.all([
    floor.signIn('manager'),
    floor.signIn('director'),
    machineOf(floor, ['payment']),
  ])
})
afterAll(() => floor.close())

const overdue = () => makeCase(floor, { overdueDays: 12 })
async function pay({ orderId }: MadeCase, amount: number): Promise<string> {
  serial += 1
  return (
    await channel.call(inboundPayment, {
      vendorOrderNo: `V-T${serial}`,
      orderId,
      amount,
      channel: 1,
      result: 'success',
      utr: String(710_000_000_000 + serial),
    })
  ).recordId
}
async function takeBack(recordId: string): Promise<void> {
  const { record } = await manager.call(api.recordDetail, { recordId })
  const { approvalId } = await manager.call(api.reverseRecord, {
    recordId,
    version: record.version,
    cause: 'bounced',
    reason: 'The bank took it back',
  })
  await director.call(approvals.decideApproval, { approvalId, version: 1, result: 'approved' })
}
async function reduced(made: MadeCase): Promise<string> {
  const { order, plans } = await manager.call(orderDetail, { orderId: made.orderId })
  const { reduceId } = await manager.call(reduce.launchReduction, {
    orderId: made.orderId,
    planId: plans[0]?.planId ?? '',
    version: order.version,
    reduceItems: { overdueFine: 12_000, serviceFee: 0, interest: 0 },
    validUntil: today,
    reason: 'Pays at once',
  })
  await director.call(reduce.decideReductions, { reduceIds: [reduceId], result: 'approved' })
  return reduceId
}

test('the total of a reduction counts what remained, without reversed payments', async () => {
  const made = await overdue()
  const reduceId = await reduced(made)
  await takeBack(await pay(made, 100_000))
  await pay(made, OWED - 12_000)
  expect((await manager.call(reduce.listReductions, { reduceId })).rows[0]).toMatchObject({
    state: 'used',
  })
  const { rows } = await sql<{
    recovered: number
  }>`select d.recovered_amount as recovered from reduction d where d.id = ${reduceId}`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.recovered).toBe(OWED - 12_000)
  expect(await brokenInvariants(floor.database)).toEqual([])
})

test('each stored total that differs from the ledger by a paisa is found by its own rule', async () => {
  const [paid, used] = [await overdue(), await overdue()]
  await openDays(floor.context, today, [openDayCases])
  await pay(paid, 50_000)
  const reduceId = await reduced(used)
  await pay(used, OWED - 12_000)
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
  const wrongs: [
    code: string,
    id: string,
    more: ReturnType<typeof sql>,
    back: ReturnType<typeof sql>,
  ][] = [
    [
      'P08',
      paid.orderId,
      sql`
        update loan_order set service_charge = service_charge + 1, arrival_amount = arrival_amount - 1
          where id = ${paid.orderId}`,
      sql`
        update loan_order set service_charge = service_charge - 1, arrival_amount = arrival_amount + 1
          where id = ${paid.orderId}`,
    ],
    [
      'O17',
      today,
      sql`update day_opening set fines = fines + 1 where day = ${today}`,
      sql`update day_opening set fines = fines - 1 where day = ${today}`,
    ],
    [
      'W15',
      reduceId,
      sql`update reduction set recovered_amount = recovered_amount + 1 where id = ${reduceId}`,
      sql`update reduction set recovered_amount = recovered_amount - 1 where id = ${reduceId}`,
    ],
    [
      'C09',
      paid.caseId,
      sql`update collection_case set recovered = recovered + 1 where id = ${paid.caseId}`,
      sql`update collection_case set recovered = recovered - 1 where id = ${paid.caseId}`,
    ],
  ]
  for (const [code, id, more, back] of wrongs) {
    await more.execute(floor.database.kysely)
    expect(await checkRule(floor.database.kysely, code)).toMatchObject({
      violations: 1,
      sample: [id],
    })
    await back.execute(floor.database.kysely)
    expect(await checkRule(floor.database.kysely, code)).toMatchObject({ violations: 0 })
  }
})

test('a bill that differs from its payment, or was not reversed with it, is found', async () => {
  const made = await overdue()
  const recordId = await pay(made, 50_000)
  const change = (fees: number, principal: number) =>
    sql`
      update recovery_bill set fees = fees + ${fees}::bigint, principal = principal + ${principal}::bigint,
        amount = amount + ${fees + principal}::bigint where record_id = ${recordId}`.execute(
      floor.database.kysely,
    )
  for (const [fees, principal] of [
    [1, 0],
    [0, 1],
    [-1, 1],
  ] as const) {
    await change(fees, principal)
    expect(await checkRule(floor.database.kysely, 'C08')).toMatchObject({
      violations: 1,
      sample: [recordId],
    })
    await change(-fees, -principal)
  }
  expect(await checkRule(floor.database.kysely, 'C08')).toMatchObject({ violations: 0 })
  await sql`
    insert into recovery_bill (record_id, case_id, order_id, customer_id, stage_id, overdue_days, amount,
      principal, fees, channel, paid_at)
    select b.record_id, b.case_id, b.order_id, b.customer_id, b.stage_id, b.overdue_days, -b.amount,
      -b.principal, -b.fees, b.channel, b.paid_at from recovery_bill b where b.record_id = ${recordId}`.execute(
    floor.database.kysely,
  )
  expect(await checkRule(floor.database.kysely, 'C08')).toMatchObject({
    violations: 1,
    sample: [recordId],
  })
})
