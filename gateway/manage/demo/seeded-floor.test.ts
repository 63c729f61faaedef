import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOrders } from '#shared/orders/orders-api.ts'
import { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'
import { claimReviews, listReviews, reviewDetail } from '#shared/review/review-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { seedDemo } from './seed-demo.ts'

let floor: Floor
beforeAll(async () => {
  floor = await testManage()
  await seedDemo(floor.context, { customers: 250 })
})
afterAll(() => floor.close())

test('every seeded order opens with its timeline', async () => {
  const manager = await floor.signIn('manager')
  const { rows } = await sql<{
    id: string
  }>`select distinct on (o.status) o.id from loan_order o order by o.status, o.id`.execute(
    floor.database.kysely,
  )
  for (const { id } of rows) {
    const detail = await manager.call(orderDetail, { orderId: id })
    expect(detail.order.outstanding).toBe(
      detail.plans.reduce((sum, plan) => sum + plan.outstanding, 0),
    )
    expect((await manager.call(orderTimeline, { orderId: id })).at(-1)?.to).toBe(
      detail.order.status,
    )
  }
  const page = await manager.call(listOrders, { pageSize: 50 })
  expect(page.rows).toHaveLength(50)
})

test('every state of a seeded review opens, and one of the queue can be claimed', async () => {
  const manager = await floor.signIn('manager')
  const { rows } = await sql<{
    id: string
  }>`select distinct on (r.state) r.id from review r order by r.state, r.id`.execute(
    floor.database.kysely,
  )
  for (const { id } of rows)
    expect((await manager.call(reviewDetail, { reviewId: id })).review.reviewId).toBe(id)
  const reviewer = await floor.signIn('reviewer')
  expect((await reviewer.call(listReviews, { tab: 'queue' })).rows.length).toBeGreaterThan(0)
  expect((await reviewer.call(claimReviews, { count: 1 })).ok).toHaveLength(1)
})

test('the schedules find work in the seeded data and break no invariant', async () => {
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
  // what was passed with a bound card has been paid out, what was decided has been post-checked
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from loan_order o join bank_card b on b.customer_id = o.customer_id
      and b.active
    where o.status in (20, 26) and b.bind_state = 'bound' and b.name_similarity >= 8000`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.waiting).toBe(0)
})
