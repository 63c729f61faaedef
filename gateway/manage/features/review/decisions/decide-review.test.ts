import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideReview, escalateReview, retryReview } from '#shared/review/review-api.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import {
  makeReview,
  type MadeReview,
  reviewFloor,
  type ReviewGiven,
  runOut,
} from '#tests/factories/reviews.ts'
import { endReviewOfOrder } from '../end-review-of-order.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'

let floor: Floor
let rev: Person
let rev2: Person
let manager: Person
let manager2: Person

beforeAll(async () => {
  floor = await reviewFloor()
  ;[rev, rev2, manager, manager2] = await Promise.all([
    floor.signIn('reviewer'),
    floor.signIn('reviewer2'),
    floor.signIn('manager'),
    floor.signIn('manager2'),
  ])
})
afterAll(() => floor.close())

function under(given: ReviewGiven = {}): Promise<MadeReview> {
  return makeReview(floor, { state: 'underReview', reviewerId: rev.userId, ...given })
}
const held = ({ reviewId }: MadeReview) => ({ reviewId, version: 1, token: 1 })

async function stored({ reviewId, orderId }: MadeReview) {
  const { rows } = await sql<{
    state: string
    status: number
    pre_reject_code: string | null
    quota_reject: boolean
    finished: boolean
  }>`
    select r.state, o.status, r.pre_reject_code, r.quota_reject, r.finished_at is not null as finished
      from review r join loan_order o on o.id = r.order_id where r.id = ${reviewId} and o.id = ${orderId}`.execute(
    floor.database.kysely,
  )
  return rows[0]
}

test('a rejection ends review and order at once', async () => {
  const made = await under()
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const row = await rev.call(decideReview, {
    ...held(made),
    result: 'failed',
    rejectCode: 'B04',
    remark: 'Photo of a brother',
    checklist: { livePhoto: false },
  })
  expect(row).toMatchObject({
    state: 'failed',
    manualResult: 'failed',
    rejectCode: 'B04',
    reviewerId: rev.userId,
    token: 1,
    version: 3,
    leaseUntil: null,
  })
  expect(await stored(made)).toMatchObject({ state: 'failed', status: 27, finished: true })
  expect((await floor.events(before)).map((event) => [event.type, event.data.to])).toEqual([
    ['review.state.changed', 'audited'],
    ['review.state.changed', 'failed'],
    ['order.status.changed', 27],
    ['customer.changed', undefined],
  ])
})

test('a pass waits for the post checks, which pass review and order', async () => {
  const made = await under()
  const row = await rev.call(decideReview, { ...held(made), result: 'passed' })
  expect(row).toMatchObject({
    state: 'audited',
    manualResult: 'passed',
    rejectCode: null,
    finishTime: null,
  })
  await floor.settle()
  expect(await stored(made)).toEqual({
    state: 'passed',
    status: 26,
    pre_reject_code: null,
    quota_reject: false,
    finished: true,
  })
})

test.each([
  [
    { bindState: 'notBound' },
    { state: 'failed', status: 27, pre_reject_code: 'cardNotBound', quota_reject: false },
  ],
  [{ nameSimilarity: 7_999 }, { state: 'failed', status: 27, pre_reject_code: 'nameMismatch' }],
  [
    { limit: 900_000 },
    { state: 'failed', status: 27, pre_reject_code: 'quotaExceeded', quota_reject: true },
  ],
  [
    { teleState: 'notConnected', teleAttempts: 3 },
    { state: 'failed', status: 27, pre_reject_code: 'teleNotConnected' },
  ],
  [{ ruleOutput: 'teleVerify' }, { state: 'abnormal', status: 22, pre_reject_code: null }],
  [{ bindState: null }, { state: 'abnormal', status: 22, pre_reject_code: null }],
] as const)('after a pass, %j ends as %j', async (given, ending) => {
  const made = await under(given)
  await rev.call(decideReview, { ...held(made), result: 'passed' })
  await floor.settle()
  expect(await stored(made)).toMatchObject(ending)
  const { rows } = await sql<{
    title_key: string
  }>`
    select n.title_key
    from notification n
    where n.user_id = ${rev.userId} and n.params ->> 'reviewId' = ${made.reviewId}`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([
    {
      title_key:
        ending.state === 'failed'
          ? 'review:notification.postCheckFailed'
          : 'review:notification.postCheckError',
    },
  ])
})

test("the larger of the credit's limit and the machine's limit applies and stays the customer's credit", async () => {
  const made = await under({ limit: 900_000 })
  await sql`
    insert into credit_grant (id, customer_id, state, final_limit, base_limit, adjusted_limit, tenure_days,
      periods, days_per_period, service_rate, daily_rate)
    values (${made.customerId}, ${made.customerId}, 'passed', 1000000, 1000000, 0, 90, 3, 30, 1000, 5)`.execute(
    floor.database.kysely,
  )
  await rev.call(decideReview, { ...held(made), result: 'passed' })
  await floor.settle()
  expect(await stored(made)).toMatchObject({ state: 'passed', status: 26 })
  const { rows } = await sql`
      select g.state, g.final_limit, g.base_limit, g.adjusted_limit, g.periods, g.days_per_period
        from credit_grant g where g.customer_id = ${made.customerId} order by g.created_at desc limit 1`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([
    {
      state: 'passed',
      final_limit: 1_000_000,
      base_limit: 900_000,
      adjusted_limit: 100_000,
      periods: 3,
      days_per_period: 30,
    },
  ])
})

test('a rejection needs a reason, and "other" needs a remark', async () => {
  const made = await under()
  for (const reason of [{}, { rejectCode: 'Z01' }, { rejectCode: 'Z01', remark: '  ' }]) {
    expect(
      await rev.refused(decideReview, { ...held(made), result: 'failed', ...reason }),
    ).toMatchObject({ code: 400, problem: { id: 'V-REA' } })
  }
  expect(
    await rev.call(decideReview, {
      ...held(made),
      result: 'failed',
      rejectCode: 'Z01',
      remark: 'Known fraud ring',
    }),
  ).toMatchObject({ state: 'failed' })
})

test('a decision needs a key, a matching state and version, and the claim', async () => {
  const made = await under()
  expect(
    await rev.refused(decideReview, { ...held(made), result: 'passed' }, { 'idempotency-key': '' }),
  ).toMatchObject({ code: 400 })
  expect(
    await rev.refused(decideReview, { ...held(made), version: 9, result: 'passed' }),
  ).toMatchObject({ code: 409, problem: { id: 'G409' }, data: { version: 1 } })
  expect(
    await rev.refused(decideReview, { ...held(made), token: 0, result: 'passed' }),
  ).toMatchObject({ problem: { id: 'V-LEASE', params: { userName: 'Reviewer 1' } } })
  expect(await rev2.refused(decideReview, { ...held(made), result: 'passed' })).toMatchObject({
    problem: { id: 'G404' },
  })
  expect(await manager.refused(decideReview, { ...held(made), result: 'passed' })).toMatchObject({
    problem: { id: 'V-LEASE', params: { userName: 'Reviewer 1' } },
  })
  await runOut(floor, made.reviewId)
  expect(await rev.refused(decideReview, { ...held(made), result: 'passed' })).toMatchObject({
    problem: { id: 'V-LEASE', params: {} },
  })
  const waiting = await makeReview(floor, { state: 'toAudit', reviewerId: rev.userId })
  expect(await rev.refused(decideReview, { ...held(waiting), result: 'failed' })).toMatchObject({
    code: 409,
    problem: { id: 'V-STATE', params: { state: 'toAudit' } },
    data: { event: 'SUBMIT', allowed: expect.arrayContaining(['OPEN']) },
  })
})

test('a repeated submit gets an identical response by its key, and the current row without a key', async () => {
  const made = await under()
  const key = { 'idempotency-key': randomUUID() }
  const first = await rev.send(
    decideReview,
    { ...held(made), result: 'failed', rejectCode: 'A01' },
    key,
  )
  const replayed = await rev.send(
    decideReview,
    { ...held(made), result: 'failed', rejectCode: 'A01' },
    key,
  )
  expect(replayed.body).toBe(first.body)
  expect(await rev.refused(decideReview, { ...held(made), result: 'passed' }, key)).toMatchObject({
    problem: { id: 'G-IK' },
  })
  expect(
    await rev.call(decideReview, { ...held(made), result: 'failed', rejectCode: 'A01' }),
  ).toEqual(first.json<{ data: unknown }>().data)
  expect(await rev.refused(decideReview, { ...held(made), result: 'passed' })).toMatchObject({
    code: 409,
    problem: { id: 'G409' },
  })
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from review_log l where l.review_id = ${made.reviewId} and l.event = 'SUBMIT'`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ n: 1 }])
})

test('two concurrent submits decide once', async () => {
  const made = await under()
  const answers = await Promise.all(
    ['passed', 'failed'].map((result) =>
      rev.send(decideReview, {
        ...held(made),
        result,
        ...(result === 'failed' ? { rejectCode: 'A01' } : {}),
      }),
    ),
  )
  expect(answers.map((answer) => answer.json<{ code: number }>().code).toSorted()).toEqual([
    200, 409,
  ])
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from review_log l where l.review_id = ${made.reviewId} and l.event = 'SUBMIT'`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ n: 1 }])
})

test('an escalated review is decided by a leader, not by the first reviewer', async () => {
  const made = await under()
  expect(
    await rev.refused(escalateReview, { ...held(made), token: 0, reason: 'unsure about the face' }),
  ).toMatchObject({ problem: { id: 'V-LEASE' } })
  const row = await rev.call(escalateReview, { ...held(made), reason: 'unsure about the face' })
  expect(row).toMatchObject({
    state: 'manualCheck',
    reviewerId: null,
    token: 2,
    version: 2,
    leaseUntil: null,
  })
  const decision = {
    reviewId: made.reviewId,
    version: 2,
    token: 2,
    result: 'failed',
    rejectCode: 'C03',
  } as const
  expect(await rev.refused(decideReview, decision)).toMatchObject({ code: 403 })
  expect(await manager.refused(decideReview, { ...decision, rejectCode: undefined })).toMatchObject(
    { problem: { id: 'V-REA' } },
  )
  expect(await manager.refused(decideReview, { ...decision, token: 1 })).toMatchObject({
    problem: { id: 'V-LEASE' },
  })
  expect(await manager.call(decideReview, decision)).toMatchObject({
    state: 'failed',
    reviewerId: manager.userId,
    rejectCode: 'C03',
  })
  expect(await manager2.refused(decideReview, decision)).toMatchObject({
    problem: { id: 'G409', params: { userName: 'Manager 1' } },
  })
  expect(await stored(made)).toMatchObject({ status: 27 })
  const { rows } = await sql<{
    title_key: string
  }>`
    select n.title_key
    from notification n
    where n.user_id = ${rev.userId} and n.params ->> 'reviewId' = ${made.reviewId}`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ title_key: 'review:notification.decided' }])
})

test('a leader cannot decide a review they escalated themselves', async () => {
  const { reviewId } = await makeReview(floor, {
    state: 'manualCheck',
    firstReviewerId: manager.userId,
  })
  expect(
    await manager.refused(decideReview, { reviewId, version: 1, token: 2, result: 'passed' }),
  ).toMatchObject({ code: 400, problem: { id: 'V-SELF' } })
})

test('an abnormal review runs three more times, then it goes to manual review with its order', async () => {
  const { reviewId, orderId } = await makeReview(floor, { state: 'abnormal', retryCount: 2 })
  expect(
    await manager.refused(retryReview, { reviewId, version: 1, to: 'unclaimed' }),
  ).toMatchObject({ problem: { id: 'V-STATE', params: { state: 'abnormal' } } })
  expect(await manager.call(retryReview, { reviewId, version: 1, to: 'initial' })).toMatchObject({
    state: 'initial',
    version: 2,
  })
  await sql`update review set state = 'abnormal' where id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  expect(await manager.refused(retryReview, { reviewId, version: 2, to: 'initial' })).toMatchObject(
    { problem: { id: 'V-STATE' } },
  )
  expect(await manager.call(retryReview, { reviewId, version: 2, to: 'unclaimed' })).toMatchObject({
    state: 'unclaimed',
    queuedTime: expect.any(String),
  })
  const { rows } = await sql<{
    status: number
  }>`select o.status from loan_order o where o.id = ${orderId}`.execute(floor.database.kysely)
  expect(rows).toEqual([{ status: 22 }])
  expect(await rev.refused(retryReview, { reviewId, version: 3, to: 'initial' })).toMatchObject({
    code: 403,
  })
})

test('a review returned after a failed check has no earlier decision', async () => {
  const made = await under({ bindState: null, retryCount: 3 })
  await rev.call(decideReview, { ...held(made), result: 'passed' })
  await floor.settle()
  const row = await manager.call(retryReview, {
    reviewId: made.reviewId,
    version: 3,
    to: 'unclaimed',
  })
  expect(row).toMatchObject({
    state: 'unclaimed',
    manualResult: null,
    reviewerId: null,
    // whoever decides it next is its first reviewer and may undo that
    firstReviewerId: null,
    rejectCode: null,
  })
})

test('a cancelled order ends its review without a result', async () => {
  const claimed = await under()
  const waiting = await makeReview(floor)
  const cancel = (orderId: string) =>
    runCommand(floor.context, { actor: systemActor('test'), audit: { action: 'cancel' } }, (tx) =>
      endReviewOfOrder(tx, orderId),
    )
  const before = (await floor.events()).at(-1)?.seq ?? 0
  await cancel(claimed.orderId)
  await cancel(waiting.orderId)
  expect(await stored(claimed)).toMatchObject({ state: 'failed', finished: true })
  expect(
    (await floor.events(before)).map((event) => [
      event.type,
      event.data.cause ?? event.data.to ?? '',
    ]),
  ).toEqual([
    ['review.released', 'cancelled'],
    ['notification.changed', ''],
    ['review.state.changed', 'failed'],
    ['review.state.changed', 'failed'],
  ])
  expect(await rev.refused(decideReview, { ...held(claimed), result: 'passed' })).toMatchObject({
    problem: { id: 'V-LEASE', params: {} },
  })
})
