import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listReviews, reviewDetail, reviewReasons } from '#shared/review/review-api.ts'
import { liveRooms } from '#shared/session/session-api.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { makeReview, type MadeReview, reviewFloor } from '#tests/factories/reviews.ts'

let floor: Floor
let rev: Person
let rev2: Person
let inspector: Person
let manager: Person
let director: Person
const made: Record<string, MadeReview> = {}

beforeAll(async () => {
  floor = await reviewFloor()
  ;[rev, rev2, inspector, manager, director] = (await Promise.all(
    ['reviewer', 'reviewer2', 'quality_inspector', 'manager', 'director'].map((account) =>
      floor.signIn(account),
    ),
  )) as [Person, Person, Person, Person, Person]
  made.initial = await makeReview(floor, { state: 'initial' })
  made.queued = await makeReview(floor, { name: 'Zoya Khan', waitedMinutes: 5 })
  made.urgent = await makeReview(floor, { priority: 9, waitedMinutes: 1, amount: 2_000_000 })
  made.mine = await makeReview(floor, { state: 'underReview', reviewerId: rev.userId })
  made.theirs = await makeReview(floor, { state: 'toAudit', reviewerId: rev2.userId })
  made.escalated = await makeReview(floor, { state: 'manualCheck', firstReviewerId: rev.userId })
  made.passed = await makeReview(floor, { state: 'passed', reviewerId: rev.userId })
  made.failed = await makeReview(floor, {
    state: 'failed',
    reviewerId: rev2.userId,
    rejectCode: 'B02',
  })
  made.cancelled = await makeReview(floor)
  await sql`
    update review set state = 'failed', finished_at = clock_timestamp()
      where id = ${made.cancelled.reviewId}`.execute(floor.database.kysely)
})
afterAll(() => floor.close())

const id = (name: string): string => made[name]?.reviewId ?? name
function namesOf(rows: readonly { reviewId: string }[]): string[] {
  return rows.map(
    (row) => Object.keys(made).find((name) => id(name) === row.reviewId) ?? row.reviewId,
  )
}

test('each tab contains the rows its user may see, in its order', async () => {
  const shown = async (person: Person, tab: 'queue' | 'mine' | 'all' | 'quality') =>
    namesOf((await person.call(listReviews, { tab })).rows)
  expect(await shown(rev, 'queue')).toEqual(['urgent', 'queued'])
  expect(await shown(rev, 'mine')).toEqual(['mine'])
  expect(await shown(rev, 'all')).toEqual(['passed', 'escalated', 'mine', 'urgent', 'queued'])
  expect(await shown(rev, 'quality')).toEqual(['passed'])
  expect(await shown(inspector, 'all')).toEqual(['cancelled', 'failed', 'passed'])
  expect(await shown(inspector, 'queue')).toEqual([])
  expect(await shown(inspector, 'quality')).toEqual(['failed', 'passed'])
  expect(await shown(director, 'all')).toEqual(Object.keys(made).toReversed())
})

test('the list response includes counts and figures', async () => {
  const { counts, stats, total, totalCapped, asOf } = await rev.call(listReviews, { tab: 'queue' })
  expect({ counts, total, totalCapped }).toEqual({
    counts: { queue: 2, mine: 1, handover: 0, quality: 1 },
    total: 2,
    totalCapped: false,
  })
  expect(stats).toMatchObject({
    waiting: 2,
    held: 2,
    reviewersOnline: 2,
    doneToday: 2,
    averageSec: expect.any(Number),
    maxClaimed: 3,
  })
  expect(Date.parse(asOf) - Date.parse(stats.oldestTime ?? '')).toBeGreaterThan(290_000)
  expect(stats.lastArrivalTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test.each([
  [{ state: 'initial,passed' }, ['passed', 'initial']],
  [{ rejectCode: 'B02' }, ['failed']],
  [{ userName: 'zoya' }, ['queued']],
  [{ userName: 'hoya' }, []],
  [{ quality: 'checked' }, []],
  [{ machineState: 'undecided', state: 'passed,failed' }, ['cancelled', 'failed', 'passed']],
  [{ sort: 'reviewId:asc', state: 'unclaimed' }, ['queued', 'urgent']],
  [{ queuedTimeTo: '2020-01-01T00:00:00Z' }, []],
  [{ finishTimeFrom: '2020-01-01T00:00:00Z' }, ['cancelled', 'failed', 'passed']],
] as const)('the filter %j shows %j', async (filter, names) => {
  expect(namesOf((await manager.call(listReviews, { tab: 'all', ...filter })).rows)).toEqual(names)
})

test('filters by id stay within the scope', async () => {
  expect(namesOf((await rev.call(listReviews, { tab: 'all', reviewId: id('mine') })).rows)).toEqual(
    ['mine'],
  )
  expect((await rev.call(listReviews, { tab: 'all', reviewId: id('theirs') })).total).toBe(0)
  expect(
    namesOf(
      (
        await manager.call(listReviews, {
          tab: 'all',
          orderId: made.theirs?.orderId,
          userId: made.theirs?.customerId,
          reviewerId: rev2.userId,
        })
      ).rows,
    ),
  ).toEqual(['theirs'])
})

test('pages keep the same order', async () => {
  const [first, second] = [
    await manager.call(listReviews, { tab: 'all', pageSize: 10 }),
    await manager.call(listReviews, { tab: 'all', pageSize: 10, pageNum: 2 }),
  ]
  expect([first.rows.length, first.total, second.rows]).toEqual([9, 9, []])
  for (const sort of ['password:asc', 'amount:asc', 'reviewId:asc,queuedTime:asc'])
    expect(await manager.refused(listReviews, { tab: 'all', sort })).toMatchObject({
      code: 400,
      data: { fields: { sort: 'unknown' } },
    })
})

test('a queue is sorted by every column, all reviews by what an index answers', async () => {
  expect(
    namesOf((await manager.call(listReviews, { tab: 'queue', sort: 'amount:desc' })).rows),
  ).toEqual(['urgent', 'queued'])
  const finished = async (direction: 'asc' | 'desc') =>
    (await manager.call(listReviews, { tab: 'all', sort: `finishTime:${direction}` })).rows.map(
      (row) => row.finishTime,
    )
  const newest = await finished('desc')
  expect(newest.at(-1)).toBeNull()
  const times = newest.filter((time) => time !== null)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(await finished('asc')).toEqual(newest.toReversed())
})

test('the detail contains everything the workspace needs', async () => {
  const detail = await rev.call(reviewDetail, { reviewId: id('mine') })
  expect(detail.review).toMatchObject({
    reviewId: id('mine'),
    state: 'underReview',
    retryCount: 0,
    teleAttempts: 0,
  })
  expect(detail.order).toMatchObject({
    orderId: made.mine?.orderId,
    status: 22,
    productName: 'Cash PR1',
    tags: ['firstLoan'],
  })
  expect(detail.customer).toMatchObject({
    userId: made.mine?.customerId,
    basic: { phone: expect.stringMatching(/^XXXXXX\d{4}$/) },
  })
  expect(detail.machine).toEqual({
    score: 512,
    limit: null,
    rules: [{ code: 'R1', name: 'Velocity', hit: true, output: null }],
  })
  expect(detail.history).toMatchObject([
    { event: 'CREATED', from: null, to: 'underReview', by: 'test' },
  ])
  expect(detail).toMatchObject({
    previous: [],
    nameSimilarityMin: 8_000,
    targetSeconds: 180,
    idleSeconds: 600,
  })
})

test("the detail contains the customer's earlier reviews", async () => {
  const earlier = await makeReview(floor, {
    state: 'failed',
    reviewerId: rev2.userId,
    rejectCode: 'A04',
  })
  const now = await makeReview(floor, { customerId: earlier.customerId, orderStatus: 22 })
  const { previous } = await rev.call(reviewDetail, { reviewId: now.reviewId })
  expect(previous).toMatchObject([
    {
      reviewId: earlier.reviewId,
      orderId: earlier.orderId,
      state: 'failed',
      manualResult: 'failed',
      rejectCode: 'A04',
      reviewerName: 'Reviewer 2',
    },
  ])
  await sql`
    update review set finished_at = clock_timestamp(), state = 'initial'
      where id = any(${[earlier.reviewId, now.reviewId]})`.execute(floor.database.kysely)
})

test('a review outside the scope is answered like a missing one', async () => {
  const missing = await rev.refused(reviewDetail, { reviewId: 'R404' })
  for (const name of ['theirs', 'failed', 'initial'])
    expect(await rev.refused(reviewDetail, { reviewId: id(name) })).toEqual(missing)
  for (const name of ['queued', 'mine', 'initial'])
    expect(await inspector.refused(reviewDetail, { reviewId: id(name) })).toEqual(missing)
  expect(
    await (await floor.signIn('collector')).refused(reviewDetail, { reviewId: id('mine') }),
  ).toMatchObject({ code: 403 })
})

test.each<[string, string, string[]]>([
  [
    'reviewer',
    'mine',
    ['RELEASE', 'REQUEST_DATA', 'ESCALATE', 'SUBMIT', 'HEARTBEAT', 'REQUEST', 'DIAL'],
  ],
  ['reviewer', 'queued', ['CLAIM']],
  ['reviewer', 'escalated', []],
  ['manager', 'mine', ['TAKE_OVER', 'REQUEST']],
  ['manager', 'escalated', ['DECIDE']],
  ['manager', 'queued', ['ASSIGN']],
  ['director', 'mine', []],
  ['quality_inspector', 'passed', ['SAMPLE_OPEN']],
  ['manager', 'cancelled', []],
])('%s may send to %s what the role and the claim allow', async (account, name, events) => {
  const person = { reviewer: rev, manager, director, quality_inspector: inspector }[
    account
  ] as Person
  expect((await person.call(reviewDetail, { reviewId: id(name) })).allowed.toSorted()).toEqual(
    events.toSorted(),
  )
})

test('reasons are the closed sets with their class', async () => {
  const reject = await rev.call(reviewReasons, { kind: 'reject' })
  expect([reject.length, reject[0], reject.at(-1)]).toEqual([
    22,
    { code: 'A01', class: 'A', labelKey: 'review:reject.A01' },
    { code: 'Z01', class: 'Z', labelKey: 'review:reject.Z01' },
  ])
  const quality = await rev.call(reviewReasons, { kind: 'quality' })
  expect(quality.filter((reason) => reason.class === 'fail')).toHaveLength(22)
  expect(quality.filter((reason) => reason.class === 'pass')).toHaveLength(21)
})

test('review staff join the room of the queue, and the room of a review they may see', async () => {
  const rooms = await rev.call(liveRooms, {
    watch: `review:${id('mine')},review:${id('theirs')},review:R404`,
  })
  expect(rooms.rooms).toContain('queue:review')
  expect(rooms.rooms).toContain(`review:${id('mine')}`)
  expect(rooms.refused).toEqual([`review:${id('theirs')}`, 'review:R404'])
  expect(
    (await (await floor.signIn('collector')).call(liveRooms, { watch: `review:${id('mine')}` }))
      .rooms,
  ).not.toContain('queue:review')
})
