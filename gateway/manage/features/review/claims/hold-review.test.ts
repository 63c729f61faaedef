import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  assignReviews,
  claimReviews,
  decideReview,
  openReview,
  releaseReviews,
  renewReview,
  takeOverReview,
} from '#shared/review/review-api.ts'
import { logout } from '#shared/session/session-api.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { makeReview, reviewFloor, runOut } from '#tests/factories/reviews.ts'
import { leaseSweep } from '../lease-sweep-job.ts'

let floor: Floor
let rev: Person
let rev2: Person
let manager: Person

beforeAll(async () => {
  floor = await reviewFloor()
  rev = await floor.signIn('reviewer')
  rev2 = await floor.signIn('reviewer2')
  manager = await floor.signIn('manager')
})
afterAll(() => floor.close())

async function rowOf(reviewId: string) {
  const { rows } = await sql<{
    state: string
    token: number
    version: number
    reviewer_id: string | null
    idle_left: number
    live_left: number
  }>`
    select r.state, r.token, r.version, r.reviewer_id, extract(epoch
      from r.idle_until - clock_timestamp())::float8 as idle_left, extract(epoch
      from r.live_until - clock_timestamp())::float8 as live_left
    from review r where r.id = ${reviewId}`.execute(floor.database.kysely)
  return rows[0] as {
    state: string
    token: number
    version: number
    reviewer_id: string | null
    idle_left: number
    live_left: number
  }
}
async function log(reviewId: string): Promise<(string | null)[][]> {
  const { rows } = await sql<{
    event: string
    token: number
    holder_id: string | null
  }>`select l.event, l.token, l.holder_id from review_log l where l.review_id = ${reviewId} order by l.id`.execute(
    floor.database.kysely,
  )
  return rows.slice(1).map((row) => [row.event, String(row.token), row.holder_id])
}
async function notifications(userId: string, reviewId: string): Promise<string[]> {
  const { rows } = await sql<{
    title_key: string
  }>`
    select n.title_key
    from notification n
    where n.user_id = ${userId} and n.params ->> 'reviewId' = ${reviewId}
    order by n.id`.execute(floor.database.kysely)
  return rows.map((row) => row.title_key)
}
/** Releases the claims of both reviewers, so that the next test can claim. */
async function clear(): Promise<void> {
  await sql`
    update review set state = 'initial', finished_at = clock_timestamp(), reviewer_id = null,
      idle_until = null, live_until = null`.execute(floor.database.kysely)
}

test('the holder opens the claim; the token stays and both clocks restart', async () => {
  const { reviewId } = await makeReview(floor, { state: 'toAudit', reviewerId: rev.userId })
  await sql`
    update review set idle_until = clock_timestamp() + interval '5 seconds' where id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  expect(await rev.call(openReview, { reviewId, version: 1, token: 1 })).toMatchObject({
    state: 'underReview',
    token: 1,
    version: 2,
  })
  const row = await rowOf(reviewId)
  expect(row.idle_left).toBeGreaterThan(590)
  expect(row.live_left).toBeGreaterThan(110)
  expect(await rev.refused(openReview, { reviewId, version: 2, token: 1 })).toMatchObject({
    code: 409,
    problem: { id: 'V-STATE', params: { state: 'underReview' } },
    data: { reviewId, state: 'underReview', event: 'OPEN' },
  })
  await clear()
})

test('another version is refused with the fresh row and the name of who changed it', async () => {
  const { reviewId } = await makeReview(floor)
  await rev.call(claimReviews, { reviewIds: [reviewId] })
  expect(await rev.refused(openReview, { reviewId, version: 1, token: 1 })).toMatchObject({
    code: 409,
    problem: { id: 'G409', params: { userName: 'Reviewer 1' } },
    data: { reviewId, version: 2, state: 'toAudit' },
  })
  await clear()
})

test("a former holder gets the new holder's name, and a stranger gets nothing", async () => {
  const { reviewId } = await makeReview(floor)
  await rev.call(claimReviews, { reviewIds: [reviewId] })
  await runOut(floor, reviewId)
  expect(await rev.refused(openReview, { reviewId, version: 2, token: 1 })).toMatchObject({
    code: 409,
    problem: { id: 'V-LEASE', params: {} },
  })
  await leaseSweep.run(floor.context)
  expect(
    await rev.refused(decideReview, { reviewId, version: 2, token: 1, result: 'passed' }),
  ).toMatchObject({
    problem: { id: 'V-LEASE', params: {} },
    data: { state: 'unclaimed', token: 2 },
  })
  await rev2.call(claimReviews, { reviewIds: [reviewId] })
  const late = await rev.refused(openReview, { reviewId, version: 2, token: 1 })
  expect(late).toMatchObject({
    code: 409,
    problem: { id: 'V-LEASE', params: { userName: 'Reviewer 2' } },
    data: { reviewerName: 'Reviewer 2', token: 3 },
  })
  const stranger = await floor.signIn('reviewer3')
  expect(await stranger.refused(openReview, { reviewId, version: 2, token: 1 })).toEqual(
    await stranger.refused(openReview, { reviewId: 'R404', version: 2, token: 1 }),
  )
  expect(await log(reviewId)).toEqual([
    ['CLAIM', '1', rev.userId],
    ['LEASE_EXPIRED', '2', null],
    ['CLAIM', '3', rev2.userId],
  ])
  await clear()
})

test('an older token of the same person is refused', async () => {
  const { reviewId } = await makeReview(floor)
  await rev.call(claimReviews, { reviewIds: [reviewId] })
  await rev.call(releaseReviews, { reviewIds: [reviewId], reason: 'lunch break' })
  const [row] = (await rev.call(claimReviews, { reviewIds: [reviewId] })).ok
  expect(row).toMatchObject({ token: 3 })
  expect(
    await rev.refused(openReview, { reviewId, version: row?.version ?? 0, token: 1 }),
  ).toMatchObject({ problem: { id: 'V-LEASE', params: { userName: 'Reviewer 1' } } })
  await clear()
})

test('every heartbeat extends the live clock, and only new input extends the idle clock', async () => {
  const { reviewId } = await makeReview(floor, { state: 'underReview', reviewerId: rev.userId })
  await sql`
    update review set idle_until = clock_timestamp() + interval '300 seconds',
      live_until = clock_timestamp() + interval '20 seconds', warned_at = clock_timestamp()
      where id = ${reviewId}`.execute(floor.database.kysely)
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()
  const first = await rev.call(renewReview, { reviewId, token: 1, lastInputTime: ago(400) })
  expect(first.leaseUntil).toBe(first.liveUntil)
  const still = await rowOf(reviewId)
  expect(still.live_left).toBeGreaterThan(110)
  expect(still.idle_left).toBeLessThan(301)
  expect(still.version).toBe(1)
  await rev.call(renewReview, { reviewId, token: 1, lastInputTime: ago(60) })
  expect((await rowOf(reviewId)).idle_left).toBeCloseTo(540, -1)
  // a fast client clock counts as now, a slow one never shortens the lease
  await rev.call(renewReview, { reviewId, token: 1, lastInputTime: ago(-86_400) })
  expect((await rowOf(reviewId)).idle_left).toBeCloseTo(600, -1)
  await rev.call(renewReview, { reviewId, token: 1, lastInputTime: ago(90) })
  expect((await rowOf(reviewId)).idle_left).toBeCloseTo(600, -1)
  const { rows } = await sql<{
    warned_at: string | null
  }>`select r.warned_at from review r where r.id = ${reviewId}`.execute(floor.database.kysely)
  expect(rows).toEqual([{ warned_at: null }])
  await clear()
})

test('a heartbeat with a wrong token, after the end, or by another person is refused', async () => {
  const { reviewId } = await makeReview(floor, { state: 'toAudit', reviewerId: rev.userId })
  const lastInputTime = new Date().toISOString()
  expect(await rev.call(renewReview, { reviewId, token: 1, lastInputTime })).toHaveProperty(
    'leaseUntil',
  )
  expect(await rev.refused(renewReview, { reviewId, token: 0, lastInputTime })).toMatchObject({
    code: 409,
    problem: { id: 'V-LEASE', params: { userName: 'Reviewer 1' } },
    data: { reviewId },
  })
  expect(await rev2.refused(renewReview, { reviewId, token: 1, lastInputTime })).toMatchObject({
    problem: { id: 'G404' },
    data: null,
  })
  await runOut(floor, reviewId)
  expect(await rev.refused(renewReview, { reviewId, token: 1, lastInputTime })).toMatchObject({
    problem: { id: 'V-LEASE', params: {} },
  })
  await clear()
})

test('released reviews return to their old place, row by row', async () => {
  const mine = await makeReview(floor, {
    state: 'underReview',
    reviewerId: rev.userId,
    waitedMinutes: 40,
  })
  const other = await makeReview(floor, { state: 'toAudit', reviewerId: rev2.userId })
  const free = await makeReview(floor)
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const result = await rev.call(releaseReviews, {
    reviewIds: [mine.reviewId, other.reviewId, free.reviewId],
    reason: 'end of shift',
  })
  expect(result.ok).toEqual([mine.reviewId])
  expect(result.failed.map((row) => [row.id, row.problem])).toEqual([
    [free.reviewId, 'V-STATE'],
    [other.reviewId, 'G404'],
  ])
  expect(await rowOf(mine.reviewId)).toMatchObject({
    state: 'unclaimed',
    reviewer_id: null,
    token: 2,
  })
  const emitted = await floor.events(before)
  expect(emitted.map((event) => event.type)).toEqual(['review.released', 'review.queued'])
  expect(emitted[0]).toMatchObject({
    rooms: ['queue:review', `review:${mine.reviewId}`, `user:${rev.userId}`],
    data: { cause: 'released', state: 'unclaimed', token: 2 },
  })
  const again = await rev2.call(claimReviews, { count: 1 })
  expect(again.ok.map((row) => row.reviewId)).toEqual([mine.reviewId])
  expect(
    await rev.refused(releaseReviews, { reviewIds: [], reason: 'end of shift' }),
  ).toMatchObject({ problem: { id: 'G-SEL' } })
  await clear()
})

test('a leader takes over a review under review; the former holder is notified and refused from then on', async () => {
  const { reviewId } = await makeReview(floor)
  await rev.call(claimReviews, { reviewIds: [reviewId] })
  expect(
    await manager.refused(takeOverReview, { reviewId, version: 2, reason: 'takes too long' }),
  ).toMatchObject({ problem: { id: 'V-STATE', params: { state: 'toAudit' } } })
  await rev.call(openReview, { reviewId, version: 2, token: 1 })
  const row = await manager.call(takeOverReview, { reviewId, version: 3, reason: 'takes too long' })
  expect(row).toMatchObject({ state: 'toAudit', reviewerId: manager.userId, token: 2 })
  expect(
    await rev.refused(decideReview, { reviewId, version: 3, token: 1, result: 'passed' }),
  ).toMatchObject({ problem: { id: 'V-LEASE', params: { userName: 'Manager 1' } } })
  expect(await notifications(rev.userId, reviewId)).toEqual(['review:notification.taken'])
  expect(await manager.call(openReview, { reviewId, version: 4, token: 2 })).toMatchObject({
    state: 'underReview',
  })
  expect(
    await manager.refused(takeOverReview, { reviewId, version: 5, reason: 'once more' }),
  ).toMatchObject({ problem: { id: 'V-STATE' } })
  expect(
    await rev2.refused(takeOverReview, { reviewId, version: 5, reason: 'me too' }),
  ).toMatchObject({ code: 403 })
  await clear()
})

test('assigned reviews become claims of the reviewer, up to the capacity and only on duty', async () => {
  const made = await Promise.all([1, 2, 3, 4].map(() => makeReview(floor)))
  const ids = made.map((m) => m.reviewId).toSorted()
  const result = await manager.call(assignReviews, { reviewIds: ids, reviewerId: rev2.userId })
  expect(result.ok).toEqual(ids.slice(0, 3))
  expect(result.failed).toMatchObject([
    { id: ids[3], code: 400, problem: 'V-MAX', params: { n: 3 } },
  ])
  expect(await notifications(rev2.userId, ids[0] as string)).toEqual([
    'review:notification.assigned',
  ])
  expect(
    await manager.call(assignReviews, { reviewIds: [ids[0] as string], reviewerId: rev.userId }),
  ).toMatchObject({ ok: [], failed: [{ problem: 'V-STATE' }] })
  await sql`update sys_user set allocation_flag = false where id = ${rev.userId}`.execute(
    floor.database.kysely,
  )
  expect(
    await manager.refused(assignReviews, { reviewIds: [ids[3]], reviewerId: rev.userId }),
  ).toMatchObject({ problem: { id: 'V-DUTY', params: { userName: 'Reviewer 1' } } })
  await sql`update sys_user set allocation_flag = true where id = ${rev.userId}`.execute(
    floor.database.kysely,
  )
  expect(
    await manager.refused(assignReviews, { reviewIds: [ids[3]], reviewerId: manager.userId }),
  ).toMatchObject({ problem: { id: 'V-DUTY' } })
  expect(
    await manager.refused(assignReviews, { reviewIds: [ids[3]], reviewerId: 'U404' }),
  ).toMatchObject({ problem: { id: 'G404' } })
  expect(
    await manager.refused(assignReviews, { reviewIds: [], reviewerId: rev.userId }),
  ).toMatchObject({ problem: { id: 'G-SEL' } })
  await clear()
})

test('an assignment above the limit of a call becomes a job with the same rules', async () => {
  await sql`update sys_config set value = '2' where code = 'bulk.syncMax'`.execute(
    floor.database.kysely,
  )
  const ids = (await Promise.all([1, 2, 3, 4].map(() => makeReview(floor)))).map((m) => m.reviewId)
  const { jobId, ok } = await manager.call(assignReviews, {
    reviewIds: ids,
    reviewerId: rev2.userId,
  })
  expect([typeof jobId, ok]).toEqual(['string', []])
  await floor.settle()
  const { rows } = await sql<{
    state: string
    ok: number
    fail: number
  }>`select j.state, j.ok, j.fail from job j where j.id = ${jobId ?? ''}`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ state: 'done', ok: 3, fail: 1 }])
  const held = await sql<{
    n: number
  }>`
    select count(*)::int as n
    from review r
    where r.id = any(${ids}) and r.reviewer_id = ${rev2.userId} and r.state = 'toAudit'`.execute(
    floor.database.kysely,
  )
  expect(held.rows).toEqual([{ n: 3 }])
  await sql`update sys_config set value = '50' where code = 'bulk.syncMax'`.execute(
    floor.database.kysely,
  )
  await clear()
})

test("a logout releases the user's claims", async () => {
  const leaver = await floor.signIn('reviewer4')
  const open = await makeReview(floor, { state: 'underReview', reviewerId: leaver.userId })
  const over = await makeReview(floor, { state: 'toAudit', reviewerId: leaver.userId })
  await runOut(floor, over.reviewId)
  const before = (await floor.events()).at(-1)?.seq ?? 0
  await leaver.call(logout, {})
  for (const { reviewId } of [open, over])
    expect(await rowOf(reviewId)).toMatchObject({ state: 'unclaimed', reviewer_id: null, token: 2 })
  const released = (await floor.events(before)).filter((event) => event.type === 'review.released')
  expect(released.map((event) => event.data.cause).toSorted()).toEqual(['expired', 'logout'])
  await clear()
})

test('the same command with the same key has one effect and one answer', async () => {
  const { reviewId } = await makeReview(floor)
  const key = { 'idempotency-key': randomUUID() }
  const first = await rev.send(claimReviews, { reviewIds: [reviewId] }, key)
  const second = await rev.send(claimReviews, { reviewIds: [reviewId] }, key)
  expect(second.body).toBe(first.body)
  expect(await log(reviewId)).toHaveLength(1)
  await clear()
})
