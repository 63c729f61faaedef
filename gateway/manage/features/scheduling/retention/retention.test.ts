import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotifications } from '#shared/announcements/notifications-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'

let floor: Floor
beforeAll(async () => {
  floor = await testManage()
})
afterAll(() => floor.close())

const counts = async () =>
  (
    await sql<Record<string, number>>`
      select (select count(*)::int from notification) as notifications,
        (select count(*)::int from sys_session) as sessions,
        (select count(*)::int from client_error) as "clientErrors",
        (select count(*)::int from call_log) as calls,
        (select count(*)::int from message_log) as messages,
        (select count(*)::int from job) as jobs, (select count(*)::int from job_row) as "jobRows"`.execute(
      floor.database.kysely,
    )
  ).rows[0]

/** A call, what was noted of it, and a message, six years ago. */
const contactsOf = (of: { caseId: string | null; customerId: string }) =>
  sql`
    with c as (insert into call_log (kind, case_id, customer_id, contact_id, way, state, started_at)
      values ('case', ${of.caseId}, ${of.customerId}, 'self', 'phone', 'ended',
        clock_timestamp() - interval '6 years') returning id)
    insert into message_log (customer_id, way, template, case_id, state, at)
    select ${of.customerId}, 'sms', 'agentNamed', ${of.caseId}, 'sent', clock_timestamp() - interval '6 years'
    from c`.execute(floor.database.kysely)

test('expired data is removed while people work, and the operate log records how much', async () => {
  const db = floor.database.kysely
  const manager = await floor.signIn('manager')
  await floor.settle()
  const before = await counts()
  const { userId } = manager
  const { caseId, customerId } = await makeCase(floor)
  await contactsOf({ caseId, customerId })
  await contactsOf({ caseId: null, customerId })
  const add = (days: number, rows: number) =>
    sql`
    with s as (insert into sys_session (id, user_id, token_hash, login_at, expires_at, revoked_at)
        select ${`old${days}-`} || n, ${userId}, convert_to(${`old${days}-`} || n, 'UTF8'), t.at, t.at, t.at
        from generate_series(1, ${rows}) n, (select clock_timestamp() - make_interval(days => ${days}) as at) t),
      n as (insert into notification (user_id, kind, title_key, at)
        select ${userId}, 'job', 'x', clock_timestamp() - make_interval(days => ${days})
        from generate_series(1, ${rows})),
      e as (insert into client_error (user_id, session_id, message, url, version, at)
        select ${userId}, 'x', 'x', '/', 'x', clock_timestamp() - make_interval(days => ${days})
        from generate_series(1, ${rows})),
      j as (insert into job (type, state, created_at)
        select 'x', 'done', clock_timestamp() - make_interval(days => ${days})
        from generate_series(1, ${rows}) returning id)
    insert into job_row (job_id, n, target_id) select j.id, 1, 'x' from j`.execute(db)
  await add(1_000, 1_500)
  await add(1, 3)
  let answered = 0
  let stopped = false
  const working = (async () => {
    while (!stopped) {
      await manager.call(listNotifications, {})
      answered += 1
    }
  })()
  const retention = floor.manage.parts.schedules.find(({ name }) => name === 'retention')
  const run = await retention?.run(floor.context)
  // of four kinds
  expect(run?.removed).toBeGreaterThanOrEqual(4 * 1_500)
  stopped = true
  await working
  expect(answered).toBeGreaterThan(0)
  expect(await counts()).toMatchObject({
    sessions: (before?.sessions ?? 0) + 3,
    notifications: (before?.notifications ?? 0) + 3,
    clientErrors: (before?.clientErrors ?? 0) + 3,
    jobs: (before?.jobs ?? 0) + 3,
    jobRows: (before?.jobRows ?? 0) + 3,
    // those of a case that is worked on stay
    calls: (before?.calls ?? 0) + 1,
    messages: (before?.messages ?? 0) + 1,
  })
  const { rows } = await sql<{ after: { removed: Record<string, { rows: number }> } }>`
    select l.after from operate_log l where l.action = 'retention'`.execute(db)
  expect(rows).toHaveLength(1)
  expect(rows[0]?.after.removed).toMatchObject({
    sessions: { rows: 1_500 },
    notifications: { rows: 1_500 },
    clientErrors: { rows: 1_500 },
    jobs: { rows: 1_500 },
    calls: { rows: 1 },
    messages: { rows: 1 },
  })
  expect(await brokenInvariants(floor.database)).toEqual([])
})

test('notes in the timelines of ended orders go, and their lines stay', async () => {
  const { kysely } = floor.database
  const [ended, running] = await Promise.all([
    makeOrder(floor, { status: 27 }),
    makeOrder(floor, { status: 30, vendorCode: 'elsewhere' }),
  ])
  await sql`update order_status_log set note = 'Asha said so', at = at - interval '6 years'`.execute(
    kysely,
  )
  await sql`update loan_order set closed_at = closed_at - interval '5 years 2 months'`.execute(
    kysely,
  )
  const retention = floor.manage.parts.schedules.find(({ name }) => name === 'retention')
  await retention?.run(floor.context)
  const { rows } = await sql<{ id: string; lines: number; notes: number }>`
    select l.order_id as id, count(*)::int as lines, count(l.note)::int as notes
    from order_status_log l where l.order_id in (${ended.orderId}, ${running.orderId})
    group by l.order_id`.execute(kysely)
  const of = new Map(rows.map(({ id, lines, notes }) => [id, { lines, notes }]))
  expect(of.get(ended.orderId)).toEqual({ lines: 3, notes: 0 })
  expect(of.get(running.orderId)?.notes).toBe(of.get(running.orderId)?.lines)
})
