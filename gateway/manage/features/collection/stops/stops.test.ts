/** Stops: requested, decided, ended by people, by their last day and with their ticket or proof. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { caseDetail, endCase, listCases } from '#shared/collection/cases-api.ts'
import { addStop, decideStops, listStops, resumeStops } from '#shared/collection/stops-api.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { jobDetail } from '#shared/jobs/jobs-api.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import { makeCase, type MadeCase, workFloor } from '#tests/factories/cases.ts'
import { makeComplaint } from '#tests/factories/complaints.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import type { TestClock } from '#tests/support/clock.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { stopExpire, stopHold } from '../day/stop-expire-job.ts'
import { endGrievance, endProof, holdForGrievance, holdForProof } from './system-stops.ts'

let floor: Floor & { clock: TestClock }
let home: Unit
let holder: { userId: string; account: string }
let specialist: Person
let leader: Person
let stranger: Person
let service: Person
let manager: Person
const today = istDay(Date.now())

beforeAll(async () => {
  floor = await workFloor()
  home = await makeUnit(floor, { inHouse: true })
  const south = await makeUnit(floor, { inHouse: false })
  holder = await makeCollector(floor, home, { role: 'collection_specialist' })
  specialist = await floor.signIn(holder.account)
  leader = await floor.signIn((await makeLeader(floor, home, 'team_leader')).account)
  stranger = await floor.signIn((await makeLeader(floor, south, 'external_supervisor')).account)
  service = await floor.signIn('customer_service')
  manager = await floor.signIn('manager')
})
afterAll(() => floor.close())
beforeEach(() => floor.clock.to('11:00'))

const held = (given = {}) =>
  makeCase(floor, { collectorId: holder.userId, overdueDays: 12, ...given })
async function row(made: MadeCase) {
  return (await manager.call(caseDetail, { caseId: made.caseId })).case
}
async function system(run: (tx: CommandTx) => Promise<void>): Promise<void> {
  await runCommand(floor.context, { actor: systemActor('test'), audit: { action: 'test' } }, run)
}
async function since(): Promise<
  () => Promise<{ type: string; data: Record<string, unknown>; rooms: string[] }[]>
> {
  const before = (await floor.events()).at(-1)?.seq ?? 0
  return async () =>
    (await floor.events(before))
      .filter(({ type }) => type.startsWith('case.'))
      .map(({ type, data, rooms }) => ({ type, data, rooms }))
}

describe('a requested stop', () => {
  test('once approved holds the case and cancels its promise until it ends', async () => {
    const made = await held({ state: 'promised' })
    const requested = await specialist.call(addStop, {
      userId: made.customerId,
      reason: 'dispute',
      remark: 'Says it was paid in cash',
      endTime: addDays(today, 10),
    })
    expect(requested).toMatchObject({
      state: 'pending',
      userId: made.customerId,
      orderIds: [made.orderId],
      applyById: holder.userId,
      decideBy: null,
    })
    expect((await row(made)).state).toBe('promised')

    const newEvents = await since()
    expect(
      await leader.call(decideStops, { stopIds: [requested.stopId], result: 'active' }),
    ).toEqual({
      ok: [requested.stopId],
      failed: [],
    })
    expect(await row(made)).toMatchObject({
      state: 'held',
      holdReason: 'dispute',
      holdUntil: addDays(today, 10),
      ptpState: 'cancelled',
      collectorId: holder.userId,
      token: 1,
    })
    const emitted = await newEvents()
    expect(emitted.map(({ type }) => type)).toEqual(['case.ptp.changed', 'case.stop.changed'])
    expect(emitted[1]?.rooms).toEqual(
      expect.arrayContaining([
        `user:${holder.userId}`,
        `scope:group:${home.groupId}`,
        'menu:stop_collection',
      ]),
    )
    expect(emitted[1]?.data).toMatchObject({
      stopId: requested.stopId,
      caseIds: [made.caseId],
      state: 'active',
      caseState: 'held',
      holdReason: 'dispute',
      holdUntil: addDays(today, 10),
    })
    expect(
      (await specialist.call(listCases, { tab: 'toFollow' })).rows.map(({ caseId }) => caseId),
    ).not.toContain(made.caseId)

    const again = await since()
    expect(
      (await leader.call(resumeStops, { stopIds: [requested.stopId], remark: 'Receipt was false' }))
        .ok,
    ).toEqual([requested.stopId])
    expect(await row(made)).toMatchObject({
      state: 'allocated',
      holdReason: null,
      holdUntil: null,
      collectorId: holder.userId,
      token: 1,
    })
    expect((await again()).map(({ type }) => type)).toEqual(['case.allocated', 'case.stop.changed'])
    expect(
      (await manager.call(listStops, { userId: made.customerId })).rows.map(({ stopId, state }) => [
        stopId,
        state,
      ]),
    ).toEqual([[requested.stopId, 'ended']])
  })

  test('is active at once for humane reasons, and when the requester may decide', async () => {
    const [bereaved, sued] = [await held(), await held()]
    expect(
      (
        await specialist.call(addStop, {
          userId: bereaved.customerId,
          reason: 'bereavement',
          remark: 'Father died on Friday',
        })
      ).state,
    ).toBe('active')
    expect((await row(bereaved)).holdUntil).toBeNull()
    expect(
      await service.call(addStop, {
        userId: sued.customerId,
        reason: 'legal',
        remark: 'Notice of the court came',
      }),
    ).toMatchObject({ state: 'active', decideBy: 'Customer service 1' })
  })

  test('cannot be decided by its requester, twice, or rejected without a reason', async () => {
    const made = await held()
    const requested = await specialist.call(addStop, {
      userId: made.customerId,
      reason: 'hardship',
      remark: 'Lost the job in May',
    })
    await sql`update stop_collection set applied_by = ${leader.userId} where id = ${requested.stopId}`.execute(
      floor.database.kysely,
    )
    expect(
      (
        await leader.call(decideStops, { stopIds: [requested.stopId], result: 'active' })
      ).failed.map(({ problem }) => problem),
    ).toEqual(['G-SELF'])
    expect(
      (await manager.refused(decideStops, { stopIds: [requested.stopId], result: 'rejected' }))
        .data,
    ).toEqual({ fields: { reason: 'required' } })
    expect(
      (
        await manager.call(decideStops, {
          stopIds: [requested.stopId],
          result: 'rejected',
          reason: 'No proof of it',
        })
      ).ok,
    ).toHaveLength(1)
    expect(
      (
        await manager.call(decideStops, { stopIds: [requested.stopId], result: 'active' })
      ).failed.map(({ problem, params }) => [problem, params?.state]),
    ).toEqual([['C-STOPST', 'rejected']])
    expect((await row(made)).state).toBe('allocated')
    const { rows } = await sql<{
      title_key: string
    }>`select n.title_key from notification n where n.user_id = ${leader.userId}`.execute(
      floor.database.kysely,
    )
    expect(rows).toEqual([{ title_key: 'collection:notification.stopRejected' }])
  })

  test('is refused twice for one reason, with an invalid end, and for a customer out of scope', async () => {
    const made = await held()
    const stopInput = {
      userId: made.customerId,
      reason: 'fraud' as const,
      remark: 'Stolen identity',
    }
    await specialist.call(addStop, stopInput)
    expect((await manager.refused(addStop, stopInput)).problem?.id).toBe('C-STOPDUP')
    expect(
      (await manager.refused(addStop, { ...stopInput, endTime: addDays(today, 181) })).data,
    ).toEqual({ fields: { endTime: 'tooFar' } })
    expect(
      (await manager.refused(addStop, { ...stopInput, endTime: addDays(today, -1) })).data,
    ).toEqual({
      fields: { endTime: 'past' },
    })
    expect((await stranger.refused(addStop, stopInput)).problem?.id).toBe('G404')
    expect((await stranger.refused(addStop, { ...stopInput, userId: 'C1' })).problem?.id).toBe(
      'G404',
    )
    expect((await manager.refused(addStop, { ...stopInput, reason: 'grievance' })).code).toBe(400)
  })

  test("of another agency's customer is answered like a missing one and not listed", async () => {
    const made = await held()
    const { stopId } = await specialist.call(addStop, {
      userId: made.customerId,
      reason: 'other',
      remark: 'Asks for patience',
    })
    for (const id of [stopId, 'SC1']) {
      expect(
        (await stranger.call(decideStops, { stopIds: [id], result: 'active' })).failed,
      ).toEqual([{ id, code: 400, msg: 'Record not found', problem: 'G404', params: {} }])
      expect(
        (await stranger.call(resumeStops, { stopIds: [id], remark: 'Not ours at all' })).failed[0]
          ?.problem,
      ).toBe('G404')
    }
    expect((await stranger.call(listStops, {})).rows).toEqual([])
    expect((await leader.call(listStops, { userId: made.customerId })).rows).toHaveLength(1)
  })
})

describe('a stop that ends', () => {
  test('leaves the cases held while another one is active', async () => {
    const made = await held()
    const first = await manager.call(addStop, {
      userId: made.customerId,
      reason: 'legal',
      remark: 'Court has the case',
      endTime: addDays(today, 5),
    })
    const second = await manager.call(addStop, {
      userId: made.customerId,
      reason: 'hardship',
      remark: 'Lost the job in May',
    })
    expect(await row(made)).toMatchObject({ holdReason: 'hardship', holdUntil: null })
    await manager.call(resumeStops, { stopIds: [second.stopId], remark: 'Has work again' })
    expect(await row(made)).toMatchObject({
      state: 'held',
      holdReason: 'legal',
      holdUntil: addDays(today, 5),
    })
    await manager.call(resumeStops, { stopIds: [first.stopId], remark: 'Court closed it' })
    expect((await row(made)).state).toBe('allocated')
  })

  test('sends the case to the pool when its holder may not keep it', async () => {
    const gone = await makeCollector(floor, home)
    const made = await held({ collectorId: gone.userId })
    const { stopId } = await manager.call(addStop, {
      userId: made.customerId,
      reason: 'disaster',
      remark: 'Flood in the town',
    })
    await sql`update collector set cert_expiry = '2020-01-01' where user_id = ${gone.userId}`.execute(
      floor.database.kysely,
    )
    const newEvents = await since()
    await manager.call(resumeStops, { stopIds: [stopId], remark: 'Water is gone' })
    expect(await row(made)).toMatchObject({
      state: 'unallocated',
      collectorId: null,
      agencyId: null,
      token: 2,
    })
    expect((await newEvents())[0]).toMatchObject({
      type: 'case.allocated',
      data: { from: gone.userId, to: null, cause: 'resume' },
    })
  })

  test('does not reopen a case that a person ended', async () => {
    const made = await held()
    const { stopId } = await manager.call(addStop, {
      userId: made.customerId,
      reason: 'deceased',
      remark: 'Family has called',
    })
    const before = await row(made)
    // a held case cannot be ended by hand, so it is ended before the stop is set on another case
    expect(
      (
        await manager.refused(endCase, {
          caseId: made.caseId,
          version: before.version,
          endReason: 'deceased',
          remark: 'Certificate came',
        })
      ).problem?.id,
    ).toBe('C-STATE')
    await sql`
      update collection_case set end_reason = 'deceased', ended_at = clock_timestamp()
        where id = ${made.caseId}`.execute(floor.database.kysely)
    await manager.call(resumeStops, { stopIds: [stopId], remark: 'Nothing to collect' })
    expect(await row(made)).toMatchObject({ state: 'held', endReason: 'deceased' })
  })

  test('ends automatically in the night after its last day', async () => {
    const made = await held()
    const { stopId } = await manager.call(addStop, {
      userId: made.customerId,
      reason: 'familyEvent',
      remark: 'Wedding of a sister',
      endTime: today,
    })
    await floor.clock.to('23:59')
    await stopExpire.run(floor.context)
    expect((await row(made)).state).toBe('held')
    await floor.clock.to('00:20', addDays(today, 1))
    expect(await stopExpire.run(floor.context)).toEqual({ ended: 1 })
    expect((await row(made)).state).toBe('allocated')
    expect((await manager.call(listStops, { userId: made.customerId })).rows[0]).toMatchObject({
      stopId,
      state: 'ended',
    })
  })
})

describe('a grievance', () => {
  test('holds the case while its ticket is open, once however often it is reported', async () => {
    const made = await held()
    await system((tx) => holdForGrievance(tx, { customerId: made.customerId, ticketId: 'FB1' }))
    await system((tx) => holdForGrievance(tx, { customerId: made.customerId, ticketId: 'FB1' }))
    expect(await row(made)).toMatchObject({
      state: 'held',
      holdReason: 'grievance',
      holdUntil: null,
    })
    expect(
      (await manager.call(listStops, { userId: made.customerId })).rows.map(
        ({ ticketId, state, applyBy }) => [ticketId, state, applyBy],
      ),
    ).toEqual([['FB1', 'active', 'test']])
    await system((tx) => endGrievance(tx, { ticketId: 'FB1' }))
    await system((tx) => endGrievance(tx, { ticketId: 'FB1' }))
    expect((await row(made)).state).toBe('allocated')
  })

  test('of two tickets holds until both are answered; a leader may end one as frivolous', async () => {
    const made = await held()
    for (const ticketId of ['FB2', 'FB3'])
      await system((tx) => holdForGrievance(tx, { customerId: made.customerId, ticketId }))
    await system((tx) => endGrievance(tx, { ticketId: 'FB2' }))
    expect((await row(made)).state).toBe('held')
    const open = (await manager.call(listStops, { userId: made.customerId, state: 'active' }))
      .rows[0]
    await leader.call(resumeStops, {
      stopIds: [open?.stopId as string],
      remark: 'Same complaint, answered',
    })
    expect((await row(made)).state).toBe('allocated')
    await system((tx) => endGrievance(tx, { ticketId: 'FB3' }))
    expect((await row(made)).state).toBe('allocated')
  })

  test('upheld sends a re-loan case to the pool, and frivolous returns it to the holder', async () => {
    const reLoan = { tags: ['reLoan'] }
    const [upheld, frivolous, first] = [await held(reLoan), await held(reLoan), await held()]
    for (const made of [upheld, frivolous, first]) {
      const ticketId = await makeComplaint(floor, { caseId: made.caseId, aboutId: holder.userId })
      await sql`delete from stop_collection where ticket_id = ${ticketId}`.execute(
        floor.database.kysely,
      )
      await system((tx) => holdForGrievance(tx, { customerId: made.customerId, ticketId }))
      if (made === frivolous) {
        const open = (await manager.call(listStops, { userId: made.customerId, state: 'active' }))
          .rows[0]
        await leader.call(resumeStops, {
          stopIds: [open?.stopId as string],
          remark: 'He was not even at work',
        })
      }
      await system((tx) => endGrievance(tx, { ticketId }))
    }
    expect(await row(upheld)).toMatchObject({
      state: 'unallocated',
      collectorId: null,
      agencyId: null,
    })
    expect(await row(frivolous)).toMatchObject({ state: 'allocated', collectorId: holder.userId })
    expect(await row(first)).toMatchObject({ state: 'allocated', collectorId: holder.userId })
  })

  test('holds by the sweep cases a run was placing and cases opened since', async () => {
    const made = await held({ state: 'allocating', collectorId: undefined })
    await system((tx) => holdForGrievance(tx, { customerId: made.customerId, ticketId: 'FB4' }))
    expect((await row(made)).state).toBe('allocating')
    await sql`update collection_case set state = 'unallocated' where id = ${made.caseId}`.execute(
      floor.database.kysely,
    )
    expect(await stopHold.run(floor.context)).toEqual({ held: 1 })
    expect((await row(made)).state).toBe('held')
    expect(await stopHold.run(floor.context)).toEqual({ held: 0 })
  })
})

test('a payment proof holds the case while it is checked', async () => {
  const made = await held()
  await system((tx) => holdForProof(tx, { customerId: made.customerId, proofId: 'PF1' }))
  expect((await row(made)).holdReason).toBe('proofCheck')
  await system((tx) => endProof(tx, { proofId: 'PF1' }))
  expect((await row(made)).state).toBe('allocated')
})

test('more than fifty stops are decided by a job with progress', async () => {
  const ids: string[] = []
  for (let i = 0; i < 52; i += 1) {
    const { customerId } =
      i === 0
        ? await held()
        : {
            customerId: (
              await sql<{
                id: string
              }>`
                insert into customer (id, name, phone_enc, phone_h, phone_last4, channel_id, app_id)
                select ${`CB${i}`}, 'Bulk', u.phone_enc, decode(md5(${String(i)}), 'hex'), '0000',
                  u.channel_id, u.app_id
                from customer u
                limit 1
                returning id`.execute(floor.database.kysely)
            ).rows[0]?.id as string,
          }
    const { rows } = await sql<{
      id: string
    }>`
      insert into stop_collection (customer_id, reason, state, applied_by, applied_by_name, remark)
      values (${customerId}, 'other', 'pending', ${holder.userId}, 'x', 'bulk')
      returning id`.execute(floor.database.kysely)
    ids.push(rows[0]?.id as string)
  }
  const { jobId } = await manager.call(decideStops, { stopIds: ids, result: 'active' })
  await floor.settle()
  expect(await manager.call(jobDetail, { jobId: jobId as string })).toMatchObject({
    job: { state: 'done', ok: 52, fail: 0 },
  })
  expect(
    (await manager.call(listStops, { state: 'pending', reason: 'other' })).rows.filter(
      ({ stopId }) => ids.includes(stopId),
    ),
  ).toEqual([])
})

test('the list is filtered, sorted and newest first', async () => {
  const all = (await manager.call(listStops, { pageSize: 200 })).rows
  expect(all.map(({ startTime }) => startTime)).toEqual(
    all
      .map(({ startTime }) => startTime)
      .toSorted()
      .toReversed(),
  )
  const first = all.find(({ reason }) => reason === 'dispute') as (typeof all)[number]
  for (const filter of [
    { userId: first.userId },
    { reason: 'dispute' as const },
    { state: 'ended' as const },
    { userName: first.userName },
    {
      startFrom: first.startTime,
      startTo: new Date(Date.parse(first.startTime) + 1).toISOString(),
    },
    { orderId: first.orderIds[0] as string },
  ]) {
    const found = (await manager.call(listStops, { pageSize: 200, ...filter })).rows
    expect(found.length, JSON.stringify(filter)).toBeGreaterThan(0)
    expect(found.length, JSON.stringify(filter)).toBeLessThan(all.length)
    expect(found.map(({ stopId }) => stopId)).toContain(first.stopId)
  }
  expect((await manager.refused(listStops, { sort: 'remark:asc' })).data).toEqual({
    fields: { sort: 'unknown' },
  })
})
