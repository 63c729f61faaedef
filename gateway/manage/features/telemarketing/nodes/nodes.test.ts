/** Nodes from the preview to the contact, through the calls of managers and telemarketers. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Condition } from '#shared/conditions/condition.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import {
  addNode,
  editNode,
  listMessages,
  listNodes,
  listRuns,
  nodeAudience,
  runNode,
  setNodeStatus,
  setPackage,
} from '#shared/telemarketing/node-api.ts'
import { claimTask, listTasks } from '#shared/telemarketing/tele-api.ts'
import {
  makeManyUncertified,
  makeTaker,
  makeUncertified,
  type TeleFloor,
  teleFloor,
} from '#tests/factories/telemarketing.ts'
import type { Person } from '#tests/support/manage.ts'
import type { MessageVendor, OutgoingMessage } from '#gateway/manage/vendors/message-vendor.ts'
import { nodeMessages } from './node-messages-job.ts'
import { nodeRuns } from './node-schedule.ts'

let floor: TeleFloor
let manager: Person
let caller: Person
let second: Person

const IN_PUNE: Condition = { kind: 'all', of: [{ field: 'city', operator: 'is', value: 'pune' }] }
type Fields = InputOf<typeof addNode>
const FIELDS: Fields = {
  name: 'Pune',
  type: 'batchRun',
  segment: 'no_certified',
  condition: IN_PUNE,
  dateDays: 0,
  timeHours: null,
  againDays: null,
  action: 'tasks',
  messageWay: null,
  couponId: null,
  holdout: 0,
  effective: true,
}
const audienceOf = ({ name: _n, effective: _on, messageWay: _w, couponId: _c, ...who }: Fields) =>
  who

beforeAll(async () => {
  floor = await teleFloor()
  manager = await floor.signIn('manager')
  caller = await floor.signIn('tele_uncertified')
  second = await floor.signIn('salesman')
})
afterAll(() => floor.close())
beforeEach(async () => {
  for (const table of [
    'marketing_contact',
    'marketing_slice',
    'marketing_run',
    'marketing_package',
    'tele_given',
    'tele_mark',
  ])
    await sql`delete from ${sql.table(table)}`.execute(floor.database.kysely)
  await sql`delete from message_log`.execute(floor.database.kysely)
  await sql`delete from tele_task`.execute(floor.database.kysely)
  await sql`delete from marketing_node`.execute(floor.database.kysely)
  await sql`delete from coupon_grant`.execute(floor.database.kysely)
  await sql`delete from tele_person`.execute(floor.database.kysely)
  await sql`update customer set certified = true where id not like 'C88%'`.execute(
    floor.database.kysely,
  )
  await sql`update customer set dnd = false`.execute(floor.database.kysely)
  await makeManyUncertified(floor, 30)
  await floor.follow()
  await makeTaker(floor.database, caller.userId, ['no_certified'], 100)
  await makeTaker(floor.database, second.userId, ['no_certified', 'loan_failed'], 4)
})

async function start(nodeId: string): Promise<DataOf<typeof listRuns>['rows'][number]> {
  const { runId } = await manager.call(runNode, { nodeId }, { 'idempotency-key': randomUUID() })
  await floor.settle()
  const { rows } = await manager.call(listRuns, { nodeId })
  const run = rows.find((row) => row.runId === runId)
  if (!run) throw new Error('no run')
  return run
}
const add = (fields: Partial<Fields> = {}) => manager.call(addNode, { ...FIELDS, ...fields })
const tasksOf = async (person: Person) =>
  (await person.call(listTasks, { segment: 'no_certified', pageSize: 100 })).rows

test('the audience counted is the one that is run, with exclusions by reason', async () => {
  await sql`update customer set dnd = true where id in ('C880000003', 'C880000004')`.execute(
    floor.database.kysely,
  )
  const before = await manager.call(nodeAudience, audienceOf(FIELDS))
  expect(before).toMatchObject({ matched: 10, taken: 9, excluded: [{ why: 'dnd', n: 1 }] })
  const { nodeId } = await add()
  const run = await start(nodeId)
  expect(run).toMatchObject({
    state: 'done',
    matched: before.matched,
    taken: before.taken,
    excluded: before.excluded,
    assigned: 9,
    done: 9,
  })
  // four to the one with room for four, so that both come out as even as they can
  expect([(await tasksOf(caller)).length, (await tasksOf(second)).length]).toEqual([5, 4])
  const [task] = await tasksOf(caller)
  expect(task).toMatchObject({ state: 'assigned', nodeId, nodeName: 'Pune', taskType: 'batchRun' })
})

test('a customer is selected once per node, and again only where the node allows it', async () => {
  const { nodeId, version } = await add()
  await start(nodeId)
  await sql`update tele_task set state = 'waiting', assignee_id = null`.execute(
    floor.database.kysely,
  )
  expect(await start(nodeId)).toMatchObject({
    matched: 10,
    taken: 0,
    excluded: [{ why: 'contacted', n: 10 }],
  })
  await manager.call(editNode, { ...FIELDS, nodeId, version, againDays: 3 })
  expect((await start(nodeId)).taken).toBe(0)
  await sql`update marketing_contact set at = at - interval '4 days'`.execute(floor.database.kysely)
  expect((await start(nodeId)).taken).toBe(10)
})

test('customers of the control group are not assigned for seven days', async () => {
  const { nodeId } = await add({ holdout: 20 })
  const run = await start(nodeId)
  expect(run).toMatchObject({
    taken: 10,
    heldOut: 2,
    heldOutCount: 2,
    contactedCount: 8,
    uplift: null,
  })
  const held = (await tasksOf(manager)).filter(({ heldUntil }) => heldUntil !== null)
  expect(held.map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  const refused = await caller.refused(claimTask, {
    segment: 'no_certified',
    taskId: held[0]?.taskId,
  })
  expect(refused.problem?.id).toBe('M-HELD')
  const next = await manager.call(nodeAudience, audienceOf(FIELDS))
  expect(next.excluded).toEqual([
    { why: 'heldOut', n: 2 },
    { why: 'busy', n: 8 },
  ])
})

test('the goals of both groups are counted for seven days', async () => {
  const { nodeId } = await add({ holdout: 50 })
  await start(nodeId)
  await sql`
    update tele_task set closed_at = clock_timestamp(), state = 'expired', close_cause = 'returned',
      assignee_id = null
    where id in (select m.task_id from marketing_contact m
      where m.held_out or m.id in (
        select q.id from marketing_contact q where not q.held_out order by q.id limit 2))`.execute(
    floor.database.kysely,
  )
  await sql`
    update marketing_contact set at = at - interval '8 days' where id = (
      select min(m.id) from marketing_contact m where m.held_out)`.execute(floor.database.kysely)
  const { rows } = await manager.call(listRuns, { nodeId })
  expect(rows[0]).toMatchObject({
    contactedCount: 5,
    contactedReached: 2,
    heldOutCount: 5,
    heldOutReached: 4,
    contactedRate: 4_000,
    heldOutRate: 8_000,
  })
})

test('a package takes its list and names the customers who do not qualify', async () => {
  const { nodeId } = await add({ type: 'package', dateDays: null })
  const key = { 'idempotency-key': randomUUID() }
  expect((await manager.refused(runNode, { nodeId }, key)).problem?.id).toBe('M-LIST')
  const list = 'customer id\nC880000003, C880000006\nC880000004 C880000003\nC8\nC889999999'
  expect(await manager.call(setPackage, { nodeId, list })).toEqual({
    total: 3,
    unknown: 1,
    repeated: 1,
    unreadable: 1,
  })
  await sql`
    update tele_task set closed_at = clock_timestamp(), state = 'expired', close_cause = 'left'
    where customer_id = 'C880000006'`.execute(floor.database.kysely)
  expect(await start(nodeId)).toMatchObject({
    matched: 3,
    taken: 1,
    excluded: [
      { why: 'left', n: 1 },
      { why: 'unmatched', n: 1 },
    ],
  })
})

test('messages are sent once, within the hours of promotion, and not to customers who opted out', async () => {
  const sent: OutgoingMessage[] = []
  const vendor: MessageVendor = {
    code: 'test',
    send(message) {
      sent.push(message)
      return Promise.resolve({ accepted: true, vendorRef: message.key })
    },
  }
  const [reached, refusing] = [await makeUncertified(floor), await makeUncertified(floor)]
  await floor.follow()
  const { nodeId } = await add({
    type: 'package',
    action: 'messages',
    messageWay: 'sms',
    condition: null,
  })
  await manager.call(setPackage, { nodeId, list: `${reached} ${refusing}` })
  expect(await start(nodeId)).toMatchObject({ taken: 2, messages: 2, assigned: 0 })
  await sql`update customer set dnd = true where id = ${refusing}`.execute(floor.database.kysely)
  await floor.clock.to('21:00')
  await nodeMessages(vendor).run(floor.context)
  expect(sent).toEqual([])
  await floor.clock.to('11:00')
  await nodeMessages(vendor).run(floor.context)
  await nodeMessages(vendor).run(floor.context)
  expect(sent.map(({ way, template }) => [way, template])).toEqual([['sms', 'promotion']])
  const { rows } = await manager.call(listMessages, { nodeId, sort: 'messageId:asc' })
  expect(rows.map(({ userId, state }) => [userId, state]).toSorted()).toEqual(
    [
      [reached, 'sent'],
      [refusing, 'refused'],
    ].toSorted(),
  )
})

test('the schedule runs what is on and finds somebody', async () => {
  const { nodeId, version } = await add()
  await manager.call(setNodeStatus, { nodeId, version, effective: false })
  expect(await nodeRuns.run(floor.context)).toEqual({ started: 0 })
  await manager.call(setNodeStatus, { nodeId, version: version + 1, effective: true })
  expect(await nodeRuns.run(floor.context)).toEqual({ started: 1 })
  await floor.settle()
  expect(await nodeRuns.run(floor.context)).toEqual({ started: 0 })
  const { rows } = await manager.call(listNodes, { nodeId })
  expect(rows[0]).toMatchObject({ matchedLast: 10, isRunning: false })
  const runs = await manager.call(listRuns, { nodeId })
  expect(runs.rows.map(({ startBy, taken }) => [startBy, taken])).toEqual([[null, 10]])
  // what was counted by the hourly pass is what the lists count themselves
  await sql`update marketing_run set effect_at = null`.execute(floor.database.kysely)
  const counted = await manager.call(listRuns, { nodeId })
  expect(counted.rows).toEqual(runs.rows)
  expect((await manager.call(listNodes, { nodeId })).rows).toEqual(rows)
  expect(rows[0]?.contactedCount).toBeGreaterThan(0)
})

test('a condition that is not complete, a taken name and a node that is off are refused', async () => {
  const { nodeId, version } = await add()
  const wrong: Condition = { kind: 'all', of: [{ field: 'city', operator: 'is' }] }
  const refusal = await manager.refused(addNode, { ...FIELDS, name: 'Other', condition: wrong })
  expect(refusal).toMatchObject({
    problem: { id: 'X-COND' },
    data: { faults: [{ path: '0', fault: 'noValue' }] },
  })
  expect(
    (await manager.refused(nodeAudience, { ...audienceOf(FIELDS), condition: wrong })).problem?.id,
  ).toBe('X-COND')
  expect((await manager.refused(addNode, { ...FIELDS, name: 'PUNE' })).problem?.id).toBe('M-NAME')
  expect((await manager.refused(editNode, { ...FIELDS, nodeId, version: version + 1 })).code).toBe(
    409,
  )
  await manager.call(setNodeStatus, { nodeId, version, effective: false })
  const key = { 'idempotency-key': randomUUID() }
  expect((await manager.refused(runNode, { nodeId }, key)).problem?.id).toBe('M-OFF')
})

test('a node grants its coupon once per customer and kind, within its budget, and goes on without it', async () => {
  const { kysely } = floor.database
  const { rows: made } = await sql<{ id: string }>`
    insert into coupon (name, type, amount_type, preferential_type, discount_amount, valid_days, budget,
      creator_name)
    values ('Come back', 'reduction', 'fixed', 'interest', 1000, 30, 6000, 'Test') returning id`.execute(
    kysely,
  )
  const [{ id: couponId }] = made as [{ id: string }]
  const { nodeId, version, couponName } = await add({ couponId, holdout: 20 })
  expect(couponName).toBe('Come back')
  // one of them has one of the kind already
  await sql`
    insert into coupon_grant (coupon_id, customer_id, preferential_type, terms, source, granted_on,
      valid_until, granted_by_name)
    select ${couponId}, c.id, 'interest', '{}', 'manual', current_date, current_date + 9, 'Test'
    from customer c where c.id like 'C88%' and c.city = 'Pune'
      and c.id = any(select u.customer_id from tele_task u) order by c.id limit 1`.execute(kysely)
  await sql`update coupon set granted = 1`.execute(kysely)
  const who = { ...audienceOf(FIELDS), holdout: 20, nodeId, couponId }
  expect((await manager.call(nodeAudience, who)).coupon).toEqual({
    given: 6,
    isExact: false,
    without: [
      { why: 'hasUnused', n: 1 },
      { why: 'budget', n: 2 },
    ],
    worth: 6_000,
    left: 6_000,
    budget: 6_000,
    isNearBudget: true,
  })
  const run = await start(nodeId)
  const held = run.withoutCoupon.find(({ why }) => why === 'hasUnused')?.n ?? 0
  // eight are contacted, six coupons fit the budget; the one with a coupon may be held out
  expect(run).toMatchObject({ contactedCount: 8, coupons: 6 })
  expect(run.withoutCoupon.reduce((sum, { n }) => sum + n, 0)).toBe(2)
  expect(held).toBeLessThanOrEqual(1)
  const { rows } = await sql<{ n: number; committed: number; granted: number }>`
    select count(*)::int as n, k.committed, k.granted from coupon k join coupon_grant g on g.coupon_id = k.id
    where g.source = 'node' and g.source_id = ${nodeId} group by k.id`.execute(kysely)
  expect(rows).toEqual([{ n: 6, committed: 6_000, granted: 7 }])
  await sql`update coupon set state = 'disabled'`.execute(kysely)
  await sql`update tele_task set state = 'waiting', assignee_id = null, held_until = null`.execute(
    kysely,
  )
  await sql`delete from marketing_contact`.execute(kysely)
  expect((await manager.refused(addNode, { ...FIELDS, name: 'Other', couponId })).problem?.id).toBe(
    'Q-OFF',
  )
  const again = await manager.call(editNode, { ...FIELDS, couponId, nodeId, version })
  expect(again.couponOff).toBe(true)
  expect(await start(nodeId)).toMatchObject({
    coupons: 0,
    assigned: 10,
    withoutCoupon: [{ why: 'off', n: 10 }],
  })
})

test('a slice repeated after a crash contacts no customer twice', async () => {
  const { nodeId } = await add()
  const { runId } = await manager.call(runNode, { nodeId }, { 'idempotency-key': randomUUID() })
  await floor.settle()
  const given = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from tele_given`.execute(
      floor.database.kysely,
    )
    return rows[0]?.n
  }
  expect(await given()).toBe(10)
  await sql`
    insert into marketing_slice (run_id, slice, task_ids)
    select m.run_id, 0, array_agg(m.task_id) from marketing_contact m group by m.run_id`.execute(
    floor.database.kysely,
  )
  await sql`update tele_task set state = 'waiting', assignee_id = null`.execute(
    floor.database.kysely,
  )
  await sql`
    update job_row set state = 'waiting' where job_id = (
      select r.job_id from marketing_run r where r.id = ${runId})`.execute(floor.database.kysely)
  await sql`
    update job set state = 'queued', held_by = null, held_until = null, finished_at = null
    where id = (select r.job_id from marketing_run r where r.id = ${runId})`.execute(
    floor.database.kysely,
  )
  await floor.settle()
  expect(await given()).toBe(10)
})
