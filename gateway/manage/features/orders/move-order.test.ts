import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Problem } from '#shared/kernel/problem.ts'
import type { OrderEvent } from '#shared/orders/order-lifecycle.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { moveOrder, moveOrders } from './move-order.ts'
import type { MovedOrder, MoveOrder } from './order-path.ts'

let floor: Floor

beforeAll(async () => {
  floor = await testManage({ parts: () => ({}) })
})
afterAll(() => floor.close())

async function move(orderId: string, event: OrderEvent, options: MoveOrder): Promise<MovedOrder> {
  const { result } = await runCommand(
    floor.context,
    { actor: systemActor('rule engine'), audit: { action: 'test' } },
    (tx) => moveOrder(tx, orderId, event, options),
  )
  return result
}

const autoPass: OrderEvent = { type: 'AUTO_PASS', blockingRulesPassed: true, needManual: false }
const withdraw: OrderEvent = { type: 'CANCEL', withdrawn: true, offerExpired: false }

test('a move changes status and version, writes the log and emits to everyone who may see the order', async () => {
  const { orderId, customerId } = await makeOrder(floor)
  const before = (await floor.events()).at(-1)?.seq ?? 0
  expect(await move(orderId, autoPass, { cause: 'machinePassed', note: 'score 712' })).toEqual({
    from: 10,
    to: 20,
    version: 2,
  })
  const { rows } = await sql`
      select l.from_status, l.to_status, l.cause, l.by_name, l.note from order_status_log l
        where l.order_id = ${orderId} order by l.id desc limit 1`.execute(floor.database.kysely)
  expect(rows[0]).toEqual({
    from_status: 10,
    to_status: 20,
    cause: 'machinePassed',
    by_name: 'rule engine',
    note: 'score 712',
  })
  expect(await floor.events(before)).toMatchObject([
    {
      type: 'order.status.changed',
      subject: `order:${orderId}`,
      entity_version: 2,
      rooms: [`order:${orderId}`, 'scope:all'],
      data: {
        orderId,
        userId: customerId,
        from: 10,
        to: 20,
        closeType: 'notClosed',
        closeTime: null,
        outstanding: 0,
        cause: 'machinePassed',
        tags: ['firstLoan'],
      },
    },
  ])
})

test("the event is also sent to the room of the order's review", async () => {
  const { orderId, customerId, name } = await makeOrder(floor)
  await sql`
    insert into review (id, order_id, customer_id, customer_name, amount)
      values ('R-1', ${orderId}, ${customerId}, ${name}, 1)`.execute(floor.database.kysely)
  const before = (await floor.events()).at(-1)?.seq ?? 0
  await move(orderId, autoPass, { cause: 'machinePassed' })
  expect((await floor.events(before))[0]?.rooms).toEqual([
    `order:${orderId}`,
    'scope:all',
    'review:R-1',
  ])
})

test('other columns change in the same update', async () => {
  const { orderId } = await makeOrder(floor)
  await move(
    orderId,
    { type: 'AUTO_REJECT', blockingRuleHit: true, refusalCode: 'R12', coolDownUntil: '2027-01-01' },
    { cause: 'machineFailed', set: { refusal_code: 'R12', fail_reason: 'Rule R12' } },
  )
  const { rows } = await sql`
      select o.status, o.refusal_code, o.fail_reason, o.closed_at is not null as closed, o.close_type
        from loan_order o where o.id = ${orderId}`.execute(floor.database.kysely)
  expect(rows[0]).toEqual({
    status: 21,
    refusal_code: 'R12',
    fail_reason: 'Rule R12',
    closed: true,
    close_type: 'notClosed',
  })
})

test('an event the status does not allow is refused with the fresh row and changes nothing', async () => {
  const { orderId } = await makeOrder(floor, { status: 27 })
  const error = await move(orderId, withdraw, { cause: 'cancel' }).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({
    id: 'O-STATE',
    code: 409,
    params: { status: 'manualFailed' },
    data: { orderId, status: 27, version: 3 },
  })
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from order_status_log l where l.order_id = ${orderId}`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.n).toBe(3)
})

test('a refusal by a guard has another code than a refusal by the status', async () => {
  const { orderId } = await makeOrder(floor)
  await expect(
    move(
      orderId,
      { type: 'AUTO_PASS', blockingRulesPassed: false, needManual: false },
      { cause: 'machinePassed' },
    ),
  ).rejects.toMatchObject({ id: 'O-RULE', params: { reason: 'AUTO_PASS' }, data: { status: 10 } })
})

test('an outdated version is refused with the name of the person who changed the order', async () => {
  const { orderId } = await makeOrder(floor)
  await move(orderId, autoPass, { cause: 'machinePassed', version: 1 })
  await expect(move(orderId, withdraw, { cause: 'cancel', version: 1 })).rejects.toMatchObject({
    id: 'G409',
    params: { userName: 'rule engine' },
    data: { version: 2, status: 20 },
  })
})

test('a missing order is not found', async () => {
  await expect(move('L-none', withdraw, { cause: 'cancel' })).rejects.toMatchObject({ id: 'G404' })
})

test('of two concurrent moves one succeeds and the other is refused', async () => {
  const { orderId } = await makeOrder(floor, { status: 20 })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, () => move(orderId, withdraw, { cause: 'cancel' })),
  )
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ id: 'O-STATE' })
})

test('many orders move in one call, each with its own event, log entry and version', async () => {
  const made = [
    await makeOrder(floor, { status: 20 }),
    await makeOrder(floor, { status: 26 }),
    await makeOrder(floor, { status: 20 }),
  ]
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const moves = made.map(({ orderId }, i) => ({
    orderId,
    event: { ...withdraw, offerExpired: i === 1 },
    cause: `cause${i}`,
    ...(i === 2 ? { note: 'by hand', set: { fail_reason: 'Withdrawn' } } : {}),
  }))
  const { result } = await runCommand(
    floor.context,
    { actor: systemActor('clock'), audit: { action: 'test' } },
    (tx) => moveOrders(tx, moves.toReversed()),
  )
  expect(result).toEqual([
    { from: 20, to: 70, version: 3 },
    { from: 26, to: 70, version: 4 },
    { from: 20, to: 70, version: 3 },
  ])
  const ids = made.map(({ orderId }) => orderId)
  const { rows } = await sql`
    select o.status, o.version, o.fail_reason, l.cause, l.note from loan_order o
      join lateral (select l.cause, l.note from order_status_log l where l.order_id = o.id
      order by l.id desc limit 1) l on true where o.id = any(${ids}::text[]) order by o.id`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([
    { status: 70, version: 3, fail_reason: null, cause: 'cause0', note: null },
    { status: 70, version: 4, fail_reason: null, cause: 'cause1', note: null },
    { status: 70, version: 3, fail_reason: 'Withdrawn', cause: 'cause2', note: 'by hand' },
  ])
  expect((await floor.events(before)).map((event) => event.subject)).toEqual(
    ids.map((id) => `order:${id}`),
  )
})

test('if one of many orders may not move, none moves', async () => {
  const [movable, ended] = [
    await makeOrder(floor, { status: 20 }),
    await makeOrder(floor, { status: 27 }),
  ]
  const moves = [movable, ended].map(({ orderId }) => ({
    orderId,
    event: withdraw,
    cause: 'cancel',
  }))
  await expect(
    runCommand(floor.context, { actor: systemActor('clock'), audit: { action: 'test' } }, (tx) =>
      moveOrders(tx, moves),
    ),
  ).rejects.toMatchObject({ id: 'O-STATE', params: { status: 'manualFailed' } })
  const { rows } =
    await sql`select o.status from loan_order o where o.id = ${movable.orderId}`.execute(
      floor.database.kysely,
    )
  expect(rows[0]).toEqual({ status: 20 })
})
