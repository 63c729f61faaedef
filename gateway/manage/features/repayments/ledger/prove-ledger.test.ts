import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCESS_MENU } from '#shared/access/access-menu.ts'
import { TICKETS_MENU } from '#shared/tickets/tickets-menu.ts'
import { jobDetail } from '#shared/jobs/jobs-api.ts'
import { listNotifications } from '#shared/announcements/notifications-api.ts'
import { ledgerProof, proveLedger } from '#shared/repayments/ledger-proof-api.ts'
import { groupOfRule } from '#shared/repayments/ledger-proof-sets.ts'
import { RULE_CODES } from '#gateway/manage/db/check-invariants.ts'
import { announcementsRoutes } from '#gateway/manage/features/announcements/announcements-routes.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { repaymentsRoutes } from '../repayments-routes.ts'
import { ledgerProofJob, proveNightly } from './prove-ledger.ts'

let floor: Floor
let administrator: Person
let director: Person

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...TICKETS_MENU, ...ACCESS_MENU],
      jobTypes: [ledgerProofJob],
      routes: (base) => {
        repaymentsRoutes(base, context, { whenPaid: [] })
        announcementsRoutes(base, context)
      },
    }),
  })
  ;[administrator, director] = await Promise.all([
    floor.signIn('administrator'),
    floor.signIn('director'),
  ])
})
afterAll(() => floor.close())

test('each rule has a group', () => {
  expect(() => RULE_CODES.map(groupOfRule)).not.toThrow()
  expect(new Set(RULE_CODES.map((code) => /^[A-Z]\d\d$/.test(code)))).toEqual(new Set([true]))
})

test('there is no proof before the first run', async () => {
  expect(await director.call(ledgerProof, {})).toEqual({ proofs: [], last: null })
})

test('an administrator starts a proof, and it stores the account balances', async () => {
  await makeOrder(floor, { status: 30 })
  const { jobId } = await administrator.call(proveLedger, {})
  expect(await administrator.refused(proveLedger, {})).toMatchObject({
    problem: { id: 'G-RUN' },
    data: { jobId },
  })
  await floor.settle()
  expect((await administrator.call(jobDetail, { jobId })).job).toMatchObject({
    state: 'done',
    ok: RULE_CODES.length,
    fail: 0,
  })
  const { last, proofs } = await director.call(ledgerProof, {})
  expect(last).toMatchObject({
    state: 'done',
    askedByName: 'Administrator 1',
    rules: RULE_CODES.length,
    broken: 0,
    faults: [],
  })
  expect(last?.groups.flatMap(({ codes }) => codes).toSorted()).toEqual([...RULE_CODES].toSorted())
  const { rows } = await sql<{
    entries: number
    postings: number
    debit: number
  }>`
    select count(*) as entries, count(distinct txn_id) as postings, sum(debit)::bigint as debit
    from ledger_entry`.execute(floor.database.kysely)
  expect(last).toMatchObject({ entries: rows[0]?.entries, postings: rows[0]?.postings })
  expect(last?.accounts.reduce((sum, { debit }) => sum + debit, 0)).toBe(rows[0]?.debit)
  expect(last?.accounts.reduce((sum, { debit, credit }) => sum + debit - credit, 0)).toBe(0)
  expect(proofs).toHaveLength(1)
})

test('a user with read access only cannot start one', async () => {
  expect(await director.refused(proveLedger, {})).toMatchObject({ code: 403 })
})

test('a counter that drifted is counted again, and administrators are notified', async () => {
  const unit = await makeUnit(floor, { inHouse: true })
  const { userId } = await makeCollector(floor, unit, { stageIds: ['T1'] })
  const db = floor.database.kysely
  await sql`update collector set open_cases = 7 where user_id = ${userId}`.execute(db)
  await sql`
    insert into case_count values ('-infinity', 'T1', '', '', '', '', 2, 2, 2, 500, 0, 0, 0, 0, 0)`.execute(
    db,
  )
  await sql`update agency set weight = 100`.execute(db)
  await administrator.call(proveLedger, {})
  await floor.settle()
  const { rows } = await sql<{
    n: number
  }>`select k.open_cases as n from collector k where k.user_id = ${userId}`.execute(db)
  expect(rows[0]?.n).toBe(0)
  expect((await director.call(ledgerProof, {})).last).toMatchObject({ broken: 0, faults: [] })
  expect((await administrator.call(listNotifications, {})).rows).toContainEqual(
    expect.objectContaining({ titleKey: 'repayments:books.mended', params: { n: 2 } }),
  )
})

test('a broken rule is listed with its rows, and administrators are notified', async () => {
  const { orderId } = await makeOrder(floor, { status: 30 })
  await sql`update loan_order set outstanding = outstanding + 1 where id = ${orderId}`.execute(
    floor.database.kysely,
  )
  await administrator.call(proveLedger, {})
  await floor.settle()
  const { last } = await director.call(ledgerProof, {})
  expect(last?.faults).toContainEqual({ code: 'O03', violations: 1, sample: [orderId] })
  expect(last?.groups.find(({ group }) => group === 'loans')?.broken).toBe(
    last?.faults.filter(({ code }) => groupOfRule(code) === 'loans').length,
  )
  const { rows } = await administrator.call(listNotifications, { kind: 'system' })
  expect(rows[0]).toMatchObject({
    titleKey: 'repayments:books.notice',
    params: { n: last?.faults.length },
    route: '/system/operate_record?tab=books',
  })
  await sql`update loan_order set outstanding = outstanding - 1 where id = ${orderId}`.execute(
    floor.database.kysely,
  )
})

test('the schedule starts one each night, unless one is running', async () => {
  expect(await proveNightly.run(floor.context)).toEqual({ started: 1 })
  expect(await proveNightly.run(floor.context)).toEqual({})
  await floor.settle()
  expect((await director.call(ledgerProof, {})).proofs[0]).toMatchObject({
    state: 'done',
    askedByName: null,
    broken: 0,
  })
})

test('a posting inserted directly into the database is found, and so is one without its event', async () => {
  const db = floor.database.kysely
  const [typed, unreported] = [
    await makeOrder(floor, { status: 30 }),
    await makeOrder(floor, { status: 30 }),
  ]
  await sql`
    insert into ledger_entry (txn_id, order_id, account, debit, credit, kind, biz_date)
    select 'XT1', ${typed.orderId}, a.account, a.debit, a.credit, 'surplus', current_date
      from (values ('cashClearing', 100, 0), ('customerCredit', 0, 100)) as a (account, debit, credit)`.execute(
    db,
  )
  await sql`delete from outbox_event v where v.data ->> 'orderId' = ${unreported.orderId}`.execute(
    db,
  )
  await administrator.call(proveLedger, {})
  await floor.settle()
  const { last } = await director.call(ledgerProof, {})
  const { rows: postings } = await sql<{
    id: string
  }>`select distinct e.txn_id as id from ledger_entry e where e.order_id = ${unreported.orderId} order by 1`.execute(
    db,
  )
  const ids = postings.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(0)
  expect(last?.faults).toContainEqual({ code: 'L06', violations: 1, sample: ['XT1'] })
  expect(last?.faults).toContainEqual({
    code: 'L07',
    violations: 1 + ids.length,
    sample: [...ids, 'XT1'],
  })
})
