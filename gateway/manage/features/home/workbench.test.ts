/** Pending work: the figures beside menu entries equal those of the screens they lead to. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deskFigures } from '#shared/collection/cases-api.ts'
import { workbench } from '#shared/home/home-api.ts'
import { claimReviews } from '#shared/review/review-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeClaimed, makeTicket } from '#tests/factories/tickets.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
beforeAll(async () => {
  floor = await testManage()
})
afterAll(() => floor.close())

async function todo(person: Person): Promise<Record<string, number>> {
  const { todo: rows } = await person.call(workbench, {})
  return Object.fromEntries(rows.map(({ menu, count }) => [menu, count]))
}

test('a reviewer sees the number of claimable reviews, and one less after a claim', async () => {
  await makeReview(floor)
  await makeReview(floor)
  const reviewer = await floor.signIn('reviewer')
  expect(await todo(reviewer)).toEqual({ home_page: 0, review_list: 2 })
  await reviewer.call(claimReviews, { count: 1 })
  expect(await todo(await floor.signIn('reviewer2'))).toMatchObject({ review_list: 1 })
  // a role that only views claims nothing
  expect(await todo(await floor.signIn('quality_inspector'))).not.toHaveProperty('review_list')
})

test('a collector sees the number of own due cases, equal to the figure on the case screen', async () => {
  const collector = await floor.signIn('collector')
  const hour = 3_600_000
  await makeCase(floor, { collectorId: collector.userId })
  await makeCase(floor, {
    collectorId: collector.userId,
    nextFollowTime: new Date(Date.now() - hour).toISOString(),
  })
  await makeCase(floor, {
    collectorId: collector.userId,
    nextFollowTime: new Date(Date.now() + hour).toISOString(),
  })
  await makeCase(floor)
  expect(await todo(collector)).toMatchObject({ pedding_list: 2 })
  expect((await collector.call(deskFigures, {})).dueNow).toBe(2)
})

test('customer service sees the number of own tickets, per screen', async () => {
  const clerk = await floor.signIn('customer_service')
  await makeClaimed(floor, clerk)
  await makeTicket(floor)
  const found = await todo(clerk)
  expect(Object.values(found).reduce((sum, one) => sum + one, 0)).toBe(1)
  expect(found.operation_ticket ?? found.user_feedback).toBe(1)
})

test('a request counts for everybody who may decide it, except the requester', async () => {
  const [manager, director, collector] = await Promise.all([
    floor.signIn('manager'),
    floor.signIn('director'),
    floor.signIn('collector'),
  ])
  await sql`
    insert into approval (id, kind, target_kind, target_id, payload, amount, count, reason, requested_by,
      requested_by_name, expires_at)
    values ('AP900', 'batchWriteOff', 'order', 'AP900', '{}', 1, 1, 'closed shop', ${manager.userId},
      'Manager 1', clock_timestamp() + interval '1 hour')`.execute(floor.database.kysely)
  expect(await todo(director)).toMatchObject({ home_page: 1 })
  expect(await todo(manager)).toMatchObject({ home_page: 0 })
  expect(await todo(collector)).toMatchObject({ home_page: 0 })
})
