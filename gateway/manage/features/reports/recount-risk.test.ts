/**
 * Rules, routes, reminders, campaigns and the time of steps, against a count of the book by other
 * arithmetic.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { riskReport } from '#shared/reports/approve-api.ts'
import { channelReport } from '#shared/reports/channel-api.ts'
import { processReport } from '#shared/reports/process-api.ts'
import { remindReport } from '#shared/reports/remind-api.ts'
import { acquisitionTrend } from '#shared/reports/trends-api.ts'
import { dueReminder } from '#gateway/manage/features/repayments/reminders/due-reminder-job.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import { testClock } from '#tests/support/clock.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { type Book, type BookOrder, type BookPlan, readBook } from '#tests/support/report-book.ts'
import { RANGE, rate, settledBy, startOf, TODAY, within } from '#tests/support/report-counts.ts'
import { reportFloor } from '#tests/support/report-floor.ts'
import { proveRollups } from './prove-rollups.ts'

let floor: Floor
let director: Person
let refreshed: () => Promise<void>
beforeAll(async () => {
  ;({ floor, director, refreshed } = await reportFloor())
})
afterAll(() => floor.close())

const firstPlan = ({ plans }: BookOrder) => plans.find(({ serialNo }) => serialNo === 1)
const isLate = (plan: BookPlan, days: number) => !settledBy(plan, addDays(plan.dueDay, days))
const ROUTES = { auto: 20, manual: 26 } as const

/** Shares of first instalments that were not paid so many days later. */
function paidShares(orders: readonly BookOrder[]) {
  const due = (days: number, some = orders) =>
    some.flatMap((order) => {
      const plan = firstPlan(order)
      return plan && within(plan.dueDay) && addDays(plan.dueDay, days) < TODAY ? [plan] : []
    })
  const late = (days: number, some = orders) => {
    const plans = due(days, some)
    return rate(plans.filter((plan) => isLate(plan, days)).length, plans.length)
  }
  return {
    firstDefaultRate: late(
      7,
      orders.filter(({ tags }) => tags.includes('firstLoan')),
    ),
    overdueT7Rate: late(7),
    overdueT30Rate: late(30),
  }
}

async function expectRisk(): Promise<void> {
  const { orders } = await readBook(floor.database)
  const byRoute = await director.call(riskReport, { ...RANGE, groupBy: 'route' })
  expect(byRoute.rows.map(({ key }) => key).toSorted()).toEqual(['auto', 'manual'])
  const judged = orders.flatMap(({ steps }) =>
    steps.filter(({ to, on }) => [20, 21, 22, 23].includes(to) && within(on)),
  ).length
  for (const row of byRoute.rows) {
    const status = ROUTES[row.key as keyof typeof ROUTES]
    const own = orders.filter(({ steps }) => steps.some(({ to }) => to === status))
    const hits = own.filter(({ steps }) =>
      steps.some(({ to, on }) => to === status && within(on)),
    ).length
    expect(row).toMatchObject({
      hits,
      overrides: hits,
      hitRate: rate(hits, judged),
      ...paidShares(own),
    })
  }
  const { rows: hits } = await sql<{ rule: string; orderId: string; at: string }>`
    select h.rule_id as rule, r.order_id as "orderId", h.at::text as at
    from rule_hit h join review r on r.id = h.review_id
    where h.outcome = 'hit'`.execute(floor.database.kysely)
  const byRule = await director.call(riskReport, { ...RANGE, groupBy: 'rule' })
  expect(byRule.rows.length).toBeGreaterThan(2)
  for (const row of byRule.rows) {
    const own = hits.filter(({ rule }) => rule === row.key)
    const counted = new Set(
      own
        .filter(({ at }) => within(istDay(at)))
        .map(({ at, orderId }) => `${istDay(at)} ${orderId}`),
    )
    const ids = new Set(own.map(({ orderId }) => orderId))
    const passed = new Set(
      orders.filter(({ steps }) => steps.some(({ to }) => to === 20 || to === 26)).map((o) => o.id),
    )
    expect(row).toMatchObject({
      hits: counted.size,
      overrides: [...counted].filter((one) => passed.has(one.split(' ')[1] ?? '')).length,
      ...paidShares(orders.filter(({ id }) => ids.has(id))),
    })
    expect(row.name).not.toBeNull()
  }
  const byCode = await director.call(riskReport, { ...RANGE, groupBy: 'code' })
  const refused = orders.filter(({ steps }) =>
    steps.some(({ to, on }) => (to === 21 || to === 27) && within(on)),
  )
  expect(byCode.rows.reduce((sum, row) => sum + (row.hits ?? 0), 0)).toBeLessThanOrEqual(
    refused.length,
  )
  expect(byCode.rows.length).toBeGreaterThan(2)
}

async function expectShares(): Promise<void> {
  const { orders } = await readBook(floor.database)
  const { rows: sides } = await sql<{ key: string; orderId: string; at: string }>`
    select w.trial_id || ':' || w.side as key, w.order_id as "orderId", w.at::text as at
    from rule_trial_row w where w.side is not null`.execute(floor.database.kysely)
  const { rows } = await director.call(riskReport, { ...RANGE, groupBy: 'share' })
  expect(rows.map(({ name }) => name).toSorted()).toEqual([
    'CR03 Earlier loan overdue for 8 to 30 days · 75 %',
    'CR03 Earlier loan overdue for 8 to 30 days · v1 · 25 %',
  ])
  for (const row of rows) {
    const own = sides.filter(({ key }) => key === row.key)
    const ids = new Set(own.map(({ orderId }) => orderId))
    expect(row).toMatchObject({
      hits: new Set(
        own.filter(({ at }) => within(istDay(at))).map(({ at, orderId }) => istDay(at) + orderId),
      ).size,
      ...paidShares(orders.filter(({ id }) => ids.has(id))),
    })
  }
}

async function expectReminders() {
  const { orders } = await readBook(floor.database)
  const { rows: messages } = await sql<{ planId: string; at: string; state: string }>`
    select m.plan_id as "planId", m.at::text as at, m.state from message_log m
    where m.plan_id is not null`.execute(floor.database.kysely)
  const sent = new Map<string, { state: string }[]>()
  for (const { planId, at, state } of messages) {
    const key = `${planId} ${istDay(at)}`
    sent.set(key, [...(sent.get(key) ?? []), { state }])
  }
  const { rows: robotCalls } = await sql<{ orderId: string; dueDay: string; at: string }>`
    select t.order_id as "orderId", (t.created_on - t.overdue_days)::text as "dueDay",
      a.started_at::text as at
    from ai_call a join ai_call_task t on t.id = a.task_id
    where a.state <> 'refused'`.execute(floor.database.kysely)
  const called = new Map<string, number>()
  for (const { orderId, dueDay, at } of robotCalls) {
    const key = `${orderId} ${dueDay} ${istDay(at)}`
    called.set(key, (called.get(key) ?? 0) + 1)
  }
  const orderOf = new Map(orders.flatMap(({ id, plans: own }) => own.map((plan) => [plan.id, id])))
  const plans = orders.flatMap((order) => order.plans.filter(({ dueDay }) => within(dueDay)))
  const { rows } = await director.call(remindReport, RANGE)
  expect(rows.map(({ at }) => at)).toEqual([-3, -2, -1, 0])
  for (const row of rows) {
    const open = plans.filter(
      (plan) =>
        addDays(plan.dueDay, row.at) <= TODAY && !settledBy(plan, addDays(plan.dueDay, row.at - 1)),
    )
    const of = (plan: BookPlan) => sent.get(`${plan.id} ${addDays(plan.dueDay, row.at)}`) ?? []
    const isReached = (plan: BookPlan) => of(plan).some(({ state }) => state === 'sent')
    const isPaid = (plan: BookPlan) => settledBy(plan, plan.dueDay)
    const done = open.filter(({ dueDay }) => dueDay < TODAY)
    expect(row).toMatchObject({
      openBefore: open.length,
      reminders: open.reduce((sum, plan) => sum + of(plan).length, 0),
      robotCalls: open.reduce(
        (sum, { id, dueDay }) =>
          sum + (called.get(`${orderOf.get(id) ?? ''} ${dueDay} ${addDays(dueDay, row.at)}`) ?? 0),
        0,
      ),
      remindedPlans: open.filter(isReached).length,
      remindedRate: rate(open.filter(isReached).length, open.length),
      paidBeforeDue: open.filter(isPaid).length,
      paidBeforeDueRate: rate(done.filter(isPaid).length, done.length),
      remindedPaidRate: rate(
        done.filter((plan) => isReached(plan) && isPaid(plan)).length,
        done.filter(isReached).length,
      ),
    })
  }
  expect(rows[0]?.reminders).toBeGreaterThan(0)
  return rows
}

/** Minutes below an hour, ten minutes below a day, else hours; the lower one in the middle. */
function median(seconds: readonly number[]): number | null {
  const grain = (one: number) => (one < 3_600 ? 60 : one < 86_400 ? 600 : 3_600)
  const sorted = seconds
    .map((one) => Math.floor(one / grain(one)) * grain(one))
    .toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null
}

async function expectTimes({ customers }: Book): Promise<void> {
  const { rows: applied } = await sql<{ id: string; at: string }>`
    select o.customer_id as id, min(o.created_at)::text as at
    from loan_order o where o.from_order_id is null group by 1`.execute(floor.database.kysely)
  const at = new Map(applied.map(({ id, at: first }) => [id, Date.parse(first)]))
  const channels = [...new Set(customers.map(({ channelId }) => channelId))]
  const [appId = ''] = customers.map((one) => one.appId)
  const newOf = (channelId: string) => ({ channelId, appId, customerClass: 'new' as const })
  const monday = startOf(addDays(TODAY, -30), 'week')
  const days = (from: string, to: string) => ({ dateFrom: from, dateTo: to })
  const inputs: InputOf<typeof processReport>[] = [
    RANGE,
    ...channels.map((channelId) => ({ ...RANGE, ...newOf(channelId) })),
    { ...RANGE, customerClass: 'old' },
    days(monday, addDays(monday, 6)),
    days(addDays(monday, -1), addDays(monday, 7)),
    days(addDays(monday, 1), addDays(monday, 12)),
    days(addDays(monday, 2), addDays(monday, 4)),
  ]
  for (const input of inputs) {
    const { rows } = await director.call(processReport, input)
    const seconds = customers
      .filter(
        (one) =>
          within(one.registeredOn, input) &&
          one.channelId === (input.channelId ?? one.channelId) &&
          one.appId === (input.appId ?? one.appId) &&
          one.customerClass === (input.customerClass ?? one.customerClass),
      )
      .flatMap(({ id, registeredAt }) => {
        const first = at.get(id)
        return first === undefined ? [] : [Math.max(0, Math.floor((first - registeredAt) / 1_000))]
      })
    expect
      .soft(rows.find(({ step }) => step === 'applied')?.medianTime, JSON.stringify(input))
      .toBe(median(seconds))
  }
  const { rows } = await director.call(processReport, RANGE)
  expect(rows.find(({ step }) => step === 'contacts')?.medianTime).toBeGreaterThan(0)
}

test('rules, codes and routes are what the book says', expectRisk)
test('reminders are what the book says', expectReminders)
test('the median time of a step is that of the customers, of all and of a part of them', async () =>
  expectTimes(await readBook(floor.database)))

test('a trend by channel has a line per channel, which add up to the whole', async () => {
  const whole = await director.call(acquisitionTrend, { ...RANGE, grain: 'week' })
  const split = await director.call(acquisitionTrend, {
    ...RANGE,
    grain: 'week',
    series: 'channel',
  })
  expect(split.sum).toEqual(whole.sum)
  for (const { day, registrations } of whole.rows)
    expect(
      split.rows
        .filter((row) => row.day === day)
        .reduce((n, row) => n + (row.registrations ?? 0), 0),
    ).toBe(registrations)
  expect(whole.rows[0]?.day).toBe(startOf(RANGE.dateFrom, 'week'))
})

test('visits and costs of a channel are those that were entered, and of an app unknown', async () => {
  const { rows } = await sql<{ clicks: number; spend: number }>`
    select sum(s.clicks)::bigint as clicks, sum(s.spend)::bigint as spend from delivery_spend s
    where s.day >= ${RANGE.dateFrom}::date and s.day <= ${RANGE.dateTo}::date`.execute(
    floor.database.kysely,
  )
  const { sum } = await director.call(channelReport, RANGE)
  expect(sum).toMatchObject({ visits: rows[0]?.clicks, spend: rows[0]?.spend })
  const ofApp = await director.call(channelReport, { ...RANGE, appId: 'AP001' })
  expect(ofApp.sum).toMatchObject({ visits: null, spend: null, costPerDisbursement: null })
})

test('customers are reminded once on each chosen day, and the report counts it', async () => {
  const clock = await testClock(floor.database)
  await clock.to('09:30')
  // sessions are of the clock before
  director = await floor.signIn('director')
  const keys: string[] = []
  const vendor: MessageVendor = {
    code: 'test',
    send: ({ key, template }) => {
      expect(template).toBe('dueReminder')
      keys.push(key)
      return Promise.resolve({ accepted: true, vendorRef: key })
    },
  }
  await dueReminder(vendor).run(floor.context)
  expect(keys.length).toBeGreaterThan(0)
  const once = keys.length
  await dueReminder(vendor).run(floor.context)
  expect(keys).toHaveLength(once)
  expect(new Set(keys).size).toBe(once)
  await refreshed()
  await expectReminders()
})

test('calls of the robot before the due day count on their day, unless no vendor took them', async () => {
  const { kysely: db } = floor.database
  const sumOf = async () =>
    (await expectReminders()).reduce((sum, { robotCalls }) => sum + (robotCalls ?? 0), 0)
  const before = await sumOf()
  await sql`
    insert into phone_line (id, number, kind, vendor_code, concurrency, daily_cap, status)
    values ('PLAI', '1600110077', 'ai', 'test', 1, 50, 'enabled')`.execute(db)
  await sql`
    insert into ai_call_config (id, product_id, min_days, max_days, start_time, end_time, robot_id, robot_name,
      repeat_interval_min, repeat_frequency, redial_interval_min, redial_max, status, updated_by_name)
    select 'ACT', p.id, -3, 3, '09:00', '18:00', 'R1', 'test', 60, 1, 30, 1, 'disabled', 'test'
    from product p order by p.id limit 1`.execute(db)
  // two calls two days before the due day, and one three days after it
  await sql`
    insert into ai_call_task (id, config_id, order_id, customer_id, overdue_days, state, created_on,
      created_by_name)
    select 'AT' || d.days, 'ACT', o.id, o.customer_id, d.days, 'finished', p.due_at + d.days, 'test'
    from (select y.order_id, y.due_at from repay_plan y where y.outstanding > 0
      and y.due_at between ${addDays(TODAY, -30)}::date and ${addDays(TODAY, -4)}::date
      order by y.due_at, y.id limit 1) p
    join loan_order o on o.id = p.order_id cross join (values (-2), (3)) d (days)`.execute(db)
  await sql`
    insert into ai_call (task_id, no, line_id, state, started_at)
    select t.id, c.no, 'PLAI', c.state, t.created_on + interval '7 hours'
    from ai_call_task t cross join (values (1, 'ended'), (2, 'dialling')) c (no, state)
    where t.config_id = 'ACT'`.execute(db)
  await refreshed()
  expect(await sumOf()).toBe(before + 2)
  await sql`update ai_call set state = 'refused' where task_id = 'AT-2' and no = 2`.execute(db)
  await refreshed()
  expect(await sumOf()).toBe(before + 1)
})

test('what changes hits and outcomes of a filled day is counted after the next look', async () => {
  const { kysely: db } = floor.database
  await sql`
    insert into rule_hit (review_id, rule_id, version_no, outcome, at)
    select r.id, 'CR03', 1, 'hit', clock_timestamp() - interval '5 days' from review r limit 7`.execute(
    db,
  )
  await sql`
    with trial as (
      insert into rule_trial (rule_id, version_no, kind, percent, reason, started_by_name)
      values ('CR03', 1, 'share', 25, 'test', 'test') returning id
    )
    insert into rule_trial_row (trial_id, review_id, order_id, side, version_no, happened, at)
    select t.id, r.id, r.order_id, case when mod(r.n, 4) = 0 then 'challenger' else 'champion' end, 1, 'people',
      r.created_at
    from trial t
    cross join (select v.*, row_number() over (order by v.id) as n from review v) r`.execute(db)
  await refreshed()
  await expectRisk()
  await expectShares()
  for (const { code, violations, sample } of await proveRollups(floor.database))
    expect({ code, violations, sample }).toEqual({ code, violations: 0, sample: [] })
})
