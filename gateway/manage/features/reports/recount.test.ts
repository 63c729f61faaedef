/**
 * Reports against a count of the whole book by other arithmetic: random lives of customers and
 * loans, then changes of days that were filled before.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { channelReport } from '#shared/reports/channel-api.ts'
import { seedDemo } from '#gateway/manage/demo/seed-demo.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { type Book, type BookOrder, readBook } from '#tests/support/report-book.ts'

const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000)
const TODAY = istDay(Date.now())
const RANGE = { dateFrom: addDays(TODAY, -60), dateTo: TODAY }

let floor: Floor
let director: Person
beforeAll(async () => {
  console.info(`seed ${SEED}`)
  floor = await testManage()
  await sql`truncate sys_user cascade`.execute(floor.database.kysely)
  await seedDemo(floor.context, { customers: 120, seed: SEED })
  await sql`update sys_config set value = 'false' where code = 'login.twoFactorRequired'`.execute(
    floor.database.kysely,
  )
  // parents of the orders that tests add
  await sql`
    insert into channel (id, code, name, kind) values ('CH1', 'test', 'Test', 'organic')
    on conflict do nothing`.execute(floor.database.kysely)
  await sql`
    insert into app (id, code, name) values ('A1', 'test', 'Test') on conflict do nothing`.execute(
    floor.database.kysely,
  )
  director = await floor.signIn('director')
  await refreshed()
}, 120_000)
afterAll(() => floor.close())

/** What was marked is filled, and an old book by its job. */
async function refreshed(): Promise<void> {
  floor.context.wakeSchedule('reportRefresh')
  await floor.settle()
}

function within(day: string | null, { dateFrom, dateTo } = RANGE): boolean {
  return day !== null && day >= dateFrom && day <= dateTo
}

function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.floor((part * 20_000 + whole) / (2 * whole))
}

interface Part {
  isIn(order: { channelId: string; appId: string }): boolean
  on(day: string | null): boolean
  /** Cohorts that waiting can change are left out. */
  isCompleteOnly: boolean
}

function countChannel({ customers, orders }: Book, { isIn, on, isCompleteOnly }: Part) {
  const registered = customers.filter((one) => isIn(one) && on(one.registeredOn))
  const own = orders.filter(isIn)
  const reached = (statuses: number[]) =>
    own.flatMap((order) =>
      order.steps.filter(({ to, on: day }) => statuses.includes(to) && on(day)),
    ).length
  const paidOut = own.filter((order) =>
    order.steps.some(({ from, to, on: day }) => from === 29 && to === 30 && on(day)),
  )
  const firsts = own
    .filter(({ tags }) => tags.includes('firstLoan'))
    .flatMap(({ plans }) => plans.filter(({ serialNo, dueDay }) => serialNo === 1 && on(dueDay)))
    .filter(({ dueDay }) => !isCompleteOnly || addDays(dueDay, 7) < TODAY)
  const unpaid = firsts.filter(
    ({ status, settledOn, dueDay }) =>
      !(status === 'paid' && settledOn !== null && settledOn <= addDays(dueDay, 7)),
  )
  return {
    registrations: registered.length,
    certified: registered.filter(({ certified }) => certified).length,
    applications: own.filter(({ fromOrderId, createdOn }) => fromOrderId === null && on(createdOn))
      .length,
    approved: reached([20, 26]),
    approvalRate: rate(reached([20, 26]), reached([20, 26, 21, 23, 27])),
    disbursed: paidOut.length,
    disbursedAmount: paidOut.reduce((sum, { amount }) => sum + amount, 0),
    firstLoans: paidOut.filter(({ tags }: BookOrder) => tags.includes('firstLoan')).length,
    firstDefaultRate: rate(unpaid.length, firsts.length),
  }
}

async function expectChannels(): Promise<void> {
  const book = await readBook(floor.database)
  const byDay = await director.call(channelReport, { ...RANGE, groupBy: 'day' })
  expect(byDay.isFilling).toBe(false)
  expect(byDay.rows).toHaveLength(61)
  for (const { day, channelId: _id, channelName: _name, ...figures } of [
    ...byDay.rows,
    ...byDay.previous,
  ])
    expect({ day, ...figures }).toEqual({
      day,
      ...countChannel(book, { isIn: () => true, on: (one) => one === day, isCompleteOnly: false }),
    })
  const whole = { on: (day: string | null) => within(day), isCompleteOnly: true }
  expect(byDay.sum).toEqual(countChannel(book, { ...whole, isIn: () => true }))
  expect(byDay.sum.disbursed).toBeGreaterThan(0)
  const byChannel = await director.call(channelReport, { ...RANGE, groupBy: 'channel' })
  expect(byChannel.sum).toEqual(byDay.sum)
  expect(byChannel.rows.length).toBeGreaterThan(1)
  for (const { day: _day, channelId, channelName: _name, ...figures } of byChannel.rows)
    expect(figures).toEqual(
      countChannel(book, { ...whole, isIn: (one) => one.channelId === channelId }),
    )
  const [first] = byChannel.rows
  const filtered = await director.call(channelReport, {
    ...RANGE,
    channelId: first?.channelId ?? '',
  })
  expect(filtered.sum.disbursedAmount).toBe(first?.disbursedAmount)
}

test('channels are what the book says', expectChannels)

test('what changes a filled day is counted after the next look', async () => {
  const before = await director.call(channelReport, RANGE)
  await makeOrder(floor, { status: 30 })
  await sql`
    update customer c set certified = not c.certified
    where ist_day(c.registered_at) >= ${addDays(TODAY, -50)}::date`.execute(floor.database.kysely)
  await refreshed()
  const after = await director.call(channelReport, RANGE)
  expect(after.sum.disbursed).toBe((before.sum.disbursed ?? 0) + 1)
  expect(after.sum.certified).not.toBe(before.sum.certified)
  await expectChannels()
  const events = (await floor.events()).filter(({ type }) => type === 'report.refreshed')
  expect(events.map(({ rooms }) => rooms)).toContainEqual(['menu:channel_statistics'])
})

test('days in the wrong order and more than 92 are refused', async () => {
  const { code } = await director.refused(channelReport, {
    dateFrom: TODAY,
    dateTo: addDays(TODAY, -1),
  })
  expect(code).toBe(422)
  await director.refused(channelReport, { dateFrom: addDays(TODAY, -92), dateTo: TODAY })
})
