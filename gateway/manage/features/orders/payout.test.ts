/** From an approved order to a running loan or a failed disbursement, with a scripted vendor. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addDays, istDay, istDayEnd } from '#shared/kernel/time.ts'
import { inboundPayout } from '#shared/orders/inbound-api.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { cancelOrder } from '#shared/orders/orders-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type {
  PayoutInstruction,
  PayoutVendor,
  SendResult,
  TransferResult,
} from '#gateway/manage/vendors/payout-vendor.ts'
import { makeOrder, type MadeOrder } from '#tests/factories/orders.ts'
import { onlyVendor } from '#tests/support/only-vendor.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { dispatchPayout } from './dispatch-payout.ts'
import { ordersRoutes } from './orders-routes.ts'
import { payoutDispatch } from './payout-dispatch-job.ts'
import { sendPayouts } from './send-payout-job.ts'

/** A vendor that records what it receives and answers as the test sets it. */
const vendor: PayoutVendor & {
  taken: PayoutInstruction[]
  answer: (instruction: PayoutInstruction) => SendResult | Promise<SendResult>
  known: (platformOrderNo: string) => Promise<TransferResult>
} = {
  code: 'sandbox',
  taken: [],
  answer: accept,
  known: () => Promise.resolve({ state: 'unknown' }),
  async send(instruction) {
    vendor.taken.push(instruction)
    return vendor.answer(instruction)
  },
  query: (platformOrderNo) => vendor.known(platformOrderNo),
  settle: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

function accept({ platformOrderNo }: PayoutInstruction): SendResult {
  return { accepted: true, vendorOrderNo: `V-${platformOrderNo}` }
}

let floor: Floor
let manager: Person
let machine: Machine

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU],
      schedules: [payoutDispatch, sendPayouts(onlyVendor(vendor))],
      routes: (base) => ordersRoutes(base, context, { whenCancelled: [] }),
    }),
  })
  manager = await floor.signIn('manager')
  machine = await machineOf(floor, ['payout'])
})
afterAll(() => floor.close())
afterEach(() => {
  vendor.taken = []
  vendor.answer = accept
  vendor.known = () => Promise.resolve({ state: 'unknown' })
})

async function statusOf({ orderId }: MadeOrder): Promise<number> {
  return (await manager.call(orderDetail, { orderId })).order.status
}
async function transferOf(order: MadeOrder): Promise<{
  id: string
  platform_order_no: string
  vendor_order_no: string | null
  sent: boolean
  send_attempts: number
  pay_state: string
  fail_reason: string | null
}> {
  const { rows } = await sql<{
    id: string
    platform_order_no: string
    vendor_order_no: string | null
    sent: boolean
    send_attempts: number
    pay_state: string
    fail_reason: string | null
  }>`
    select t.id, t.platform_order_no, t.vendor_order_no, t.sent_at is not null as sent, t.send_attempts,
      t.pay_state, t.fail_reason from payout_transfer t where t.order_id = ${order.orderId}
      order by t.attempt_no desc limit 1`.execute(floor.database.kysely)
  return rows[0] as {
    id: string
    platform_order_no: string
    vendor_order_no: string | null
    sent: boolean
    send_attempts: number
    pay_state: string
    fail_reason: string | null
  }
}
async function run(name: 'payoutDispatch' | 'payoutSend'): Promise<void> {
  floor.context.wakeSchedule(name)
  await floor.settle()
}
/** Makes every transfer due for sending, as if the time had passed. */
async function makeSendDue(): Promise<void> {
  await sql`
    update payout_transfer set next_send_at = clock_timestamp() where pay_state = 'inProgress'`.execute(
    floor.database.kysely,
  )
}
/** Ledger faults of an order: unbalanced postings, and plans that differ from their receivables. */
async function faults({ orderId }: MadeOrder): Promise<unknown[]> {
  const { rows } = await sql`
    select 'unbalanced' as fault from ledger_entry e where e.order_id = ${orderId} group by e.txn_id
      having sum(e.debit) <> sum(e.credit)
    union all
    select 'plan' from repay_plan p where p.order_id = ${orderId}
      and p.outstanding <> (select coalesce(sum(e.debit - e.credit), 0) from ledger_entry e
        where e.plan_id = p.id and e.account in ('principalReceivable', 'interestReceivable'))
    union all
    select 'outstanding' from loan_order o where o.id = ${orderId}
      and o.outstanding <> (select coalesce(sum(p.outstanding), 0) from repay_plan p
      where p.order_id = o.id)`.execute(floor.database.kysely)
  return rows
}

test('an approved order is paid with plans, ledger, due days and cooling-off in one step', async () => {
  const order = await makeOrder(floor, { status: 26, amount: 1_234_567 })
  await floor.settle()
  expect(await statusOf(order)).toBe(29)
  const transfer = await transferOf(order)
  expect(transfer).toMatchObject({
    platform_order_no: `${order.orderId}-1`,
    vendor_order_no: `V-${order.orderId}-1`,
    sent: true,
    send_attempts: 1,
    pay_state: 'inProgress',
  })
  expect(vendor.taken).toEqual([
    {
      platformOrderNo: `${order.orderId}-1`,
      payeeName: order.name,
      account: expect.stringMatching(/^501\d{8}$/) as string,
      ifsc: 'HDFC0001234',
      amount: 1_111_110,
      transferType: 'IMPS',
    },
  ])

  const before = (await floor.events()).at(-1)?.seq ?? 0
  const report = {
    platformOrderNo: transfer.platform_order_no,
    vendorOrderNo: transfer.vendor_order_no as string,
    result: 'success' as const,
    utr: '998877665544',
  }
  expect(await machine.call(inboundPayout, report)).toEqual({
    orderId: order.orderId,
    status: 30,
    applied: true,
  })
  const {
    order: row,
    plans,
    ledger,
    transfers,
  } = await manager.call(orderDetail, { orderId: order.orderId })
  const day = istDay(row.disburseTime as string)
  expect(row).toMatchObject({
    status: 30,
    dueTime: addDays(day, 90),
    coolingOffUntil: istDayEnd(addDays(day, 3)).toISOString(),
    outstanding: row.contractAmount,
    failReason: null,
  })
  expect(plans.map((plan) => plan.dueTime)).toEqual([
    addDays(day, 30),
    addDays(day, 60),
    addDays(day, 90),
  ])
  expect(plans.reduce((sum, plan) => sum + plan.principal, 0)).toBe(1_234_567)
  expect(plans.reduce((sum, plan) => sum + plan.interest, 0)).toBe(row.interest)
  expect(transfers).toMatchObject([{ payState: 'success', utr: '998877665544' }])
  const sums = (account: string) =>
    ledger
      .filter((entry) => entry.account === account)
      .reduce((sum, entry) => sum + entry.debit - entry.credit, 0)
  expect({
    principal: sums('principalReceivable'),
    interest: sums('interestReceivable'),
    clearing: sums('payoutClearing'),
    charge: sums('serviceChargeIncome'),
    income: sums('interestIncome'),
  }).toEqual({
    principal: 1_234_567,
    interest: row.interest,
    clearing: -1_111_110,
    charge: -123_457,
    income: -row.interest,
  })
  expect(new Set(ledger.map((entry) => entry.day))).toEqual(new Set([day]))
  expect(await faults(order)).toEqual([])
  const events = await floor.events(before)
  expect(events.map((event) => event.type)).toEqual([
    'plan.changed',
    'plan.changed',
    'plan.changed',
    'order.status.changed',
    'payout.changed',
  ])
  expect(events[3]?.data).toMatchObject({
    from: 29,
    to: 30,
    outstanding: row.contractAmount,
    dueTime: row.dueTime,
    disburseTime: row.disburseTime,
    cause: 'payoutOk',
  })
})

test('each guard keeps the order where it is, emits no event, and is counted in the summary', async () => {
  const cases: [string, Parameters<typeof makeOrder>[1]][] = [
    ['cardNotBound', { cardBound: false }],
    ['nameSimilarity', { nameSimilarity: 7_999 }],
    ['kfsNotAccepted', { kfsAccepted: false }],
    ['blacklisted', { blacklisted: true }],
  ]
  const held: [string, MadeOrder][] = []
  for (const [reason, given] of cases)
    held.push([reason, await makeOrder(floor, { status: 20, ...given })])
  const closed = await makeOrder(floor, { status: 20, product: { id: 'PR-OFF' } })
  await sql`update product set status = 'disabled' where id = 'PR-OFF'`.execute(
    floor.database.kysely,
  )
  held.push(['productClosed', closed])
  const above = await makeOrder(floor, { status: 20 })
  await sql`
    insert into credit_grant (id, customer_id, state, final_limit, base_limit, adjusted_limit, tenure_days,
      periods, days_per_period, service_rate, daily_rate)
    select 'Q-LOW', o.customer_id, 'passed', o.amount - 1, o.amount - 1, 0, 90, 3, 30, 1000, 5
      from loan_order o where o.id = ${above.orderId}`.execute(floor.database.kysely)
  held.push(['quotaExceeded', above])
  const before = (await floor.events()).at(-1)?.seq ?? 0
  await run('payoutDispatch')
  expect(await floor.events(before)).toEqual([])
  for (const [, order] of held) expect(await statusOf(order)).toBe(20)
  const counts = await payoutDispatch.run(floor.context)
  for (const [reason, order] of held) {
    expect(counts).toMatchObject({ [reason]: 1 })
    await expect(
      runCommand(floor.context, { actor: systemActor('test'), audit: { action: 'test' } }, (tx) =>
        dispatchPayout(tx, order.orderId, { nameThreshold: 8_000, vendorCode: 'sandbox' }),
      ),
    ).rejects.toMatchObject({ id: 'O-RULE' })
    await sql`update loan_order set status = 70 where id = ${order.orderId}`.execute(
      floor.database.kysely,
    )
  }
})

test('a name similarity at the threshold suffices, and an unblocked order is sent', async () => {
  const exact = await makeOrder(floor, { status: 20, nameSimilarity: 8_000 })
  const unbound = await makeOrder(floor, { status: 26, cardBound: false })
  await floor.settle()
  expect([await statusOf(exact), await statusOf(unbound)]).toEqual([29, 26])
  await sql`update bank_card set bind_state = 'bound' where customer_id = ${unbound.customerId}`.execute(
    floor.database.kysely,
  )
  await run('payoutDispatch')
  expect(await statusOf(unbound)).toBe(29)
})

test('an order that is not approved is not dispatched', async () => {
  for (const status of [10, 22, 29, 31, 70] as const) {
    const order = await makeOrder(floor, { status })
    await expect(
      runCommand(floor.context, { actor: systemActor('test'), audit: { action: 'test' } }, (tx) =>
        dispatchPayout(tx, order.orderId, { nameThreshold: 8_000, vendorCode: 'sandbox' }),
      ),
    ).rejects.toMatchObject({ id: 'O-STATE' })
  }
})

test('a large amount is sent by RTGS', async () => {
  await makeOrder(floor, { status: 20, amount: 60_000_000, product: { id: 'PR-BIG' } })
  await floor.settle()
  expect(vendor.taken.find((instruction) => instruction.amount === 54_000_000)?.transferType).toBe(
    'RTGS',
  )
})

test('after a crash before sending, the transfer is sent later', async () => {
  const order = await makeOrder(floor, { status: 20 })
  vendor.answer = () => Promise.reject(new Error('connection reset'))
  await floor.settle()
  expect(await transferOf(order)).toMatchObject({
    sent: false,
    send_attempts: 1,
    pay_state: 'inProgress',
  })
  vendor.answer = accept
  await run('payoutSend')
  expect(await transferOf(order)).toMatchObject({ sent: false, send_attempts: 1 })
  await makeSendDue()
  await run('payoutSend')
  expect(await transferOf(order)).toMatchObject({ sent: true, send_attempts: 2 })
  expect(
    vendor.taken.filter((instruction) => instruction.platformOrderNo === `${order.orderId}-1`),
  ).toHaveLength(2)
  await makeSendDue()
  await run('payoutSend')
  expect(await transferOf(order)).toMatchObject({ send_attempts: 2 })
})

test('the delay between two attempts grows and stays below fifteen minutes', async () => {
  const order = await makeOrder(floor, { status: 20 })
  vendor.answer = () => ({ accepted: false, reason: 'Try later', final: false })
  await floor.settle()
  const waits: number[] = []
  for (let i = 0; i < 9; i += 1) {
    const { rows } = await sql<{
      wait: number
    }>`
      select round(extract(epoch from t.next_send_at - t.updated_at))::int as wait
      from payout_transfer t
      where t.order_id = ${order.orderId}`.execute(floor.database.kysely)
    waits.push(rows[0]?.wait ?? -1)
    await makeSendDue()
    await run('payoutSend')
  }
  expect(waits).toEqual([15, 30, 60, 120, 240, 480, 900, 900, 900])
  expect(await statusOf(order)).toBe(29)
  vendor.answer = accept
  await makeSendDue()
  await run('payoutSend')
})

test('a permanent refusal by the vendor fails the disbursement with its reason', async () => {
  const order = await makeOrder(floor, { status: 20 })
  vendor.answer = () => ({ accepted: false, reason: 'Invalid IFSC', final: true })
  await floor.settle()
  expect(await transferOf(order)).toMatchObject({
    pay_state: 'fail',
    fail_reason: 'Invalid IFSC',
    vendor_order_no: null,
  })
  const { order: row, plans, ledger } = await manager.call(orderDetail, { orderId: order.orderId })
  expect({ status: row.status, failReason: row.failReason, plans, ledger }).toEqual({
    status: 31,
    failReason: 'Invalid IFSC',
    plans: [],
    ledger: [],
  })
})

test('a result that arrives before the response to the sending is kept', async () => {
  const order = await makeOrder(floor, { status: 20 })
  vendor.answer = async (instruction) => {
    await machine.call(inboundPayout, {
      platformOrderNo: instruction.platformOrderNo,
      vendorOrderNo: `V-${instruction.platformOrderNo}`,
      result: 'success',
    })
    return accept(instruction)
  }
  await floor.settle()
  expect(await statusOf(order)).toBe(30)
  expect(await transferOf(order)).toMatchObject({
    pay_state: 'success',
    sent: true,
    vendor_order_no: `V-${order.orderId}-1`,
  })
  expect(await faults(order)).toEqual([])
})

test('a result reported many times at once, in one event or several, creates one loan', async () => {
  const order = await makeOrder(floor, { status: 29 })
  const report = {
    platformOrderNo: order.platformOrderNo as string,
    vendorOrderNo: 'V-MANY',
    result: 'success' as const,
  }
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => machine.call(inboundPayout, report, { eventId: 'MANY' })),
    ...Array.from({ length: 4 }, (_, i) =>
      machine.call(inboundPayout, report, { eventId: `MANY-${i}` }),
    ),
  ])
  expect(answers.filter((answer) => answer.applied).length).toBeGreaterThanOrEqual(1)
  expect(answers.every((answer) => answer.status === 30)).toBe(true)
  const { rows } = await sql<{ plans: number; postings: number }>`
    select (select count(*)::int from repay_plan p
      where p.order_id = ${order.orderId}) as plans, (select count(distinct e.txn_id)::int
      from ledger_entry e where e.order_id = ${order.orderId}) as postings`.execute(
    floor.database.kysely,
  )
  expect(rows[0]).toEqual({ plans: 3, postings: 2 })
  expect(await faults(order)).toEqual([])
})

test('a failed result leads to 31 with its reason; a later success changes nothing and is logged', async () => {
  const order = await makeOrder(floor, { status: 29 })
  const report = { platformOrderNo: order.platformOrderNo as string, vendorOrderNo: 'V-FAIL' }
  expect(
    await machine.call(inboundPayout, { ...report, result: 'fail', failReason: 'Bank offline' }),
  ).toMatchObject({ status: 31, applied: true })
  expect(await machine.call(inboundPayout, { ...report, result: 'success' })).toMatchObject({
    status: 31,
    applied: false,
  })
  expect(await transferOf(order)).toMatchObject({ pay_state: 'fail', fail_reason: 'Bank offline' })
  const { rows } = await sql<{
    n: number
  }>`
    select count(*)::int as n
    from operate_log l
    where l.action = 'payout.conflict'
      and l.target_id = (select t.id from payout_transfer t where t.order_id = ${order.orderId})`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.n).toBe(1)
})

test('a transfer whose sending was never answered is not sent again when the vendor has it', async () => {
  vendor.answer = () => Promise.reject(new Error('connection reset'))
  const order = await makeOrder(floor, { status: 20 })
  await floor.settle()
  expect(await transferOf(order)).toMatchObject({ sent: false, send_attempts: 1 })
  const sent = vendor.taken.length
  vendor.known = (no) => Promise.resolve({ state: 'processing', vendorOrderNo: `V-${no}` })
  await makeSendDue()
  await run('payoutSend')
  expect(vendor.taken.length).toBe(sent)
  expect(await transferOf(order)).toMatchObject({
    sent: true,
    pay_state: 'inProgress',
    vendor_order_no: `V-${order.orderId}-1`,
  })
})

test('a final refusal after a sending of unknown outcome asks the vendor before the transfer fails', async () => {
  vendor.answer = () => Promise.reject(new Error('connection reset'))
  const order = await makeOrder(floor, { status: 20 })
  await floor.settle()
  let asked = 0
  vendor.known = (no) =>
    Promise.resolve(
      (asked += 1) === 1
        ? { state: 'unknown' }
        : { state: 'success', vendorOrderNo: `V-${no}`, utr: '400000000001' },
    )
  vendor.answer = () => ({ accepted: false, reason: 'Duplicate reference', final: true })
  await makeSendDue()
  await run('payoutSend')
  expect(asked).toBe(2)
  expect(await statusOf(order)).toBe(30)
  expect(await transferOf(order)).toMatchObject({ pay_state: 'success', fail_reason: null })
})

test('a result with another vendor number or for an unknown transfer is refused', async () => {
  const order = await makeOrder(floor, { status: 20 })
  const other = await makeOrder(floor, { status: 29 })
  await floor.settle()
  const report = { platformOrderNo: `${order.orderId}-1`, result: 'success' as const }
  expect(
    await machine.refused(inboundPayout, { ...report, vendorOrderNo: 'V-OTHER' }),
  ).toMatchObject({ code: 400, problem: { id: 'O-RULE', params: { reason: 'vendorOrderNo' } } })
  // the number of another transfer
  await sql`update payout_transfer set vendor_order_no = null where order_id = ${other.orderId}`.execute(
    floor.database.kysely,
  )
  expect(
    await machine.refused(inboundPayout, {
      platformOrderNo: other.platformOrderNo,
      vendorOrderNo: `V-${order.orderId}-1`,
      result: 'success',
    }),
  ).toMatchObject({ problem: { id: 'O-RULE', params: { reason: 'vendorOrderNo' } } })
  expect(
    await machine.refused(inboundPayout, {
      ...report,
      platformOrderNo: 'L0-1',
      vendorOrderNo: 'V',
    }),
  ).toMatchObject({ problem: { id: 'G404' } })
  expect([await statusOf(order), await statusOf(other)]).toEqual([29, 29])
})

test('if the plan cannot be written, the result is rolled back and the event may be sent again', async () => {
  const order = await makeOrder(floor, { status: 29 })
  const report = {
    platformOrderNo: order.platformOrderNo as string,
    vendorOrderNo: 'V-KILL',
    result: 'success' as const,
  }
  await sql`
    create function refuse_plans() returns trigger language plpgsql as $$ begin raise exception
      'the process died here'; end $$`.execute(floor.database.kysely)
  for (const table of [
    'repay_plan',
    'ledger_entry',
    'order_status_log',
    'outbox_event',
    'operate_log',
    'inbound_event',
  ] as const) {
    await sql`
      create trigger killed after insert on ${sql.table(table)} for each row execute function refuse_plans()`.execute(
      floor.database.kysely,
    )
    expect(
      (await machine.send(inboundPayout, report, { eventId: 'KILL' })).json<{ code: number }>()
        .code,
    ).toBe(500)
    await sql`drop trigger killed on ${sql.table(table)}`.execute(floor.database.kysely)
    expect(await statusOf(order)).toBe(29)
    expect(await transferOf(order)).toMatchObject({ pay_state: 'inProgress' })
    const { rows } = await sql<{
      n: number
    }>`
      select (select count(*) from repay_plan p where p.order_id = ${order.orderId})
        + (select count(*) from ledger_entry e where e.order_id = ${order.orderId}) as n`.execute(
      floor.database.kysely,
    )
    expect(rows[0]?.n).toBe(0)
  }
  expect(await machine.call(inboundPayout, report, { eventId: 'KILL' })).toMatchObject({
    status: 30,
    applied: true,
  })
  expect(await faults(order)).toEqual([])
})

test('an order that is being paid out cannot be cancelled', async () => {
  const order = await makeOrder(floor, { status: 20 })
  const { order: row } = await manager.call(orderDetail, { orderId: order.orderId })
  const [cancelled] = await Promise.allSettled([
    manager.call(cancelOrder, {
      orderId: order.orderId,
      version: row.version,
      reason: 'Customer withdrew',
    }),
    floor.settle(),
  ])
  const status = await statusOf(order)
  expect(status).toBe(cancelled.status === 'fulfilled' ? 70 : 29)
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from payout_transfer t where t.order_id = ${order.orderId}`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.n).toBe(status === 70 ? 0 : 1)
})
