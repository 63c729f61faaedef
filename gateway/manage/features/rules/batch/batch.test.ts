import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  listBatches,
  listBatchItems,
  previewBatch,
  retryBatch,
  startBatch,
  stopBatch,
} from '#shared/rules/batch-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { RULES_MENU } from '#shared/rules/rules-menu.ts'
import { TICKETS_MENU } from '#shared/tickets/tickets-menu.ts'
import { retryBatches } from '#gateway/manage/features/review/decisions/batch-retry.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { priceBatches } from '#gateway/manage/features/orders/price-batches.ts'
import { rulesRoutes } from '../rules-routes.ts'
import { batchJob } from './batch-job.ts'

const BATCHES = [...retryBatches, ...priceBatches]
let floor: Floor
let manager: Person
let director: Person

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...TICKETS_MENU, ...RULES_MENU],
      jobTypes: BATCHES.map(batchJob),
      routes: (base) => rulesRoutes(base, context, BATCHES),
    }),
  })
  ;[manager, director] = await Promise.all([floor.signIn('manager'), floor.signIn('director')])
}, 120_000)
afterAll(() => floor.close())
beforeEach(async () => {
  // what an earlier test made is none of this one's
  await sql`update review set state = 'unclaimed' where state = 'abnormal'`.execute(
    floor.database.kysely,
  )
})

const start = (person: Person, type: 'credit' | 'manualReview', orderIds: string[]) =>
  person.call(
    startBatch,
    { type, source: 'filter', orderIds, reason: 'the vendor was away' },
    { 'idempotency-key': randomUUID() },
  )

async function stateOf(reviewId: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    select r.state from review r where r.id = ${reviewId}`.execute(floor.database.kysely)
  return rows[0]?.state
}

test('a preview lists the orders a person could process by hand, and the others by reason', async () => {
  const [fresh, spent, waiting] = [
    await makeReview(floor, { state: 'abnormal' }),
    await makeReview(floor, { state: 'abnormal', retryCount: 3 }),
    await makeReview(floor, { state: 'unclaimed' }),
  ]
  const byDays = await manager.call(previewBatch, { type: 'credit', source: 'filter' })
  expect(byDays).toEqual({
    orderIds: [fresh.orderId],
    examples: [{ orderId: fresh.orderId, before: 'abnormal', after: 'initial' }],
    excluded: [{ why: 'retriesSpent', n: 1, orderIds: [spent.orderId] }],
  })
  const list = [fresh, spent, waiting, fresh].map(({ orderId }) => orderId).join('\n')
  const byList = await manager.call(previewBatch, {
    type: 'manualReview',
    source: 'file',
    list: `${list}\nL00000001\nX12`,
  })
  expect(byList.orderIds).toEqual([spent.orderId])
  expect(byList.excluded.map(({ why, n }) => [why, n])).toEqual([
    ['unknown', 1],
    ['state', 1],
    ['retriesLeft', 1],
    ['unreadable', 1],
    ['repeated', 1],
  ])
  const later = await manager.call(previewBatch, {
    type: 'credit',
    source: 'filter',
    dayFrom: '2099-01-01',
  })
  expect(later.orderIds).toEqual([])
})

test('exactly the previewed orders are processed, by the same command as by hand', async () => {
  const reviews = [
    await makeReview(floor, { state: 'abnormal' }),
    await makeReview(floor, { state: 'abnormal' }),
  ]
  const { orderIds } = await manager.call(previewBatch, { type: 'credit', source: 'filter' })
  expect(orderIds.toSorted()).toEqual(reviews.map(({ orderId }) => orderId).toSorted())
  // one changes between the preview and the start
  await sql`update review set state = 'unclaimed' where id = ${reviews[1]?.reviewId ?? ''}`.execute(
    floor.database.kysely,
  )
  const { batchId, count } = await start(manager, 'credit', orderIds)
  expect(count).toBe(2)
  await floor.settle()
  const [batch] = (await director.call(listBatches, {})).rows
  expect(batch).toMatchObject({
    batchId,
    type: 'credit',
    state: 'done',
    total: 2,
    ok: 1,
    fail: 1,
    reason: 'the vendor was away',
  })
  const { rows } = await director.call(listBatchItems, { batchId })
  expect(rows.map((row) => [row.orderId, row.result, row.problem?.id ?? null]).toSorted()).toEqual(
    [
      [reviews[0]?.orderId, 'ok', null],
      [reviews[1]?.orderId, 'failed', 'V-STATE'],
    ].toSorted(),
  )
  expect(await stateOf(reviews[0]?.reviewId ?? '')).toBe('initial')
  const { rows: logged } = await sql<{ action: string }>`
    select l.action from operate_log l where l.target_id = ${reviews[0]?.reviewId ?? ''}`.execute(
    floor.database.kysely,
  )
  expect(logged).toEqual([{ action: 'retry' }])
  const types = (await floor.events()).map(({ type }) => type)
  expect(types).toEqual(expect.arrayContaining(['batch.changed', 'review.state.changed']))
})

test('one batch of a type runs at a time, and it can be stopped by another person', async () => {
  const { orderId } = await makeReview(floor, { state: 'abnormal' })
  const second = await floor.signIn('manager2')
  const { batchId } = await start(manager, 'credit', [orderId])
  expect(
    await manager.refused(
      startBatch,
      { type: 'credit', source: 'filter', orderIds: [orderId], reason: 'once more' },
      { 'idempotency-key': randomUUID() },
    ),
  ).toMatchObject({ code: 409, problem: { id: 'G-RUN' } })
  const stopped = await second.call(stopBatch, { batchId, reason: 'wrong orders' })
  expect([stopped.batchId, stopped.isStopping || stopped.state === 'cancelled']).toEqual([
    batchId,
    true,
  ])
  await floor.settle()
  const { rows } = await director.call(listBatchItems, { batchId })
  expect(rows.map((row) => row.result)).toEqual(['waiting'])
})

test('the failed rows of a batch are retried as a new one', async () => {
  const { orderId, reviewId } = await makeReview(floor, { state: 'abnormal', retryCount: 3 })
  const { batchId } = await start(manager, 'credit', [orderId])
  await floor.settle()
  await sql`update review set retry_count = 0 where id = ${reviewId}`.execute(floor.database.kysely)
  const { batchId: next } = await manager.call(retryBatch, { batchId })
  await floor.settle()
  const { rows } = await director.call(listBatches, { type: 'credit' })
  expect(rows.slice(0, 2).map((row) => [row.batchId, row.ok, row.fail])).toEqual([
    [next, 1, 0],
    [batchId, 0, 1],
  ])
  expect(await stateOf(reviewId)).toBe('initial')
})

test('limits are raised up to the product, and rates of open applications only become lower', async () => {
  const db = floor.database.kysely
  const [fit, none] = [
    await makeReview(floor, { state: 'unclaimed' }),
    await makeReview(floor, { state: 'unclaimed' }),
  ]
  const customerOf = sql`(select o.customer_id from loan_order o where o.id = ${fit.orderId})`
  await sql`
    insert into credit_grant (id, customer_id, state, final_limit, base_limit, adjusted_limit, tenure_days,
      periods, days_per_period, service_rate, daily_rate)
    values ('Q-batch', ${customerOf}, 'passed', 1000000, 1000000, 0, 90, 3, 30, 100, 5)`.execute(db)
  const [{ rate, most } = { rate: 0, most: 0 }] = (
    await sql<{ rate: number; most: number }>`
      select (o.product_snapshot ->> 'dailyRate')::int as rate,
        coalesce((o.product_snapshot ->> 'maxAmount')::bigint, p.max_amount) as most
      from loan_order o join product p on p.id = o.product_id where o.id = ${fit.orderId}`.execute(
      db,
    )
  ).rows
  const list = `${fit.orderId} ${none.orderId}`
  expect(
    await manager.refused(previewBatch, { type: 'raiseLimit', source: 'file', list }),
  ).toMatchObject({ problem: { id: 'G-FIELD' } })
  expect(
    await manager.call(previewBatch, { type: 'raiseLimit', source: 'file', list, ratio: 2_500 }),
  ).toMatchObject({
    orderIds: [fit.orderId],
    examples: [{ before: '1000000', after: String(Math.min(most, 1_250_000)) }],
    excluded: [{ why: 'noCredit', orderIds: [none.orderId] }],
  })
  const run = async (given: Pick<InputOf<typeof startBatch>, 'type' | 'ratio' | 'rate'>) => {
    await manager.call(
      startBatch,
      { ...given, source: 'file', orderIds: [fit.orderId], reason: 'agreed with the director' },
      { 'idempotency-key': randomUUID() },
    )
    await floor.settle()
    return (await director.call(listBatches, { type: given.type })).rows[0]
  }
  expect(await run({ type: 'raiseLimit', ratio: 2_500 })).toMatchObject({
    ok: 1,
    params: { ratio: 2_500 },
  })
  const { rows: limits } = await sql<{ limit: number }>`
    select g.final_limit as "limit" from credit_grant g where g.customer_id = ${customerOf}
    order by g.created_at desc, g.id desc limit 1`.execute(db)
  expect(limits).toEqual([{ limit: Math.min(most, 1_250_000) }])

  expect(await run({ type: 'reduceRate', rate: rate - 1 })).toMatchObject({ ok: 1, fail: 0 })
  expect(await run({ type: 'reduceRate', rate })).toMatchObject({ ok: 0, fail: 1 })
  const { rows: lowered } = await sql<{ rate: number; fits: boolean }>`
    select (o.product_snapshot ->> 'dailyRate')::int as rate,
      o.contract_amount = o.amount + o.interest as fits
    from loan_order o where o.id = ${fit.orderId}`.execute(db)
  expect(lowered).toEqual([{ rate: rate - 1, fits: true }])
})

test('a director sees batches and starts none', async () => {
  expect(await director.refused(previewBatch, { type: 'credit', source: 'filter' })).toMatchObject({
    code: 403,
  })
})
