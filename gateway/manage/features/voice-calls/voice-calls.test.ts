/** Presses of Call that an exchange rings, over two exchanges of one app. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callBorrower, caseDetail, followCase, listFollows } from '#shared/collection/cases-api.ts'
import { listRecords } from '#shared/telemarketing/record-api.ts'
import { callTask, claimTask, followTask, taskDetail } from '#shared/telemarketing/tele-api.ts'
import { inboundCallRecord } from '#shared/voice-calls/voice-calls-api.ts'
import { teleTasks } from '#gateway/manage/features/telemarketing/segments/task-follow-job.ts'
import * as vendors from '#shared/vendors/vendors-api.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { bindLine, makeUncertified } from '#tests/factories/telemarketing.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { testClock, type TestClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { type PlayedExchange, playExchange } from '#tests/support/played-exchange.ts'

let floor: Floor
let clock: TestClock
let admin: Person
let asha: Person
let first: PlayedExchange
let second: PlayedExchange
let keys: Record<'first' | 'second', Machine>
let firstService: string

beforeAll(async () => {
  ;[first, second] = await Promise.all([playExchange('F'), playExchange('S')])
  floor = await testManage()
  clock = await testClock(floor.database)
  await clock.to('11:00')
  admin = await floor.signIn('administrator')
  const unit = await makeUnit(floor, { weight: 100, inHouse: true })
  asha = await floor.signIn((await makeCollector(floor, unit)).account)
  await db`update collector set seat_number = '2001' where user_id = ${asha.userId}`
  keys = {
    first: await machineOf(floor, ['callRecord'], 'first'),
    second: await machineOf(floor, ['callRecord'], 'second'),
  }
  await makeCase(floor, { overdueDays: 40 })
  firstService = await service('first', first, 1)
  await service('second', second, 2)
})
afterAll(async () => {
  await floor.close()
  await Promise.all([first.stop(), second.stop()])
})
beforeEach(async () => {
  for (const exchange of [first, second]) {
    exchange.fault = 'none'
    exchange.handed = []
    exchange.stands.clear()
  }
  await db`update tp_health set state = 'closed', trips = 0, retry_at = null, trial_at = null,
    trial_oks = 0, closed_at = clock_timestamp()`
  await db`update tp_app_cfg set status = 'enabled' where kind = 'voice'`
})

const db = (strings: TemplateStringsArray, ...values: unknown[]) =>
  sql<Record<string, unknown>>(strings, ...values).execute(floor.database.kysely)

async function service(code: string, exchange: PlayedExchange, priority: number): Promise<string> {
  const { thirdPartyId } = await admin.call(vendors.addThirdParty, {
    code,
    name: code,
    kind: 'voice',
  })
  const { cfgId } = await admin.call(vendors.addConfiguration, {
    thirdPartyId,
    name: 'Main',
    baseUrl: exchange.baseUrl,
    values: { keyId: 'K', secret: 's'.repeat(32) },
    timeoutMs: 500,
  })
  const { id } = await admin.call(vendors.addService, {
    appId: 'A1',
    thirdPartyId,
    cfgId,
    priority,
  })
  return id
}
const held = () => makeCase(floor, { collectorId: asha.userId, overdueDays: 12 })
const press = (made: MadeCase, person = asha) =>
  person.call(callBorrower, { caseId: made.caseId, contactId: made.customerId, way: 'phone' })
/** A call that the first exchange has taken. */
async function taken(): Promise<{ made: MadeCase; callId: string }> {
  const made = await held()
  const { callId } = await press(made)
  await floor.settle()
  expect(first.handed.map((order) => order.callId)).toContain(callId)
  return { made, callId }
}
const stateOf = async ({ caseId }: MadeCase) =>
  (await asha.call(caseDetail, { caseId })).openCall?.exchange
/** Lets the times at which exchanges are asked come. */
async function askNow(): Promise<void> {
  await db`update voice_call set ask_at = clock_timestamp()`
  floor.context.wakeSchedule('voiceCalls')
  await floor.settle()
}
async function traces(made: MadeCase, from: number): Promise<string> {
  const events = await floor.events(from)
  const logs = await db`select l.before, l.after from operate_log l`
  expect(events.some(({ type }) => type === 'voicecall.changed')).toBe(true)
  return JSON.stringify([events, logs.rows]).includes(made.phone) ? made.phone : 'no number'
}

test('a press rings the extension once, and its reports stand on the case and the record', async () => {
  const made = await held()
  const from = (await floor.events()).at(-1)?.seq ?? 0
  const { callId, ...answer } = await press(made)
  expect(answer).toEqual({ seatNumber: '2001', link: null, exchange: 'rings' })
  expect(await stateOf(made)).toMatchObject({ state: 'waiting' })
  await press(made)
  await floor.settle()
  expect(first.handed).toEqual([{ callId, extension: '2001', from: null, to: made.phone }])
  expect(second.handed).toEqual([])
  expect(await stateOf(made)).toMatchObject({ state: 'dialling' })

  const report = (state: 'ringing' | 'answered') =>
    keys.first.call(inboundCallRecord, { callId, state })
  expect(await report('ringing')).toEqual({ callId, state: 'ringing', applied: true })
  expect(await report('answered')).toMatchObject({ state: 'answered', applied: true })
  expect(await report('answered')).toMatchObject({ applied: false })
  expect(await report('ringing')).toMatchObject({ state: 'answered', applied: false })
  expect((await stateOf(made))?.answeredTime).not.toBeNull()
  expect(
    (await keys.first.refused(inboundCallRecord, { callId, state: 'ended' })).data,
  ).toMatchObject({ fields: { endCause: 'required' } })
  const end = { callId, state: 'ended', endCause: 'completed', durationSec: 42 } as const
  expect(await keys.first.call(inboundCallRecord, end)).toMatchObject({ applied: true })
  expect(await keys.first.call(inboundCallRecord, { ...end, durationSec: 43 })).toMatchObject({
    applied: false,
  })
  expect(await stateOf(made)).toMatchObject({
    state: 'ended',
    durationSec: 42,
    endCause: 'completed',
  })
  // the recording comes when the exchange has it, once
  const recorded = { ...end, recordingRef: 'r/1.ogg' }
  expect(await keys.first.call(inboundCallRecord, recorded)).toMatchObject({ applied: true })
  expect(
    await keys.first.call(inboundCallRecord, { ...recorded, recordingRef: 'r/2.ogg' }),
  ).toMatchObject({ applied: false })
  const log = await db`select state, end_cause, duration_sec, recording_ref from call_log
    where id = ${callId}`
  expect(log.rows).toEqual([
    { state: 'ended', end_cause: 'completed', duration_sec: 42, recording_ref: 'r/1.ogg' },
  ])
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const { case: row } = await asha.call(caseDetail, { caseId: made.caseId })
  await asha.call(followCase, {
    caseId: made.caseId,
    version: row.version,
    token: row.token,
    contactWay: 'phone',
    contactId: made.customerId,
    contactResult: 1,
    willingness: 5,
    commitmentTime: tomorrow,
    nextFollowTime: tomorrow,
    remark: 'Asks for a day',
    callId,
  })
  const { rows } = await asha.call(listFollows, { caseId: made.caseId })
  expect(rows).toMatchObject([{ callId, durationSec: 42, endCause: 'completed' }])
  expect(await traces(made, from)).toBe('no number')
})

test('an end that comes before the rest is the end', async () => {
  const { made, callId } = await taken()
  const end = { callId, state: 'ended', endCause: 'busy', durationSec: 0 } as const
  expect(await keys.first.call(inboundCallRecord, end)).toMatchObject({ applied: true })
  for (const state of ['ringing', 'answered'] as const)
    expect(await keys.first.call(inboundCallRecord, { callId, state })).toMatchObject({
      state: 'ended',
      applied: false,
    })
  expect(await stateOf(made)).toMatchObject({ state: 'ended', endCause: 'busy' })
})

test('an exchange that tells nothing is asked, and a call it forgot has ended', async () => {
  const { made, callId } = await taken()
  await askNow()
  expect(await stateOf(made)).toMatchObject({ state: 'dialling' })
  first.stands.set(callId, {
    state: 'reported',
    report: { callId, state: 'ended', endCause: 'noAnswer', durationSec: 0 },
  })
  await askNow()
  expect(await stateOf(made)).toMatchObject({ state: 'ended', endCause: 'noAnswer' })
  const other = await taken()
  first.stands.clear()
  await askNow()
  expect(await stateOf(other.made)).toMatchObject({ state: 'ended', endCause: 'lost' })
  expect(second.handed).toEqual([])
})

test('an exchange reports its own calls only', async () => {
  const { made, callId } = await taken()
  const report = { callId, state: 'answered' } as const
  const nobodys = await machineOf(floor, ['callRecord'])
  for (const key of [keys.second, nobodys])
    expect(await key.refused(inboundCallRecord, report)).toMatchObject({ problem: { id: 'G404' } })
  const other = await machineOf(floor, ['aiCall'], 'first')
  await other.refused(inboundCallRecord, report)
  expect(await stateOf(made)).toMatchObject({ state: 'dialling' })
})

test('a call that one exchange certainly did not take is rung by the next one', async () => {
  await first.stop()
  const made = await held()
  const { callId } = await press(made)
  await floor.settle()
  await first.start()
  expect(second.handed.map((order) => order.callId)).toEqual([callId])
  expect(first.handed).toEqual([])
  // what the first one may say of it is not believed any more
  await keys.first.refused(inboundCallRecord, { callId, state: 'answered' })
  await keys.second.call(inboundCallRecord, { callId, state: 'answered' })
  expect(await stateOf(made)).toMatchObject({ state: 'answered' })
  for (const fault of ['refuse', 'wrongKey'] as const) {
    first.fault = fault
    const next = await press(await held())
    await floor.settle()
    expect(second.handed.at(-1)?.callId).toBe(next.callId)
  }
})

test('a call whose sending was not answered is asked about before anybody else rings it', async () => {
  first.fault = 'hangTaken'
  const kept = await held()
  await press(kept)
  await floor.settle()
  expect(await stateOf(kept)).toMatchObject({ state: 'dialling' })
  first.fault = 'none'
  await askNow()
  expect(await stateOf(kept)).toMatchObject({ state: 'dialling' })
  expect(second.handed).toEqual([])
  first.fault = 'hangLost'
  const lost = await held()
  const { callId } = await press(lost)
  await floor.settle()
  expect(second.handed).toEqual([])
  first.fault = 'none'
  await askNow()
  expect(second.handed.map((order) => order.callId)).toEqual([callId])
  expect(first.handed).toHaveLength(2)
})

test('an exchange that fails is left out, and the next one rings at once', async () => {
  first.fault = 'wrongKey'
  for (let n = 0; n < 12; n += 1) await press(await held())
  await floor.settle()
  const asked = first.handed.length
  const { rows } = await admin.call(vendors.listServices, { pageSize: 200 })
  expect(rows.find(({ id }) => id === firstService)).toMatchObject({ breaker: 'open' })
  await press(await held())
  await floor.settle()
  expect(first.handed).toHaveLength(asked)
  expect(second.handed).toHaveLength(13)
})

test('without any exchange that takes it, and late, the person dials by hand', async () => {
  first.fault = 'refuse'
  second.fault = 'refuse'
  const refused = await held()
  await press(refused)
  await floor.settle()
  expect(await stateOf(refused)).toMatchObject({ state: 'failed' })
  first.fault = 'none'
  const late = await held()
  const { callId } = await press(late)
  await floor.settle()
  first.handed = []
  // as if no core had run since the press
  await db`update voice_call set state = 'waiting', vendor_code = null, tp_cfg_id = null,
    created_at = created_at - interval '2 minutes' where call_id = ${callId}`
  floor.context.wakeSchedule('voiceCalls')
  await floor.settle()
  expect(await stateOf(late)).toMatchObject({ state: 'failed' })
  expect(first.handed).toEqual([])
})

test('an app without an exchange, and a person without an extension, dial as before', async () => {
  await db`update tp_app_cfg set status = 'disabled' where kind = 'voice'`
  const made = await held()
  expect(await press(made)).toMatchObject({ seatNumber: '2001', exchange: null })
  expect(await asha.call(caseDetail, { caseId: made.caseId })).toMatchObject({
    openCall: { way: 'phone', exchange: null },
  })
  await db`update tp_app_cfg set status = 'enabled' where kind = 'voice'`
  await db`update collector set seat_number = null where user_id = ${asha.userId}`
  expect(await press(await held())).toMatchObject({ seatNumber: null, exchange: 'noExtension' })
  await db`update collector set seat_number = '2001' where user_id = ${asha.userId}`
  await floor.settle()
  expect(first.handed).toEqual([])
})

test('a telemarketer is rung with their promotional line, and the record has the length', async () => {
  const caller = await floor.signIn('tele_uncertified')
  await bindLine(floor.database, caller.userId)
  const line = await db`select number, seat_number from phone_line
    where bound_user_id = ${caller.userId}`
  await makeUncertified(floor)
  // the borrowers of the tests before are marked too
  while ((await db`select from tele_mark limit 1`).rows.length > 0)
    await teleTasks.run(floor.context)
  const task = await caller.call(claimTask, { segment: 'no_certified' })
  const { taskId, token } = task
  const { callId, exchange } = await caller.call(callTask, { taskId, token, way: 'phone' })
  expect(exchange).toBe('rings')
  await floor.settle()
  expect(first.handed).toMatchObject([
    { callId, extension: line.rows[0]?.seat_number, from: line.rows[0]?.number },
  ])
  await keys.first.call(inboundCallRecord, {
    callId,
    state: 'ended',
    endCause: 'noAnswer',
    durationSec: 0,
  })
  const events = (await floor.events()).filter(({ type }) => type === 'voicecall.changed')
  expect(events.at(-1)).toMatchObject({
    data: { callId, caseId: null, taskId, state: 'ended' },
    rooms: [`user:${caller.userId}`],
  })
  const { openCall, task: now } = await caller.call(taskDetail, { taskId })
  expect(openCall).toMatchObject({ exchange: { state: 'ended', endCause: 'noAnswer' } })
  await caller.call(followTask, {
    taskId,
    version: now.version,
    token,
    result: 11,
    contactWay: 'phone',
    nextFollowTime: new Date(Date.now() + 86_400_000).toISOString(),
    callId,
  })
  const { rows } = await caller.call(listRecords, { taskId })
  expect(rows).toMatchObject([{ durationSec: 0, endCause: 'noAnswer' }])
})
