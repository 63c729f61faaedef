import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestHandover } from '#shared/review/review-handover-api.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { makeReview, reviewFloor, runOut } from '#tests/factories/reviews.ts'
import { leaseSweep } from './lease-sweep-job.ts'
import { liveStats } from './queue-stats-job.ts'

let floor: Floor
let rev: Person

beforeAll(async () => {
  floor = await reviewFloor()
  rev = await floor.signIn('reviewer')
})
afterAll(() => floor.close())

async function newest(): Promise<number> {
  return (await floor.events()).at(-1)?.seq ?? 0
}

test('the holder is warned once, a minute before the end', async () => {
  const { reviewId } = await makeReview(floor, { state: 'underReview', reviewerId: rev.userId })
  expect(await leaseSweep.run(floor.context)).toEqual({ warned: 0, released: 0, handoversEnded: 0 })
  await sql`
    update review set idle_until = clock_timestamp() + interval '59 seconds' where id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  const before = await newest()
  expect(await leaseSweep.run(floor.context)).toEqual({ warned: 1, released: 0, handoversEnded: 0 })
  expect(await leaseSweep.run(floor.context)).toEqual({ warned: 0, released: 0, handoversEnded: 0 })
  expect(await floor.events(before)).toMatchObject([
    {
      type: 'review.lease.expiring',
      rooms: [`user:${rev.userId}`],
      data: { reviewId, leaseUntil: expect.stringMatching(/Z$/) },
    },
  ])
})

test.each(['idle_until', 'live_until'])(
  'a claim whose %s has expired returns to the queue',
  async (clock) => {
    const { reviewId } = await makeReview(floor, {
      state: 'toAudit',
      reviewerId: rev.userId,
      waitedMinutes: 7,
    })
    await sql`
      update review set ${sql.ref(clock)} = clock_timestamp() - interval '1 millisecond'
        where id = ${reviewId}`.execute(floor.database.kysely)
    const before = await newest()
    expect(await leaseSweep.run(floor.context)).toMatchObject({ released: 1 })
    const { rows } = await sql<{
      state: string
      token: number
      reviewer_id: string | null
      waited: boolean
    }>`
    select r.state, r.token, r.reviewer_id, r.queued_at < clock_timestamp() - interval '6 minutes' as waited
      from review r where r.id = ${reviewId}`.execute(floor.database.kysely)
    expect(rows).toEqual([{ state: 'unclaimed', token: 2, reviewer_id: null, waited: true }])
    expect(await floor.events(before)).toMatchObject([
      { type: 'review.released', data: { cause: 'expired', token: 2 } },
      { type: 'review.queued', data: { reviewId } },
    ])
    await sql`
      update review set state = 'failed', finished_at = clock_timestamp() where id = ${reviewId}`.execute(
      floor.database.kysely,
    )
  },
)

test('many expired claims are freed in one sweep, and two concurrent sweeps free each once', async () => {
  const made = []
  for (let n = 0; n < 60; n += 1)
    made.push((await makeReview(floor, { state: 'toAudit', reviewerId: rev.userId })).reviewId)
  for (const id of made) await runOut(floor, id)
  await Promise.all([leaseSweep.run(floor.context), leaseSweep.run(floor.context)])
  await leaseSweep.run(floor.context)
  const { rows } = await sql<{ n: number; freed: number }>`
    select count(*)::int as n, (select count(*)::int from review_log l where l.review_id = any(${made})
      and l.event = 'LEASE_EXPIRED') as freed
    from review r where r.id = any(${made}) and r.state = 'unclaimed' and r.token = 2`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ n: 60, freed: 60 }])
})

test('an undecided hand-over is rejected with cause expired, and the requester is notified', async () => {
  const colleague = await floor.signIn('reviewer2')
  const { reviewId } = await makeReview(floor, { state: 'underReview', reviewerId: rev.userId })
  await rev.call(requestHandover, {
    reviewIds: [reviewId],
    toUserId: colleague.userId,
    reason: 'knows the case',
  })
  await sql`
    update review_handover set expires_at = clock_timestamp() - interval '1 second'
      where review_id = ${reviewId}`.execute(floor.database.kysely)
  const before = await newest()
  expect(await leaseSweep.run(floor.context)).toMatchObject({ handoversEnded: 1 })
  const { rows } = await sql<{
    state: string
    cause: string
    handover_state: string
    held: boolean
  }>`
    select h.state, h.cause, r.handover_state, r.idle_until is not null as held from review_handover h
      join review r on r.id = h.review_id where h.review_id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([
    { state: 'rejected', cause: 'expired', handover_state: 'rejected', held: true },
  ])
  expect(await floor.events(before)).toMatchObject([
    { type: 'review.handover.changed', data: { reviewId, state: 'rejected', cause: 'expired' } },
    { type: 'notification.changed' },
  ])
})

test('the queue figures are emitted when they change', async () => {
  await liveStats.run(floor.context)
  const before = await newest()
  expect(await liveStats.run(floor.context)).toEqual({})
  await makeReview(floor, { waitedMinutes: 90 })
  expect(await liveStats.run(floor.context)).toEqual({ updated: 1 })
  const event = (await floor.events(before)).at(-1)
  expect(event).toMatchObject({
    type: 'review.queue.stats',
    rooms: ['queue:review'],
    data: { waiting: 61, held: 2, reviewersOnline: 2 },
  })
})

test('figures that change while they are emitted are emitted again', async () => {
  const { reviewId } = await makeReview(floor, { state: 'underReview', reviewerId: rev.userId })
  const run = (text: string) => sql.raw(text).execute(floor.database.kysely)
  // a claim that ends together with the event of the first look
  await run(`
    create function end_claim() returns trigger language plpgsql as $$
    begin
      update review set state = 'unclaimed', idle_until = null, live_until = null where id = '${reviewId}';
      return null;
    end $$`)
  await run(`
    create trigger end_claim after insert on outbox_event for each row
      when (new.type = 'review.queue.stats') execute function end_claim()`)
  const before = await newest()
  expect(await liveStats.run(floor.context)).toEqual({ updated: 2 })
  await run('drop trigger end_claim on outbox_event')
  const held = (await floor.events(before)).map(({ data }) => data.held)
  expect(held).toEqual([3, 2])
})
