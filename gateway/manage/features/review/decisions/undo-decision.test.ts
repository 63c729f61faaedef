import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideReview, reviewDetail, undoDecision } from '#shared/review/review-api.ts'
import type { ReviewRow } from '../review-row.ts'
import { makeReview, type MadeReview, reviewFloor } from '#tests/factories/reviews.ts'
import type { Floor, Person } from '#tests/support/manage.ts'

let floor: Floor
let rev: Person
let other: Person
beforeAll(async () => {
  floor = await reviewFloor()
  ;[rev, other] = await Promise.all([floor.signIn('reviewer'), floor.signIn('reviewer2')])
  await undoFor(60)
})
afterAll(() => floor.close())

const undoFor = (seconds: number) =>
  sql`update sys_config set value = ${String(seconds)} where code = 'review.undoSeconds'`.execute(
    floor.database.kysely,
  )
const key = () => ({ 'idempotency-key': randomUUID() })
const under = () => makeReview(floor, { state: 'underReview', reviewerId: rev.userId })

async function decided(result: 'passed' | 'failed') {
  const made = await under()
  const { reviewId, version, token } = await heldOf(made)
  return rev.call(
    decideReview,
    { reviewId, version, token, result, ...(result === 'failed' ? { rejectCode: 'B03' } : {}) },
    key(),
  )
}
async function heldOf({ reviewId }: MadeReview) {
  return (await rev.call(reviewDetail, { reviewId })).review
}
const undo = (person: Person, { reviewId, version, token }: ReviewRow) =>
  person.call(undoDecision, { reviewId, version, token }, key())
async function orderOf(reviewId: string): Promise<number> {
  const { rows } = await sql<{ status: number }>`
    select o.status from review r join loan_order o on o.id = r.order_id where r.id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  return (rows[0] as { status: number }).status
}

test.each(['passed', 'failed'] as const)(
  'a decision %s can be undone and then made again',
  async (result) => {
    const row = await decided(result)
    expect(row).toMatchObject({ state: 'audited', manualResult: result })
    await floor.settle()
    expect(await orderOf(row.reviewId), 'nothing has followed').toBe(22)
    const back = await undo(rev, row)
    expect(back).toMatchObject({
      state: 'underReview',
      reviewerId: rev.userId,
      manualResult: null,
      rejectCode: null,
      // the next reviewer who decides is its first reviewer, also after a release
      firstReviewerId: null,
      token: row.token + 1,
    })
    const { reviewId, version, token } = back
    await rev.call(
      decideReview,
      { reviewId, version, token, result: 'failed', rejectCode: 'A01' },
      key(),
    )
  },
)

test('a decision that can no longer be undone takes effect by the post check', async () => {
  const row = await decided('failed')
  await sql`
    update review set decided_at = decided_at - interval '61 seconds' where id = ${row.reviewId}`.execute(
    floor.database.kysely,
  )
  await expect(undo(rev, row)).rejects.toThrow('V-STATE')
  floor.context.wakeSchedule('postCheck')
  await floor.settle()
  expect(await orderOf(row.reviewId)).toBe(27)
})

test('a decision cannot be undone by another person, nor after an inspector opened it', async () => {
  const row = await decided('passed')
  await expect(undo(other, row)).rejects.toThrow('G404')
  await sql`update review set quality = 'checked' where id = ${row.reviewId}`.execute(
    floor.database.kysely,
  )
  await expect(undo(rev, row)).rejects.toThrow('V-STATE')
})
