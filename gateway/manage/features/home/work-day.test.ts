/** One person's day: the next work, the lane, figures beside yesterday's, and news. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { workDay } from '#shared/home/day-api.ts'
import { workbench } from '#shared/home/home-api.ts'
import { handleTransfer, listWaiting } from '#shared/orders/disbursement-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { claimReviews } from '#shared/review/review-api.ts'
import { userInfo } from '#shared/session/session-api.ts'
import { ROLES } from '#shared/session/roles.ts'
import { teleTasks } from '#gateway/manage/features/telemarketing/segments/task-follow-job.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeUncertified, planFollowUp } from '#tests/factories/telemarketing.ts'
import { makeClaimed, makeTicket } from '#tests/factories/tickets.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { testClock } from '#tests/support/clock.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let collector: Person
let soonId: string
let unit: Awaited<ReturnType<typeof makeUnit>>
beforeAll(async () => {
  floor = await testManage()
  await (await testClock(floor.database)).to('11:00')
  unit = await makeUnit(floor, { weight: 100, inHouse: true, name: 'Home' })
  collector = await floor.signIn((await makeCollector(floor, unit)).account)
  const inOneHour = await hoursFromNow(1)
  const paid = await makeCase(floor, { collectorId: collector.userId, overdueDays: 12 })
  ;({ caseId: soonId } = await makeCase(floor, {
    collectorId: collector.userId,
    nextFollowTime: inOneHour,
  }))
  const channel = await machineOf(floor, ['payment'])
  await channel.call(inboundPayment, {
    vendorOrderNo: 'V1',
    orderId: paid.orderId,
    amount: 100_000,
    channel: 2,
    result: 'success',
    utr: '900000000001',
  })
  for (const status of [29, 30, 31, 31] as const) await makeOrder(floor, { status })
  await makeReview(floor)
  await makeReview(floor)
  await makeClaimed(floor, await floor.signIn('customer_service'))
  await makeTicket(floor)
  await floor.settle()
})
afterAll(() => floor.close())

/** By the clock of the database, which is at eleven. */
async function hoursFromNow(hours: number): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select to_json(clock_timestamp() + make_interval(hours => ${hours})) as at`.execute(
    floor.database.kysely,
  )
  return new Date((rows[0] as { at: string }).at).toISOString()
}

const dayOf = (person: Person) => person.call(workDay, {})
const keysOf = (rows: readonly { key: string }[]) => rows.map(({ key }) => key)

test.each(ROLES.map(({ mark }) => mark))(
  'the day of a %s has links to their own pages only, and each figure its shared measure',
  async (mark) => {
    const person = await floor.signIn(mark)
    const { next, lane, figures } = await dayOf(person)
    const menu = JSON.stringify((await person.call(userInfo, {})).menu)
    const targets = [...next, ...lane.marks, ...figures].map(({ target }) => target)
    for (const target of targets.filter((one) => !/^\/(detail|home_page|error_log)/.test(one)))
      expect(menu, target).toContain(`"${target.split('?')[0]}"`)
    expect(figures.length, 'three to five figures').toBeGreaterThanOrEqual(3)
    expect(figures.length).toBeLessThanOrEqual(5)
    const { cards } = await person.call(workbench, {})
    for (const { key, value } of figures)
      expect([undefined, value], key).toContain(cards.find((card) => card.key === key)?.value)
  },
)

test('a reviewer takes the next review, and goes on with the one they hold', async () => {
  const reviewer = await floor.signIn('reviewer')
  const before = await dayOf(reviewer)
  expect(before.next).toMatchObject([{ key: 'review', count: 2, time: expect.any(String) }])
  const { ok } = await reviewer.call(claimReviews, { count: 1 })
  const { next } = await dayOf(reviewer)
  expect(next).toMatchObject([
    { key: 'ownReview', count: 1, target: `/detail2?reviewId=${ok[0]?.reviewId}&from=review_list` },
    { key: 'review', count: 1 },
  ])
})

test('a collector opens the next case of the work list, and the lane has the next follow-up', async () => {
  const { next, lane, figures } = await dayOf(collector)
  expect(next[0]).toMatchObject({
    key: 'case',
    count: 1,
    // its first contact
    time: expect.any(String),
    target: `/loaned_management/pedding_list?view=dueNow&collectorId=${collector.userId}&open=next`,
  })
  expect(lane.marks).toEqual([
    expect.objectContaining({
      kind: 'follow',
      count: 1,
      name: expect.any(String),
      target: `/loaned_management/pedding_list?open=${soonId}`,
    }),
  ])
  expect(figures[0]).toMatchObject({ key: 'recoveredToday', value: 100_000, before: 0 })
  expect(figures[0]?.today.at(-1)).toBe(100_000)
  expect(figures[0]?.yesterday).toHaveLength(24)
})

test('a team leader has the due cases of the group, whoever holds them', async () => {
  const { account } = await makeCollector(floor, unit, { role: 'team_leader' })
  const { next } = await dayOf(await floor.signIn(account))
  expect(next.find(({ key }) => key === 'teamCases')).toMatchObject({
    count: 1,
    target: '/loaned_management/pedding_list?view=dueNow',
  })
})

test('customer service has the ticket in hand first, then the queue', async () => {
  const person = await floor.signIn('customer_service')
  expect(keysOf((await dayOf(person)).next)).toEqual(['ownTicket', 'ticket'])
  // answered four hours ago: the customer's turn until the last quarter of the time
  const dueIn = (hours: number) =>
    sql`update feedback set first_reply_at = clock_timestamp() - interval '4 hours',
      idle_until = null, answer_due_at = clock_timestamp() + make_interval(hours => ${hours})
      where processor_id = ${person.userId}`.execute(floor.database.kysely)
  await dueIn(13)
  expect(keysOf((await dayOf(person)).next)).toEqual(['ticket'])
  await dueIn(1)
  expect(keysOf((await dayOf(person)).next)).toEqual(['ownTicket', 'ticket'])
})

test('figures are compared with yesterday up to this minute, and a mean stays a mean', async () => {
  const inspector = await floor.signIn('quality_inspector')
  const at = (hours: number, quality: string) =>
    sql`
    insert into review (order_id, customer_id, customer_name, amount, state, manual_result, quality,
      quality_by, quality_at, decided_at, finished_at)
    select r.order_id, r.customer_id, r.customer_name, r.amount, 'audited', 'passed', ${quality}::text,
      ${inspector.userId}::text, clock_timestamp() - make_interval(hours => ${hours}),
      clock_timestamp() - interval '9 days', clock_timestamp() - interval '9 days'
    from review r order by r.id limit 1`.execute(floor.database.kysely)
  await at(1, 'pass')
  await at(1, 'fail')
  // yesterday: one before this minute of the day, one after it
  await at(25, 'fail')
  await at(20, 'fail')
  const { figures } = await dayOf(inspector)
  expect(figures).toMatchObject([
    { key: 'checkedToday', value: 2, before: 1, goal: 40 },
    { key: 'faultShare', value: 5_000, before: 10_000 },
    { key: 'decidedToday', value: 0, before: 0 },
  ])
  expect(figures[0]?.yesterday.at(-1)).toBe(2)
  expect(figures[1]?.today[0]).toBeNull()
})

test('changes are counted since the person left, and none without a time', async () => {
  const manager = await floor.signIn('manager')
  const hourAgo = await hoursFromNow(-1)
  const { since } = await manager.call(workDay, { since: hourAgo })
  expect(since).toEqual({
    time: hourAgo,
    arrivals: expect.arrayContaining([
      expect.objectContaining({ key: 'repaid', count: 1, amount: 100_000 }),
    ]),
  })
  const later = await hoursFromNow(1)
  expect((await manager.call(workDay, { since: later })).since?.arrivals).toEqual([])
})

test('an administrator sees administrative work only', async () => {
  await sql`
    insert into scheduled_task (id, name, class, cycle, fails_in_row)
    values ('ST900', 'Broken', 'broken', '0 3 * * *', 2)`.execute(floor.database.kysely)
  const { next, figures } = await dayOf(await floor.signIn('administrator'))
  expect(keysOf(next)).toEqual(['failedTask'])
  expect(keysOf(figures)).toEqual(['signInsToday', 'changesToday', 'browserErrors'])
})

test('a follow-up of a telemarketer is counted as long as the customer may be called', async () => {
  const customerId = await makeUncertified(floor)
  await teleTasks.run(floor.context)
  const caller = await floor.signIn('tele_uncertified')
  const { taskId } = await planFollowUp(caller, 'no_certified', await hoursFromNow(1))
  const due = async () =>
    (await dayOf(caller)).next.find(({ key }) => key === 'teleFollow')?.count ?? 0
  expect(await due()).toBe(0)
  await sql`update tele_task set next_follow_at = clock_timestamp() where id = ${taskId}`.execute(
    floor.database.kysely,
  )
  expect(await due()).toBe(1)
  await sql`update customer set dnd = true where id = ${customerId}`.execute(floor.database.kysely)
  expect(await due()).toBe(0)
})

test('a manager is counted the failed disbursements that wait for neither customer nor approver', async () => {
  const manager = await floor.signIn('manager')
  const toDo = async () => (await dayOf(manager)).next.find(({ key }) => key === 'payoutFailed')
  const before = (await toDo())?.count ?? 0
  await makeOrder(floor, { status: 31, vendorCode: 'sandbox' })
  const { orderId } = await makeOrder(floor, { status: 31, vendorCode: 'sandbox' })
  const [row] = (await manager.call(listWaiting, { orderId })).rows
  if (!row) throw new Error('it does not wait')
  await manager.call(handleTransfer, {
    transferId: row.transferId,
    version: row.transferVersion,
    handlingMethod: 'customerUpdatesAccount',
  })
  expect(await toDo()).toMatchObject({
    count: before + 1,
    target: '/order_management/wait_relent?waitsFor=staff',
  })
})
