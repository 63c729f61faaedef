/**
 * Every figure of a workbench equals the total of the list its link opens, requested as that screen
 * does.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CASE_FILTERS, caseInput } from '#client/features/collection/desk/case-filters.ts'
import { FIGURE_FILTERS, dayRange } from '#client/features/collection/figures/figure-filters.ts'
import { LOAN_FILTERS } from '#client/features/orders/disbursement/loan-filters.ts'
import { ORDER_FILTERS, orderInput } from '#client/features/orders/list/order-filters.ts'
import { RECORD_FILTERS } from '#client/features/repayments/list/record-filters.ts'
import { REVIEW_FILTERS, reviewInput } from '#client/features/review/list/review-filters.ts'
import { TELE_FILTERS, taskInput } from '#client/features/telemarketing/tele-filters.ts'
import { TICKET_FILTERS, ticketInput } from '#client/features/tickets/list/ticket-filters.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import { type FilterKinds, filterInput, readFilters } from '#client/ui/grid/grid-url.ts'
import { listApprovals } from '#shared/approvals/approvals-api.ts'
import { listCases } from '#shared/collection/cases-api.ts'
import { listPerformance } from '#shared/collection/figures-api.ts'
import { workbench } from '#shared/home/home-api.ts'
import type { CardKey } from '#shared/home/workbench-cards.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { listLoans, listWaiting } from '#shared/orders/disbursement-api.ts'
import { listOrders } from '#shared/orders/orders-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { listRecords } from '#shared/repayments/repayments-api.ts'
import { claimReviews, listReviews, type REVIEW_TABS } from '#shared/review/review-api.ts'
import { userInfo } from '#shared/session/session-api.ts'
import { listTasks } from '#shared/telemarketing/tele-api.ts'
import { SEGMENTS } from '#shared/telemarketing/tele-sets.ts'
import { listTickets } from '#shared/tickets/tickets-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeClaimed, makeTicket } from '#tests/factories/tickets.ts'
import { makeCollector, makeLeader, makeUnit } from '#tests/factories/units.ts'
import { testClock } from '#tests/support/clock.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let collector: Person
let leader: Person
beforeAll(async () => {
  floor = await testManage()
  const clock = await testClock(floor.database)
  await clock.to('11:00')
  const unit = await makeUnit(floor, { weight: 100, inHouse: true, name: 'Home' })
  const people = [
    await makeCollector(floor, unit),
    await makeCollector(floor, unit),
    await makeLeader(floor, unit, 'team_leader'),
  ]
  const signed = await Promise.all(people.map(({ account }) => floor.signIn(account)))
  const other = signed[1] as Person
  ;[collector, leader] = [signed[0] as Person, signed[2] as Person]
  // three of one collector, two of a colleague, one without: own and group scope differ
  const paid = await makeCase(floor, { collectorId: collector.userId, overdueDays: 12 })
  await makeCase(floor, { collectorId: collector.userId, state: 'promised', ptpAmount: 250_000 })
  await makeCase(floor, {
    collectorId: collector.userId,
    nextFollowTime: new Date(Date.now() + 2 * 86_400_000).toISOString(),
  })
  const others = await makeCase(floor, { collectorId: other.userId, overdueDays: 12 })
  await makeCase(floor, { collectorId: other.userId, state: 'promised', ptpAmount: 90_000 })
  await makeCase(floor)
  const channel = await machineOf(floor, ['payment'])
  for (const [n, { orderId }, amount] of [
    [1, paid, 100_000],
    [2, others, 240_000],
  ] as const) {
    await channel.call(inboundPayment, {
      vendorOrderNo: `V${n}`,
      orderId,
      amount,
      channel: 2,
      result: 'success',
      utr: `90000000000${n}`,
    })
  }
  for (const status of [10, 10, 22, 29, 30, 31] as const) await makeOrder(floor, { status })
  // its time has not come on the test's clock
  await sql`
    update payout_transfer set next_send_at = clock_timestamp() + interval '1 day', sent_at = case
      when sent_at is not null then clock_timestamp() end`.execute(floor.database.kysely)
  for (let n = 0; n < 3; n += 1) await makeReview(floor)
  const clerk = await floor.signIn('customer_service')
  await makeClaimed(floor, clerk)
  const soon = await makeTicket(floor)
  await sql`
    update feedback set reply_due_at = clock_timestamp() + interval '8 minutes'
      where id = ${soon.feedbackId}`.execute(floor.database.kysely)
  const manager = await floor.signIn('manager')
  await sql`
    insert into approval (id, kind, target_kind, target_id, payload, amount, count, reason, requested_by,
      requested_by_name, expires_at)
    values ('AP900', 'batchWriteOff', 'order', 'AP900', '{}', 1, 1, 'closed shop', ${manager.userId},
      'Manager 1', clock_timestamp() + interval '1 hour')`.execute(floor.database.kysely)
  await floor.settle()
})
afterAll(() => floor.close())

/** The request a screen makes for the filters in its address. */
const asked = (query: URLSearchParams, kinds: FilterKinds) => ({
  ...filterInput(kinds, readFilters(query, kinds)),
  pageNum: 1,
  pageSize: 100,
})
const sumOf = <Row>(rows: readonly Row[], amount: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + amount(row), 0)

/** The value of a card, computed from the list its link opens. */
async function figureOf(person: Person, key: CardKey, target: string): Promise<unknown> {
  const { pathname, searchParams: query } = new URL(target, 'http://console')
  const tab = query.get('tab')
  const segment = SEGMENTS.find((one) => pathname.endsWith(`/marketing_center/${one}`))
  if (segment !== undefined) {
    // only a phone number makes it a text that says why nothing can match
    const input = taskInput(segment, asked(query, TELE_FILTERS.kinds), { t: String })
    return (await person.call(listTasks, input as InputOf<typeof listTasks>)).total
  }
  switch (pathname) {
    case '/order_management/order_list':
      return (await person.call(listOrders, orderInput(asked(query, ORDER_FILTERS)).input)).total
    case '/order_management/loan_list':
      return sumOf(
        (await person.call(listLoans, listInput(listLoans, asked(query, LOAN_FILTERS)))).rows,
        ({ amount }) => amount,
      )
    case '/order_management/repay_record':
      return sumOf(
        (await person.call(listRecords, listInput(listRecords, asked(query, RECORD_FILTERS.kinds))))
          .rows,
        ({ amount }) => amount,
      )
    case '/order_management/wait_relent':
      return (await person.call(listWaiting, {})).total
    case '/home_page':
      return (await person.call(listApprovals, {})).rows.filter(({ mayDecide }) => mayDecide).length
    case '/order_management/review_list': {
      const { rows, total } = await person.call(
        listReviews,
        reviewInput(tab as (typeof REVIEW_TABS)[number], asked(query, REVIEW_FILTERS)),
      )
      return key === 'averageTime' ? (rows.length === 0 ? null : expect.any(Number)) : total
    }
    case '/customer_management/user_feedback':
      return (
        await person.call(
          listTickets,
          ticketInput('user_feedback', tab as 'queue', asked(query, TICKET_FILTERS)),
        )
      ).total
    case '/loaned_management/pedding_list': {
      const { rows, total } = await person.call(
        listCases,
        caseInput('toFollow', asked(query, CASE_FILTERS)),
      )
      return key === 'promisedToday' ? sumOf(rows, ({ ptpAmount }) => ptpAmount ?? 0) : total
    }
    case '/loaned_management/urge_performance': {
      const { rows, sum } = await person.call(listPerformance, {
        ...listInput(listPerformance, asked(query, FIGURE_FILTERS)),
        ...dayRange(Object.fromEntries(query)),
        groupBy: 'collector',
      })
      return key === 'rank'
        ? rows.find((row) => row.key === person.userId)?.rank
        : sum.recoveredAmount
    }
    default:
      throw new Error(`no list at ${target}`)
  }
}

/** Compares each card of a person with its list, and checks that the menu leads there. */
async function cardsOf(person: Person): Promise<Record<string, number | null>> {
  const { cards } = await person.call(workbench, {})
  const paths = JSON.stringify((await person.call(userInfo, {})).menu)
  for (const { key, value, target } of cards) {
    expect(value, `${key} beside ${target}`).toEqual(await figureOf(person, key, target))
    expect(paths).toContain(`"${target.split('?')[0]}"`)
  }
  return Object.fromEntries(
    cards.map(({ key, part, value }) => [part === null ? key : `${key} ${part}`, value]),
  )
}

test.each(['manager', 'director'])(
  "a %s sees orders, today's money and approvals",
  async (account) => {
    expect(await cardsOf(await floor.signIn(account))).toEqual({
      reviewing: 2,
      awaitingReview: expect.any(Number),
      disbursing: 1,
      awaitingRepayment: expect.any(Number),
      overdue: 6,
      disbursedToday: expect.any(Number),
      repaidToday: 340_000,
      disbursementFailed: 1,
      toApprove: account === 'director' ? 1 : 0,
    })
  },
)

test('a reviewer sees the queue, their own reviews and their day', async () => {
  const reviewer = await floor.signIn('reviewer')
  expect(await cardsOf(reviewer)).toEqual({
    claimable: 3,
    mine: 0,
    decidedToday: 0,
    averageTime: null,
  })
  await reviewer.call(claimReviews, { count: 1 })
  expect(await cardsOf(reviewer)).toMatchObject({ claimable: 2, mine: 1 })
})

test('a quality inspector sees the reviews to be checked', async () => {
  expect(await cardsOf(await floor.signIn('quality_inspector'))).toEqual({ toCheck: 0 })
})

test('customer service sees tickets by progress and those due soon', async () => {
  expect(await cardsOf(await floor.signIn('customer_service'))).toEqual({
    ticketsWaiting: 1,
    ticketsOpen: 1,
    ticketsDueSoon: 1,
  })
})

test("a collector sees their own day and rank, a leader the group's", async () => {
  expect(await cardsOf(collector)).toEqual({
    casesDue: 2,
    promisesToday: 1,
    promisedToday: 250_000,
    recoveredToday: 100_000,
    rank: 2,
  })
  expect(await cardsOf(leader)).toEqual({
    casesDue: 4,
    promisesToday: 2,
    promisedToday: 340_000,
    recoveredToday: 340_000,
  })
})

test('a telemarketer of several segments sees what each of them holds', async () => {
  const salesman = await floor.signIn('salesman')
  await sql`
    insert into tele_task (customer_id, segment, loss_at, state, assignee_id, next_follow_at)
    select c.id, case when c.n > 1 then 'unrequished' else 'no_certified' end, clock_timestamp(), 'assigned',
      ${salesman.userId}, case when c.n > 1 then clock_timestamp() - interval '1 day' end
    from (select id, row_number() over (order by id) as n from customer order by id limit 3) c`.execute(
    floor.database.kysely,
  )
  expect(await cardsOf(salesman)).toEqual({
    'teleDue no_certified': 0,
    'teleDue unrequished': 2,
    'teleDue no_relented': 0,
    'teleDue loan_failed': 0,
    'teleTasks no_certified': 1,
    'teleTasks unrequished': 2,
    'teleTasks no_relented': 0,
    'teleTasks loan_failed': 0,
  })
})

test('an administrator has no figures, and everybody sees their unread announcements', async () => {
  const administrator = await floor.signIn('administrator')
  await sql`
    insert into notice (title, content, status, pop_condition, roles, published_at)
      values ('Diwali hours', 'Closed on Monday', 'published', 'none', '{}', clock_timestamp())`.execute(
    floor.database.kysely,
  )
  expect(await administrator.call(workbench, {})).toMatchObject({
    cards: [],
    notices: [{ title: 'Diwali hours' }],
  })
})
