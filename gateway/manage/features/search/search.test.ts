import { afterAll, beforeAll, expect, test } from 'vitest'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { listPlans } from '#shared/repayments/repayments-api.ts'
import { searchRecords } from '#shared/search/search-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let review: Awaited<ReturnType<typeof makeReview>>
let own: Awaited<ReturnType<typeof makeCase>>
let others: Awaited<ReturnType<typeof makeCase>>
const PHONE = '9876501234'
beforeAll(async () => {
  floor = await testManage()
  const unit = await makeUnit(floor, { weight: 100 })
  const { userId } = await makeCollector(floor, unit, { account: 'collector' })
  review = await makeReview(floor, { phone: PHONE })
  own = await makeCase(floor, { collectorId: userId, overdueDays: 4 })
  others = await makeCase(floor, { overdueDays: 4 })
})
afterAll(() => floor.close())

const find = async (person: Person, text: string) =>
  (await person.call(searchRecords, { text })).rows.map(({ kind, id }) => `${kind} ${id}`)

test('an id, the beginning of an id and bare digits find the record', async () => {
  const manager = await floor.signIn('manager')
  expect((await manager.call(searchRecords, { text: review.orderId })).rows).toMatchObject([
    {
      kind: 'order',
      id: review.orderId,
      route: `/detail?orderId=${review.orderId}&from=order_list`,
    },
  ])
  expect(await find(manager, own.caseId.slice(0, -1).toLowerCase())).toEqual(
    expect.arrayContaining([`case ${own.caseId}`, `case ${others.caseId}`]),
  )
  expect(await find(manager, review.orderId.slice(1))).toContain(`order ${review.orderId}`)
})

test("a phone finds the customer's records by the complete number only", async () => {
  const manager = await floor.signIn('manager')
  expect(await find(manager, PHONE)).toEqual(
    expect.arrayContaining([`order ${review.orderId}`, `review ${review.reviewId}`]),
  )
  expect(await find(manager, PHONE.slice(0, 9))).toEqual([])
})

test('an instalment is found by its id, a payment by its id or its UTR, also a failed one', async () => {
  const manager = await floor.signIn('manager')
  const planId = (await manager.call(listPlans, { orderId: own.orderId })).rows[0]?.planId as string
  expect((await manager.call(searchRecords, { text: planId })).rows).toMatchObject([
    { kind: 'plan', id: planId, route: `/detail1?planId=${planId}&from=repay_plan` },
  ])
  const channel = await machineOf(floor, ['payment'])
  const { recordId } = await channel.call(inboundPayment, {
    vendorOrderNo: 'S1',
    orderId: own.orderId,
    amount: 5_000,
    channel: 1,
    result: 'fail',
    utr: '777700001111',
  })
  for (const text of [recordId, '7777 0000 1111'])
    expect((await manager.call(searchRecords, { text })).rows).toMatchObject([
      {
        kind: 'record',
        id: recordId,
        route: `/order_management/repay_record?recordId=${recordId}`,
      },
    ])
  expect(await find(await floor.signIn('collector'), '777700001111')).toEqual([])
})

test("records outside the caller's scope or menus are not found", async () => {
  const collector = await floor.signIn('collector')
  expect(await find(collector, own.caseId)).toEqual([`case ${own.caseId}`])
  expect(await find(collector, others.caseId)).toEqual([])
  expect(await find(collector, own.orderId)).toEqual([])
  expect(await find(await floor.signIn('salesman'), review.orderId)).toEqual([])
})

test('a caller is found by phone, order number, id and the beginning of the name, masked', async () => {
  const manager = await floor.signIn('manager')
  const { people } = await manager.call(searchRecords, { text: '+91 98765 01234' })
  expect(people).toMatchObject([
    { phone: 'XXXXXX1234', openOrder: { orderId: review.orderId }, openTickets: 0 },
  ])
  const person = people[0] as (typeof people)[number]
  for (const text of [review.orderId, person.userId, person.name.toUpperCase()])
    expect(
      (await manager.call(searchRecords, { text })).people.map(({ userId }) => userId),
    ).toContain(person.userId)
  expect(JSON.stringify(people)).not.toContain(PHONE)
})

test('people outside the scope are not found by any term', async () => {
  const collector = await floor.signIn('collector')
  const peopleOf = async (text: string) => (await collector.call(searchRecords, { text })).people
  expect(await peopleOf(PHONE)).toEqual([])
  expect(await peopleOf(others.customerId)).toEqual([])
  expect(await peopleOf(others.orderId)).toEqual([])
  expect((await peopleOf(own.orderId)).map(({ userId }) => userId)).toEqual([own.customerId])
})

test('staff are found by name and account by users who see their list', async () => {
  expect(await find(await floor.signIn('administrator'), 'revie')).toContain('staff reviewer')
  expect(await find(await floor.signIn('reviewer'), 'collec')).toEqual([])
})

test('a search without a result says why', async () => {
  const why = async (person: Person, text: string) =>
    (await person.call(searchRecords, { text })).why
  const manager = await floor.signIn('manager')
  expect(await why(manager, PHONE)).toBeNull()
  expect(await why(manager, PHONE.slice(0, 9))).toBe('partNumber')
  expect(await why(manager, "a' or 1=1 --")).toBe('none')
  expect(await why(await floor.signIn('salesman'), review.reviewId)).toBe('noRight')
  // people were looked for, though a collector sees no list of staff
  expect(await why(await floor.signIn('collector'), 'Nobody Hasthisname')).toBe('none')
})
