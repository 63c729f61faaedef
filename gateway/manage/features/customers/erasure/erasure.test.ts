/** Personal data goes after its term, when the customer was told and nothing is open. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunCounts } from '#shared/scheduling/scheduling-sets.ts'
import { customerDetail } from '#shared/customers/customer-detail-api.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeFullApplication, storeCustomer } from '#tests/factories/customers.ts'
import { makeBorrower, makeOrder } from '#tests/factories/orders.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

const CANARY = 'Zarina Canary'
/** Texts that people write; planted wherever a row belongs to the customer. */
const TEXTS =
  /^(remark|note|content|.*reason|.*_remark|data_message|sent_to|recording_ref|payee_name)$/
/** Codes, with closed sets. */
const CODES = [
  'collection_case.hold_reason',
  'collection_case.end_reason',
  'stop_collection.reason',
  'payout_transfer.wait_reason',
]
/** Columns that lead to a customer, in the order in which they are followed. */
const LINKS = ['customer_id', 'order_id', 'case_id', 'review_id', 'feedback_id', 'task_id'] as const
/** Kept for a day or a week, and holding no names by their own rules. */
const SHORT = ['outbox_event', 'idempotency_key', 'inbound_event', 'operate_log']

let floor: Floor
let clock: TestClock
let administrator: Person
const today = istDay(Date.now())

beforeAll(async () => {
  floor = await testManage()
  clock = await testClock(floor.database)
  administrator = await floor.signIn('administrator')
})
afterAll(() => floor.close())

const run = <T>(statement: string) => sql.raw<T>(statement).execute(floor.database.kysely)
async function runClass(name: string): Promise<RunCounts | undefined> {
  const found = floor.manage.parts.schedules.find((one) => one.name === name)
  return found?.run(floor.context)
}
const stateOf = async (id: string) =>
  (
    await run<{ state: string }>(
      `select e.state from customer_erasure e where e.customer_id = '${id}'`,
    )
  ).rows[0]?.state ?? null

interface Column {
  table: string
  column: string
  type: string
}
async function columns(): Promise<Column[]> {
  const { rows } = await run<Column>(`
    select c.table_name as "table", c.column_name as "column", c.data_type as type
    from information_schema.columns c
    join information_schema.tables t on t.table_name = c.table_name and t.table_schema = 'public'
    join pg_class k on k.oid = quote_ident(c.table_name)::regclass and not k.relispartition
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.is_generated = 'NEVER'`)
  return rows
}

/** A name in every text that people write about one customer. @returns where it was written */
async function plant(customerId: string): Promise<string[]> {
  const planted: string[] = []
  const all = await columns()
  const idsOf: Record<(typeof LINKS)[number], string> = {
    customer_id: `'${customerId}'`,
    order_id: `select id from loan_order where customer_id = '${customerId}'`,
    case_id: `select id from collection_case where customer_id = '${customerId}'`,
    review_id: `select id from review where customer_id = '${customerId}'`,
    feedback_id: `select id from feedback where customer_id = '${customerId}'`,
    task_id: `select id from tele_task where customer_id = '${customerId}'`,
  }
  for (const { table, column } of all.filter(
    (one) => TEXTS.test(one.column) && one.type === 'text',
  )) {
    const link = LINKS.find((name) => all.some((one) => one.table === table && one.column === name))
    const isCode = CODES.includes(`${table}.${column}`)
    if (link === undefined || SHORT.includes(table) || isCode) continue
    const { numAffectedRows = 0n } = await run(`
      update "${table}" set "${column}" = '${CANARY}' where "${link}" in (${idsOf[link]})`)
    if (numAffectedRows > 0n) planted.push(`${table}.${column}`)
  }
  return planted
}

/** Tables that still hold the text in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = []
  for (const table of new Set((await columns()).map((one) => one.table))) {
    if (SHORT.includes(table)) continue
    const { rows } = await run<{ n: number }>(
      `select count(*)::int as n from "${table}" x where to_jsonb(x)::text like '%${text}%'`,
    )
    if ((rows[0]?.n ?? 0) > 0) found.push(table)
  }
  return found.toSorted()
}

/** Somebody who borrowed, was late, paid, complained and was called. */
async function formerBorrower(): Promise<{ customerId: string; orderId: string }> {
  const customer = {
    name: CANARY,
    panName: CANARY,
    address: `7 ${CANARY} Lane`,
    email: 'zarina@canary.example',
  }
  const contacts = [1, 2, 3].map((i) => ({
    relation: 'friend' as const,
    name: `${CANARY} ${i}`,
    phone: String(8_111_111_110 + i),
  }))
  const { customerId } = await storeCustomer(
    floor,
    makeFullApplication(777, { customer, contacts, bankCard: { holder: CANARY } }),
  )
  const { orderId, caseId } = await makeCase(floor, { customerId })
  const id = customerId
  await run(`
    insert into follow_up (case_id, order_id, customer_id, operator_id, stage_id, contact_id, relation,
      contact_way, contact_last4, reachable, contact_result, next_follow_at, remark)
    select k.id, k.order_id, k.customer_id, '${administrator.userId}', k.stage_id, 'self', 'self', 'phone',
      '0777', true, 1, clock_timestamp(), 'x' from collection_case k where k.id = '${caseId}'`)
  await run(`insert into case_note (case_id, operator_id, remark)
    values ('${caseId}', '${administrator.userId}', 'x')`)
  await run(`insert into call_log (kind, case_id, customer_id, user_id, contact_id, way, state, recording_ref)
    values ('case', '${caseId}', '${id}', '${administrator.userId}', 'self', 'phone', 'ended', 'x')`)
  await run(`insert into message_log (customer_id, way, template, case_id, state)
    values ('${id}', 'sms', 'agentNamed', '${caseId}', 'sent')`)
  await run(`insert into order_remark (order_id, remark, by_user_id, by_name)
    values ('${orderId}', 'x', 'U', 'x')`)
  await run(`
    with made as (insert into feedback (customer_id, type, content, contact_way, queue, progress,
        follow_state, processor_id, reply_due_at, answer_due_at, first_reply_at, finished_at)
      values ('${id}', 1, 'x', 'phone', 'operation', 'finished', 'caseClosed', '${administrator.userId}',
        clock_timestamp(), clock_timestamp(), clock_timestamp(), clock_timestamp()) returning id)
    insert into feedback_step (feedback_id, kind, operator_name, content, remark, to_state, token)
    select m.id, 'resolved', 'x', 'x', 'x', 'finished', 1 from made m`)
  await run(`insert into review (order_id, customer_id, customer_name, amount, state, remark, finished_at)
    values ('${orderId}', '${id}', '${CANARY}', 1, 'passed', 'x', clock_timestamp())`)
  // with the fine of the day, which a payment would charge
  await floor.settle()
  const { rows } = await run<{ owed: number }>(
    `select outstanding + 1000 as owed from loan_order where id = '${orderId}'`,
  )
  const channel = await machineOf(floor, ['payment'])
  await channel.call(inboundPayment, {
    vendorOrderNo: 'V-canary',
    orderId,
    amount: rows[0]?.owed ?? 0,
    channel: 1,
    result: 'success',
    utr: '877700000001',
  })
  await floor.settle()
  return { customerId, orderId }
}

test('personal data of former customers goes after its term, and all that is open keeps it', async () => {
  const { customerId, orderId } = await formerBorrower()
  const planted = await plant(customerId)
  expect(planted.length).toBeGreaterThan(15)
  const open = (await makeOrder(floor, { status: 30, vendorCode: 'elsewhere' })).customerId
  const [inTicket, underHold, listed, returning, silent] = await Promise.all(
    Array.from({ length: 5 }, () => makeBorrower(floor).then((one) => one.customerId)),
  )
  await run(`insert into feedback (customer_id, type, content, contact_way, queue, reply_due_at,
      answer_due_at) values ('${inTicket}', 5, 'x', 'phone', 'operation', clock_timestamp(),
      clock_timestamp())`)
  await run(`insert into stop_collection (customer_id, reason, state, applied_by_name, remark)
    values ('${underHold}', 'legal', 'active', 'x', 'Order of the High Court')`)
  await run(
    `insert into blacklist (customer_id, source, reason) values ('${listed}', 'manual', 'x')`,
  )
  const books = () =>
    run(`
    select o.id, o.status, o.amount, o.outstanding, (select json_agg(e order by e.id) from ledger_entry e
        where e.order_id = o.id) as ledger, (select json_agg(json_build_object('id', p.id, 'paid',
        p.paid_amount, 'due', p.due_at) order by p.id) from repay_plan p where p.order_id = o.id) as plans,
      (select json_agg(json_build_object('id', r.id, 'amount', r.amount, 'utr', r.utr) order by r.id)
        from repay_record r where r.order_id = o.id) as records
    from loan_order o order by o.id`).then(({ rows }) => rows)
  const before = await books()
  // rows that the test wrote past the commands break some rules; the erasure breaks no other
  const rules = await brokenInvariants(floor.database)

  // a year is over for those without a loan, and not for the borrower
  await clock.to('12:00', addDays(today, 400))
  expect(await runClass('erasure')).toEqual({ marked: 2, erased: 0 })
  expect(await runClass('erasureNotice')).toEqual({ sent: 2, notReached: 0 })
  await clock.to('12:00', addDays(today, 401))
  expect(await runClass('erasure')).toEqual({ marked: 0, erased: 0 })
  await run(`update customer set last_active_at = clock_timestamp() where id = '${returning}'`)
  await clock.to('12:00', addDays(today, 403))
  expect(await runClass('erasure')).toEqual({ marked: 0, erased: 1 })
  expect(await stateOf(String(silent))).toBe('done')
  expect(await stateOf(String(returning))).toBeNull()

  await clock.to('12:00', addDays(today, 1_900))
  await runClass('erasure')
  await runClass('erasureNotice')
  await clock.to('12:00', addDays(today, 1_903))
  await runClass('erasure')
  expect(await stateOf(customerId)).toBe('done')
  for (const id of [open, inTicket, underHold, listed]) expect(await stateOf(String(id))).toBeNull()

  expect(await tablesWith('Canary')).toEqual([])
  expect(await tablesWith('canary.example')).toEqual([])
  const { rows } = await run<Record<string, unknown>>(`
    select c.name, c.phone_last4, c.pan_enc, c.aadhaar_h, c.address_enc, c.email_enc,
      (select count(*)::int from customer_contact x where x.customer_id = c.id) as contacts,
      (select count(*)::int from bank_card x where x.customer_id = c.id) as cards,
      (select count(*)::int from customer_photo x where x.customer_id = c.id) as photos,
      (select count(*)::int from file_object f where f.purpose = 'photo') as files
    from customer c where c.id = '${customerId}'`)
  expect(rows[0]).toEqual({
    name: '—',
    phone_last4: '',
    pan_enc: null,
    aadhaar_h: null,
    address_enc: null,
    email_enc: null,
    contacts: 0,
    cards: 0,
    photos: 0,
    files: 0,
  })
  // the books say the same of every loan, to the paisa
  expect(await books()).toEqual(before)
  expect(await brokenInvariants(floor.database)).toEqual(rules)
  const trace = await run<{ after: Record<string, unknown> }>(`
    select l.after from operate_log l where l.action = 'erasure' and l.target_id = '${customerId}'`)
  expect(trace.rows[0]?.after).toMatchObject({
    days: 1_826,
    law: expect.stringContaining('DPDP Act 2023'),
    rows: { customer: 1, customer_contact: 3, follow_up: 1, payout_transfer: 1, repay_record: 1 },
  })
  expect(
    await (
      await floor.signIn('director')
    ).call(customerDetail, {
      userId: customerId,
      sections: ['basic', 'contact'],
    }),
  ).toMatchObject({ name: '—', contact: [] })
  expect(orderId).toMatch(/^L/)
  // the same person may come again
  await storeCustomer(floor, makeFullApplication(777))
})
