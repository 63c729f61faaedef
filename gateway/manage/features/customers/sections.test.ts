import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listRoles, saveRole } from '#shared/access/roles-api.ts'
import { addUser } from '#shared/access/users-api.ts'
import { customerDetail } from '#shared/customers/customer-detail-api.ts'
import { REVEAL_FIELDS, revealField } from '#shared/customers/reveal-api.ts'
import { customerPhoto } from '#shared/customers/photo-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { reviewDetail } from '#shared/review/review-api.ts'
import { changePassword } from '#shared/session/account-api.ts'
import { ROLES } from '#shared/session/roles.ts'
import { rightsOf } from '#gateway/manage/features/session/rights-of.ts'
import { makeFullApplication, storeCustomer } from '#tests/factories/customers.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeUnit } from '#tests/factories/units.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { GUARDED_SECTIONS, sectionsOf } from './customer-scope.ts'

const FIRST = 'Teal#Otter91'
const SECOND = 'Copper?Kite58'

let floor: Floor
let administrator: Person
let customerId: string
let reviewId: string
let photoId: string
const roles = new Map<string, string>()

beforeAll(async () => {
  floor = await testManage()
  administrator = await floor.signIn('administrator')
  customerId = (await storeCustomer(floor, makeFullApplication(71))).customerId
  reviewId = (await makeReview(floor, { customerId })).reviewId
  const { rows } = await sql<{
    id: string
  }>`select p.id from customer_photo p where p.customer_id = ${customerId} limit 1`.execute(
    floor.database.kysely,
  )
  photoId = rows[0]?.id as string
  for (const role of (await administrator.call(listRoles, { pageSize: 200 })).rows)
    roles.set(role.uniqueMark, role.roleId)
})
afterAll(() => floor.close())

let made = 0
/** The UPI address of a payment also needs the payment's record id. */
const OF_CUSTOMER = REVEAL_FIELDS.filter((field) => field !== 'upi')

/** An account created as on the user screen, signed in with a password of its own. */
async function addedTo(
  unit: { agencyId: string; departmentId: string; groupId: string },
  roleId: string,
): Promise<Person> {
  made += 1
  const account = `section.${made}`
  await administrator.call(addUser, {
    account,
    password: FIRST,
    nickname: account,
    roleId,
    language: 'en',
    status: 'enabled',
    allocationFlag: true,
    ...unit,
  })
  await (
    await floor.signIn(account, FIRST)
  ).call(changePassword, {
    username: account,
    oldPwd: FIRST,
    newPwd: SECOND,
    confirmNewPwd: SECOND,
  })
  return floor.signIn(account, SECOND)
}
const role = (mark: string) => roles.get(mark) as string
async function madeRole(
  given: Pick<InputOf<typeof saveRole>, 'dataScope' | 'buttons' | 'menuIds'>,
): Promise<string> {
  made += 1
  return (
    await administrator.call(saveRole, {
      name: `Made ${made}`,
      uniqueMark: `made_${'abcdefghijklmnopqrstuvwxyz'[made]}`,
      status: 'enabled',
      ...given,
    })
  ).roleId as string
}
async function guarded(person: Person): Promise<string[]> {
  const { granted } = await person.call(customerDetail, {
    userId: customerId,
    sections: ['orders'],
  })
  return GUARDED_SECTIONS.filter((section) => granted.includes(section))
}
async function opened(person: Person): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select k.id from customer_contact k where k.customer_id = ${customerId} limit 1`.execute(
    floor.database.kysely,
  )
  const all = await Promise.all(
    OF_CUSTOMER.map(async (field) => ({
      field,
      answer: await person.send(revealField, {
        userId: customerId,
        field,
        reason: 'Asked to be called back',
        ...(field === 'contactPhone' ? { contactId: rows[0]?.id } : {}),
      }),
    })),
  )
  return all.filter(({ answer }) => answer.json().code === 200).map(({ field }) => field)
}

test("a reviewer of the lender's own department sees all sections and can reveal values", async () => {
  const reviewer = await addedTo(await makeUnit(floor, { inHouse: true }), role('reviewer'))
  const { customer } = await reviewer.call(reviewDetail, { reviewId })
  expect(customer.contact).not.toBeNull()
  expect(customer.kyc).not.toBeNull()
  expect(customer.photos).not.toBeNull()
  expect(await guarded(reviewer)).toEqual([...GUARDED_SECTIONS])
  expect((await reviewer.send(customerPhoto, { photoId })).headers['content-type']).toBe(
    'image/jpeg',
  )
  expect(await opened(reviewer)).toEqual([...OF_CUSTOMER])
})

test('the same reviewer in an outside agency sees and reveals none of it', async () => {
  const reviewer = await addedTo(await makeUnit(floor, { inHouse: false }), role('reviewer'))
  const { customer } = await reviewer.call(reviewDetail, { reviewId })
  expect(customer).toMatchObject({
    contact: null,
    kyc: null,
    photos: null,
    credit: null,
    bankCard: null,
  })
  expect(await guarded(reviewer)).toEqual([])
  expect((await reviewer.refused(customerPhoto, { photoId })).problem?.id).toBe('G404')
  expect(await opened(reviewer)).toEqual([])
})

test("when an agency becomes the lender's own department, its staff see the sections at the next request", async () => {
  const unit = await makeUnit(floor, { inHouse: false })
  const manager = await addedTo(unit, role('manager'))
  expect(await guarded(manager)).toEqual(['bankCard'])
  await sql`update agency set in_house = true where id = ${unit.agencyId}`.execute(
    floor.database.kysely,
  )
  floor.context.forgetSessions(null)
  expect(await guarded(manager)).toEqual([...GUARDED_SECTIONS])
})

const SEEN: Record<string, readonly string[]> = {
  administrator: GUARDED_SECTIONS,
  director: GUARDED_SECTIONS,
  manager: GUARDED_SECTIONS,
  reviewer: GUARDED_SECTIONS,
  quality_inspector: GUARDED_SECTIONS,
  customer_service: GUARDED_SECTIONS.filter((section) => section !== 'contact'),
  collection_specialist: ['bankCard'],
  collector: ['bankCard'],
  team_leader: ['bankCard'],
  internal_supervisor: ['bankCard'],
  external_supervisor: ['bankCard'],
  // the telemarketing lists grant their customers and the credit
  group_leader: ['credit'],
  salesman: ['credit'],
  tele_uncertified: ['credit'],
  tele_unborrowed: ['credit'],
  tele_unreborrowed: ['credit'],
  tele_loanfailed: ['credit'],
}
test.each(ROLES.map(({ mark }) => mark))('the built-in role %s sees its sections', async (mark) => {
  const { rows } = await sql<{
    id: string
  }>`select u.id from sys_user u where u.account = ${mark}`.execute(floor.database.kysely)
  const found = await rightsOf(floor.database.kysely, rows[0]?.id as string)
  const sections = sectionsOf({
    userId: 'U',
    userName: mark,
    sessionId: 'S',
    ip: null,
    agent: null,
    clientId: null,
    requestId: null,
    rights: (found as NonNullable<typeof found>).rights,
  })
  expect([...sections].toSorted()).toEqual([...(SEEN[mark] ?? ['unknown role'])].toSorted())
})

test.each([
  ['can only open customer pages', 'all', { info: [] }, [], []],
  ['can correct customer data', 'all', { info: ['edit'] }, [], []],
  [
    'can reveal values on the customer page',
    'all',
    { info: ['reveal'] },
    ['kyc', 'bankCard', 'photos', 'credit', 'device'],
    ['phone', 'email'],
  ],
  ['can open original photos', 'all', { info: ['photo'] }, ['photos'], []],
  [
    'can reveal on the loan list',
    'all',
    { info: [], loan_list: ['reveal'] },
    [],
    ['phone', 'account', 'email'],
  ],
  ['can read the review queue', 'all', { info: [], review_list: [] }, GUARDED_SECTIONS, []],
  [
    'can review',
    'queue',
    { info: [], review_list: ['claim', 'decide', 'reveal'] },
    GUARDED_SECTIONS,
    OF_CUSTOMER,
  ],
  ['can read the case list', 'all', { info: [], pedding_list: [] }, ['bankCard'], []],
] as const)(
  'a custom role that %s sees the sections of its codes',
  async (_, dataScope, buttons, sections, fields) => {
    const roleId = await madeRole({
      dataScope,
      menuIds: Object.keys(buttons).map((menu) => `M_${menu}`),
      buttons: Object.fromEntries(
        Object.entries(buttons).map(([menu, codes]) => [menu, [...codes]]),
      ),
    })
    const person = await addedTo(await makeUnit(floor, { inHouse: true }), roleId)
    expect(await guarded(person)).toEqual([...sections])
    expect((await opened(person)).toSorted()).toEqual([...fields].toSorted())
  },
)
