/** The daily figures against a count of the whole book by other arithmetic. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { deliveryReport } from '#shared/reports/delivery-api.ts'
import { homeFigures } from '#shared/reports/home-figures-api.ts'
import { recallTrend } from '#shared/reports/recall-api.ts'
import { reloanReport } from '#shared/reports/reloan-api.ts'
import { reportOptions } from '#shared/reports/reports-api.ts'
import {
  hourReport,
  qualityReport,
  reasonReport,
  reviewReport,
} from '#shared/reports/review-report-api.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { readBook } from '#tests/support/report-book.ts'
import { countChannel, like, RANGE, TODAY, within } from '#tests/support/report-counts.ts'
import { countHome, countRecall, readMoney, readMoves } from '#tests/support/report-daily-counts.ts'
import { countReloan, readSettled, type Settled } from '#tests/support/report-reloan-counts.ts'
import {
  countHour,
  countRejections,
  countReview,
  readReviews,
} from '#tests/support/report-review-counts.ts'
import { reportFloor } from '#tests/support/report-floor.ts'
import { proveRollups } from './prove-rollups.ts'

let floor: Floor
let director: Person
let refreshed: () => Promise<void>
beforeAll(async () => {
  ;({ floor, director, refreshed } = await reportFloor())
})
afterAll(() => floor.close())

async function expectHome(): Promise<void> {
  const [book, money] = [await readBook(floor.database), await readMoney(floor.database)]
  const { rows, sum, today, weekAgo } = await director.call(homeFigures, RANGE)
  expect(rows).toHaveLength(61)
  for (const { day, ...figures } of [...rows, today, weekAgo])
    expect({ day, ...figures }).toEqual({
      day,
      ...like(
        countHome(book, money, (one) => one === day, false),
        figures,
      ),
    })
  expect(today.day).toBe(TODAY)
  expect(weekAgo.day).toBe(addDays(TODAY, -7))
  expect(sum).toEqual(like(countHome(book, money, within, true), sum))
  for (const name of ['receivedAmount', 'collectedAmount', 'newTickets', 'dueAmount'] as const)
    expect(sum[name], name).toBeGreaterThan(0)
  const [{ channelId } = { channelId: '' }] = book.customers
  const ofChannel = await director.call(homeFigures, { ...RANGE, channelId })
  expect(ofChannel.sum).toEqual(
    like(
      countHome(book, money, within, true, (one) => one.channelId === channelId),
      ofChannel.sum,
    ),
  )
}

const RECALL_RANGE = { dateFrom: addDays(TODAY, -20), dateTo: TODAY }

async function expectRecall(): Promise<void> {
  const { dateFrom, dateTo } = RECALL_RANGE
  const facts = await readMoves(floor.database)
  const byStage = await director.call(recallTrend, { ...RECALL_RANGE, groupBy: 'stage' })
  expect(byStage.rows.length).toBeGreaterThan(3)
  for (const { stageId, day: _day, bucket: _bucket, ...figures } of byStage.rows)
    expect({ stageId, ...figures }).toEqual({
      stageId,
      ...countRecall(facts, dateFrom, dateTo, stageId),
    })
  expect(byStage.sum).toEqual(countRecall(facts, dateFrom, dateTo, null))
  expect(byStage.sum.collectedAmount).toBeGreaterThan(0)
  const byWeek = await director.call(recallTrend, { ...RECALL_RANGE, groupBy: 'week' })
  for (const { stageId, day, bucket: _bucket, ...figures } of byWeek.rows) {
    const start = day ?? ''
    const [from, to] = [start < dateFrom ? dateFrom : start, addDays(start, 6)]
    expect({ day, stageId, ...figures }).toEqual({
      day,
      stageId,
      ...countRecall(facts, from, to > dateTo ? dateTo : to, stageId),
    })
  }
  const byBucket = await director.call(recallTrend, { ...RECALL_RANGE, groupBy: 'bucket' })
  const late = facts.bills.filter(
    ({ at, overdueDays }) =>
      istDay(at) >= dateFrom && istDay(at) <= dateTo && overdueDays >= 8 && overdueDays <= 10,
  )
  expect(byBucket.rows.find(({ bucket }) => bucket === '8-10')).toMatchObject({
    bills: late.length,
    collectedAmount: late.reduce((sum, { amount }) => sum + amount, 0),
  })
}

test('recovery figures match the stored rows', expectRecall)

test('the leader of a unit sees the recovery of that unit only', async () => {
  const { dateFrom, dateTo } = RECALL_RANGE
  for (const [account, unit] of [
    ['internal_supervisor', 'department'],
    ['external_supervisor', 'agency'],
    ['team_leader', 'group'],
  ] as const) {
    const { rows } = await sql<{ id: string }>`
      select ${sql.ref(`u.${unit}_id`)} as id from sys_user u where u.account = ${account}`.execute(
      floor.database.kysely,
    )
    const lead = await floor.signIn(account)
    const facts = await readMoves(floor.database, unit)
    const { sum } = await lead.call(recallTrend, { ...RECALL_RANGE, groupBy: 'stage' })
    expect(sum, account).toEqual(countRecall(facts, dateFrom, dateTo, null, rows[0]?.id))
    const { rows: others } = await sql<{ id: string }>`
      select a.id from agency a where a.id is distinct from (select u.agency_id from sys_user u
        where u.account = ${account}) limit 1`.execute(floor.database.kysely)
    const foreign = await lead.call(recallTrend, {
      ...RECALL_RANGE,
      groupBy: 'stage',
      agencyId: others[0]?.id ?? '',
    })
    expect(foreign.rows, account).toEqual([])
  }
})

/** Gives how many of the reviews were checked: a book of random lives may have none. */
async function expectReview(): Promise<number> {
  const [facts, { orders }] = [await readReviews(floor.database), await readBook(floor.database)]
  const people = await director.call(reviewReport, RANGE)
  const quality = await director.call(qualityReport, RANGE)
  expect(people.rows.length).toBeGreaterThan(2)
  for (const { day: _day, reviewerId, reviewerName: _name, ...figures } of [
    ...people.rows,
    ...quality.rows,
  ])
    expect({ reviewerId, ...figures }).toEqual({
      reviewerId,
      ...like(countReview(facts, orders, reviewerId, within, true), figures),
    })
  const all = countReview(facts, orders, null, within, true)
  expect(people.sum).toEqual(like(all, people.sum))
  expect(quality.sum).toEqual(like(all, quality.sum))
  const byDay = await director.call(qualityReport, { ...RANGE, groupBy: 'day' })
  for (const { day, reviewerId: _id, reviewerName: _name, ...figures } of byDay.rows)
    expect({ day, ...figures }).toEqual({
      day,
      ...like(
        countReview(facts, orders, null, (one) => one === day, false),
        figures,
      ),
    })
  const reasons = await director.call(reasonReport, RANGE)
  for (const { code, rejections } of reasons.rows)
    expect({ code, rejections }).toEqual({
      code,
      rejections: countRejections(facts, code, within),
    })
  expect(reasons.sum.rejectionShare).toBe(10_000)
  const hours = await director.call(hourReport, RANGE)
  expect(hours.rows).toEqual(
    Array.from({ length: 24 }, (_, hour) => ({ hour, ...countHour(facts, hour, within) })),
  )
  for (const { reviewerId, decidedReviews } of people.rows) {
    const own = await director.call(hourReport, { ...RANGE, reviewerId: reviewerId ?? '' })
    expect(own.sum.decidedReviews).toBe(decidedReviews)
    expect(own.sum.queuedReviews).toBe(hours.sum.queuedReviews)
  }
  return quality.sum.checkedReviews ?? 0
}

test('figures of reviewers match the stored rows', async () => {
  await expectReview()
})

test('a reviewer sees their own line, an inspector all lines', async () => {
  const { rows: everybody } = await director.call(reviewReport, RANGE)
  const reviewer = await floor.signIn('reviewer')
  const own = await reviewer.call(reviewReport, RANGE)
  expect(own.rows).toEqual(
    everybody.filter(({ reviewerName }) =>
      own.rows.some((one) => one.reviewerName === reviewerName),
    ),
  )
  expect(own.rows).toHaveLength(1)
  const other = everybody.find(({ reviewerId }) => reviewerId !== own.rows[0]?.reviewerId)
  const asked = await reviewer.call(reviewReport, {
    ...RANGE,
    reviewerId: other?.reviewerId ?? '',
  })
  expect(asked.rows).toEqual([])
  expect((await reviewer.call(reportOptions, {})).reviewers).toHaveLength(1)
  const inspector = await floor.signIn('quality_inspector')
  expect((await inspector.call(reviewReport, RANGE)).rows).toEqual(everybody)
})

test('figures of repeat borrowing match the stored rows', async () => {
  const facts = await readSettled(floor.database)
  const { orders } = await readBook(floor.database)
  const by = async (groupBy: 'day' | 'class' | 'orderNo' | 'channel') =>
    director.call(reloanReport, { ...RANGE, groupBy })
  const byDay = await by('day')
  for (const {
    day,
    customerClass: _c,
    orderNo: _n,
    channelId: _i,
    channelName: _m,
    ...figures
  } of [...byDay.rows])
    expect({ day, ...figures }).toEqual({
      day,
      ...countReloan(
        facts,
        orders,
        (one) => one.day === day,
        (due) => due === day,
        false,
      ),
    })
  const whole = (isOf: (one: Settled) => boolean) =>
    countReloan(facts, orders, (one) => within(one.day) && isOf(one), within, true)
  expect(byDay.sum).toEqual(whole(() => true))
  expect(byDay.sum.settledLoans).toBeGreaterThan(10)
  const noDue = { reloanOverdueRate: null }
  for (const row of (await by('orderNo')).rows)
    expect(row).toMatchObject({ ...whole(({ loanNo }) => loanNo === row.orderNo), ...noDue })
  for (const row of (await by('class')).rows)
    expect(row).toMatchObject({
      ...whole(({ loanNo }) => (loanNo === 1) === (row.customerClass === 'new')),
      ...noDue,
    })
  for (const row of (await by('channel')).rows)
    expect(row).toMatchObject({
      ...whole(({ channelId }) => channelId === row.channelId),
      reloanOverdueRate: row.reloanOverdueRate,
    })
})

test('advertising figures match the stored rows and the entries', async () => {
  const book = await readBook(floor.database)
  const { rows: entries } = await sql<{ channelId: string; day: string; spend: number }>`
    select s.channel_id as "channelId", s.day::text as day, s.spend from delivery_spend s`.execute(
    floor.database.kysely,
  )
  const spendOf = (isOf: (one: { channelId: string }) => boolean) =>
    entries.filter((one) => isOf(one) && within(one.day)).reduce((sum, { spend }) => sum + spend, 0)
  const each = (spend: number, count: number) =>
    count === 0 ? null : Math.floor((2 * spend + count) / (2 * count))
  const byChannel = await director.call(deliveryReport, { ...RANGE, groupBy: 'channel' })
  for (const row of byChannel.rows) {
    const isIn = ({ channelId }: { channelId: string }) => channelId === row.channelId
    const counted = countChannel(book, { isIn, on: within, isCompleteOnly: true })
    const spend = spendOf(isIn)
    expect(row).toMatchObject({
      ...like(counted, row),
      spend,
      costPerRegistration: each(spend, counted.registrations),
      costPerDisbursement: each(spend, counted.disbursed),
    })
  }
  expect(byChannel.sum.spend).toBe(spendOf(() => true))
  expect(byChannel.sum.spend).toBeGreaterThan(0)
  const byCampaign = await director.call(deliveryReport, { ...RANGE, groupBy: 'campaign' })
  expect(byCampaign.sum.spend).toBe(byChannel.sum.spend)
  expect(byCampaign.rows.map(({ campaign }) => campaign)).toContain('Social lookalike')
  for (const row of byCampaign.rows) {
    const own = book.customers.filter(({ campaign }) => campaign === row.campaign)
    const ids = new Set(own.map(({ id }) => id))
    const counted = countChannel(
      { customers: own, orders: book.orders.filter(({ customerId }) => ids.has(customerId)) },
      { isIn: () => true, on: within, isCompleteOnly: true },
    )
    expect(row).toMatchObject({
      ...like(counted, row),
      costPerRegistration: each(row.spend ?? 0, counted.registrations),
    })
  }
})

test('daily figures match the stored rows', expectHome)

test('a change of money, tickets or channels of a filled day is counted after the next refresh', async () => {
  const { kysely: db } = floor.database
  await sql`
    update repay_record r set reversed_at = clock_timestamp()
    where r.id in (select x.id from repay_record x where x.pay_state = 'success'
      order by x.id desc limit 20)`.execute(db)
  await sql`
    insert into recovery_bill (record_id, case_id, order_id, customer_id, stage_id, overdue_days, amount,
      principal, fees, channel, paid_at)
    select b.record_id, b.case_id, b.order_id, b.customer_id, b.stage_id, b.overdue_days, -b.amount,
      -b.principal, -b.fees, b.channel, b.paid_at
    from recovery_bill b limit 5`.execute(db)
  await sql`
    update reduction d set used_at = d.used_at - interval '2 days' where d.used_at is not null`.execute(
    db,
  )
  await sql`
    update customer c set channel_id = 'CH1'
    where c.id in (select f.customer_id from feedback f limit 3)`.execute(db)
  await sql`
    update feedback f set queue = case f.queue when 'loaned' then 'operation' else 'loaned' end
    where f.id in (select x.id from feedback x limit 3)`.execute(db)
  await sql`
    update collection_case c set ended_at = null, state = 'unallocated', end_reason = null
    where c.id = (select x.id from collection_case x where x.state = 'closed' limit 1)`.execute(db)
  await sql`
    update review r set quality = 'fail', quality_class = 'wrongPass', quality_at = clock_timestamp()
    where r.id in (select x.id from review x where x.decided_at is not null limit 5)`.execute(db)
  await sql`
    update review r set decided_at = r.decided_at - interval '3 days'
    where r.id in (select x.id from review x where x.decided_at is not null order by x.id limit 5)`.execute(
    db,
  )
  await refreshed()
  expect(await expectReview()).toBeGreaterThan(0)
  await expectHome()
  await expectRecall()
  for (const { code, violations, sample } of await proveRollups(floor.database))
    expect({ code, violations, sample }).toEqual({ code, violations: 0, sample: [] })
})
