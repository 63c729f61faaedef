import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimReviews, listReviews } from '#shared/review/review-api.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { makeReview, reviewFloor, runOut } from '#tests/factories/reviews.ts'

let floor: Floor
let people: Person[]

beforeAll(async () => {
  floor = await reviewFloor()
  people = await Promise.all(
    ['reviewer', 'reviewer2', 'reviewer3', 'reviewer4'].map((account) => floor.signIn(account)),
  )
})
afterAll(() => floor.close())
beforeEach(async () => {
  await sql`
    update review set state = 'initial', reviewer_id = null, idle_until = null, live_until = null,
      finished_at = clock_timestamp()`.execute(floor.database.kysely)
})

const [one, two] = [() => people[0] as Person, () => people[1] as Person]

test('the next claim takes the highest priority, then the longest wait', async () => {
  const late = await makeReview(floor, { waitedMinutes: 1 })
  const old = await makeReview(floor, { waitedMinutes: 30 })
  const urgent = await makeReview(floor, { waitedMinutes: 2, priority: 5 })
  const { ok, failed } = await one().call(claimReviews, { count: 3 })
  expect(failed).toEqual([])
  expect(ok.map((row) => row.reviewId)).toEqual([urgent.reviewId, old.reviewId, late.reviewId])
  expect(ok[0]).toMatchObject({
    state: 'toAudit',
    reviewerId: one().userId,
    reviewerName: 'Reviewer 1',
    token: 1,
    version: 2,
  })
  expect(Date.parse(ok[0]?.leaseUntil ?? '') - Date.now()).toBeGreaterThan(100_000)
})

test('a claim emits to the queue, the review and its holder, and is logged', async () => {
  const { reviewId, orderId } = await makeReview(floor)
  const before = (await floor.events()).at(-1)?.seq ?? 0
  await one().call(claimReviews, { count: 1 })
  const emitted = await floor.events(before)
  expect(emitted.map((event) => [event.type, event.entity_version])).toEqual([
    ['review.claimed', 2],
    ['review.state.changed', 2],
  ])
  expect(emitted[0]?.rooms).toEqual(['queue:review', `review:${reviewId}`, `user:${one().userId}`])
  expect(emitted[1]?.rooms).toEqual(['queue:review', `review:${reviewId}`, `order:${orderId}`])
  const { rows } = await sql<{
    event: string
    token: number
    holder_id: string
  }>`
    select l.event, l.token, l.holder_id
    from review_log l
    where l.review_id = ${reviewId} and l.event <> 'CREATED'`.execute(floor.database.kysely)
  expect(rows).toEqual([{ event: 'CLAIM', token: 1, holder_id: one().userId }])
  const log = await sql<{
    after: unknown
  }>`select o.after from operate_log o where o.target_id = ${reviewId} and o.action = 'claim'`.execute(
    floor.database.kysely,
  )
  expect(log.rows).toEqual([
    { after: { state: 'toAudit', reviewerId: one().userId, token: 1, version: 2 } },
  ])
})

test('a reviewer cannot exceed the capacity, even from two tabs at once', async () => {
  for (let n = 0; n < 8; n += 1) await makeReview(floor)
  const answers = await Promise.all([1, 2, 3, 4].map(() => one().send(claimReviews, { count: 2 })))
  const claimed = answers.flatMap(
    (answer) => answer.json<{ data: { ok?: unknown[] } | null }>().data?.ok ?? [],
  )
  expect(claimed).toHaveLength(3)
  expect(await one().refused(claimReviews, { count: 1 })).toMatchObject({
    code: 400,
    problem: { id: 'V-MAX', params: { n: 3 } },
  })
  const { reviewId } = await makeReview(floor)
  expect(await one().refused(claimReviews, { reviewIds: [reviewId] })).toMatchObject({
    problem: { id: 'V-MAX' },
  })
})

test('claiming from an empty queue is refused as empty', async () => {
  expect(await one().refused(claimReviews, { count: 1 })).toMatchObject({
    code: 400,
    problem: { id: 'V-EMPTY' },
  })
})

test('a claim must name reviews or a count', async () => {
  expect(await one().refused(claimReviews, {})).toMatchObject({
    code: 400,
    problem: { id: 'G-FIELD' },
  })
})

test("the loser of a race gets the winner's name", async () => {
  const { reviewId } = await makeReview(floor)
  const answers = await Promise.all(
    people.map((person) => person.send(claimReviews, { reviewIds: [reviewId] })),
  )
  const bodies = answers.map((answer) =>
    answer.json<{
      code: number
      problem?: { id: string; params: { userName: string } }
      data: { ok: { reviewerName: string }[] } | null
    }>(),
  )
  const winner = bodies.find((body) => body.code === 200)?.data?.ok[0]?.reviewerName
  expect(winner).toMatch(/^Reviewer \d$/)
  const losers = bodies.filter((body) => body.code !== 200)
  expect(losers).toHaveLength(people.length - 1)
  for (const body of losers)
    expect(body).toMatchObject({
      code: 409,
      data: null,
      problem: { id: 'V-TAKEN', params: { userName: winner } },
    })
})

test('twenty concurrent claims of three reviews give each review to one person', async () => {
  const made = [await makeReview(floor), await makeReview(floor), await makeReview(floor)]
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      (people[n % people.length] as Person).send(claimReviews, { count: 1 }),
    ),
  )
  const { rows } = await sql<{ id: string; token: number; claims: number }>`
    select r.id, r.token, (select count(*)::int from review_log l where l.review_id = r.id
      and l.event = 'CLAIM') as claims from review r where r.id = any(${made.map((m) => m.reviewId)})
      order by r.id`.execute(floor.database.kysely)
  expect(rows).toEqual(made.map(({ reviewId }) => ({ id: reviewId, token: 1, claims: 1 })))
})

test('a claim of several named reviews is answered per review', async () => {
  const free = await makeReview(floor)
  const taken = await makeReview(floor, { state: 'toAudit', reviewerId: two().userId })
  const { ok, failed } = await one().call(claimReviews, {
    reviewIds: [taken.reviewId, free.reviewId, 'R1'],
  })
  expect(ok.map((row) => row.reviewId)).toEqual([free.reviewId])
  expect(failed).toMatchObject([
    { id: taken.reviewId, code: 409, problem: 'V-TAKEN', params: { userName: 'Reviewer 2' } },
    { id: 'R1', code: 400, problem: 'G404' },
  ])
})

test('a claim repeated by its holder gets the same answer', async () => {
  const { reviewId } = await makeReview(floor)
  const first = await one().call(claimReviews, { reviewIds: [reviewId] })
  expect(await one().call(claimReviews, { reviewIds: [reviewId] })).toEqual(first)
})

test('after its lease has expired, a review can be claimed by another reviewer', async () => {
  const { reviewId } = await makeReview(floor, { state: 'toAudit', reviewerId: one().userId })
  await runOut(floor, reviewId)
  expect(await one().refused(claimReviews, { reviewIds: [reviewId] })).toMatchObject({
    problem: { id: 'V-TAKEN' },
  })
})

test('a reviewer cannot review an application they submitted', async () => {
  const { reviewId, orderId } = await makeReview(floor)
  await sql`
    update order_status_log set by_user_id = ${one().userId} where order_id = ${orderId}
      and from_status is null`.execute(floor.database.kysely)
  expect(await one().refused(claimReviews, { count: 1 })).toMatchObject({
    problem: { id: 'V-EMPTY' },
  })
  expect(await one().refused(claimReviews, { reviewIds: [reviewId] })).toMatchObject({
    problem: { id: 'V-SELF' },
  })
})

test('a review that was never queued is not disclosed to a reviewer', async () => {
  const { reviewId } = await makeReview(floor, { state: 'abnormal' })
  const missing = await one().refused(claimReviews, { reviewIds: ['R404'] })
  expect(await one().refused(claimReviews, { reviewIds: [reviewId] })).toEqual(missing)
  expect(missing).toMatchObject({ code: 400, problem: { id: 'G404' }, data: null })
})

test('only roles with the permission code can claim', async () => {
  for (const account of ['quality_inspector', 'manager', 'collector']) {
    expect(await (await floor.signIn(account)).refused(claimReviews, { count: 1 })).toMatchObject({
      code: 403,
      problem: { id: 'G403' },
    })
  }
})

test("a claimed review is listed only in its holder's tab", async () => {
  const { reviewId } = await makeReview(floor)
  await one().call(claimReviews, { reviewIds: [reviewId] })
  expect((await one().call(listReviews, { tab: 'mine' })).rows.map((row) => row.reviewId)).toEqual([
    reviewId,
  ])
  expect((await two().call(listReviews, { tab: 'mine' })).rows).toEqual([])
  expect((await two().call(listReviews, { tab: 'queue' })).rows).toEqual([])
})
