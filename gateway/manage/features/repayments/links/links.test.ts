/** Payment links from the case to the borrower's phone and the payment, under the contact rules. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callBorrower, caseDetail } from '#shared/collection/cases-api.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { addStop } from '#shared/collection/stops-api.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { sendLink } from '#shared/repayments/links-api.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import { COLLECTION_AUDIENCE } from '#gateway/manage/features/collection/collection-audience.ts'
import { casePaid } from '#gateway/manage/features/collection/public.ts'
import { workRoutes } from '#gateway/manage/features/collection/work-routes.ts'
import type { MessageVendor, OutgoingMessage } from '#gateway/manage/vendors/message-vendor.ts'
import type { PageVendors } from '#gateway/manage/vendors/page-vendors.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { repaymentsRoutes } from '../repayments-routes.ts'
import { paymentLink } from './payment-link-job.ts'

let floor: Floor
let clock: TestClock
let home: Unit
let asha: Person
let supervisor: Person
let manager: Person
let stranger: Person
let agent: Person
let channel: Machine
const today = istDay(Date.now())

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...REPAYMENTS_MENU, ...SETUP_MENU, ...WORK_MENU],
      audiences: [COLLECTION_AUDIENCE],
      routes: (base) => {
        repaymentsRoutes(base, context, { whenPaid: [casePaid] })
        workRoutes(base, context)
      },
    }),
  })
  clock = await testClock(floor.database)
  await clock.to('11:00')
  home = await makeUnit(floor, { weight: 100, inHouse: true })
  const outside = await makeUnit(floor, { inHouse: false })
  asha = await floor.signIn((await makeCollector(floor, home)).account)
  stranger = await floor.signIn((await makeCollector(floor, home)).account)
  supervisor = await floor.signIn((await makeLeader(floor, home, 'internal_supervisor')).account)
  agent = await floor.signIn((await makeCollector(floor, outside)).account)
  manager = await floor.signIn('manager')
  channel = await machineOf(floor, ['payment'])
})
afterAll(() => floor.close())
beforeEach(() => clock.to('11:00'))

const held = (given = {}): Promise<MadeCase> =>
  makeCase(floor, { collectorId: asha.userId, overdueDays: 12, ...given })
async function planOf(
  { caseId }: MadeCase,
  person: Person,
): Promise<{ planId: string; due: number }> {
  const plan = (await person.call(caseDetail, { caseId })).plans.find((one) => one.outstanding > 0)
  return { planId: plan?.planId ?? '', due: plan?.outstanding ?? 0 }
}
/** Sends the due messages; refuses the first `refusals` of them. */
function vendorOf(refusals = 0): MessageVendor & { taken: OutgoingMessage[] } {
  const taken: OutgoingMessage[] = []
  let left = refusals
  return {
    code: 'test',
    taken,
    send(message) {
      taken.push(message)
      left -= 1
      return Promise.resolve(
        left >= 0
          ? { accepted: false, reason: 'busy' }
          : { accepted: true, vendorRef: `V-${message.key}` },
      )
    },
  }
}
const linksOf = async (person: Person, { caseId }: MadeCase) =>
  (await person.call(caseDetail, { caseId })).links

test("a link is sent once to the borrower's number, and is paid when its payment arrives", async () => {
  const made = await held()
  const { planId, due } = await planOf(made, asha)
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const { linkId, expiresAt } = await asha.call(sendLink, { planId, amount: due, way: 'whatsapp' })
  expect(expiresAt.slice(0, 10)).toBe(addDays(today, 3))
  expect(await linksOf(asha, made)).toMatchObject([
    { linkId, amount: due, way: 'whatsapp', state: 'due' },
  ])
  const vendor = vendorOf(1)
  expect(await paymentLink(vendor, null).run(floor.context)).toEqual({ sent: 0, notReached: 1 })
  await clock.to('11:01')
  expect(await paymentLink(vendor, null).run(floor.context)).toEqual({ sent: 1, notReached: 0 })
  await clock.to('11:02')
  expect(await paymentLink(vendor, null).run(floor.context)).toEqual({ sent: 0, notReached: 0 })
  const message = {
    key: `link:${linkId}`,
    way: 'whatsapp',
    to: made.phone,
    template: 'paymentLink',
    params: { link: linkId, order: made.orderId, amount: String(due) },
  }
  expect(vendor.taken).toMatchObject([message, message])
  expect(await linksOf(asha, made)).toMatchObject([{ linkId, state: 'sent' }])
  expect(
    (await floor.events(before)).filter(
      ({ type, subject }) => type === 'case.followed' && subject === `case:${made.caseId}`,
    ),
  ).toHaveLength(2)
  await channel.call(inboundPayment, {
    vendorOrderNo: linkId,
    orderId: made.orderId,
    amount: due,
    channel: 4,
    result: 'success',
    utr: '412345678901',
  })
  expect(await linksOf(manager, made)).toMatchObject([{ linkId, state: 'paid' }])
})

test('a link is limited to the open amount and needs the scope and the permission', async () => {
  const made = await held()
  const { planId, due } = await planOf(made, asha)
  expect(
    (await asha.refused(sendLink, { planId, amount: due + 1, way: 'sms' })).problem,
  ).toMatchObject({ id: 'M-AMT', params: { amount: due } })
  for (const person of [stranger, agent])
    expect((await person.refused(sendLink, { planId, amount: due, way: 'sms' })).problem?.id).toBe(
      'G404',
    )
  expect(
    (await asha.refused(sendLink, { planId: 'P0', amount: due, way: 'sms' })).problem?.id,
  ).toBe('G404')
  const reviewer = await floor.signIn('reviewer')
  expect((await reviewer.refused(sendLink, { planId, amount: due, way: 'sms' })).problem?.id).toBe(
    'G403',
  )
  expect(await linksOf(asha, made)).toEqual([])
})

test('a link sent during a conversation is no further contact; outside one it is a counted contact', async () => {
  const talking = await held()
  const talk = await planOf(talking, asha)
  await asha.call(callBorrower, {
    caseId: talking.caseId,
    contactId: talking.customerId,
    way: 'phone',
  })
  await asha.call(sendLink, { planId: talk.planId, amount: 100, way: 'sms' })
  expect((await asha.call(caseDetail, { caseId: talking.caseId })).case.attemptsToday).toBe(1)
  // one link per conversation; the next is subject to the gap between contacts
  expect(
    (await asha.refused(sendLink, { planId: talk.planId, amount: 100, way: 'sms' })).problem?.id,
  ).toBe('C-GAP')

  const silent = await held()
  const plan = await planOf(silent, asha)
  await asha.call(sendLink, { planId: plan.planId, amount: 100, way: 'sms' })
  expect((await asha.call(caseDetail, { caseId: silent.caseId })).case.attemptsToday).toBe(1)
  // a contact of a colleague does not count as one's own
  expect(
    (await supervisor.refused(sendLink, { planId: plan.planId, amount: 100, way: 'sms' })).problem
      ?.id,
  ).toBe('C-GAP')
})

test('contact hours, stops and the notice of an agent apply to links from every menu', async () => {
  const made = await held()
  const { planId } = await planOf(made, asha)
  await clock.to('19:00')
  for (const person of [asha, manager])
    expect((await person.refused(sendLink, { planId, amount: 100, way: 'sms' })).problem?.id).toBe(
      'C-WIN',
    )
  await clock.to('11:00')
  await supervisor.call(addStop, {
    userId: made.customerId,
    reason: 'legal',
    remark: 'A court has the case',
  })
  for (const person of [asha, manager])
    expect(['C-STOP', 'C-HELD']).toContain(
      (await person.refused(sendLink, { planId, amount: 100, way: 'sms' })).problem?.id,
    )
  const unannounced = await makeCase(floor, {
    collectorId: agent.userId,
    overdueDays: 12,
    intimated: false,
  })
  expect(
    (
      await agent.refused(sendLink, {
        planId: (await planOf(unannounced, agent)).planId,
        amount: 100,
        way: 'sms',
      })
    ).problem?.id,
  ).toBe('C-TOLD')
})

test('a link that could not be sent is not sent after hours, and a sent one expires', async () => {
  const [lost, late] = [await held(), await held()]
  // those of the tests before
  await paymentLink(vendorOf(), null).run(floor.context)
  await clock.to('18:58')
  const first = await asha.call(sendLink, {
    planId: (await planOf(lost, asha)).planId,
    amount: 100,
    way: 'sms',
  })
  const never = vendorOf(99)
  for (const time of ['18:58:30', '18:59:30', '19:00:30', '19:01:30']) {
    await clock.to(time)
    await paymentLink(never, null).run(floor.context)
  }
  expect(never.taken.map(({ key }) => key)).toEqual([
    `link:${first.linkId}`,
    `link:${first.linkId}`,
  ])
  expect(await linksOf(asha, lost)).toMatchObject([{ state: 'failed' }])
  await clock.to('11:00')
  await asha.call(sendLink, { planId: (await planOf(late, asha)).planId, amount: 100, way: 'sms' })
  await paymentLink(vendorOf(), null).run(floor.context)
  await clock.to('12:00', addDays(today, 3))
  expect(await linksOf(asha, late)).toMatchObject([{ state: 'expired' }])
})

test('a link leads to the page that a vendor of the app made, and is not sent without one', async () => {
  const made = await held()
  const { planId } = await planOf(made, asha)
  const { linkId } = await asha.call(sendLink, { planId, amount: 100, way: 'sms' })
  const asked: string[] = []
  const { rows } = await sql<{ id: string }>`
    with party as (
      insert into tp_vendor (code, name, kind) values ('linkpay', 'LinkPay', 'collect') returning id
    )
    insert into tp_cfg (vendor_id, name, base_url, values_enc)
    select id, 'Main', 'https://linkpay.example.com', '' from party returning id`.execute(
    floor.database.kysely,
  )
  const cfgId = rows[0]?.id ?? ''
  let isAway = true
  const pages: PageVendors = {
    make(_appId, link) {
      asked.push(link.linkId)
      if (isAway) return Promise.reject(new Error('away'))
      const answer = { url: `https://pay.example.com/${link.linkId}` }
      return Promise.resolve({ cfgId, vendorCode: 'linkpay', answer })
    },
  }
  const vendor = vendorOf(1)
  expect(await paymentLink(vendor, pages).run(floor.context)).toEqual({ sent: 0, notReached: 1 })
  expect(vendor.taken).toEqual([])
  isAway = false
  await clock.to('11:01')
  // the message is refused once, and the page stays
  await paymentLink(vendor, pages).run(floor.context)
  await clock.to('11:02')
  expect(await paymentLink(vendor, pages).run(floor.context)).toEqual({ sent: 1, notReached: 0 })
  expect(asked).toEqual([linkId, linkId])
  const params = { link: linkId, url: `https://pay.example.com/${linkId}` }
  expect(vendor.taken).toMatchObject([{ params }, { params }])
})
