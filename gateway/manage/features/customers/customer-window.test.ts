/** Customer list, customer page and blacklist, requested as their screens do. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerDetail, editContact } from '#shared/customers/customer-detail-api.ts'
import {
  addToBlacklist,
  listBlacklist,
  listCustomers,
  removeFromBlacklist,
} from '#shared/customers/customer-list-api.ts'
import { CUSTOMER_SECTIONS } from '#shared/customers/customer-sets.ts'
import { revealField } from '#shared/customers/reveal-api.ts'
import { jobDetail } from '#shared/jobs/jobs-api.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { searchRecords } from '#shared/search/search-api.ts'
import { lockPayoutFacts } from '#gateway/manage/features/orders/payout-facts.ts'
import { submitApplication } from '#gateway/manage/features/orders/public.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeFullApplication, storeCustomer } from '#tests/factories/customers.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { bySystem, makeTicket } from '#tests/factories/tickets.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { withReadyPhotos } from './ready-photos.ts'

let floor: Floor
const people: Record<string, Person> = {}
const application = makeFullApplication(61)
const { customer, bankCard } = application
let userId: string
let orderId: string
let ofCase: Awaited<ReturnType<typeof makeCase>>
let ofOther: Awaited<ReturnType<typeof makeCase>>

beforeAll(async () => {
  floor = await testManage()
  userId = (await storeCustomer(floor, application)).customerId
  orderId = (await makeOrder(floor, { customerId: userId, status: 22 })).orderId
  const unit = await makeUnit(floor, { weight: 100 })
  const collector = await makeCollector(floor, unit, { account: 'collector' })
  ofCase = await makeCase(floor, { collectorId: collector.userId, overdueDays: 4 })
  ofOther = await makeCase(floor, { overdueDays: 4 })
  for (const account of [
    'manager',
    'customer_service',
    'collector',
    'reviewer',
    'group_leader',
    'director',
  ])
    people[account] = await floor.signIn(account)
})
afterAll(() => floor.close())

function by(account: string): Person {
  const person = people[account]
  if (!person) throw new TypeError(`${account} is not signed in`)
  return person
}
const ALL = { sections: [...CUSTOMER_SECTIONS] }
const ids = async (person: Person, filters: Record<string, unknown>) =>
  (await person.call(listCustomers, filters)).rows.map((row) => row.userId)

test('search needs a whole phone, PAN or account, or the last Aadhaar digits', async () => {
  for (const filters of [
    { phone: customer.phone },
    { pan: customer.pan },
    { account: bankCard.account },
    { aadhaarLast4: customer.aadhaar.slice(-4), name: 'ravi kumar 61' },
  ])
    expect(await ids(by('manager'), filters)).toEqual([userId])
  expect(await ids(by('manager'), { phone: '9999999999' })).toEqual([])
  for (const filters of [{ phone: customer.phone.slice(0, 9) }, { pan: customer.pan.slice(0, 9) }])
    expect((await by('manager').refused(listCustomers, filters)).code).toBe(400)
})

test("a row counts the customer's records and shows the phone masked", async () => {
  const { rows } = await by('manager').call(listCustomers, { userId })
  expect(rows).toMatchObject([
    {
      userId,
      phone: `XXXXXX${customer.phone.slice(-4)}`,
      certified: true,
      creditState: 'toCredit',
      finalLimit: null,
      entryCount: 1,
      orderCount: 1,
      settlementCount: 0,
      blacklisted: false,
    },
  ])
  expect(JSON.stringify(rows)).not.toContain(customer.phone)
})

test('a reviewer sees customers of visible reviews, a group leader without tasks none', async () => {
  const review = await makeReview(floor, {})
  const { rows } = await floor.database.kysely.executeQuery(
    sql<{
      customer_id: string
    }>`select r.customer_id from review r where r.id = ${review.reviewId}`.compile(
      floor.database.kysely,
    ),
  )
  const reviewed = (rows[0] as { customer_id: string }).customer_id
  expect(await ids(by('reviewer'), {})).toEqual([reviewed])
  const reviewIdsFor = async (account: string) =>
    (await by(account).call(customerDetail, { userId: reviewed, ...ALL })).orders?.map(
      ({ reviewId }) => reviewId,
    )
  expect([await reviewIdsFor('manager'), await reviewIdsFor('customer_service')]).toEqual([
    [review.reviewId],
    [null],
  ])
  expect(await ids(by('group_leader'), {})).toEqual([])
})

test.each([
  [
    'manager',
    [
      'basic',
      'contact',
      'kyc',
      'bankCard',
      'photos',
      'credit',
      'device',
      'review',
      'orders',
      'plans',
      'records',
      'cases',
      'tickets',
      'blacklist',
      'messages',
      'timeline',
    ],
  ],
  [
    'customer_service',
    [
      'basic',
      'kyc',
      'bankCard',
      'photos',
      'credit',
      'device',
      'review',
      'orders',
      'plans',
      'records',
      'cases',
      'tickets',
      'blacklist',
      'messages',
      'timeline',
    ],
  ],
  ['director', [...CUSTOMER_SECTIONS]],
] as const)(
  'the customer page gives %s exactly the sections of the role',
  async (account, sections) => {
    const detail = await by(account).call(customerDetail, { userId, ...ALL })
    expect(detail.granted).toEqual(sections)
    expect(CUSTOMER_SECTIONS.filter((section) => section in detail)).toEqual(sections)
    expect(detail.orders).toMatchObject([
      {
        orderId,
        status: 22,
        mayOpen: true,
        closeType: 'notClosed',
        failReason: null,
        reviewId: null,
      },
    ])
    expect(detail.timeline?.map(({ kind }) => kind)).toContain('registered')
    const text = JSON.stringify(detail)
    for (const value of [
      customer.phone,
      customer.pan,
      customer.aadhaar,
      customer.address,
      customer.email as string,
      bankCard.account,
    ])
      expect(text).not.toContain(value)
  },
)

test('a collector sees the collection sections of the customer of an own case and no other customer', async () => {
  await makeTicket(floor, { customerId: ofCase.customerId, orderId: ofCase.orderId })
  const detail = await by('collector').call(customerDetail, { userId: ofCase.customerId, ...ALL })
  expect(detail.granted).toEqual(['basic', 'bankCard', 'orders', 'cases', 'messages', 'timeline'])
  expect(detail.cases?.cases).toMatchObject([{ caseId: ofCase.caseId }])
  expect(detail.orders).toMatchObject([{ orderId: ofCase.orderId, mayOpen: true, reviewId: null }])
  expect(detail.timeline?.some(({ kind }) => kind === 'ticket')).toBe(false)
  const missing = await by('collector').refused(customerDetail, { userId: 'C1', ...ALL })
  expect(
    await by('collector').refused(customerDetail, { userId: ofOther.customerId, ...ALL }),
  ).toEqual(missing)
})

test("only the lender's own staff can read a borrower's work and household", async () => {
  const { customerId } = ofCase
  await sql`
    update customer set company_name = 'Nova Call Centre', monthly_income = 2900000 where id = ${customerId}`.execute(
    floor.database.kysely,
  )
  const work = async () => {
    const { basic } = await by('collector').call(customerDetail, {
      userId: customerId,
      sections: ['basic'],
    })
    return { phone: basic?.phone, company: basic?.companyName, income: basic?.monthlyIncome }
  }
  expect(await work()).toEqual({
    phone: `XXXXXX${ofCase.phone.slice(-4)}`,
    company: 'Nova Call Centre',
    income: 2_900_000,
  })
  await sql`
    update agency set in_house = false
      where id = (select u.agency_id from sys_user u where u.account = 'collector')`.execute(
    floor.database.kysely,
  )
  floor.context.forgetSessions(null)
  expect(await work()).toEqual({
    phone: `XXXXXX${ofCase.phone.slice(-4)}`,
    company: null,
    income: null,
  })
})

test('only requested sections are returned, and each read is logged with its sections', async () => {
  const detail = await by('director').call(customerDetail, { userId, sections: ['orders'] })
  expect(CUSTOMER_SECTIONS.filter((section) => section in detail)).toEqual(['orders'])
  const { rows } = await sql<{ target_id: string; after: unknown }>`
    select l.target_id, l.after from operate_log l where l.action = 'customerOpen'
      and l.user_id = ${by('director').userId} order by l.id desc limit 1`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ target_id: userId, after: { sections: ['orders'] } }])
})

test('applications of a blacklisted person are refused and approved orders wait', async () => {
  const { rows: before } = await sql<{
    version: number
  }>`select c.version from customer c where c.id = ${userId}`.execute(floor.database.kysely)
  const done = await by('manager').call(addToBlacklist, {
    userIds: [userId, 'C1'],
    reason: 'forged salary slip',
  })
  expect(done).toMatchObject({
    ok: [userId],
    failed: [{ id: 'C1', problem: 'G404' }],
    openOrders: [{ userId, orderId, status: 22 }],
  })
  expect(
    (await by('manager').call(addToBlacklist, { userIds: [userId], reason: 'forged salary slip' }))
      .failed,
  ).toMatchObject([{ id: userId, problem: 'L-ON' }])
  const changed = (await floor.events()).findLast((event) => event.type === 'blacklist.changed')
  expect(changed).toMatchObject({
    subject: `customer:${userId}`,
    entity_version: (before[0]?.version ?? 0) + 1,
    data: { userId, listed: true, source: 'manual' },
  })
  expect(changed?.rooms).toEqual(
    expect.arrayContaining([`customer:${userId}`, `order:${orderId}`, 'menu:customer_list']),
  )
  await sql`update loan_order set status = 21 where id = ${orderId}`.execute(floor.database.kysely)
  for (const again of [
    application,
    makeFullApplication(62, {
      customer: { ...makeFullApplication(62).customer, pan: customer.pan },
    }),
  ]) {
    const ready = await withReadyPhotos(again)
    await expect(bySystem(floor, (tx) => submitApplication(tx, ready))).rejects.toMatchObject({
      id: 'O-RULE',
      params: { reason: 'blacklisted' },
    })
  }

  const elsewhere = await storeCustomer(
    floor,
    makeFullApplication(65, {
      customer: { ...makeFullApplication(65).customer, pan: customer.pan },
    }),
  )
  const passed = await makeOrder(floor, { customerId: elsewhere.customerId, status: 20 })
  expect(await bySystem(floor, (tx) => lockPayoutFacts(tx.db, passed.orderId))).toMatchObject({
    blacklisted: true,
  })

  const { rows } = await by('director').call(listBlacklist, { userId })
  expect(rows).toMatchObject([
    {
      userId,
      source: 'manual',
      reason: 'forged salary slip',
      operatorName: 'Manager 1',
      endTime: null,
    },
  ])
  const blackId = rows[0]?.blackId as string
  expect(
    (
      await by('customer_service').refused(removeFromBlacklist, {
        blackIds: [blackId],
        reason: 'checked again',
      })
    ).problem?.id,
  ).toBe('G403')
  expect(
    await by('manager').call(removeFromBlacklist, { blackIds: [blackId], reason: 'checked again' }),
  ).toMatchObject({ ok: [blackId], failed: [] })
  expect(
    (
      await by('manager').call(removeFromBlacklist, {
        blackIds: [blackId],
        reason: 'checked again',
      })
    ).failed,
  ).toMatchObject([{ problem: 'L-END' }])
  expect(await by('manager').call(listBlacklist, { userId, ended: true })).toMatchObject({
    rows: [{ blackId, endReason: 'checked again', endName: 'Manager 1' }],
  })
  expect(
    (await by('manager').call(customerDetail, { userId, sections: ['blacklist'] })).blacklist,
  ).toMatchObject([{ blackId }])
  const ready = await withReadyPhotos(application)
  await expect(bySystem(floor, (tx) => submitApplication(tx, ready))).resolves.toMatchObject({
    customerId: userId,
  })
})

test('surplus payments are shown as customer credit to users who see payments', async () => {
  const { orderId: loanId, customerId } = await makeOrder(floor, { status: 30 })
  const channel = await machineOf(floor, ['payment'])
  const { outstanding } = (await by('manager').call(orderDetail, { orderId: loanId })).order
  const credit = async (account: string) =>
    (await by(account).call(customerDetail, { userId: customerId, ...ALL })).customerCredit
  expect(await credit('manager')).toBe(0)
  for (const [n, amount] of [outstanding + 2_500, 40_000].entries()) {
    await channel.call(inboundPayment, {
      vendorOrderNo: `V-C${n}`,
      orderId: loanId,
      amount,
      channel: 1,
      result: 'success',
      utr: String(510_000_000_000 + n),
    })
  }
  expect([await credit('manager'), await credit('customer_service')]).toEqual([42_500, 42_500])
  // a collector has no list of payments
  expect(
    (await by('collector').call(customerDetail, { userId: ofCase.customerId, ...ALL }))
      .customerCredit,
  ).toBeUndefined()
})

test('messages show their masked recipient to users who may see the subject', async () => {
  const { customerId } = ofCase
  const { rows } = await sql<{
    phone: string
  }>`select 'XXXXXX' || c.phone_last4 as phone from customer c where c.id = ${customerId}`.execute(
    floor.database.kysely,
  )
  const sent = (
    template: string,
    way: string,
    caseId: string | null,
    state: string,
    hours: number,
  ) =>
    sql`
      insert into message_log (customer_id, way, template, case_id, state, at)
        values (${customerId}, ${way}, ${template}, ${caseId}, ${state},
        clock_timestamp() - make_interval(hours => ${hours}::int))`.execute(floor.database.kysely)
  await sent('agentNamed', 'sms', ofCase.caseId, 'sent', 3)
  await sent('agentNamed', 'sms', ofOther.caseId, 'sent', 4)
  await sent('ticketAnswered', 'sms', null, 'sent', 2)
  await sql`update customer set phone_last4 = '0000' where id = ${customerId}`.execute(
    floor.database.kysely,
  )
  await sent('paymentLink', 'whatsapp', null, 'failed', 1)
  const seenBy = async (account: string) =>
    (await by(account).call(customerDetail, { userId: customerId, sections: ['messages'] }))
      .messages
  const [link, answer, named, other] = [
    { template: 'paymentLink', way: 'whatsapp', recipient: 'XXXXXX0000', state: 'failed' },
    { template: 'ticketAnswered', recipient: rows[0]?.phone, state: 'sent' },
    { template: 'agentNamed', way: 'sms', recipient: rows[0]?.phone, state: 'sent' },
    { template: 'agentNamed' },
  ]
  expect(await seenBy('manager')).toMatchObject([link, answer, named, other])
  expect(await seenBy('collector')).toMatchObject([link, named])
})

test('many customers are blacklisted by a job', async () => {
  await sql`update sys_config set value = '1' where code = 'bulk.syncMax'`.execute(
    floor.database.kysely,
  )
  const two = [
    await storeCustomer(floor, makeFullApplication(63)),
    await storeCustomer(floor, makeFullApplication(64)),
  ].map(({ customerId }) => customerId)
  const { jobId, ok } = await by('manager').call(addToBlacklist, {
    userIds: two,
    reason: 'one ring of forgers',
  })
  expect(ok).toEqual([])
  await floor.settle()
  expect(await by('manager').call(jobDetail, { jobId: jobId as string })).toMatchObject({
    job: { state: 'done', ok: 2, fail: 0 },
  })
  expect(await ids(by('manager'), { blacklisted: true })).toEqual(expect.arrayContaining(two))
})

test('a corrected phone is searchable and unlogged, and must not be another customer’s', async () => {
  const { version } = await by('manager').call(customerDetail, { userId, sections: ['basic'] })
  const other = makeFullApplication(63).customer.phone
  const input = { userId, version, reason: 'He told us on the phone' }
  expect(
    (await by('customer_service').refused(editContact, { ...input, phone: other })).data,
  ).toEqual({ fields: { phone: 'customers:fault.phoneTaken' } })
  expect(
    await by('customer_service').call(editContact, {
      ...input,
      phone: '6123456789',
      email: 'new@mailbox.example',
    }),
  ).toMatchObject({ version: version + 1, fields: ['phone', 'email'] })
  expect(await ids(by('manager'), { phone: '6123456789' })).toEqual([userId])
  expect(
    (
      await by('customer_service').call(revealField, {
        userId,
        field: 'phone',
        reason: 'call back',
      })
    ).value,
  ).toBe('6123456789')
  expect(
    await by('customer_service').refused(editContact, { ...input, email: 'late@mailbox.example' }),
  ).toMatchObject({
    problem: { id: 'G409' },
    data: {
      version: version + 1,
      phone: 'XXXXXX6789',
      email: 'n***@mailbox.example',
      city: 'Pune',
      postcode: '411001',
      noContact: [],
      dnd: false,
    },
  })
  expect(
    (await floor.events()).findLast((event) => event.type === 'customer.changed')?.data,
  ).toEqual({ userId, fields: ['phone', 'email'] })
  const { rows } = await sql<{
    after: string
  }>`select l.after::text as after from operate_log l where l.action = 'editContact'`.execute(
    floor.database.kysely,
  )
  expect(JSON.stringify(rows)).not.toMatch(/6123456789|mailbox/)
})

test('a new address requires its city and PIN code, so that the shown part matches it', async () => {
  const { customerId } = await storeCustomer(floor, makeFullApplication(66))
  const input = {
    userId: customerId,
    version: 1,
    residentialAddress: '9 Lake Road, Ernakulam',
    reason: 'He moved',
  }
  expect((await by('customer_service').refused(editContact, input)).data).toEqual({
    fields: { city: 'customers:fault.placeOfAddress', postcode: 'customers:fault.placeOfAddress' },
  })
  expect(
    (await by('customer_service').refused(editContact, { ...input, city: 'Kochi' })).data,
  ).toEqual({ fields: { postcode: 'customers:fault.placeOfAddress' } })
  await by('customer_service').call(editContact, { ...input, city: 'Kochi', postcode: '682001' })
  expect(
    (await by('customer_service').call(customerDetail, { userId: customerId, sections: ['basic'] }))
      .basic,
  ).toMatchObject({ residentialAddress: 'Kochi 682001', postcode: '682001' })
})

test('no-contact times and the promotion opt-out can be set and removed', async () => {
  const of = async () =>
    by('manager').call(customerDetail, { userId: ofCase.customerId, sections: ['basic'] })
  const { version, basic } = await of()
  expect(basic).toMatchObject({ noContact: [], dnd: false })
  const input = { userId: ofCase.customerId, version, reason: 'He asked on the phone' }
  const lunch = { days: [1, 2, 3, 4, 5], from: '13:00', to: '15:00' }
  expect(
    (
      await by('customer_service').refused(editContact, {
        ...input,
        noContact: [lunch, { ...lunch, to: '13:00' }],
      })
    ).data,
  ).toEqual({ fields: { 'noContact.1.to': 'customers:fault.slotOrder' } })
  for (const wrong of [
    { ...lunch, days: [] },
    { ...lunch, days: [8] },
    { ...lunch, from: '24:00' },
  ])
    expect(
      (await by('customer_service').refused(editContact, { ...input, noContact: [wrong] })).code,
    ).toBe(400)
  expect(
    await by('customer_service').call(editContact, { ...input, noContact: [lunch], dnd: true }),
  ).toMatchObject({ fields: ['noContact', 'dnd'] })
  expect((await of()).basic).toMatchObject({ noContact: [lunch], dnd: true })
  expect(
    (await floor.events()).findLast((event) => event.type === 'customer.changed'),
  ).toMatchObject({
    data: { userId: ofCase.customerId, fields: ['noContact', 'dnd'] },
    rooms: expect.arrayContaining([`case:${ofCase.caseId}`]) as string[],
  })
  expect(
    (await by('collector').call(customerDetail, { userId: ofCase.customerId, sections: ['basic'] }))
      .basic?.noContact,
  ).toEqual([lunch])
  await by('customer_service').call(editContact, { ...input, version: version + 1, noContact: [] })
  expect((await of()).basic).toMatchObject({ noContact: [], dnd: true })
})

test('the search finds a customer by id, phone and PAN for users who may open the customer', async () => {
  const found = async (person: Person, text: string) =>
    (await person.call(searchRecords, { text })).people
  for (const text of [userId, '6123456789', '+91 61234 56789'])
    expect(await found(by('manager'), text)).toMatchObject([
      {
        userId,
        name: customer.name,
        phone: 'XXXXXX6789',
        route: `/customer_management/info?userId=${userId}`,
      },
    ])
  // the same person under another phone is found by the same PAN
  expect((await found(by('manager'), customer.pan.toLowerCase())).map(({ name }) => name)).toEqual([
    'Ravi Kumar 61',
    'Ravi Kumar 65',
  ])
  expect(await found(by('collector'), userId)).toEqual([])
  expect((await found(by('collector'), ofCase.customerId)).map((person) => person.userId)).toEqual([
    ofCase.customerId,
  ])
})
