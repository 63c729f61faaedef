import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  batchTemplate,
  listBatches,
  listBatchItems,
  previewBatch,
  retryBatch,
  startBatch,
  stopBatch,
} from '#shared/rules/batch-api.ts'
import { inboundAccept, inboundTerms } from '#shared/orders/inbound-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { decideReview, listReviews, reviewDetail } from '#shared/review/review-api.ts'
import { IDENTITY_POINTS } from '#shared/review/review-demands.ts'
import { REVIEW_MENU } from '#shared/review/review-menu.ts'
import type { BatchKind } from '#shared/rules/batch-sets.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { RULES_MENU } from '#shared/rules/rules-menu.ts'
import { TICKETS_MENU } from '#shared/tickets/tickets-menu.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { checkBatches } from '#gateway/manage/features/review/decisions/batch-check.ts'
import { postCheck } from '#gateway/manage/features/review/post-check-job.ts'
import { reviewRoutes } from '#gateway/manage/features/review/review-routes.ts'
import { machineOf } from '#tests/support/machine.ts'
import { retryBatches } from '#gateway/manage/features/review/decisions/batch-retry.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { priceBatches } from '#gateway/manage/features/orders/price-batches.ts'
import { rulesRoutes } from '../rules-routes.ts'
import { batchJob } from './batch-job.ts'

const BATCHES = [...retryBatches, ...checkBatches, ...priceBatches]
let floor: Floor
let manager: Person
let director: Person

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...TICKETS_MENU, ...RULES_MENU, ...ORDERS_MENU, ...REVIEW_MENU],
      jobTypes: BATCHES.map(batchJob),
      schedules: [postCheck],
      routes: (base) => {
        rulesRoutes(base, context, BATCHES)
        reviewRoutes(base, context)
        ordersRoutes(base, context, { whenCancelled: [] })
      },
    }),
  })
  ;[manager, director] = await Promise.all([floor.signIn('manager'), floor.signIn('director')])
})
afterAll(() => floor.close())
beforeEach(async () => {
  // what an earlier test made is none of this one's
  await sql`update review set state = 'unclaimed' where state = 'abnormal'`.execute(
    floor.database.kysely,
  )
})

const start = (person: Person, type: BatchKind, orderIds: string[]) =>
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
  const { rows } = await sql<{ id: string }>`
    select o.product_id as id from loan_order o where o.id = ${fresh.orderId}`.execute(
    floor.database.kysely,
  )
  const ofProduct = async (type: BatchKind, productId: string, params = {}) =>
    (await manager.call(previewBatch, { type, source: 'filter', productId, ...params })).orderIds
  expect(await ofProduct('credit', rows[0]?.id ?? '')).toEqual([fresh.orderId])
  expect(await ofProduct('credit', 'OTHER')).toEqual([])
  expect(await ofProduct('electricVerify', rows[0]?.id ?? '')).toContain(waiting.orderId)
  expect(await ofProduct('electricVerify', 'OTHER')).toEqual([])
  expect(await ofProduct('reduceRate', 'OTHER', { rate: 1 })).toEqual([])
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

test('an application whose identity is to be checked passes with each identity point ticked', async () => {
  const reviewer = await floor.signIn('reviewer')
  const { orderId, reviewId, customerId } = await makeReview(floor, {
    state: 'underReview',
    reviewerId: reviewer.userId,
  })
  const machine = await makeReview(floor, { state: 'abnormal' })
  await sql`
    insert into customer_kyc (customer_id, verify_state, pan_state) values (${customerId}, 'passed', 'passed')
    on conflict (customer_id) do update set verify_state = 'passed', pan_state = 'passed'`.execute(
    floor.database.kysely,
  )
  const list = `${orderId} ${machine.orderId}`
  expect(await manager.call(previewBatch, { type: 'idcheck', source: 'file', list })).toMatchObject(
    {
      orderIds: [orderId],
      examples: [{ before: 'none', after: 'identity' }],
      excluded: [{ why: 'notWithReviewers', orderIds: [machine.orderId] }],
    },
  )
  const { batchId } = await start(manager, 'idcheck', [orderId])
  await floor.settle()
  expect(await kycOf(customerId)).toEqual({ verify: 'pending', pan: 'pending' })
  const { rows: items } = await director.call(listBatchItems, { batchId })
  expect(items).toMatchObject([
    { type: 'idcheck', before: 'none', after: 'identity', result: 'ok' },
  ])
  const { review } = await reviewer.call(reviewDetail, { reviewId })
  expect(review).toMatchObject({
    demands: ['identity'],
    state: 'underReview',
    reviewerId: reviewer.userId,
  })
  const decide = {
    reviewId,
    token: review.token,
    version: review.version,
    result: 'passed',
  } as const
  const key = () => ({ 'idempotency-key': randomUUID() })
  expect(await reviewer.refused(decideReview, decide, key())).toMatchObject({
    problem: { id: 'V-IDENT' },
  })
  const checklist = Object.fromEntries(IDENTITY_POINTS.map((point) => [point, true]))
  await reviewer.call(decideReview, { ...decide, checklist }, key())
  await floor.settle()
  expect([await stateOf(reviewId), await kycOf(customerId)]).toEqual([
    'passed',
    { verify: 'passed', pan: 'passed' },
  ])
  const again = await manager.call(previewBatch, { type: 'idcheck', source: 'file', list: orderId })
  expect(again.excluded).toMatchObject([{ why: 'notWithReviewers' }])
})

test('a demanded verification call holds a pass back until it is answered', async () => {
  const reviewer = await floor.signIn('reviewer')
  const held = { state: 'underReview', reviewerId: reviewer.userId } as const
  const [called, waiting] = [
    await makeReview(floor, { ...held, teleState: 'connected' }),
    await makeReview(floor, held),
  ]
  const list = `${called.orderId} ${waiting.orderId}`
  expect(
    await manager.call(previewBatch, { type: 'electricVerify', source: 'file', list }),
  ).toMatchObject({
    orderIds: [waiting.orderId],
    excluded: [{ why: 'connected', orderIds: [called.orderId] }],
  })
  await start(manager, 'electricVerify', [waiting.orderId])
  await floor.settle()
  const demanded = await manager.call(listReviews, { tab: 'all', demand: 'call' })
  expect(demanded.rows.map((row) => row.reviewId)).toEqual([waiting.reviewId])
  const { review } = await reviewer.call(reviewDetail, { reviewId: waiting.reviewId })
  await reviewer.call(
    decideReview,
    { reviewId: review.reviewId, token: review.token, version: review.version, result: 'passed' },
    { 'idempotency-key': randomUUID() },
  )
  await floor.settle()
  expect(await stateOf(waiting.reviewId)).toBe('abnormal')
})

test('the check before disbursement reads the card that the customer has now', async () => {
  const db = floor.database.kysely
  const [stale, same] = [
    await makeReview(floor, { state: 'unclaimed', bindState: null, nameSimilarity: 9_500 }),
    await makeReview(floor, { state: 'unclaimed', nameSimilarity: 9_500 }),
  ]
  for (const { customerId } of [stale, same])
    await sql`
      update bank_card set bind_state = 'bound', name_similarity = 9500
      where customer_id = ${customerId} and active`.execute(db)
  const byDays = await manager.call(previewBatch, { type: 'verify', source: 'filter' })
  expect(byDays.orderIds).toContain(stale.orderId)
  expect(byDays.orderIds).not.toContain(same.orderId)
  expect(
    await manager.call(previewBatch, {
      type: 'verify',
      source: 'file',
      list: `${stale.orderId} ${same.orderId}`,
    }),
  ).toMatchObject({
    orderIds: [stale.orderId],
    examples: [{ before: 'notBound 9500', after: 'bound 9500' }],
    excluded: [{ why: 'sameCard', orderIds: [same.orderId] }],
  })
  await start(manager, 'verify', [stale.orderId])
  await floor.settle()
  const { rows } = await sql<{ bind_state: string; name_similarity: number }>`
    select r.bind_state, r.name_similarity from review r where r.id = ${stale.reviewId}`.execute(db)
  expect(rows).toEqual([{ bind_state: 'bound', name_similarity: 9_500 }])
})

test('another term is paid out only after the borrower has accepted it', async () => {
  const db = floor.database.kysely
  const app = await machineOf(floor, ['application'])
  const { orderId } = await makeReview(floor, { state: 'unclaimed' })
  const old = await app.call(inboundTerms, { orderId })
  expect(old).toMatchObject({ needsAcceptance: false })
  const [days, n] = [old.tenureDays + old.term * 10, old.term]
  const given = { type: 'productTerm', source: 'file', tenureDays: days, term: n } as const
  expect(
    await manager.refused(previewBatch, {
      ...given,
      list: orderId,
      tenureDays: n * 10 + 1,
      term: n + 1,
    }),
  ).toMatchObject({ problem: { id: 'G-FIELD' } })
  expect(
    await manager.refused(previewBatch, {
      type: 'productTerm',
      source: 'file',
      list: orderId,
      term: 3,
    }),
  ).toMatchObject({ problem: { id: 'G-FIELD' } })
  expect(await manager.call(previewBatch, { ...given, list: orderId })).toMatchObject({
    examples: [{ before: `${old.tenureDays} ${old.term}`, after: `${days} ${n}` }],
  })
  await manager.call(
    startBatch,
    { ...given, orderIds: [orderId], reason: 'agreed with the director' },
    { 'idempotency-key': randomUUID() },
  )
  await floor.settle()
  const offered = await app.call(inboundTerms, { orderId })
  expect(offered).toMatchObject({ needsAcceptance: true, tenureDays: days, term: n })
  expect(offered.interest).toBeGreaterThan(old.interest)
  expect(offered.contract).toBe(offered.amount + offered.interest)
  const accept = { orderId, kfsVersion: 'KFS-2', kfsAcceptTime: new Date().toISOString() }
  const terms = ({ contract, tenureDays, term }: typeof old) => ({ contract, tenureDays, term })
  expect(await app.refused(inboundAccept, { ...accept, ...terms(old) })).toMatchObject({
    problem: { id: 'O-TERMS' },
  })
  await app.call(inboundAccept, { ...accept, ...terms(offered) })
  expect(await app.call(inboundTerms, { orderId })).toMatchObject({ needsAcceptance: false })
  const { rows } = await sql<{ version: string; snapshot: number }>`
    select o.kfs_version as version, (o.product_snapshot ->> 'daysPerPeriod')::int as snapshot
    from loan_order o where o.id = ${orderId}`.execute(db)
  expect(rows).toEqual([{ version: 'KFS-2', snapshot: days / n }])
})

async function kycOf(customerId: string) {
  const { rows } = await sql<{ verify: string; pan: string }>`
    select k.verify_state as verify, k.pan_state as pan from customer_kyc k
    where k.customer_id = ${customerId}`.execute(floor.database.kysely)
  return rows[0]
}

test('the sheet for the orders of a batch can be read back', async () => {
  for (const format of ['xlsx', 'csv'] as const) {
    const answer = await manager.send(batchTemplate, { format, title: '订单' })
    expect(answer.headers['content-disposition']).toContain(`batch-run.${format}`)
    expect(
      await manager.call(previewBatch, {
        type: 'credit',
        source: 'file',
        ...({ file: [answer.rawPayload] } as object),
      }),
    ).toMatchObject({ orderIds: [], excluded: [] })
  }
})

test('a director sees batches and starts none', async () => {
  expect(await director.refused(previewBatch, { type: 'credit', source: 'filter' })).toMatchObject({
    code: 403,
  })
})
