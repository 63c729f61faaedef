import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { teleReview } from '#shared/review/review-api.ts'
import { istClock } from '#shared/kernel/time.ts'
import { TELE_WINDOW } from '#shared/review/tele-lifecycle.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { makeReview, reviewFloor, type ReviewGiven } from '#tests/factories/reviews.ts'

let floor: Floor
let rev: Person

beforeAll(async () => {
  floor = await reviewFloor()
  rev = await floor.signIn('reviewer')
})
afterAll(() => floor.close())

async function under(given: ReviewGiven = {}): Promise<string> {
  return (await makeReview(floor, { state: 'underReview', reviewerId: rev.userId, ...given }))
    .reviewId
}

test('a call is dialled, then recorded as answered with its answers', async () => {
  const reviewId = await under()
  const before = (await floor.events()).at(-1)?.seq ?? 0
  expect(
    await rev.call(teleReview, {
      reviewId,
      token: 1,
      callState: 'executing',
      borrowerAgreed: true,
    }),
  ).toMatchObject({ teleCallState: 'executing', version: 2 })
  expect(
    await rev.refused(teleReview, { reviewId, token: 1, callState: 'connected' }),
  ).toMatchObject({ code: 400, data: { fields: { answers: 'required' } } })
  expect(
    await rev.call(teleReview, {
      reviewId,
      token: 1,
      callState: 'connected',
      answers: { birthday: 'right' },
    }),
  ).toMatchObject({ teleCallState: 'connected' })
  expect(
    (await floor.events(before)).map((event) => [event.type, event.rooms, event.data.callState]),
  ).toEqual([
    ['review.tele.changed', [`review:${reviewId}`], 'executing'],
    ['review.tele.changed', [`review:${reviewId}`], 'connected'],
  ])
  expect(
    await rev.refused(teleReview, {
      reviewId,
      token: 1,
      callState: 'executing',
      borrowerAgreed: true,
    }),
  ).toMatchObject({
    code: 409,
    problem: { id: 'V-STATE', params: { state: 'connected' } },
    data: { event: 'DIAL', allowed: [] },
  })
})

test('an unreached customer is dialled at most three times a day', async () => {
  const reviewId = await under()
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await rev.call(teleReview, { reviewId, token: 1, callState: 'executing', borrowerAgreed: true })
    expect(
      await rev.refused(teleReview, { reviewId, token: 1, callState: 'notConnected' }),
    ).toMatchObject({ code: 400, data: { fields: { contactResult: 'required' } } })
    await rev.call(teleReview, { reviewId, token: 1, callState: 'notConnected', contactResult: 3 })
  }
  expect(
    await rev.refused(teleReview, {
      reviewId,
      token: 1,
      callState: 'executing',
      borrowerAgreed: true,
    }),
  ).toMatchObject({ problem: { id: 'V-STATE', params: { state: 'notConnected' } } })
  await sql`update review set tele_day = tele_day - 1 where id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  expect(
    await rev.call(teleReview, {
      reviewId,
      token: 1,
      callState: 'executing',
      borrowerAgreed: true,
    }),
  ).toMatchObject({ teleCallState: 'executing' })
})

test('outside the hours only an agreed time can be dialled, and the parameter narrows the hours', async () => {
  const inside = istClock(new Date()) >= TELE_WINDOW.from && istClock(new Date()) < TELE_WINDOW.to
  const reviewId = await under()
  if (inside)
    await sql`update sys_config set value = '21:00' where code = 'marketing.callFrom'`.execute(
      floor.database.kysely,
    )
  const refusal = await rev.refused(teleReview, { reviewId, token: 1, callState: 'executing' })
  expect(refusal).toMatchObject({
    code: 400,
    problem: { id: 'C-WIN', params: { from: inside ? '21:00' : '10:00', to: '21:00' } },
  })
  expect(
    await rev.call(teleReview, {
      reviewId,
      token: 1,
      callState: 'executing',
      borrowerAgreed: true,
    }),
  ).toMatchObject({ teleCallState: 'executing' })
  await sql`update sys_config set value = '10:00' where code = 'marketing.callFrom'`.execute(
    floor.database.kysely,
  )
})

test('only the holder of a review under review can call', async () => {
  const waiting = (await makeReview(floor, { state: 'toAudit', reviewerId: rev.userId })).reviewId
  expect(
    await rev.refused(teleReview, {
      reviewId: waiting,
      token: 1,
      callState: 'executing',
      borrowerAgreed: true,
    }),
  ).toMatchObject({ problem: { id: 'V-STATE', params: { state: 'toAudit' } } })
  const reviewId = await under()
  expect(
    await rev.refused(teleReview, {
      reviewId,
      token: 0,
      callState: 'executing',
      borrowerAgreed: true,
    }),
  ).toMatchObject({ problem: { id: 'V-LEASE' } })
  expect(
    await rev.refused(teleReview, {
      reviewId,
      token: 1,
      callState: 'connected',
      answers: { name: 'right' },
    }),
  ).toMatchObject({ problem: { id: 'V-STATE', params: { state: 'notExecuted' } } })
})
