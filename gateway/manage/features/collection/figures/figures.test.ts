/** Collection figures against values computed by hand: paise, IST days, credit and scope. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callBorrower, caseDetail, followCase } from '#shared/collection/cases-api.ts'
import {
  agencyDetail,
  listAgencyLines,
  listBills,
  listPerformance,
  listReductionBills,
} from '#shared/collection/figures-api.ts'
import { FIGURES_MENU } from '#shared/collection/figures-menu.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import { repaymentsRoutes } from '#gateway/manage/features/repayments/repayments-routes.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import { type CaseGiven, makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { lockCase, moveCase, nextCaseState, placeOfCollector } from '../case-store.ts'
import { casePaid } from '../day/case-paid.ts'
import { workRoutes } from '../work-routes.ts'
import { rateOf } from './figure-parts.ts'
import { figuresRoutes } from './figures-routes.ts'

/**
 * Each case is of a loan of 10,000.00 in one instalment of 30 days at 5 bp: 10,150.00 are due.
 * Twelve days overdue at 10 bp a day cost 120.00, charged at the payment. A payment of 1,000.00
 * clears 120.00 fine, 150.00 interest, 730.00 principal.
 */
const OWED = 1_015_000

let floor: Floor
let clock: TestClock
let channel: Machine
let home: Unit
let outside: Unit
let asha: Person
let ravi: Person
let agent: Person
let leader: Person
let homeHead: Person
let agencyHead: Person
let manager: Person
let serial = 0
const today = istDay(Date.now())
const RANGE = { dateFrom: today, dateTo: today }

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...SESSION_MENU, ...SETUP_MENU, ...WORK_MENU, ...FIGURES_MENU],
      routes: (base) => {
        workRoutes(base, context)
        figuresRoutes(base, context)
        repaymentsRoutes(base, context, { whenPaid: [casePaid] })
      },
    }),
  })
  clock = await testClock(floor.database)
  await clock.to('11:00')
  home = await makeUnit(floor, { weight: 60, inHouse: true, name: 'Home' })
  outside = await makeUnit(floor, { weight: 40, inHouse: false, name: 'Outside' })
  const people = [
    await makeCollector(floor, home),
    await makeCollector(floor, home),
    await makeCollector(floor, outside),
    await makeLeader(floor, home, 'team_leader'),
    await makeLeader(floor, home, 'internal_supervisor'),
    await makeLeader(floor, outside, 'external_supervisor'),
  ]
  const signed = []
  for (const { account } of people) signed.push(await floor.signIn(account))
  ;[asha, ravi, agent, leader, homeHead, agencyHead] = signed as [
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  manager = await floor.signIn('manager')
  channel = await machineOf(floor, ['payment'])
})
afterAll(() => floor.close())
beforeEach(async () => {
  await clock.to('11:00')
  await sql`
    truncate recovery_bill, case_promise, case_allocation, follow_up, ai_call, voice_call, call_log,
      tele_record, reduction`.execute(floor.database.kysely)
  await sql`delete from message_log`.execute(floor.database.kysely)
  await sql`delete from collection_case`.execute(floor.database.kysely)
  await sql`update collector set open_cases = 0`.execute(floor.database.kysely)
})

const given = (holder: Person, more: Partial<CaseGiven> = {}) =>
  makeCase(floor, { collectorId: holder.userId, overdueDays: 12, ...more })
function pay(made: MadeCase, amount: number, payTime?: string) {
  serial += 1
  return channel.call(inboundPayment, {
    vendorOrderNo: `V${serial}`,
    orderId: made.orderId,
    amount,
    channel: 2,
    result: 'success',
    utr: String(100_000_000_000 + serial),
    ...(payTime === undefined ? {} : { payTime }),
  })
}
const system = <T>(run: (tx: CommandTx) => Promise<T>) =>
  runCommand(floor.context, { actor: systemActor('test'), audit: { action: 'test' } }, run)
async function moveTo(made: MadeCase, to: Person): Promise<void> {
  await system(async (tx) => {
    const locked = await lockCase(tx, made.caseId, sql<boolean>`true`)
    await moveCase(tx, locked, {
      to: nextCaseState(locked, { type: 'TRANSFER', sameStage: true, reason: 'test' }),
      place: (await placeOfCollector(tx, to.userId)) as NonNullable<
        Awaited<ReturnType<typeof placeOfCollector>>
      >,
      cause: 'change',
    })
  })
}
async function talk(
  who: Person,
  made: MadeCase,
  more: Record<string, unknown> = {},
): Promise<void> {
  const { callId } = await who.call(callBorrower, {
    caseId: made.caseId,
    contactId: made.customerId,
    way: 'phone',
  })
  const { case: now } = await who.call(caseDetail, { caseId: made.caseId })
  await who.call(followCase, {
    caseId: made.caseId,
    version: now.version,
    token: now.token,
    contactWay: 'phone',
    contactId: made.customerId,
    contactResult: 1,
    willingness: 2,
    commitmentTime: `${today}T18:00:00+05:30`,
    nextFollowTime: `${addDays(today, 1)}T12:00:00+05:30`,
    remark: 'spoke',
    callId,
    ...more,
  } as never)
}
const performance = (who: Person, more: Record<string, unknown> = {}) =>
  who.call(listPerformance, { ...RANGE, groupBy: 'collector', ...more })
const namesAnd = <T>(rows: readonly ({ key: string } & T)[], pick: (row: T) => unknown) =>
  Object.fromEntries(rows.map((row) => [row.key, pick(row)]))

test('a rate is rounded half up to a basis point, and is null without a base', () => {
  expect([
    rateOf(1, 3),
    rateOf(2, 3),
    rateOf(1, 20_000),
    rateOf(1, 20_001),
    rateOf(5, 0),
    rateOf(3, 2),
  ]).toEqual([3_333, 6_667, 1, 0, null, 15_000])
})

describe('performance', () => {
  test('shows every measure of a day of three people, their ranks and their sum', async () => {
    const first = await given(asha)
    const second = await given(asha)
    const third = await given(ravi)
    const fourth = await given(agent)
    await clock.to('11:10')
    await talk(asha, first)
    await talk(asha, second, {
      willingness: 1,
      ptpTime: `${today}T20:00:00+05:30`,
      ptpAmount: 100_000,
    })
    const { case: now } = await ravi.call(caseDetail, { caseId: third.caseId })
    await ravi.call(followCase, {
      caseId: third.caseId,
      version: now.version,
      token: now.token,
      contactWay: 'visit',
      contactId: third.customerId,
      contactResult: 3,
      nextFollowTime: `${addDays(today, 1)}T12:00:00+05:30`,
      remark: 'nobody there',
    })
    await pay(first, 100_000)
    await pay(second, 100_000)
    await pay(second, 50_000)
    await pay(fourth, 200_000)
    const { rows, sum, ranked, total } = await performance(manager)
    expect(
      rows.map(({ key, name, unitName, rank }) => [
        key,
        name.startsWith('Collector'),
        unitName,
        rank,
      ]),
    ).toEqual([
      [asha.userId, true, 'Home, group', 1],
      [agent.userId, true, 'Outside, group', 2],
      [ravi.userId, true, 'Home, group', 3],
    ])
    expect(rows[0]).toMatchObject({
      allocatedCases: 2,
      allocatedAmount: 2 * OWED,
      contacted: 2,
      calls: 2,
      reachRate: 10_000,
      followCount: 2,
      ptpCount: 1,
      ptpKeptRate: 10_000,
      recoveredCases: 2,
      recoveredAmount: 250_000,
      // 2,500.00 of 20,300.00 = 12.315… %
      recoveryRate: 1_232,
      reducedAmount: 0,
    })
    expect(rows[0]?.avgFirstContactSec).toBeGreaterThanOrEqual(590)
    expect(rows[0]?.avgFirstContactSec).toBeLessThan(660)
    expect(rows[1]).toMatchObject({
      allocatedCases: 1,
      contacted: 0,
      calls: 0,
      reachRate: null,
      ptpKeptRate: null,
      recoveredCases: 1,
      recoveredAmount: 200_000,
      recoveryRate: 1_970,
      avgFirstContactSec: null,
    })
    expect(rows[2]).toMatchObject({
      allocatedCases: 1,
      contacted: 1,
      calls: 0,
      reachRate: 0,
      followCount: 1,
      recoveredAmount: 0,
      recoveryRate: 0,
    })
    expect(sum).toMatchObject({
      allocatedCases: 4,
      allocatedAmount: 4 * OWED,
      contacted: 3,
      calls: 2,
      followCount: 3,
      reachRate: 6_667,
      ptpCount: 1,
      ptpKeptRate: 10_000,
      recoveredCases: 3,
      recoveredAmount: 450_000,
      recoveryRate: 1_108,
    })
    expect([ranked, total]).toEqual([3, 3])
    expect(
      namesAnd(
        (await performance(manager, { groupBy: 'agency' })).rows,
        ({ recoveredAmount, allocatedCases }) => [recoveredAmount, allocatedCases],
      ),
    ).toEqual({ [home.agencyId]: [250_000, 3], [outside.agencyId]: [200_000, 1] })
    expect((await performance(manager, { groupBy: 'stage' })).rows).toMatchObject([
      { key: 'M1', recoveredAmount: 450_000, allocatedCases: 4 },
    ])
    expect(
      (await performance(manager, { groupBy: 'department', departmentId: home.departmentId })).rows,
    ).toMatchObject([{ key: home.departmentId, recoveredAmount: 250_000 }])
    expect((await performance(manager, { stageId: 'S1' })).rows).toEqual([])
    expect(
      (await performance(manager, { sort: 'recoveredAmount:asc', pageSize: 10 })).rows.map(
        ({ key }) => key,
      ),
    ).toEqual([ravi.userId, agent.userId, asha.userId])
  })

  test('counts a case with two holders once for each and once in the sum', async () => {
    const made = await given(asha)
    await moveTo(made, ravi)
    await moveTo(made, asha)
    const { rows, sum } = await performance(manager)
    expect(
      namesAnd(rows, ({ allocatedCases, allocatedAmount }) => [allocatedCases, allocatedAmount]),
    ).toEqual({ [asha.userId]: [1, OWED], [ravi.userId]: [1, OWED] })
    expect([sum.allocatedCases, sum.allocatedAmount]).toEqual([1, OWED])
  })

  test('separates 23:59:59 and midnight IST into two days', async () => {
    const made = await given(asha, { allocatedDaysAgo: 3 })
    await pay(made, 10_000, `${addDays(today, -1)}T23:59:59+05:30`)
    await pay(made, 20_000, `${today}T00:00:00+05:30`)
    await pay(made, 40_000, `${addDays(today, -2)}T00:00:00+05:30`)
    await pay(made, 80_000, `${addDays(today, -3)}T23:59:59+05:30`)
    const { rows } = await performance(manager, { dateFrom: addDays(today, -2), groupBy: 'day' })
    expect(rows.map(({ key, recoveredAmount }) => [key, recoveredAmount])).toEqual([
      [today, 20_000],
      [addDays(today, -1), 10_000],
      [addDays(today, -2), 40_000],
    ])
    expect((await performance(manager)).sum.recoveredAmount).toBe(20_000)
  })

  test('counts a promise on the day it was settled, for the holder when it was made', async () => {
    const kept = await given(asha)
    const broken = await given(asha)
    await talk(asha, kept, {
      willingness: 1,
      ptpTime: `${today}T20:00:00+05:30`,
      ptpAmount: 50_000,
    })
    await talk(asha, broken, {
      willingness: 1,
      ptpTime: `${today}T20:00:00+05:30`,
      ptpAmount: 50_000,
    })
    await moveTo(broken, ravi)
    await pay(kept, 50_000)
    expect((await performance(manager)).rows.find(({ key }) => key === asha.userId)).toMatchObject({
      ptpCount: 2,
      ptpKeptRate: 10_000,
    })
    await sql`
      update collection_case set ptp_state = 'broken', state = 'allocated' where id = ${broken.caseId}`.execute(
      floor.database.kysely,
    )
    expect(
      namesAnd((await performance(manager)).rows, ({ ptpCount, ptpKeptRate }) => [
        ptpCount,
        ptpKeptRate,
      ]),
    ).toEqual({ [asha.userId]: [2, 5_000], [ravi.userId]: [0, null] })
  })

  test('refuses an invalid range', async () => {
    expect(
      await manager.refused(listPerformance, {
        dateFrom: today,
        dateTo: addDays(today, -1),
        groupBy: 'day',
      }),
    ).toMatchObject({ code: 400, data: { fields: { dateTo: 'beforeFrom' } } })
    expect(
      await manager.refused(listPerformance, {
        dateFrom: addDays(today, -92),
        dateTo: today,
        groupBy: 'day',
      }),
    ).toMatchObject({ code: 400, data: { fields: { dateTo: 'tooLong' } } })
    expect(
      (
        await manager.call(listPerformance, {
          dateFrom: addDays(today, -91),
          dateTo: today,
          groupBy: 'day',
        })
      ).rows,
    ).toEqual([])
    expect(
      await manager.refused(listPerformance, { ...RANGE, groupBy: 'day', sort: 'password:asc' }),
    ).toMatchObject({ code: 400 })
  })
})

describe('the scope of figures', () => {
  test('shows each viewer their own agency, department, group or self, and no money of others', async () => {
    for (const [who, amount] of [
      [asha, 10_000],
      [ravi, 20_000],
      [agent, 40_000],
    ] as const)
      await pay(await given(who), amount)
    const seen = async (who: Person) => {
      const { rows, sum } = await performance(who)
      return [rows.map(({ key }) => key).toSorted(), sum.recoveredAmount]
    }
    expect(await seen(manager)).toEqual([
      [asha.userId, ravi.userId, agent.userId].toSorted(),
      70_000,
    ])
    for (const who of [leader, homeHead])
      expect(await seen(who)).toEqual([[asha.userId, ravi.userId].toSorted(), 30_000])
    expect(await seen(agencyHead)).toEqual([[agent.userId], 40_000])
    expect(await seen(asha)).toEqual([[asha.userId], 10_000])
    // naming another unit gives the answer of an unknown one
    expect((await performance(agencyHead, { agencyId: home.agencyId })).sum).toMatchObject({
      recoveredAmount: 0,
      allocatedCases: 0,
    })
    expect((await asha.call(listBills, { ...RANGE, collectorId: ravi.userId })).rows).toEqual([])
    for (const who of [homeHead, leader, asha])
      expect(await who.call(listBills, { ...RANGE, agencyId: outside.agencyId })).toMatchObject({
        rows: [],
        total: 0,
        sum: { bills: 0, amount: 0 },
      })
    expect(
      await agencyHead.refused(agencyDetail, { ...RANGE, agencyId: home.agencyId }),
    ).toMatchObject({ code: 400, problem: { id: 'G404' } })
    expect(
      JSON.stringify(await agencyHead.call(agencyDetail, { ...RANGE, agencyId: outside.agencyId })),
    ).not.toContain(asha.userId)
  })

  test('shows a collector their rank in the group', async () => {
    await pay(await given(asha), 10_000)
    await pay(await given(ravi), 20_000)
    await pay(await given(agent), 40_000)
    expect([
      (await performance(asha)).rows[0]?.rank,
      (await performance(ravi)).rows[0]?.rank,
      (await performance(asha)).ranked,
    ]).toEqual([2, 1, 2])
  })

  test('money stays with the unit that had the case at the payment when its collector changes units', async () => {
    await pay(await given(asha), 10_000)
    await sql`
      update sys_user set agency_id = ${outside.agencyId}, department_id = ${outside.departmentId},
        group_id = ${outside.groupId} where id = ${asha.userId}`.execute(floor.database.kysely)
    expect((await performance(agencyHead)).sum.recoveredAmount).toBe(0)
    expect((await performance(homeHead)).sum.recoveredAmount).toBe(10_000)
    const { people } = await manager.call(agencyDetail, { ...RANGE, agencyId: home.agencyId })
    expect(people.find(({ id }) => id === asha.userId)).toMatchObject({
      recovered: 10_000,
      unitName: null,
    })
    await sql`
      update sys_user set agency_id = ${home.agencyId}, department_id = ${home.departmentId},
        group_id = ${home.groupId} where id = ${asha.userId}`.execute(floor.database.kysely)
  })
})

describe('recovery bills', () => {
  test('a payment is split into principal and fees, with its stage, channel and holder, and summed', async () => {
    const made = await given(asha)
    const { recordId } = await pay(made, 100_000)
    await pay(made, 5_000)
    const { rows, sum, total } = await manager.call(listBills, { ...RANGE, sort: 'amount:desc' })
    expect(rows[0]).toMatchObject({
      recordId,
      orderId: made.orderId,
      caseId: made.caseId,
      stageId: 'M1',
      overdueDays: 12,
      amount: 100_000,
      principal: 73_000,
      fees: 27_000,
      channel: 2,
      agencyName: 'Home',
      groupName: 'Home, group',
      collectorId: asha.userId,
      extension: false,
      commission: 0,
    })
    expect(rows[1]).toMatchObject({ amount: 5_000, principal: 5_000, fees: 0 })
    expect([sum, total]).toEqual([
      { bills: 2, amount: 105_000, principal: 78_000, fees: 27_000, commission: 0 },
      2,
    ])
    expect((await manager.call(listBills, { ...RANGE, channel: 1 })).sum.bills).toBe(0)
    expect((await manager.call(listBills, { ...RANGE, recordId })).rows).toHaveLength(1)
  })

  test('money reported late is credited to the holder at the time of payment', async () => {
    const made = await given(asha)
    await clock.to('12:00')
    await moveTo(made, ravi)
    await clock.to('13:00')
    await pay(made, 10_000, `${today}T11:30:00+05:30`)
    await pay(made, 20_000, `${today}T12:30:00+05:30`)
    await pay(made, 40_000, `${addDays(today, -1)}T12:30:00+05:30`)
    const { rows } = await manager.call(listBills, { ...RANGE, dateFrom: addDays(today, -1) })
    expect(rows.map(({ amount, collectorId }) => [amount, collectorId]).toSorted()).toEqual([
      [10_000, asha.userId],
      [20_000, ravi.userId],
      [40_000, null],
    ])
  })

  test('a reversal is a separate bill that takes the credit back once', async () => {
    const made = await given(asha)
    const { recordId } = await pay(made, 100_000)
    const back = () =>
      system((tx) =>
        casePaid(tx, {
          orderId: made.orderId,
          amount: -100_000,
          payment: { recordId, principal: 73_000, channel: 2 },
          payTime: `${today}T11:30:00+05:30`,
          from: 50,
          to: 50,
          outstanding: OWED + 12_000,
        }),
      )
    await back()
    await back()
    const { rows, sum } = await manager.call(listBills, { ...RANGE, sort: 'amount:asc' })
    expect(
      rows.map(({ amount, principal, fees, collectorId }) => [
        amount,
        principal,
        fees,
        collectorId,
      ]),
    ).toEqual([
      [-100_000, -73_000, -27_000, asha.userId],
      [100_000, 73_000, 27_000, asha.userId],
    ])
    expect(sum).toMatchObject({ amount: 0, principal: 0, fees: 0 })
    expect((await performance(manager)).sum.recoveredAmount).toBe(0)
  })

  test('the same payment reported again is one bill', async () => {
    const made = await given(asha)
    const reported = {
      vendorOrderNo: 'V-again',
      orderId: made.orderId,
      amount: 10_000,
      channel: 1,
      result: 'success' as const,
      utr: '999999999999',
    }
    for (let n = 0; n < 3; n += 1) await channel.call(inboundPayment, reported)
    expect((await manager.call(listBills, RANGE)).sum).toMatchObject({ bills: 1, amount: 10_000 })
  })
})

test('an agency is compared with its weight by open, given and recovered cases of each part', async () => {
  const first = await given(asha)
  await given(asha)
  await given(ravi)
  await given(agent)
  await makeCase(floor, { agencyId: home.agencyId, overdueDays: 12 })
  await pay(first, 100_000)
  const answer = await manager.call(agencyDetail, { ...RANGE, agencyId: home.agencyId })
  // fines are charged at the payment: the first owes 10,150.00 + 120.00 - 1,000.00
  const left = OWED + 12_000 - 100_000
  expect(answer.agency).toMatchObject({
    name: 'Home',
    weight: 60,
    inHouse: true,
    collectors: 2,
    onDuty: 2,
    openCases: 4,
    outstanding: left + 3 * OWED,
    allocatedCases: 3,
    allocatedAmount: 3 * OWED,
    recovered: 100_000,
    recoveryRate: 328,
    commission: 0,
  })
  // three of the four cases given in the range
  expect(answer.actualShare).toBe(7_500)
  expect(answer.departments).toMatchObject([
    { id: home.departmentId, openCases: 3, outstanding: left + 2 * OWED, recovered: 100_000 },
  ])
  expect(answer.groups).toMatchObject([
    { id: home.groupId, openCases: 3, recovered: 100_000, unitName: 'Home, department' },
  ])
  expect(
    answer.people.map(({ id, openCases, recovered, allocatedCases, online }) => [
      id,
      openCases,
      recovered,
      allocatedCases,
      online,
    ]),
  ).toEqual([
    [asha.userId, 2, 100_000, 2, 1],
    [ravi.userId, 1, 0, 1, 1],
  ])
  expect(answer.stages.find(({ id }) => id === 'M1')).toMatchObject({
    openCases: 4,
    recovered: 100_000,
    collectors: 2,
  })
  expect(answer.stages.map(({ id }) => id)).toEqual([
    'T0',
    'T1',
    'T2',
    'S1',
    'S2',
    'M1',
    'M2',
    'M3',
  ])
  const query = { ...RANGE, agencyId: home.agencyId, level: 'people' } as const
  const listed = await manager.call(listAgencyLines, query)
  expect([listed.rows, listed.total]).toEqual([answer.people, 2])
  expect((await manager.call(listAgencyLines, { ...query, pageNum: 2 })).rows).toEqual([])
  expect((await agencyHead.refused(listAgencyLines, query)).problem?.id).toBe('G404')
  // the head of the department sees its part, and no share
  const part = await homeHead.call(agencyDetail, { ...RANGE, agencyId: home.agencyId })
  expect([part.agency.openCases, part.agency.recovered, part.actualShare]).toEqual([
    3,
    100_000,
    null,
  ])
  expect(
    (await agencyHead.call(agencyDetail, { ...RANGE, agencyId: outside.agencyId })).actualShare,
  ).toBe(2_500)
})

test("reductions of a range are compared with the role's cap, in the scope of the viewer", async () => {
  const [mine, other] = [await given(asha), await given(agent)]
  const reduce = (
    made: MadeCase,
    who: Person,
    unit: Unit,
    more: { state: string; reduce: number; cap: number; used: number },
  ) =>
    sql`
    insert into reduction (order_id, customer_id, items, amount_due, reduce_amount, pay_amount, cap_amount,
      state, reason, launched_by, launched_by_name, launched_at, case_id, stage_id, agency_id,
      department_id, group_id, collector_id, used_at, used_amount, recovered_amount)
    select o.id, o.customer_id, '{}', ${OWED}, ${more.reduce}, ${OWED - more.reduce}, ${more.cap},
      ${more.state}, 'Pays at once', ${who.userId}, 'x', clock_timestamp(), ${made.caseId}, 'M1',
      ${unit.agencyId}, ${unit.departmentId}, ${unit.groupId}, ${who.userId},
      case when ${more.used} > 0 then clock_timestamp() end, ${more.used},
        ${more.used > 0 ? OWED - more.used : 0} from loan_order o where o.id = ${made.orderId}`.execute(
      floor.database.kysely,
    )
  await reduce(mine, asha, home, { state: 'used', reduce: 10_000, cap: 30_000, used: 10_000 })
  await reduce(other, agent, outside, { state: 'approved', reduce: 5_000, cap: 5_000, used: 0 })
  const { rows, sum } = await manager.call(listReductionBills, {
    ...RANGE,
    sort: 'reduceAmount:desc',
  })
  expect(
    rows.map(({ orderId, capUse, usedAmount, recoveredAmount, state, agencyName }) => [
      orderId,
      capUse,
      usedAmount,
      recoveredAmount,
      state,
      agencyName,
    ]),
  ).toEqual([
    [mine.orderId, 3_333, 10_000, OWED - 10_000, 'used', 'Home'],
    [other.orderId, 10_000, 0, 0, 'approved', 'Outside'],
  ])
  expect(sum).toEqual({
    reductions: 2,
    reduceAmount: 15_000,
    usedAmount: 10_000,
    recoveredAmount: OWED - 10_000,
  })
  expect((await agencyHead.call(listReductionBills, RANGE)).sum).toEqual({
    reductions: 1,
    reduceAmount: 5_000,
    usedAmount: 0,
    recoveredAmount: 0,
  })
  expect((await asha.call(listReductionBills, { ...RANGE, state: 'approved' })).rows).toEqual([])
  expect((await performance(manager)).sum.reducedAmount).toBe(10_000)
})
