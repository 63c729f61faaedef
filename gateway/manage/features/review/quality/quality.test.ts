import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  appealQuality,
  checkQuality,
  decideAppeal,
  openQualityCheck,
} from '#shared/review/review-quality-api.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { makeReview, reviewFloor, type ReviewGiven } from '#tests/factories/reviews.ts'

let floor: Floor
let rev: Person
let rev2: Person
let inspector: Person
let manager: Person
let admin: Person

beforeAll(async () => {
  floor = await reviewFloor()
  ;[rev, rev2, inspector, manager, admin] = await Promise.all([
    floor.signIn('reviewer'),
    floor.signIn('reviewer2'),
    floor.signIn('quality_inspector'),
    floor.signIn('manager'),
    floor.signIn('administrator'),
  ])
})
afterAll(() => floor.close())

async function decided(given: ReviewGiven = {}): Promise<string> {
  return (await makeReview(floor, { state: 'failed', reviewerId: rev.userId, ...given })).reviewId
}
async function opened(given: ReviewGiven = {}): Promise<string> {
  const reviewId = await decided(given)
  await inspector.call(openQualityCheck, { reviewId, version: 1 })
  return reviewId
}
async function failed(by = inspector): Promise<string> {
  const reviewId = await opened()
  await by.call(checkQuality, { reviewId, version: 2, result: 'fail', qualityCode: 'A001' })
  return reviewId
}
async function appealed(by = inspector): Promise<string> {
  const reviewId = await failed(by)
  await rev.call(appealQuality, { reviewId, version: 3, reason: 'The photo was unreadable' })
  return reviewId
}

test("an inspector opens a decided review and passes it, and the order's decision stands", async () => {
  const reviewId = await decided()
  const before = (await floor.events()).at(-1)?.seq ?? 0
  expect(await inspector.call(openQualityCheck, { reviewId, version: 1 })).toMatchObject({
    quality: 'checked',
    state: 'failed',
    version: 2,
  })
  expect(
    await inspector.call(checkQuality, {
      reviewId,
      version: 2,
      result: 'pass',
      qualityCode: 'A101',
    }),
  ).toMatchObject({
    quality: 'pass',
    qualityCode: 'A101',
    qualityClass: null,
    state: 'failed',
    manualResult: 'failed',
  })
  const emitted = (await floor.events(before)).filter(
    (event) => event.type === 'review.quality.changed',
  )
  expect(emitted.map((event) => [event.data.quality, event.rooms])).toEqual([
    ['checked', ['queue:review', `review:${reviewId}`, `user:${rev.userId}`]],
    ['pass', ['queue:review', `review:${reviewId}`, `user:${rev.userId}`]],
  ])
})

test.each([
  ['failed', 'A001', 'wrongRejection'],
  ['passed', 'C003', 'wrongPass'],
] as const)(
  'a fail of a review decided %s has code %s and class %s',
  async (state, qualityCode, qualityClass) => {
    const reviewId = await opened({ state })
    expect(
      await inspector.call(checkQuality, { reviewId, version: 2, result: 'fail', qualityCode }),
    ).toMatchObject({ quality: 'fail', qualityClass })
  },
)

test('a fail needs a matching reason, and E001 needs a remark', async () => {
  const reviewId = await opened()
  for (const wrong of [
    { result: 'pass', qualityCode: 'A001' },
    { result: 'fail', qualityCode: 'A101' },
    { result: 'fail', qualityCode: 'E001' },
  ] as const) {
    expect(await inspector.refused(checkQuality, { reviewId, version: 2, ...wrong })).toMatchObject(
      { code: 400, problem: { id: 'V-REA' } },
    )
  }
  expect(
    await inspector.call(checkQuality, {
      reviewId,
      version: 2,
      result: 'fail',
      qualityCode: 'E001',
      remark: 'Notes are rude',
    }),
  ).toMatchObject({ qualityClass: 'other' })
  expect(
    await inspector.refused(checkQuality, {
      reviewId,
      version: 3,
      result: 'pass',
      qualityCode: 'A101',
    }),
  ).toMatchObject({ problem: { id: 'V-STATE', params: { state: 'fail' } } })
})

test('only decisions by people are checked, and never by the decider', async () => {
  const machine = (await makeReview(floor, { state: 'unclaimed' })).reviewId
  expect(
    await inspector.refused(openQualityCheck, { reviewId: machine, version: 1 }),
  ).toMatchObject({ problem: { id: 'G404' } })
  expect(await admin.refused(openQualityCheck, { reviewId: machine, version: 1 })).toMatchObject({
    problem: { id: 'V-STATE', params: { state: 'unclaimed' } },
  })
  const own = await decided({ reviewerId: admin.userId })
  expect(await admin.refused(openQualityCheck, { reviewId: own, version: 1 })).toMatchObject({
    code: 400,
    problem: { id: 'V-SELF' },
  })
  const reviewId = await opened()
  expect(await inspector.refused(openQualityCheck, { reviewId, version: 2 })).toMatchObject({
    problem: { id: 'V-STATE', params: { state: 'checked' } },
  })
  expect(
    await inspector.refused(checkQuality, {
      reviewId,
      version: 1,
      result: 'pass',
      qualityCode: 'A101',
    }),
  ).toMatchObject({ problem: { id: 'G409', params: { userName: 'Quality inspector 1' } } })
  expect(await rev.refused(openQualityCheck, { reviewId, version: 2 })).toMatchObject({ code: 403 })
})

test('the reviewer can appeal once, in time, against an own fail', async () => {
  const reviewId = await failed()
  expect(
    await rev2.refused(appealQuality, { reviewId, version: 3, reason: 'It was right' }),
  ).toMatchObject({ problem: { id: 'G404' } })
  expect(
    await admin.refused(appealQuality, { reviewId, version: 3, reason: 'It was right' }),
  ).toMatchObject({ code: 403 })
  expect(
    await rev.call(appealQuality, { reviewId, version: 3, reason: 'It was right' }),
  ).toMatchObject({ appealState: 'open', quality: 'fail' })
  expect(
    await rev.refused(appealQuality, { reviewId, version: 4, reason: 'Once more' }),
  ).toMatchObject({ problem: { id: 'V-STATE', params: { state: 'open' } } })
  const late = await failed()
  await sql`
    update review set quality_at = clock_timestamp() - interval '48 hours 1 second' where id = ${late}`.execute(
    floor.database.kysely,
  )
  expect(
    await rev.refused(appealQuality, { reviewId: late, version: 3, reason: 'Too late' }),
  ).toMatchObject({ problem: { id: 'V-STATE', params: { state: 'fail' } } })
})

test('an upheld appeal turns the fail into a pass, and a dismissed one keeps the fail', async () => {
  const upheld = await appealed()
  expect(
    await manager.call(decideAppeal, {
      reviewId: upheld,
      version: 4,
      result: 'upheld',
      reason: 'Photo is unreadable',
    }),
  ).toMatchObject({ quality: 'pass', appealState: 'upheld' })
  const dismissed = await appealed()
  expect(
    await manager.call(decideAppeal, {
      reviewId: dismissed,
      version: 4,
      result: 'dismissed',
      reason: 'Photo is fine',
    }),
  ).toMatchObject({ quality: 'fail', appealState: 'dismissed' })
  expect(
    await manager.refused(decideAppeal, {
      reviewId: dismissed,
      version: 5,
      result: 'upheld',
      reason: 'On second thought',
    }),
  ).toMatchObject({ problem: { id: 'V-STATE', params: { state: 'dismissed' } } })
  const { rows } = await sql<{
    title_key: string
  }>`
    select n.title_key
    from notification n
    where n.user_id = ${rev.userId} and n.params ->> 'reviewId' = ${dismissed}
    order by n.id`.execute(floor.database.kysely)
  expect(rows.map((row) => row.title_key)).toEqual([
    'review:notification.qualityFailed',
    'review:notification.appealDismissed',
  ])
})

test('nobody can decide an appeal against an own check, or an own appeal', async () => {
  const reviewId = await appealed(admin)
  expect(
    await admin.refused(decideAppeal, {
      reviewId,
      version: 4,
      result: 'dismissed',
      reason: 'I was right',
    }),
  ).toMatchObject({ problem: { id: 'V-SELF' } })
  const own = await decided({ reviewerId: admin.userId })
  await inspector.call(openQualityCheck, { reviewId: own, version: 1 })
  await inspector.call(checkQuality, {
    reviewId: own,
    version: 2,
    result: 'fail',
    qualityCode: 'A001',
  })
  await admin.call(appealQuality, { reviewId: own, version: 3, reason: 'It was right' })
  expect(
    await admin.refused(decideAppeal, {
      reviewId: own,
      version: 4,
      result: 'upheld',
      reason: 'I was right',
    }),
  ).toMatchObject({ problem: { id: 'V-SELF' } })
  expect(
    await rev.refused(decideAppeal, {
      reviewId: own,
      version: 4,
      result: 'upheld',
      reason: 'Not my place',
    }),
  ).toMatchObject({ code: 403 })
})
