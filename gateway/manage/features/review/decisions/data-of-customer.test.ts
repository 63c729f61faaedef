import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inboundResubmit } from '#shared/orders/inbound-api.ts'
import { askCustomer, reviewDetail } from '#shared/review/review-api.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { makeReview, reviewFloor } from '#tests/factories/reviews.ts'
import { dataTimeout } from '../data-timeout-job.ts'

let floor: Floor
let rev: Person
let app: Machine

beforeAll(async () => {
  floor = await reviewFloor()
  rev = await floor.signIn('reviewer')
  app = await machineOf(floor, ['application'])
})
afterAll(() => floor.close())

async function asked() {
  const made = await makeReview(floor, {
    state: 'underReview',
    reviewerId: rev.userId,
    bindState: 'notBound',
  })
  const row = await rev.call(askCustomer, {
    reviewId: made.reviewId,
    version: 1,
    token: 1,
    items: ['panPhoto', 'bankCard'],
    message: 'Please photograph the whole card',
  })
  return { ...made, row }
}

test('requesting data ends the claim and names the requested parts', async () => {
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const { reviewId, row } = await asked()
  expect(row).toMatchObject({
    state: 'dataModifiable',
    reviewerId: rev.userId,
    token: 2,
    leaseUntil: null,
  })
  expect(
    (await floor.events(before))
      .filter((event) => event.type.startsWith('review'))
      .map((event) => [event.type, event.data.cause ?? event.data.to]),
  ).toEqual([
    ['review.state.changed', 'dataModifiable'],
    ['review.released', 'dataRequested'],
  ])
  const { review } = await rev.call(reviewDetail, { reviewId })
  expect(review).toMatchObject({
    dataItems: ['panPhoto', 'bankCard'],
    dataMessage: 'Please photograph the whole card',
    dataUntil: expect.any(String),
  })
  expect(
    await rev.refused(askCustomer, {
      reviewId,
      version: 2,
      token: 1,
      items: ['address'],
      message: 'And the address',
    }),
  ).toMatchObject({ problem: { id: 'V-LEASE' } })
  expect(
    await rev.refused(askCustomer, {
      reviewId,
      version: 2,
      token: 2,
      items: ['address'],
      message: 'And the address',
    }),
  ).toMatchObject({ problem: { id: 'V-STATE' } })
})

test('submitted data returns the review to its reviewer with a new claim', async () => {
  const { reviewId, customerId } = await asked()
  const bankCard = {
    holder: 'Asha Verma',
    bankName: 'SBI',
    account: '123456789012',
    ifsc: 'SBIN0001234',
    bound: true,
    nameSimilarity: 9_100,
  }
  expect(
    await app.call(inboundResubmit, { reviewId, bankCard, address: '12 MG Road, Pune 411002' }),
  ).toEqual({ reviewId, state: 'toAudit' })
  const { review } = await rev.call(reviewDetail, { reviewId })
  expect(review).toMatchObject({
    state: 'toAudit',
    reviewerId: rev.userId,
    token: 3,
    bindState: 'bound',
    nameSimilarity: 9_100,
    leaseUntil: expect.any(String),
  })
  const { rows } = await sql<{
    account_last4: string
  }>`select b.account_last4 from bank_card b where b.customer_id = ${customerId} and b.active`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ account_last4: '9012' }])
  expect(
    await app.refused(inboundResubmit, { reviewId, address: '12 MG Road, Pune 411002' }),
  ).toMatchObject({ problem: { id: 'V-STATE', params: { state: 'toAudit' } } })
  expect(
    await app.refused(inboundResubmit, { reviewId: 'R404', address: '12 MG Road' }),
  ).toMatchObject({ problem: { id: 'G404' } })
})

test('if the reviewer is unavailable, the review returns to the queue at once', async () => {
  const { reviewId } = await asked()
  await sql`update sys_user set allocation_flag = false where id = ${rev.userId}`.execute(
    floor.database.kysely,
  )
  expect(await app.call(inboundResubmit, { reviewId, address: '12 MG Road, Pune 411002' })).toEqual(
    { reviewId, state: 'unclaimed' },
  )
  const { rows } = await sql<{
    event: string
    token: number
  }>`select l.event, l.token from review_log l where l.review_id = ${reviewId} order by l.id desc limit 2`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([
    { event: 'LEASE_EXPIRED', token: 4 },
    { event: 'DATA_SUBMITTED', token: 3 },
  ])
  await sql`update sys_user set allocation_flag = true where id = ${rev.userId}`.execute(
    floor.database.kysely,
  )
})

test('if the data never arrives, the review fails with Z01 and its order is refused', async () => {
  const { reviewId, orderId } = await asked()
  expect(await dataTimeout.run(floor.context)).toEqual({ ended: 0 })
  await sql`
    update review set data_until = clock_timestamp() - interval '1 second' where id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  expect(await dataTimeout.run(floor.context)).toEqual({ ended: 1 })
  const { rows } = await sql<{
    state: string
    reject_code: string
    status: number
  }>`
    select r.state, r.reject_code, o.status
    from review r join loan_order o on o.id = r.order_id
    where o.id = ${orderId}`.execute(floor.database.kysely)
  expect(rows).toEqual([{ state: 'failed', reject_code: 'Z01', status: 27 }])
})
