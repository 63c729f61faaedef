/** A person and the robot want the same borrower at one moment: locks need a server. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '#shared/ai-calls/ai-calls-api.ts'
import { AI_TASK_CHANGED } from '#shared/ai-calls/ai-calls-live.ts'
import { allocateCases, callBorrower, caseDetail } from '#shared/collection/cases-api.ts'
import type { AiCallOrder, AiCallVendor } from '#gateway/manage/vendors/ai-call-vendor.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { testClock } from '#tests/support/clock.ts'
import { onLocalServer } from '#tests/support/local-server.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { onlyVendor } from '#tests/support/only-vendor.ts'
import { aiCalls } from './ai-call-job.ts'

let floor: Floor | null
let manager: Person
let collector: Person
let vendor: Machine
let configId: string
let handed: AiCallOrder[] = []

const robot: AiCallVendor = {
  code: 'test',
  start(order) {
    handed.push(order)
    return Promise.resolve({ accepted: true, vendorCallId: `V${order.callId}` })
  },
  query: (callId) => Promise.resolve({ state: 'calling', vendorCallId: `V${callId}` }),
  settle: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

beforeAll(async () => {
  floor = await onLocalServer(() => testManage())
  if (floor === null) return
  const clock = await testClock(floor.database)
  await clock.to('11:00')
  manager = await floor.signIn('manager')
  collector = await floor.signIn('collector')
  vendor = await machineOf(floor, ['aiCall'])
  // the product of the configuration
  await makeCase(floor, { state: 'unallocated', overdueDays: 40 })
  await sql`
    insert into phone_line (number, kind, vendor_code, concurrency, daily_cap, status)
    values ('1600110091', 'ai', 'test', 50, 500, 'enabled')`.execute(floor.database.kysely)
  ;({ configId } = await manager.call(api.addAiConfig, {
    productId: 'PRC',
    minOverdueDays: 1,
    maxOverdueDays: 5,
    startTime: '10:00',
    endTime: '17:00',
    robotId: 'R1',
    robotName: 'Robot',
    repeatIntervalMin: 60,
    repeatFrequency: 2,
    redialIntervalMin: 5,
    redialMax: 3,
    ignoreLabels: [],
    status: 'enabled',
  }))
})
afterAll(() => floor?.close())

async function withTask(site: Floor): Promise<MadeCase> {
  const { userId } = collector
  const made = await makeCase(site, { collectorId: userId, overdueDays: 2 })
  await manager.call(api.createAiTasks, { configId, caseIds: [made.caseId] })
  return made
}
const taskOf = async ({ orderId }: MadeCase) =>
  (await manager.call(api.listAiTasks, { orderId })).rows[0]
const press = ({ caseId, customerId }: MadeCase) =>
  collector.call(callBorrower, { caseId, contactId: customerId, way: 'phone' })
const run = (site: Floor) => aiCalls(onlyVendor(robot)).run(site.context)

test('a call by a person ends the task with it, and the case and the list are told', async () => {
  if (floor === null) return
  const made = await withTask(floor)
  await press(made)
  expect(await taskOf(made)).toMatchObject({ state: 'cancelled', cause: 'person', dueTime: null })
  const { rows } = await sql<{ rooms: string[] }>`
    select e.rooms from outbox_event e where e.type = ${AI_TASK_CHANGED.type}
      and e.data ->> 'orderId' = ${made.orderId} and e.data ->> 'cause' = 'person'`.execute(
    floor.database.kysely,
  )
  expect(rows.map(({ rooms }) => rooms.toSorted())).toEqual([
    [`case:${made.caseId}`, 'menu:ai_call_config'],
  ])
})

test('a case given to a person by hand is the robot’s no longer', async () => {
  if (floor === null) return
  const made = await makeCase(floor, { state: 'unallocated', overdueDays: 2 })
  await manager.call(api.createAiTasks, { configId, caseIds: [made.caseId] })
  const unit = await makeUnit(floor, { name: crypto.randomUUID(), weight: 100 })
  const { userId } = await makeCollector(floor, unit)
  const given = await manager.call(allocateCases, { caseIds: [made.caseId], collectorId: userId })
  expect(given.ok).toEqual([made.caseId])
  expect(await taskOf(made)).toMatchObject({ state: 'cancelled', cause: 'person' })
})

test('the robot is calling as a person takes over: its end counts, and nobody dials again', async () => {
  if (floor === null) return
  const made = await withTask(floor)
  handed = []
  await run(floor)
  const { taskId = '' } = (await taskOf(made)) ?? {}
  const { task, calls } = await manager.call(api.aiTaskDetail, { taskId })
  expect(task).toMatchObject({ state: 'calling' })
  const { callId = '' } = calls[0] ?? {}
  // the gap of the contact rules has passed while it spoke
  await sql`update call_log set started_at = started_at - interval '3 hours'`.execute(
    floor.database.kysely,
  )
  await press(made)
  expect(await taskOf(made)).toMatchObject({ state: 'cancelled', cause: 'person' })
  await vendor.call(api.inboundAiCall, { callId, result: 'f', durationSec: 0 })
  await sql`update call_log set started_at = started_at - interval '3 hours'`.execute(
    floor.database.kysely,
  )
  handed = []
  await run(floor)
  expect(handed).toEqual([])
  expect(await taskOf(made)).toMatchObject({ state: 'cancelled', cause: 'person', result: 'f' })
})

test('a person and the robot at the same moment make one contact between them', async () => {
  if (floor === null) return
  const site = floor
  for (let round = 0; round < 5; round += 1) {
    const made = await withTask(site)
    handed = []
    const [pressed] = await Promise.allSettled([press(made), run(site)])
    const { case: row } = await manager.call(caseDetail, { caseId: made.caseId })
    expect(row.attemptsToday).toBe(1)
    expect(handed).toHaveLength(pressed.status === 'fulfilled' ? 0 : 1)
    expect(await taskOf(made)).toMatchObject(
      pressed.status === 'fulfilled'
        ? { state: 'cancelled', cause: 'person' }
        : { state: 'calling', attempt: 1 },
    )
  }
})
