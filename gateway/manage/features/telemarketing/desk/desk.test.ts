/** Tasks from the opening to the conversion, through the calls of telemarketers. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Envelope } from '#shared/kernel/problem.ts'
import { listRecords } from '#shared/telemarketing/record-api.ts'
import {
  callTask,
  claimTask,
  followTask,
  listTasks,
  releaseTask,
  renewTask,
  taskDetail,
} from '#shared/telemarketing/tele-api.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import {
  bindLine,
  makeUncertified,
  planFollowUp,
  type TeleFloor,
  teleFloor,
} from '#tests/factories/telemarketing.ts'
import type { Person } from '#tests/support/manage.ts'

let floor: TeleFloor
let caller: Person
let second: Person
let manager: Person

const segment = 'no_certified' as const
const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString()

beforeAll(async () => {
  floor = await teleFloor()
  caller = await floor.signIn('tele_uncertified')
  second = await floor.signIn('salesman')
  manager = await floor.signIn('manager')
  await bindLine(floor.database, caller.userId)
})
afterAll(() => floor.close())

async function openTask(): Promise<{ taskId: string; customerId: string }> {
  const customerId = await makeUncertified(floor)
  await floor.follow()
  const { rows } = await manager.call(listTasks, { segment, userId: customerId })
  return { taskId: rows[0]?.taskId ?? '', customerId }
}

async function certify(customerId: string): Promise<void> {
  await sql`update customer set certified = true where id = ${customerId}`.execute(
    floor.database.kysely,
  )
  await floor.follow()
}

async function stateOf(taskId: string) {
  const { task } = await manager.call(taskDetail, { taskId })
  return { state: task.state, cause: task.closeCause, assigneeId: task.assigneeId }
}

test('a customer who registered gets one task, however often they are marked', async () => {
  const { customerId } = await openTask()
  await sql`insert into tele_mark (customer_id) values (${customerId}), (${customerId})`.execute(
    floor.database.kysely,
  )
  await floor.follow()
  const { rows } = await manager.call(listTasks, { segment, userId: customerId })
  expect(rows.map(({ state, lossDays, phone }) => [state, lossDays, phone.slice(0, 6)])).toEqual([
    ['waiting', 0, 'XXXXXX'],
  ])
})

test('a claimed customer belongs to one person, and the loser learns who won', async () => {
  const { taskId } = await openTask()
  const mine = await caller.call(claimTask, { segment, taskId })
  expect(mine).toMatchObject({ state: 'claimed', assigneeId: caller.userId, token: 1 })
  expect((await second.refused(claimTask, { segment, taskId })).problem).toMatchObject({
    id: 'M-OWN',
    params: { userName: mine.assigneeName },
  })
  const { version, token } = mine
  const body = { taskId, version, token, result: 28, contactWay: 'phone' }
  expect((await second.refused(followTask, body)).problem?.id).toBe('M-OWN')
  await caller.call(releaseTask, { taskId, version, token })
  expect(await stateOf(taskId)).toMatchObject({ state: 'waiting', assigneeId: null })
  expect((await caller.refused(followTask, body)).problem?.id).toBe('M-LEASE')
})

test('the lease of a silent tab ends, a heartbeat keeps it, and an old token is refused', async () => {
  const { taskId } = await openTask()
  const { token } = await caller.call(claimTask, { segment, taskId })
  const beat = { taskId, token, lastInputTime: new Date().toISOString() }
  expect((await caller.call(renewTask, beat)).leaseUntil).not.toBeNull()
  await sql`
    update tele_task set live_until = clock_timestamp() - interval '1 second' where id = ${taskId}`.execute(
    floor.database.kysely,
  )
  expect((await caller.refused(renewTask, beat)).problem?.id).toBe('M-LEASE')
  await floor.follow()
  expect(await stateOf(taskId)).toMatchObject({ state: 'waiting', assigneeId: null })
  const again = await second.call(claimTask, { segment, taskId })
  expect(again.token).toBe(token + 2)
  expect((await caller.refused(renewTask, beat)).problem?.id).toBe('M-OWN')
  await second.call(releaseTask, { taskId, version: again.version, token: again.token })
})

test('a follow-up keeps the customer without a lease, and the next one needs a future time', async () => {
  const { taskId } = await openTask()
  const { version, token } = await caller.call(claimTask, { segment, taskId })
  const body = { taskId, version, token, contactWay: 'phone' as const }
  const refusal = async (more: object) =>
    (await caller.refused(followTask, { ...body, ...more })).problem?.id
  expect(await refusal({ result: 21 })).toBe('G-FIELD')
  expect(await refusal({ result: 12 })).toBe('G-FIELD')
  expect(await refusal({ result: 29, remark: ' ' })).toBe('G-FIELD')
  expect(await refusal({ result: 21, nextFollowTime: '2020-01-01T00:00:00Z' })).toBe('G-FIELD')
  const after = await caller.call(followTask, {
    ...body,
    result: 21,
    nextFollowTime: inAWeek(),
    remark: 'Will scan the PAN card tonight',
  })
  expect(after).toMatchObject({
    state: 'assigned',
    followCount: 1,
    lastResult: 21,
    leaseUntil: null,
  })
  const lanes = await Promise.all(
    (['later', 'due', 'fresh', 'closed'] as const).map(async (lane) => {
      const { rows } = await caller.call(listTasks, { segment, lane })
      return rows.some((row) => row.taskId === taskId)
    }),
  )
  expect(lanes).toEqual([true, false, false, false])
  const { records } = await caller.call(taskDetail, { taskId })
  expect(records.map(({ result, count, remark }) => [result, count, remark])).toEqual([
    [21, 1, 'Will scan the PAN card tonight'],
  ])
})

test('certified within seven days after the follow-up is a conversion of the follower', async () => {
  const { taskId, customerId } = await openTask()
  const { version, token } = await caller.call(claimTask, { segment, taskId })
  await caller.call(followTask, { taskId, version, token, result: 20, contactWay: 'phone' })
  await certify(customerId)
  expect(await stateOf(taskId)).toMatchObject({ state: 'converted', cause: 'reached' })
  const { rows } = await sql<{ credited_to: string }>`
    select t.credited_to from tele_task t where t.id = ${taskId}`.execute(floor.database.kysely)
  expect(rows).toEqual([{ credited_to: caller.userId }])
  const last = (await floor.events()).findLast(
    ({ type, data }) => type === 'tele.task.assigned' && data.taskId === taskId,
  )
  expect(last?.data).toMatchObject({ state: 'converted', cause: 'closed' })
  expect(last?.rooms).toEqual(['queue:tele:no_certified', `user:${caller.userId}`])
})

test('a goal without a recent follow-up is nobody’s conversion', async () => {
  const alone = await openTask()
  await certify(alone.customerId)
  expect(await stateOf(alone.taskId)).toMatchObject({ state: 'expired', cause: 'returned' })
  const late = await openTask()
  const { version, token } = await caller.call(claimTask, { segment, taskId: late.taskId })
  await caller.call(followTask, {
    taskId: late.taskId,
    version,
    token,
    result: 28,
    contactWay: 'phone',
  })
  await sql`
    update tele_task set last_follow_at = clock_timestamp() - interval '7 days'
    where id = ${late.taskId}`.execute(floor.database.kysely)
  await certify(late.customerId)
  expect(await stateOf(late.taskId)).toMatchObject({ state: 'expired', cause: 'returned' })
})

test('a blacklisted customer leaves and does not come back', async () => {
  const { taskId, customerId } = await openTask()
  await sql`update customer set blacklisted = true where id = ${customerId}`.execute(
    floor.database.kysely,
  )
  await floor.follow()
  expect(await stateOf(taskId)).toMatchObject({ state: 'expired', cause: 'blacklisted' })
})

test('a failed payout makes a task with its reason, and a second payout converts nobody', async () => {
  const { customerId, orderId } = await makeOrder(floor, { status: 31 })
  await floor.follow()
  const { rows } = await manager.call(listTasks, { segment: 'loan_failed', userId: customerId })
  expect(rows).toMatchObject([
    { lastOrderId: orderId, failReason: 'Beneficiary account closed', attemptNo: 1 },
  ])
  await sql`
    update loan_order set status = 30, disbursed_at = clock_timestamp() where id = ${orderId}`.execute(
    floor.database.kysely,
  )
  await floor.follow()
  expect(await stateOf(rows[0]?.taskId ?? '')).toMatchObject({
    state: 'expired',
    cause: 'returned',
  })
})

test('a call needs the hours of promotion, a line, and the customer’s consent', async () => {
  const { taskId, customerId } = await openTask()
  const { token } = await caller.call(claimTask, { segment, taskId })
  await floor.clock.to('09:59')
  await sql`
    update tele_task set live_until = clock_timestamp() + interval '1 hour',
      idle_until = clock_timestamp() + interval '1 hour' where id = ${taskId}`.execute(
    floor.database.kysely,
  )
  expect((await caller.refused(callTask, { taskId, token, way: 'phone' })).problem).toMatchObject({
    id: 'C-WIN',
    params: { from: '10:00', to: '21:00' },
  })
  await floor.clock.to('10:00')
  await sql`update customer set dnd = true where id = ${customerId}`.execute(floor.database.kysely)
  expect((await caller.refused(callTask, { taskId, token, way: 'phone' })).problem?.id).toBe(
    'M-DND',
  )
  await sql`update customer set dnd = false where id = ${customerId}`.execute(floor.database.kysely)
  const { callId } = await caller.call(callTask, { taskId, token, way: 'phone' })
  // the second press is the same call
  expect((await caller.call(callTask, { taskId, token, way: 'phone' })).callId).toBe(callId)
  const { version } = (await caller.call(taskDetail, { taskId })).task
  await caller.call(followTask, {
    taskId,
    version,
    token,
    result: 11,
    contactWay: 'phone',
    nextFollowTime: inAWeek(),
    callId,
  })
  await floor.clock.to('11:30')
  expect((await caller.refused(callTask, { taskId, token, way: 'phone' })).problem?.id).toBe(
    'M-LIM',
  )
  await floor.clock.to('11:00')
})

test.each([
  { way: 'phone', limit: 'daily calls', atOnce: 5, daily: 2, refusal: 'C-LINE' },
  { way: 'whatsapp', limit: 'daily calls', atOnce: 1, daily: 2, refusal: 'C-LINE' },
  { way: 'phone', limit: 'calls at once', atOnce: 2, daily: 200, refusal: 'C-LINEB' },
] as const)(
  'calls at the same time do not exceed the $limit of the line: $way',
  async ({ way, atOnce, daily, refusal }) => {
    const { kysely } = floor.database
    const { userId } = second
    const kind = way === 'phone' ? 'promotional' : 'whatsapp'
    // two of the five calls are left
    await sql`
      insert into phone_line (number, kind, vendor_code, seat_number, bound_user_id, concurrency,
        daily_cap, status)
      values (${`race-${way}`}, ${kind}, 'voice', ${`R-${way}`}, ${userId}, ${atOnce}, ${daily}, 'enabled')`.execute(
      kysely,
    )
    const tasks = []
    for (let n = 0; n < 5; n += 1) tasks.push(await openTask())
    const { rows } = await sql<{ taskId: string; token: number }>`
      update tele_task t set state = 'assigned', assignee_id = ${userId}, assignee_name = 'Salesman 1',
        token = t.token + 1, version = t.version + 1
      where t.id = any(${tasks.map(({ taskId }) => taskId)}::text[])
      returning t.id as "taskId", t.token`.execute(kysely)
    const answers = await Promise.all(
      rows.map(async (task) =>
        (await second.send(callTask, { ...task, way })).json<Envelope<unknown>>(),
      ),
    )
    expect(answers.map(({ problem }) => problem?.id ?? 'taken').toSorted()).toEqual([
      refusal,
      refusal,
      refusal,
      'taken',
      'taken',
    ])
    await sql`delete from phone_line where number = ${`race-${way}`}`.execute(kysely)
    await sql`delete from call_log where user_id = ${userId}`.execute(kysely)
  },
)

test('a WhatsApp message counts as a contact, and its link is answered with a trace', async () => {
  const { taskId, customerId } = await openTask()
  const { kysely } = floor.database
  const { token } = await second.call(claimTask, { segment, taskId })
  // no promotional line is bound to the salesman
  const whatsapp = { taskId, token, way: 'whatsapp' as const }
  const refused = await second.refused(callTask, { ...whatsapp, way: 'phone' })
  expect(refused.problem?.id).toBe('M-LINE')
  const { callId, link, seatNumber } = await second.call(callTask, whatsapp)
  expect([seatNumber, link]).toEqual([null, expect.stringMatching(/^https:\/\/wa\.me\/91\d{10}$/)])
  const detail = await second.call(taskDetail, { taskId })
  expect(detail).toMatchObject({
    whatsapp: 'link',
    openCall: { callId, way: 'whatsapp' },
    promotion: { callsToday: 1 },
  })
  const { rows } = await sql<{ after: unknown }>`
    select l.after from operate_log l where l.action = 'reveal' and l.target_id = ${customerId}`.execute(
    kysely,
  )
  expect(rows).toEqual([{ after: { field: 'phone', reason: 'whatsapp' } }])
  const { version } = detail.task
  const contact = { result: 28, contactWay: 'whatsapp' as const, callId, remark: 'Wrote back' }
  await second.call(followTask, { taskId, version, token, ...contact })
  const [record] = (await second.call(listRecords, { taskId })).rows
  expect(record).toMatchObject({
    userId: customerId,
    result: 28,
    contactWay: 'whatsapp',
    contactNumber: expect.stringMatching(/^X{6}\d{4}$/),
    remark: 'Wrote back',
    operatorName: 'Salesman 1',
    durationSec: null,
  })
  // another telemarketer neither wrote it nor has the task
  expect((await caller.call(listRecords, { taskId })).rows).toEqual([])
  expect((await caller.call(listRecords, { userId: customerId })).rows).toEqual([])
  expect((await manager.call(listRecords, { userId: customerId, result: '28' })).total).toBe(1)
})

test('a follow-up gives a coupon once, and does not stand without it', async () => {
  const { taskId, customerId } = await openTask()
  await sql`
    insert into coupon (id, name, type, amount_type, preferential_type, discount_amount, valid_days,
      creator_name)
    values ('CP1', 'Fine off', 'reduction', 'fixed', 'overdueFine', 5000, 30, 'Manager')`.execute(
    floor.database.kysely,
  )
  const { version, token } = await caller.call(claimTask, { segment, taskId })
  const body = { taskId, version, token, contactWay: 'phone' as const, result: 25, couponId: 'CP1' }
  const after = await caller.call(followTask, body)
  const { rows } = await sql<{ source: string; source_id: string; granted_by: string }>`
    select g.source, g.source_id, g.granted_by from coupon_grant g
    where g.customer_id = ${customerId}`.execute(floor.database.kysely)
  expect(rows).toEqual([{ source: 'followUp', source_id: taskId, granted_by: caller.userId }])
  const again = { ...body, version: after.version }
  expect((await caller.refused(followTask, again)).problem?.id).toBe('Q-HAS')
  expect((await manager.call(taskDetail, { taskId })).task.followCount).toBe(1)
})

async function clearTasks(): Promise<void> {
  await sql`delete from tele_record`.execute(floor.database.kysely)
  await sql`delete from tele_task`.execute(floor.database.kysely)
}

test('the next customer is the one without a follow-up, until it is given back', async () => {
  await clearTasks()
  await Promise.all([makeUncertified(floor), makeUncertified(floor)])
  await floor.follow()
  const first = await caller.call(claimTask, { segment })
  const again = await caller.call(claimTask, { segment })
  expect(again).toEqual(first)
  const { taskId, version, token } = first
  await caller.call(releaseTask, { taskId, version, token })
  const { taskId: taken } = await caller.call(claimTask, { segment })
  expect((await caller.call(claimTask, { segment })).taskId).toBe(taken)
})

test('a follow-up that is due comes before a new customer, unless the customer may not be called', async () => {
  await clearTasks()
  await Promise.all([makeUncertified(floor), makeUncertified(floor), makeUncertified(floor)])
  await floor.follow()
  const { taskId, userId } = await planFollowUp(caller, segment, inAWeek())
  const next = async (dueFirst: boolean) => {
    const row = await caller.call(claimTask, { segment, dueFirst })
    if (row.state === 'claimed')
      await caller.call(releaseTask, {
        taskId: row.taskId,
        version: row.version,
        token: row.token,
      })
    return row.taskId
  }
  expect(await next(true)).not.toBe(taskId)
  await sql`update tele_task set next_follow_at = clock_timestamp() where id = ${taskId}`.execute(
    floor.database.kysely,
  )
  expect(await next(true)).toBe(taskId)
  expect(await next(false)).not.toBe(taskId)
  await sql`update customer set dnd = true where id = ${userId}`.execute(floor.database.kysely)
  expect(await next(true)).not.toBe(taskId)
})

test('customers claimed at once are never doubled and stop at the limit of claims', async () => {
  await clearTasks()
  for (let n = 0; n < 8; n += 1) await makeUncertified(floor)
  await floor.follow()
  const waiting = (await manager.call(listTasks, { segment })).rows.map(({ taskId }) => taskId)
  const claim = async (person: Person, taskId?: string) => {
    const answer = (await person.send(claimTask, { segment, taskId })).json<{
      data: { taskId?: string } | null
      problem?: { id: string }
    }>()
    return answer.data?.taskId ?? answer.problem?.id
  }
  const next = await Promise.all(
    [caller, second].flatMap((person) => [claim(person), claim(person)]),
  )
  expect(new Set(next).size).toBe(2)
  const named = await Promise.all(
    [caller, second].flatMap((person) => waiting.map((taskId) => claim(person, taskId))),
  )
  expect(named).toContain('V-MAX')
  const { rows } = await sql<{ holders: number; tasks: number }>`
    select count(distinct assignee_id)::int as holders, count(*)::int as tasks
    from tele_task where state = 'claimed'`.execute(floor.database.kysely)
  expect(rows[0]).toEqual({ holders: 2, tasks: 6 })
})

test('telemarketers see their own customers, a leader those of the group and unassigned ones', async () => {
  const leader = await floor.signIn('group_leader')
  const seen = async (person: Person) =>
    (await person.call(listTasks, { segment })).rows.map(({ assigneeId }) => assigneeId)
  expect(new Set(await seen(caller))).toEqual(new Set([caller.userId]))
  expect(new Set(await seen(second))).toEqual(new Set([second.userId]))
  expect(await seen(leader)).toHaveLength(8)
  const other = await floor.signIn('tele_unborrowed')
  expect((await other.call(listTasks, { segment })).rows).toEqual([])
  expect((await other.refused(claimTask, { segment })).problem?.id).toBe('G404')
})
