import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PHOTO_KINDS } from '#shared/customers/customer-sections.ts'
import { revealField, REVEAL_FIELDS } from '#shared/customers/reveal-api.ts'
import { customerPhoto } from '#shared/customers/photo-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { REVIEW_MENU } from '#shared/review/review-menu.ts'
import { liveRooms } from '#shared/session/session-api.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { makeFullApplication, storeCustomer } from '#tests/factories/customers.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { expectPainted, pixelsOf, telephonePhoto } from '#tests/factories/pictures.ts'
import { dumpText } from '#tests/support/dump.ts'
import { makeUnit } from '#tests/factories/units.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { CUSTOMERS_AUDIENCE } from './customers-audience.ts'
import { customersRoutes } from './customers-routes.ts'
import { customerSections } from './public.ts'

let floor: Floor
const people: Record<string, Person> = {}
const SENT = await telephonePhoto()
const application = makeFullApplication(41, {
  photos: (['pan', 'aadhaarFront'] as const).map((kind) => ({
    kind,
    mime: 'image/jpeg',
    base64: SENT.toString('base64'),
  })),
})
const { customer } = application
let customerId: string
let contactId: string
let orderId: string
let recordId: string
const REASON = 'Customer asked to be called back'

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...REVIEW_MENU],
      audiences: [CUSTOMERS_AUDIENCE],
      routes: (base) => customersRoutes(base, context),
    }),
  })
  for (const account of [
    'manager',
    'manager2',
    'reviewer',
    'reviewer2',
    'customer_service',
    'quality_inspector',
    'director',
    'collector',
  ])
    people[account] = await floor.signIn(account)
  customerId = (await storeCustomer(floor, application)).customerId
  contactId = `${customerId}-1`
  const order = await makeOrder(floor, { customerId, status: 22 })
  orderId = order.orderId
  recordId = 'RR-upi'
  await sql`
    insert into repay_record (id, order_id, told_order_id, customer_id, repayment_type, amount, upi_enc,
      upi_masked, channel, source, paid_at, operator_name)
    values (${recordId}, ${orderId}, ${orderId}, ${customerId}, 'partial', 1000,
      ${floor.context.secrets.seal('repay_record.upi_enc', recordId, 'ravi41@okbank')}, 'ra***@okbank', 1,
      'callback', clock_timestamp(), 'Channel')`.execute(floor.database.kysely)
  await sql`
    insert into review (order_id, customer_id, customer_name, amount, state, queued_at)
      values (${orderId}, ${customerId}, ${customer.name}, 1000000, 'unclaimed', clock_timestamp())`.execute(
    floor.database.kysely,
  )
})
afterAll(() => floor.close())

function by(account: string): Person {
  const person = people[account]
  if (!person) throw new TypeError(`${account} is not signed in`)
  return person
}
function actorOf(
  roleMark: string,
  scope: StaffActor['rights']['scope'],
  codes: string[] = [],
): StaffActor {
  return {
    userId: by('reviewer').userId,
    userName: roleMark,
    sessionId: 'S',
    ip: null,
    agent: null,
    clientId: null,
    requestId: null,
    rights: {
      roleMark,
      permissions: new Set(codes),
      scope,
      agencyId: null,
      isOutside: false,
      departmentId: null,
      groupId: null,
    },
  }
}

const VALUES: Record<(typeof REVEAL_FIELDS)[number], string> = {
  phone: customer.phone,
  pan: customer.pan,
  account: application.bankCard.account,
  upi: 'ravi41@okbank',
  email: customer.email as string,
  address: customer.address,
  contactPhone: application.contacts[0]?.phone as string,
}

for (const field of REVEAL_FIELDS) {
  const input = () => ({
    userId: customerId,
    field,
    reason: REASON,
    ...(field === 'contactPhone' ? { contactId } : field === 'upi' ? { recordId } : {}),
  })
  const isForService = field === 'phone' || field === 'email'
  test(`manager and reviewer may open ${field}; customer service ${isForService ? 'too' : 'not'}`, async () => {
    for (const account of ['manager', 'reviewer'])
      expect(await by(account).call(revealField, input())).toEqual({
        value: VALUES[field],
        shownSeconds: 60,
      })
    if (isForService)
      expect((await by('customer_service').call(revealField, input())).value).toBe(VALUES[field])
    else
      expect((await by('customer_service').refused(revealField, input())).problem?.id).toBe('G403')
  })
}

test('a UPI address is revealed only by a payment of that customer', async () => {
  expect(
    await by('manager').refused(revealField, { userId: customerId, field: 'upi', reason: REASON }),
  ).toMatchObject({ code: 400, data: { fields: { recordId: 'required' } } })
  const { customerId: other } = await storeCustomer(floor, makeFullApplication(42))
  expect(
    (
      await by('manager').refused(revealField, {
        userId: other,
        field: 'upi',
        recordId,
        reason: REASON,
      })
    ).problem?.id,
  ).toBe('G404')
})

test('roles without the button cannot reveal anything', async () => {
  for (const account of ['quality_inspector', 'director', 'collector'])
    expect(
      (
        await by(account).refused(revealField, {
          userId: customerId,
          field: 'phone',
          reason: REASON,
        })
      ).problem?.id,
    ).toBe('G403')
})

test('staff of an agency cannot reveal anything, whatever their role', async () => {
  const { agencyId } = await makeUnit(floor, { inHouse: false })
  await sql`update sys_user set agency_id = ${agencyId} where account = 'manager2'`.execute(
    floor.database.kysely,
  )
  floor.context.forgetSessions(null)
  expect(
    (
      await by('manager2').refused(revealField, {
        userId: customerId,
        field: 'phone',
        reason: REASON,
      })
    ).problem?.id,
  ).toBe('G403')
  await sql`update sys_user set agency_id = null where account = 'manager2'`.execute(
    floor.database.kysely,
  )
  floor.context.forgetSessions(null)
})

test('a missing customer and one outside the scope get the same answer', async () => {
  const other = await storeCustomer(floor, makeFullApplication(42))
  const missing = await by('reviewer').refused(revealField, {
    userId: 'C1',
    field: 'phone',
    reason: REASON,
  })
  expect(
    await by('reviewer').refused(revealField, {
      userId: other.customerId,
      field: 'phone',
      reason: REASON,
    }),
  ).toEqual(missing)
  expect(missing.problem?.id).toBe('G404')
})

test('a contact must be named and belong to the customer', async () => {
  const other = await storeCustomer(floor, makeFullApplication(43))
  expect(
    await by('manager').refused(revealField, {
      userId: customerId,
      field: 'contactPhone',
      reason: REASON,
    }),
  ).toMatchObject({ code: 400, data: { fields: { contactId: 'required' } } })
  expect(
    (
      await by('manager').refused(revealField, {
        userId: customerId,
        field: 'contactPhone',
        contactId: `${other.customerId}-1`,
        reason: REASON,
      })
    ).problem?.id,
  ).toBe('G404')
})

test('a reveal is logged with field and reason, and its value is never stored', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const input = { userId: customerId, field: 'account' as const, reason: REASON }
  expect((await by('manager').call(revealField, input, headers)).value).toBe(VALUES.account)
  // the key does not make the second call a repeat: the value is revealed and logged again
  expect((await by('manager').call(revealField, input, headers)).value).toBe(VALUES.account)
  const { rows } = await sql<{
    after: unknown
    target_id: string
  }>`
    select l.after, l.target_id
    from operate_log l
    where l.action = 'reveal' and l.result = 'ok'
      and l.after ->> 'field' = 'account' and l.user_id = ${by('manager').userId}
    order by l.id desc limit 2`.execute(floor.database.kysely)
  expect(rows).toEqual(
    [1, 2].map(() => ({ after: { field: 'account', reason: REASON }, target_id: customerId })),
  )
  const dump = await dumpText(floor.database)
  for (const value of Object.values(VALUES)) expect(dump).not.toContain(value)
})

test('thirty reveals per hour are the limit, also for concurrent calls, and managers are notified', async () => {
  const input = { userId: customerId, field: 'phone' as const, reason: REASON }
  const answers = await Promise.all(
    Array.from({ length: 34 }, () => by('manager2').send(revealField, input)),
  )
  const codes = answers.map((answer) => answer.statusCode)
  expect(codes.filter((code) => code === 200)).toHaveLength(30)
  expect(codes.filter((code) => code === 429)).toHaveLength(4)
  const refused = answers
    .find((answer) => answer.statusCode === 429)
    ?.json<{ problem: { id: string; params: { s: number } } }>()
  expect(refused?.problem.id).toBe('G-RATE')
  expect(refused?.problem.params.s).toBeGreaterThan(3_000)
  const { rows } = await sql<{
    user_id: string
  }>`select n.user_id from notification n where n.title_key = 'customers:notification.revealLimit'`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ user_id: by('manager').userId }])
  // the limit is per person
  expect((await by('reviewer').call(revealField, input)).value).toBe(customer.phone)
})

test('a photo is watermarked for its viewer, and each view is logged', async () => {
  const { rows } = await sql<{
    id: string
    kind: string
  }>`select p.id, p.kind from customer_photo p where p.customer_id = ${customerId} order by p.kind`.execute(
    floor.database.kysely,
  )
  for (const { id, kind } of rows) {
    const answer = await by('reviewer').send(customerPhoto, { photoId: id })
    expectPainted(answer, SENT)
    // another viewer gets a watermark with another name
    expect(
      (await by('manager2').send(customerPhoto, { photoId: id })).rawPayload.equals(
        answer.rawPayload,
      ),
    ).toBe(false)
    // the number's white line is covered on Aadhaar and visible on a PAN card
    const { at } = await pixelsOf(answer.rawPayload)
    const white = Array.from({ length: 60 }, (_, i) => at(300 + i * 10, 640)).filter(
      ([red]) => red > 0xf0,
    ).length
    expect(kind === 'aadhaarFront' ? white === 0 : white > 30, kind).toBe(true)
  }
  const logged = await sql<{
    kind: string
  }>`
    select l.after ->> 'kind' as kind
    from operate_log l
    where l.action = 'photo' and l.result = 'ok' and l.user_id = ${by('reviewer').userId}
    order by 1`.execute(floor.database.kysely)
  expect(logged.rows.map(({ kind }) => kind)).toEqual(rows.map(({ kind }) => kind))
})

test('a photo is hidden from a reviewer outside the review and from roles without photos', async () => {
  const other = await storeCustomer(floor, makeFullApplication(44))
  const { rows } = await sql<{
    id: string
  }>`select p.id from customer_photo p where p.customer_id = ${other.customerId} limit 1`.execute(
    floor.database.kysely,
  )
  const photoId = rows[0]?.id as string
  expect((await by('reviewer').refused(customerPhoto, { photoId })).problem?.id).toBe('G404')
  expect((await by('customer_service').refused(customerPhoto, { photoId })).problem?.id).toBe(
    'G403',
  )
  expect((await by('manager').send(customerPhoto, { photoId })).headers['content-type']).toBe(
    'image/jpeg',
  )
})

test('sections contain masked values only', async () => {
  const sections = await customerSections(
    floor.database.kysely,
    actorOf('reviewer', 'queue', ['review_list:view']),
    customerId,
  )
  expect(sections).toMatchObject({
    userId: customerId,
    basic: {
      name: customer.name,
      phone: `XXXXXX${customer.phone.slice(-4)}`,
      residentialAddress: 'Pune 411001',
      email: 'r***@mailbox.example',
      postcode: '411001',
      channel: 'Organic',
      birthday: '1994-05-17',
    },
    kyc: {
      aadhaar: `XXXX XXXX ${customer.aadhaar.slice(-4)}`,
      pan: `AB******${customer.pan.slice(-2)}`,
      facePan: 9_100,
      extracted: {
        panNumber: 'AB******4F',
        aadhaarNumber: 'XXXX XXXX 1234',
        aadhaarAddress: 'Pune 411001',
      },
    },
    bankCard: { account: `XXXXXX${application.bankCard.account.slice(-4)}` },
    device: { brand: 'Samsung' },
    orders: [{ orderId, status: 22 }],
  })
  expect(sections.contact?.map(({ phone }) => phone)).toEqual(
    application.contacts.map(({ phone }) => `XXXXXX${phone.slice(-4)}`),
  )
  expect(sections.photos?.map(({ kind }) => kind)).toEqual(
    [...PHOTO_KINDS].filter((kind) => kind === 'pan' || kind === 'aadhaarFront').toSorted(),
  )
  const text = JSON.stringify(sections)
  for (const value of [...Object.values(VALUES), customer.aadhaar])
    expect(text).not.toContain(value)
})

test('a user without cases or tasks sees no customer', async () => {
  for (const scope of ['agency', 'department', 'group', 'own'] as const)
    await expect(
      customerSections(floor.database.kysely, actorOf('collector', scope), customerId),
    ).rejects.toMatchObject({ id: 'G404' })
})

test("only users who may see a customer get the customer's events", async () => {
  const other = await storeCustomer(floor, makeFullApplication(45))
  const watch = `customer:${customerId},customer:${other.customerId}`
  expect((await by('manager').call(liveRooms, { watch })).refused).toEqual([])
  const reviewer = await by('reviewer').call(liveRooms, { watch })
  expect(reviewer.rooms).toContain(`customer:${customerId}`)
  expect(reviewer.refused).toEqual([`customer:${other.customerId}`])
})
