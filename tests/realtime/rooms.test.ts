/**
 * Rooms over two edges: entitled users receive everything once, others nothing, and a revoked user
 * nothing more within a second.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimReviews, releaseReviews } from '#shared/review/review-api.ts'
import { cancelOrder, remarkOrder } from '#shared/orders/orders-api.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { endSessions } from '#gateway/manage/features/session/end-sessions.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeCollector, makeLeader, makeUnit } from '#tests/factories/units.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import { type Listener, WebPerson } from '#tests/support/web-person.ts'

let stack: Stack
const open: Listener[] = []
beforeAll(async () => {
  stack = await startStack({ edges: 2 })
})
afterAll(async () => {
  for (const listener of open) listener.close()
  await stack.close()
})
async function listen(
  account: string,
  edge: number,
  watch: string[] = [],
): Promise<{ person: WebPerson; received: Listener }> {
  const person = await WebPerson.signIn(stack.urls[edge] as string, account)
  const received = await person.listen({ watch }).ready()
  open.push(received)
  return { person, received }
}

test('events of two reviewers reach their queue on both edges, in order and once, and no other role', async () => {
  const { reviewId, orderId, customerId } = await makeReview(stack, { state: 'unclaimed' })
  const one = await listen('reviewer', 0)
  const two = await listen('reviewer2', 1)
  const manager = await listen('manager', 1, [`order:${orderId}`])
  // Not in the room of the queue: the customer page watches the order silently.
  const service = await listen('customer_service', 1, [`order:${orderId}`])
  const collector = await listen('collector', 0, [
    `customer:${customerId}`,
    `order:${orderId}`,
    `review:${reviewId}`,
    'menu:review_list',
  ])
  const row = (await one.person.call(claimReviews, { reviewIds: [reviewId] })).ok[0]
  await one.person.call(releaseReviews, {
    reviewIds: [reviewId],
    reason: 'let a colleague have it',
  })
  const ours = (received: Listener) =>
    received.events.filter((event) => event.subject === `review:${reviewId}`)
  for (const { received } of [one, two, manager])
    await received.until((events) =>
      events.some(
        (event) => event.type === 'review.released' && event.subject === `review:${reviewId}`,
      ),
    )
  await stack.settle()
  expect(ours(two.received).map((event) => event.type)).toEqual(
    ours(one.received).map((event) => event.type),
  )
  expect(ours(two.received)[0]).toMatchObject({
    type: 'review.claimed',
    actor: { userId: row?.reviewerId },
    data: { reviewId },
  })
  expect(ours(service.received).map((event) => event.type)).toEqual(
    ours(one.received)
      .map((event) => event.type)
      .filter((type) => type === 'review.state.changed'),
  )
  expect(ours(service.received)).not.toEqual([])
  const versions = ours(two.received).map((event) => event.version ?? 0)
  expect(versions).toEqual([...versions].toSorted((a, b) => a - b))
  expect(
    collector.received.events.filter((event) => event.subject !== `user:${row?.reviewerId}`),
  ).toEqual([])
})

test('an event contains no personal data', async () => {
  const events = await stack.events()
  const { rows } = await sql<{
    name: string
    phone_last4: string
  }>`select c.name, c.phone_last4 from customer c`.execute(stack.database.kysely)
  const text = JSON.stringify(events.map((event) => event.data))
  expect(rows.filter((row) => text.includes(row.name))).toEqual([])
})

test('an order cancelled on one screen is shown as cancelled on another without a read', async () => {
  const { orderId, reviewId } = await makeReview(stack, { state: 'unclaimed' })
  const watcher = await listen('director', 1, [`order:${orderId}`])
  const manager = await listen('manager', 0)
  await manager.person.call(cancelOrder, {
    orderId,
    version: await version(orderId),
    reason: 'the customer withdrew',
  })
  await watcher.received.until((events) =>
    events.some(
      (event) =>
        event.type === 'order.status.changed' &&
        event.data.orderId === orderId &&
        event.data.to === 70,
    ),
  )
  await watcher.received.until((events) =>
    events.some((event) => event.subject === `review:${reviewId}`),
  )
})

test('a supervisor hears of each order that is listed, of more than can be watched', async () => {
  const unit = await makeUnit(stack)
  const { userId: collectorId } = await makeCollector(stack, unit)
  const orders: string[] = []
  // of an open case the supervisor hears anyway, in the room of the department
  while (orders.length < 30)
    orders.push((await makeCase(stack, { collectorId, state: 'closed' })).orderId)
  const { orderId: foreign } = await makeCase(stack)
  const leader = await makeLeader(stack, unit, 'internal_supervisor')
  const { received } = await listen(leader.account, 1)
  const rows = [...orders, foreign].map((orderId) => `order:${orderId}`)
  expect(await received.socket.emitWithAck('rows', { rows })).toMatchObject({ code: 200 })
  const { person: manager } = await listen('manager', 0)
  for (const orderId of [foreign, ...orders])
    await manager.call(remarkOrder, { orderId, remark: 'Asked for the new address' })
  const seenOrders = () =>
    received.events.flatMap(({ type, data }) => (type === 'order.updated' ? [data.orderId] : []))
  await received.until(() => seenOrders().length === orders.length)
  await stack.settle()
  expect(seenOrders()).toEqual(orders)
  await received.socket.emitWithAck('rows', { rows: [] })
  await manager.call(remarkOrder, { orderId: orders[0] as string, remark: 'Has moved away' })
  await stack.settle()
  expect(seenOrders()).toEqual(orders)
})

async function version(orderId: string): Promise<number> {
  const { rows } = await sql<{
    version: number
  }>`select o.version from loan_order o where o.id = ${orderId}`.execute(stack.database.kysely)
  return rows[0]?.version ?? 0
}

test('a revoked user is disconnected from every edge within a second and cannot reconnect', async () => {
  const here = await listen('reviewer3', 0)
  const there = await listen('reviewer3', 1)
  const cursor = here.received.lastSeq
  const { rows } = await sql<{
    id: string
  }>`select u.id from sys_user u where u.account = 'reviewer3'`.execute(stack.database.kysely)
  const userId = rows[0]?.id as string
  const kickedAt = Promise.all(
    [here, there].map(({ received }) =>
      received.until(() => received.kicked !== null || !received.socket.connected, 5_000),
    ),
  )
  const started = performance.now()
  await runCommand(stack.context, { actor: systemActor('test'), audit: { action: 'kick' } }, (tx) =>
    endSessions(tx, userId, 'kick'),
  )
  await kickedAt
  expect(performance.now() - started).toBeLessThan(1_000)
  const again = here.person.listen({ lastSeq: cursor })
  open.push(again)
  const refused = await new Promise<{ data?: { code: number } }>((resolve) =>
    again.socket.once('connect_error', resolve),
  )
  expect(refused.data?.code).toBe(401)
  expect(again.events).toEqual([])
})
