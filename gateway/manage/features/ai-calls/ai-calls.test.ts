/** The robot from configuration to promise, on the clock of the contact rules. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as api from '#shared/ai-calls/ai-calls-api.ts'
import type { AiResult } from '#shared/ai-calls/ai-call-sets.ts'
import { caseDetail } from '#shared/collection/cases-api.ts'
import { addDays, istClock, istDay } from '#shared/kernel/time.ts'
import { listTickets } from '#shared/tickets/tickets-api.ts'
import { addLine } from '#shared/system/lines-api.ts'
import * as vendors from '#shared/vendors/vendors-api.ts'
import { NotReached } from '#gateway/kernel/outbound-call.ts'
import type { AiCallOrder, AiCallVendor } from '#gateway/manage/vendors/ai-call-vendor.ts'
import type { AiCallVendors } from '#gateway/manage/vendors/ai-call-vendors.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { testClock, type TestClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { onlyVendor } from '#tests/support/only-vendor.ts'
import { aiCalls } from './ai-call-job.ts'

let floor: Floor
let clock: TestClock
let manager: Person
let admin: Person
let vendor: Machine
/** Calls the vendor was handed, and whether it answers. */
let handed: AiCallOrder[] = []
let silent = false
let known: 'unknown' | 'calling' = 'calling'
const today = istDay(Date.now())
const DAY_AFTER = addDays(today, 1)

const robot: AiCallVendor = {
  code: 'test',
  start(order) {
    handed.push(order)
    return silent
      ? Promise.reject(new Error('no answer'))
      : Promise.resolve({ accepted: true, vendorCallId: `V${order.callId}` })
  },
  query: (callId) =>
    Promise.resolve(
      known === 'unknown' ? { state: 'unknown' } : { state: 'calling', vendorCallId: `V${callId}` },
    ),
  settle: () => Promise.resolve(),
  close: () => Promise.resolve(),
}
const run = () => aiCalls(robots).run(floor.context)
/** Robots of the app's own services, by configuration; an error is what `start` throws. */
interface Service {
  calls: AiCallOrder[]
  fails: Error | null
}
const own = new Map<string, Service>()
const installed = onlyVendor(robot)
const robots: AiCallVendors = {
  ...installed,
  async of(lane) {
    const service = own.get(lane.cfgId ?? '')
    if (!service) return installed.of(lane)
    return {
      ...robot,
      code: lane.vendorCode,
      start(order) {
        if (service.fails) return Promise.reject(service.fails)
        service.calls.push(order)
        return Promise.resolve({ accepted: true, vendorCallId: `W${order.callId}` })
      },
    }
  },
}
const FIELDS = {
  productId: 'PRC',
  minOverdueDays: 1,
  maxOverdueDays: 5,
  startTime: '10:00',
  endTime: '17:00',
  robotId: 'R1',
  robotName: 'Robot',
  repeatIntervalMin: 120,
  repeatFrequency: 2,
  redialIntervalMin: 60,
  redialMax: 1,
  ignoreLabels: ['b' as const],
  status: 'enabled' as const,
}
let configId: string

beforeAll(async () => {
  floor = await testManage()
  clock = await testClock(floor.database)
  await clock.to('11:00')
  ;[manager, admin] = await Promise.all([floor.signIn('manager'), floor.signIn('administrator')])
  vendor = await machineOf(floor, ['aiCall'])
  await makeCase(floor, { collectorId: undefined, state: 'unallocated', overdueDays: 40 })
  await admin.call(addLine, {
    number: '1600110091',
    kind: 'ai',
    vendorCode: 'test',
    concurrency: 2,
    dailyCap: 50,
    status: 'enabled',
  })
  ;({ configId } = await manager.call(api.addAiConfig, FIELDS))
})
afterAll(() => floor.close())
beforeEach(async () => {
  handed = []
  silent = false
  known = 'calling'
  await sql`delete from ai_call`.execute(floor.database.kysely)
  await sql`delete from ai_call_task`.execute(floor.database.kysely)
  await sql`update loan_order set outstanding = 0 where id in (select order_id from collection_case
    where overdue_days < 40)`.execute(floor.database.kysely)
  await clock.to('11:00')
})

const fresh = () => makeCase(floor, { state: 'unallocated', overdueDays: 2 })
const taskOf = async (orderId: string) => (await manager.call(api.listAiTasks, { orderId })).rows[0]
const report = (result: AiResult, more: object = {}) =>
  vendor.call(api.inboundAiCall, {
    callId: handed.at(-1)?.callId ?? '',
    result,
    durationSec: result === 'f' ? 0 : 40,
    ...more,
  })

test('a loan in the days of a configuration is called, and its promise stands in the case', async () => {
  const made = await fresh()
  await run()
  expect(handed).toHaveLength(1)
  expect(handed[0]).toMatchObject({ from: '1600110091', robotId: 'R1', script: { overdueDays: 2 } })
  expect(handed[0]?.to).toMatch(/^[6-9]\d{9}$/)
  expect(await taskOf(made.orderId)).toMatchObject({ state: 'calling', attempt: 1, dueTime: null })
  const result = {
    promiseDay: DAY_AFTER,
    promiseAmount: 100_000,
    transcript: [{ by: 'borrower' as const, text: 'I pay tomorrow' }],
  }
  const answer = await report('a', result)
  expect(answer).toMatchObject({ state: 'finished', applied: true })
  expect(await report('a', result)).toMatchObject({ applied: false })
  const { task, calls } = await manager.call(api.aiTaskDetail, {
    taskId: (await taskOf(made.orderId))?.taskId ?? '',
  })
  expect(task).toMatchObject({ state: 'finished', result: 'a' })
  expect(calls[0]?.transcript).toEqual(result.transcript)
  const detail = await manager.call(caseDetail, { caseId: made.caseId })
  expect(detail.case).toMatchObject({ attemptsToday: 1, lastContactResult: 1, lastWillingness: 1 })
  expect(detail.lastAttempt).toMatchObject({ way: 'phone', byRobot: true, by: null })
  const shown = await manager.call(api.caseAiCalls, { caseId: made.caseId })
  expect(shown.tasks).toMatchObject([{ state: 'finished', result: 'a', dueTime: null }])
  expect(shown.tasks[0]?.calls).toEqual(calls)
  // the case is in the pool: nobody's, so no collector reads what was said in it
  const collector = await floor.signIn('collector')
  expect(await collector.refused(api.caseAiCalls, { caseId: made.caseId })).toMatchObject({
    problem: { id: 'G404' },
  })
  await sql`update collection_case set collector_id = ${collector.userId} where id = ${made.caseId}`.execute(
    floor.database.kysely,
  )
  expect((await collector.call(api.caseAiCalls, { caseId: made.caseId })).tasks).toEqual(
    shown.tasks,
  )
  await run()
  expect(handed).toHaveLength(1)
})

test('nobody reached: a redial after the gap of the rules, a second round, then the end', async () => {
  const made = await fresh()
  await run()
  await report('f')
  const unreached = await taskOf(made.orderId)
  expect(unreached).toMatchObject({ state: 'calling', result: 'f' })
  // the configuration redials after an hour, the gap between contacts is two
  expect(istClock(unreached?.dueTime ?? '')).toBe('13:00')
  await clock.to('12:10')
  await run()
  expect(handed).toHaveLength(1)
  await clock.to('13:05')
  await run()
  expect(handed).toHaveLength(2)
  await report('g')
  expect(await taskOf(made.orderId)).toMatchObject({ state: 'pending', result: 'g' })
  await clock.to('15:10')
  await run()
  expect(handed).toHaveLength(3)
  await report('f')
  // three contacts are the most of a day, and no round is left for the next one
  await clock.to('16:20')
  await run()
  expect(handed).toHaveLength(3)
  expect(await taskOf(made.orderId)).toMatchObject({ state: 'finished', result: 'f', attempt: 3 })
})

test('outside its hours, with a stopped customer or after a person, nobody is called', async () => {
  const [early, held, worked] = [await fresh(), await fresh(), await fresh()]
  await manager.call(api.createAiTasks, {
    configId,
    orderIds: [early.orderId, held.orderId, worked.orderId],
  })
  await clock.to('09:30')
  await run()
  expect(handed).toHaveLength(0)
  await sql`update collection_case set state = 'held' where id = ${held.caseId}`.execute(
    floor.database.kysely,
  )
  await sql`
    insert into call_log (kind, case_id, customer_id, user_id, contact_id, way, state, started_at)
    select 'case', c.id, c.customer_id, u.id, c.customer_id, 'phone', 'ended', clock_timestamp() + interval '2 hours'
    from collection_case c, sys_user u where c.id = ${worked.caseId} and u.account = 'manager'`.execute(
    floor.database.kysely,
  )
  await clock.to('11:40')
  await run()
  expect(handed.map(({ script }) => script.overdueDays)).toEqual([2])
  expect(await taskOf(early.orderId)).toMatchObject({ state: 'calling' })
  expect(await taskOf(held.orderId)).toMatchObject({ state: 'cancelled', cause: 'held' })
  expect(await taskOf(worked.orderId)).toMatchObject({ state: 'cancelled', cause: 'person' })
})

test('chosen cases get a task each; those that may have none are named with the cause', async () => {
  const [due, held] = [await fresh(), await fresh()]
  const late = await makeCase(floor, { state: 'unallocated', overdueDays: 39 })
  await sql`
    insert into stop_collection (customer_id, reason, state, applied_by_name, remark)
    select c.customer_id, 'other', 'active', 'test', 'test' from collection_case c
    where c.id = ${held.caseId}`.execute(floor.database.kysely)
  const caseIds = [due, late, held].map(({ caseId }) => caseId)
  const { ok, failed } = await manager.call(api.createAiTasks, { configId, caseIds })
  expect(ok).toEqual([due.caseId])
  expect(failed).toMatchObject([
    { id: held.caseId, problem: 'C-HELD' },
    { id: late.caseId, problem: 'AI-DUE' },
  ])
  expect(await taskOf(due.orderId)).toMatchObject({ state: 'pending', caseId: due.caseId })
  const again = await manager.call(api.createAiTasks, { configId, caseIds: [due.caseId] })
  expect(again.failed).toMatchObject([{ problem: 'AI-OPEN' }])
})

test('a line takes no more calls at once than it may, nor more on a day', async () => {
  await Promise.all([fresh(), fresh(), fresh()])
  expect(await run()).toMatchObject({ dialled: 2, withoutLine: 1 })
  expect(handed).toHaveLength(2)
})

test('a borrower who denies the debt gets a ticket, one who needs help too', async () => {
  const before = (await manager.call(listTickets, { queue: 'operation' })).total
  await fresh()
  await run()
  await report('d')
  await fresh()
  await run()
  await report('h')
  expect((await manager.call(listTickets, { queue: 'operation' })).total).toBe(before + 2)
})

test('a borrower who says that the loan is paid is left alone for two days', async () => {
  const made = await fresh()
  await run()
  await report('c')
  const { rows } = await sql<{ state: string; hold_until: string }>`
    select c.state, c.hold_until::text from collection_case c where c.id = ${made.caseId}`.execute(
    floor.database.kysely,
  )
  expect(rows[0]).toEqual({ state: 'held', hold_until: addDays(today, 2) })
})

test('a call the vendor never took is dialled again, one it took is waited for', async () => {
  const made = await fresh()
  silent = true
  await run()
  known = 'unknown'
  await clock.to('11:05')
  silent = false
  await run()
  // nobody was called, so no gap holds the next one back
  expect(await taskOf(made.orderId)).toMatchObject({ state: 'calling' })
  expect(handed).toHaveLength(2)
  expect(handed[0]?.callId).not.toBe(handed[1]?.callId)
  const detail = await manager.call(caseDetail, { caseId: made.caseId })
  expect(detail.case).toMatchObject({ attemptsToday: 1 })
})

test('an app is called by its own robots: one not reached is passed over, each tells its own calls', async () => {
  const cfgs: string[] = []
  for (const [code, priority] of [
    ['robot-a', 1],
    ['robot-b', 2],
  ] as const) {
    const { thirdPartyId } = await admin.call(vendors.addThirdParty, {
      code,
      name: code,
      kind: 'aiCall',
    })
    const { cfgId } = await admin.call(vendors.addConfiguration, {
      thirdPartyId,
      name: 'Main',
      baseUrl: 'http://127.0.0.1:9',
      values: { keyId: 'K', secret: 's'.repeat(32) },
    })
    await admin.call(vendors.addService, { appId: 'A1', thirdPartyId, cfgId, priority })
    own.set(cfgId, { calls: [], fails: null })
    cfgs.push(cfgId)
  }
  const [a, b] = cfgs.map((cfgId) => own.get(cfgId)) as [Service, Service]
  a.fails = new NotReached('unreachable')
  const made = await fresh()
  await run()
  await run()
  expect([handed.length, a.calls.length, b.calls.length]).toEqual([0, 0, 1])
  expect(await taskOf(made.orderId)).toMatchObject({ state: 'calling' })
  const end = { callId: b.calls[0]?.callId ?? '', result: 'g' as const, durationSec: 5 }
  const other = await machineOf(floor, ['aiCall'], 'robot-a')
  for (const key of [vendor, other])
    expect(await key.refused(api.inboundAiCall, end)).toMatchObject({ problem: { id: 'G404' } })
  const its = await machineOf(floor, ['aiCall'], 'robot-b')
  expect(await its.call(api.inboundAiCall, end)).toMatchObject({ applied: true })
  // one contact only: the robot that was not reached called nobody
  const detail = await manager.call(caseDetail, { caseId: made.caseId })
  expect(detail.case).toMatchObject({ attemptsToday: 1 })
  await sql`delete from ai_call`.execute(floor.database.kysely)
  await sql`delete from tp_app_cfg`.execute(floor.database.kysely)
})

test('two configurations cannot call the same days, and hours lie inside those of contact', async () => {
  await expect(
    manager.refused(api.addAiConfig, { ...FIELDS, minOverdueDays: 3 }),
  ).resolves.toMatchObject({ problem: { id: 'AI-DAYS' } })
  await expect(
    manager.refused(api.addAiConfig, { ...FIELDS, status: 'disabled', startTime: '06:00' }),
  ).resolves.toMatchObject({ problem: { id: 'G-FIELD' } })
})

test('a task is paused and cancelled by people, not while it is in a call', async () => {
  const made = await fresh()
  await run()
  const { taskId = '' } = (await taskOf(made.orderId)) ?? {}
  const cancel = () => manager.call(api.steerAiTasks, { taskIds: [taskId], to: 'cancelled' })
  expect((await cancel()).failed).toMatchObject([{ problem: 'AI-STATE' }])
  await manager.call(api.steerAiTasks, { taskIds: [taskId], to: 'paused' })
  expect((await cancel()).ok).toEqual([taskId])
  // the end of the call that was under way is noted, and nothing follows for the task
  await report('f')
  expect(await taskOf(made.orderId)).toMatchObject({
    state: 'cancelled',
    cause: 'byStaff',
    result: 'f',
  })
})
