import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  claimReviews,
  decideReview,
  listReviewers,
  listReviews,
  openReview,
  releaseReviews,
  reviewColleagues,
} from '#shared/review/review-api.ts'
import { decideHandover, requestHandover } from '#shared/review/review-handover-api.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { makeReview, reviewFloor } from '#tests/factories/reviews.ts'

let floor: Floor
let rev: Person
let rev2: Person
let rev3: Person
let manager: Person

beforeAll(async () => {
  floor = await reviewFloor()
  ;[rev, rev2, rev3, manager] = await Promise.all([
    floor.signIn('reviewer'),
    floor.signIn('reviewer2'),
    floor.signIn('reviewer3'),
    floor.signIn('manager'),
  ])
})
afterAll(() => floor.close())
afterEach(async () => {
  await sql`update sys_user set allocation_flag = true`.execute(floor.database.kysely)
  await sql`update review_handover set state = 'rejected', cause = 'closed' where state = 'pending'`.execute(
    floor.database.kysely,
  )
  await sql`
    update review set state = 'initial', handover_state = null, finished_at = clock_timestamp(),
      reviewer_id = null, idle_until = null, live_until = null`.execute(floor.database.kysely)
})

async function claimed(state: 'toAudit' | 'underReview' = 'underReview'): Promise<string> {
  return (await makeReview(floor, { state, reviewerId: rev.userId })).reviewId
}
async function asked(by = rev, to = rev2): Promise<{ reviewId: string; handoverId: string }> {
  const reviewId = await claimed()
  expect(
    await by.call(requestHandover, {
      reviewIds: [reviewId],
      toUserId: to.userId,
      reason: 'end of shift',
    }),
  ).toEqual({ ok: [reviewId], failed: [] })
  const { rows } = await sql<{
    id: string
  }>`select h.id from review_handover h where h.review_id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  return { reviewId, handoverId: rows[0]?.id ?? '' }
}
async function stored(reviewId: string) {
  const { rows } = await sql<{
    state: string
    reviewer_id: string | null
    token: number
    handover_state: string | null
    cause: string | null
  }>`
    select r.state, r.reviewer_id, r.token, r.handover_state, (select h.cause from review_handover h
      where h.review_id = r.id order by h.id desc limit 1) as cause from review r where r.id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  return rows[0]
}
async function notifications(person: Person, reviewId: string): Promise<string[]> {
  const { rows } = await sql<{
    title_key: string
  }>`
    select n.title_key
    from notification n
    where n.user_id = ${person.userId} and n.params ->> 'reviewId' = ${reviewId}
    order by n.id`.execute(floor.database.kysely)
  return rows.map((row) => row.title_key)
}

test('a requested hand-over leaves the claim with its holder and is visible to both', async () => {
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const { reviewId, handoverId } = await asked()
  expect(await stored(reviewId)).toMatchObject({
    state: 'underReview',
    reviewer_id: rev.userId,
    token: 1,
    handover_state: 'pending',
  })
  const emitted = (await floor.events(before)).find(
    (event) => event.type === 'review.handover.changed',
  )
  expect(emitted).toMatchObject({
    rooms: [`user:${rev.userId}`, `user:${rev2.userId}`, 'queue:review'],
    data: {
      handoverId,
      reviewId,
      fromUserId: rev.userId,
      toUserId: rev2.userId,
      state: 'pending',
      cause: null,
    },
  })
  for (const person of [rev, rev2, manager]) {
    const { rows, counts } = await person.call(listReviews, { tab: 'handover' })
    expect(rows).toMatchObject([
      {
        reviewId,
        handoverId,
        handoverFrom: 'Reviewer 1',
        handoverTo: 'Reviewer 2',
        handoverToId: rev2.userId,
        handoverReason: 'end of shift',
        handoverState: 'pending',
      },
    ])
    expect(counts.handover).toBe(1)
  }
  expect((await rev3.call(listReviews, { tab: 'handover' })).rows).toEqual([])
  expect(await notifications(rev2, reviewId)).toEqual(['review:notification.handoverAsked'])
})

test('when the receiver approves, the holder changes, the token grows and the former holder is refused', async () => {
  const { reviewId, handoverId } = await asked()
  expect(
    await rev2.call(decideHandover, { handoverIds: [handoverId], result: 'approved' }),
  ).toEqual({ ok: [handoverId], failed: [] })
  expect(await stored(reviewId)).toMatchObject({
    state: 'toAudit',
    reviewer_id: rev2.userId,
    token: 2,
    handover_state: 'approved',
    cause: null,
  })
  expect(
    await rev.refused(decideReview, { reviewId, version: 2, token: 1, result: 'passed' }),
  ).toMatchObject({ problem: { id: 'V-LEASE', params: { userName: 'Reviewer 2' } } })
  expect(await notifications(rev, reviewId)).toEqual(['review:notification.handoverApproved'])
  expect(await rev2.call(openReview, { reviewId, version: 3, token: 2 })).toMatchObject({
    state: 'underReview',
    handoverId: null,
  })
  expect(
    (await rev2.call(decideHandover, { handoverIds: [handoverId], result: 'approved' })).failed,
  ).toMatchObject([{ problem: 'V-STATE' }])
})

test('a leader may approve hand-overs or request them for others, but cannot decide an own request', async () => {
  const first = await asked()
  expect(
    (await manager.call(decideHandover, { handoverIds: [first.handoverId], result: 'approved' }))
      .ok,
  ).toEqual([first.handoverId])
  expect(await notifications(rev2, first.reviewId)).toEqual([
    'review:notification.handoverAsked',
    'review:notification.assigned',
  ])
  const second = await asked(manager, rev3)
  expect(
    (await manager.call(decideHandover, { handoverIds: [second.handoverId], result: 'approved' }))
      .failed,
  ).toMatchObject([{ code: 400, problem: 'G-SELF' }])
  await rev3.call(decideHandover, { handoverIds: [second.handoverId], result: 'approved' })
  expect(await notifications(rev, second.reviewId)).toEqual(['review:notification.taken'])
})

test('a rejection needs a reason and keeps the holder, and the requester may withdraw', async () => {
  const { reviewId, handoverId } = await asked()
  expect(
    await rev2.refused(decideHandover, { handoverIds: [handoverId], result: 'rejected' }),
  ).toMatchObject({ code: 400, data: { fields: { reason: 'required' } } })
  expect(
    (
      await rev2.call(decideHandover, {
        handoverIds: [handoverId],
        result: 'rejected',
        reason: 'too much to do',
      })
    ).ok,
  ).toEqual([handoverId])
  expect(await stored(reviewId)).toMatchObject({
    reviewer_id: rev.userId,
    token: 1,
    handover_state: 'rejected',
    cause: 'rejected',
  })
  expect(await notifications(rev, reviewId)).toEqual(['review:notification.handoverRejected'])
  const other = await asked()
  expect(
    (await rev2.call(decideHandover, { handoverIds: [other.handoverId], result: 'cancelled' }))
      .failed,
  ).toMatchObject([{ code: 403 }])
  expect(
    (await rev.call(decideHandover, { handoverIds: [other.handoverId], result: 'approved' }))
      .failed,
  ).toMatchObject([{ problem: 'G-SELF' }])
  expect(
    (await rev.call(decideHandover, { handoverIds: [other.handoverId], result: 'cancelled' })).ok,
  ).toEqual([other.handoverId])
  expect(await stored(other.reviewId)).toMatchObject({
    handover_state: 'rejected',
    cause: 'cancelled',
  })
})

test('a stranger gets the same answer for a hand-over as for a missing one', async () => {
  const { handoverId } = await asked()
  const { failed } = await rev3.call(decideHandover, {
    handoverIds: [handoverId, 'H404'],
    result: 'approved',
  })
  expect(failed.map(({ id: _id, ...row }) => row)).toEqual(
    Array.from({ length: 2 }, () => ({
      code: 400,
      msg: 'Record not found',
      problem: 'G404',
      params: {},
    })),
  )
})

test('a request needs a colleague on duty with capacity, and only one can be pending per review', async () => {
  const reviewId = await claimed('toAudit')
  const request = { reviewIds: [reviewId], reason: 'end of shift' }
  expect(
    (await rev.call(requestHandover, { ...request, toUserId: rev.userId })).failed,
  ).toMatchObject([{ id: reviewId, code: 409, problem: 'V-STATE' }])
  expect(
    await rev.refused(requestHandover, { ...request, toUserId: manager.userId }),
  ).toMatchObject({ problem: { id: 'V-DUTY', params: { userName: 'Manager 1' } } })
  await sql`update sys_user set allocation_flag = false where id = ${rev2.userId}`.execute(
    floor.database.kysely,
  )
  expect(await rev.refused(requestHandover, { ...request, toUserId: rev2.userId })).toMatchObject({
    problem: { id: 'V-DUTY' },
  })
  await sql`update sys_user set allocation_flag = true where id = ${rev2.userId}`.execute(
    floor.database.kysely,
  )
  for (let n = 0; n < 3; n += 1)
    await makeReview(floor, { state: 'toAudit', reviewerId: rev2.userId })
  expect(await rev.refused(requestHandover, { ...request, toUserId: rev2.userId })).toMatchObject({
    problem: { id: 'V-MAX', params: { n: 3 } },
  })
  expect((await rev.call(requestHandover, { ...request, toUserId: rev3.userId })).ok).toEqual([
    reviewId,
  ])
  expect(
    (await rev.call(requestHandover, { ...request, toUserId: rev3.userId })).failed,
  ).toMatchObject([{ problem: 'V-STATE' }])
  expect(
    await rev.refused(requestHandover, { ...request, reviewIds: [], toUserId: rev3.userId }),
  ).toMatchObject({ problem: { id: 'G-SEL' } })
  const { reviewId: free } = await makeReview(floor)
  expect(
    (await rev.call(requestHandover, { ...request, reviewIds: [free], toUserId: rev3.userId }))
      .failed,
  ).toMatchObject([{ problem: 'V-LEASE' }])
})

test('an approval checks the availability of the receiver and the claim again', async () => {
  const { reviewId, handoverId } = await asked()
  await sql`update sys_user set allocation_flag = false where id = ${rev2.userId}`.execute(
    floor.database.kysely,
  )
  expect(
    (await manager.call(decideHandover, { handoverIds: [handoverId], result: 'approved' })).failed,
  ).toMatchObject([{ problem: 'V-DUTY' }])
  await sql`update sys_user set allocation_flag = true where id = ${rev2.userId}`.execute(
    floor.database.kysely,
  )
  for (let n = 0; n < 3; n += 1)
    await makeReview(floor, { state: 'toAudit', reviewerId: rev2.userId })
  expect(
    (await rev2.call(decideHandover, { handoverIds: [handoverId], result: 'approved' })).failed,
  ).toMatchObject([{ problem: 'V-MAX' }])
  expect(await stored(reviewId)).toMatchObject({
    reviewer_id: rev.userId,
    handover_state: 'pending',
  })
})

test('the end of the claim closes a pending hand-over', async () => {
  const released = await asked()
  await rev.call(releaseReviews, { reviewIds: [released.reviewId], reason: 'done for today' })
  expect(await stored(released.reviewId)).toMatchObject({
    state: 'unclaimed',
    handover_state: 'rejected',
    cause: 'closed',
  })
  expect(
    (await manager.call(decideHandover, { handoverIds: [released.handoverId], result: 'approved' }))
      .failed,
  ).toMatchObject([{ problem: 'V-STATE' }])
  await rev3.call(claimReviews, { reviewIds: [released.reviewId] })
  const decided = await asked()
  await rev.call(decideReview, {
    reviewId: decided.reviewId,
    version: 2,
    token: 1,
    result: 'failed',
    rejectCode: 'A01',
  })
  expect(await stored(decided.reviewId)).toMatchObject({
    state: 'failed',
    handover_state: 'rejected',
    cause: 'closed',
  })
})

test('colleagues are the other reviewers on duty with their number of claims', async () => {
  await makeReview(floor, { state: 'toAudit', reviewerId: rev2.userId })
  await sql`update sys_user set allocation_flag = false where account = 'reviewer4'`.execute(
    floor.database.kysely,
  )
  const colleagues = await rev.call(reviewColleagues, {})
  expect(
    colleagues.map((person) => [person.account, person.online, person.held, person.capacity]),
  ).toEqual([
    ['reviewer3', true, 0, 3],
    ['reviewer2', true, 1, 3],
    ['reviewer5', false, 0, 3],
    ['reviewer6', false, 0, 3],
  ])
  const inspector = await floor.signIn('quality_inspector')
  expect(await inspector.refused(reviewColleagues, {})).toMatchObject({ code: 403 })
  // reviewers off duty may still have decided reviews
  expect((await inspector.call(listReviewers, {})).map(({ userId }) => userId)).toEqual(
    expect.arrayContaining(colleagues.map(({ userId }) => userId)),
  )
})
