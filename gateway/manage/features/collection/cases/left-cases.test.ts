/**
 * Processed cases of units and people that gave them up: shown as they left, unaffected by what
 * happens elsewhere, and hidden from everyone who never had them.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  autoAllocate,
  launchChange,
  listMoves,
  undoRun,
} from '#shared/collection/allocation-api.ts'
import { ALLOCATION_MENU } from '#shared/collection/allocation-menu.ts'
import {
  allocateCases,
  caseDetail,
  followCase,
  listCases,
  recallCases,
} from '#shared/collection/cases-api.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import { repaymentsRoutes } from '#gateway/manage/features/repayments/repayments-routes.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { fallDue, makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import { testClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { allocateJob, recallJob } from '../allocation/allocate-cases.ts'
import { allocationRoutes } from '../allocation/allocation-routes.ts'
import { allocationRunJob } from '../allocation/allocation-run-job.ts'
import { undoRunJob } from '../allocation/undo-run.ts'
import { casePaid } from '../day/case-paid.ts'
import { openDayCases } from '../day/open-day-cases.ts'
import { workRoutes } from '../work-routes.ts'

type Row = DataOf<typeof listCases>['rows'][number]

let floor: Floor
let home: Unit
let away: Unit
/**
 * Of the own agency: two of one group, then its leader and the supervisor of the department; of the
 * other one a collector and its supervisor.
 */
let asha: Person
let ravi: Person
let leader: Person
let head: Person
let agent: Person
let agencyHead: Person
let manager: Person
let channel: Machine
let serial = 0
const today = istDay(Date.now())
const STAGES = ['T1', 'T2', 'M1']

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...SESSION_MENU, ...ORDERS_MENU, ...SETUP_MENU, ...WORK_MENU, ...ALLOCATION_MENU],
      jobTypes: [allocationRunJob, undoRunJob, allocateJob, recallJob],
      routes: (base) => {
        workRoutes(base, context)
        allocationRoutes(base, context)
        repaymentsRoutes(base, context, { whenPaid: [casePaid] })
      },
    }),
  })
  await (await testClock(floor.database)).to('11:00')
  home = await makeUnit(floor, { weight: 100, name: 'Home' })
  away = await makeUnit(floor, { inHouse: false, name: 'Away' })
  const people = [
    await makeCollector(floor, home, { stageIds: STAGES }),
    await makeCollector(floor, home, { stageIds: STAGES }),
    await makeLeader(floor, home, 'team_leader'),
    await makeLeader(floor, home, 'internal_supervisor'),
    await makeCollector(floor, away, { stageIds: STAGES }),
    await makeLeader(floor, away, 'external_supervisor'),
  ]
  const signed = []
  for (const { account } of people) signed.push(await floor.signIn(account))
  ;[asha, ravi, leader, head, agent, agencyHead] = signed as [
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
beforeEach(async () => {
  await sql`
    truncate recovery_bill, case_promise, case_allocation, follow_up, ai_call, voice_call, call_log,
      tele_record, reduction`.execute(floor.database.kysely)
  await sql`delete from collection_case`.execute(floor.database.kysely)
  await sql`update collector set open_cases = 0`.execute(floor.database.kysely)
})
afterAll(() => floor.close())

const given = (holder: Person, more: Record<string, unknown> = {}) =>
  makeCase(floor, { collectorId: holder.userId, overdueDays: 12, allocatedDaysAgo: 2, ...more })
async function processed(
  who: Person,
  filters: Partial<InputOf<typeof listCases>> = {},
): Promise<Row[]> {
  const page = await who.call(listCases, { tab: 'ended', pageSize: 200, ...filters })
  expect(page.total).toBe(page.rows.length)
  expect(page.totals).toEqual({
    cases: page.rows.length,
    outstanding: page.rows.reduce((sum, row) => sum + row.outstanding, 0),
  })
  return page.rows
}
const ends = async (who: Person) => (await processed(who)).map((row) => [row.caseId, row.endReason])
const recall = (made: MadeCase) =>
  manager.call(recallCases, { caseIds: [made.caseId], reason: 'He is on leave' })
const give = (made: MadeCase, to: Person) =>
  manager.call(allocateCases, {
    caseIds: [made.caseId],
    collectorId: to.userId,
    reason: 'Speaks Tamil',
  })
async function visit(who: Person, made: MadeCase): Promise<void> {
  const { case: now } = await who.call(caseDetail, { caseId: made.caseId })
  await who.call(followCase, {
    caseId: made.caseId,
    version: now.version,
    token: now.token,
    contactWay: 'visit',
    contactId: made.customerId,
    contactResult: 1,
    willingness: 2,
    commitmentTime: `${today}T18:00:00+05:30`,
    nextFollowTime: `${addDays(today, 1)}T12:00:00+05:30`,
    remark: 'Spoke to the customer',
  })
}
function pay(made: MadeCase, amount: number) {
  serial += 1
  return channel.call(inboundPayment, {
    vendorOrderNo: `V${serial}`,
    orderId: made.orderId,
    amount,
    channel: 2,
    result: 'success',
    utr: String(300_000_000_000 + serial),
  })
}

test('a recalled case is processed only for its collector, their group and department, as it left', async () => {
  const made = await given(asha)
  await visit(asha, made)
  await pay(made, 100_000)
  const [open] = (await asha.call(listCases, { tab: 'toFollow' })).rows
  await recall(made)
  const [left] = await processed(asha)
  expect(left).toMatchObject({
    caseId: made.caseId,
    orderId: made.orderId,
    endReason: 'recalled',
    stageId: 'M1',
    overdueDays: 12,
    collectorId: asha.userId,
    collectorName: open?.collectorName,
    agencyId: home.agencyId,
    agencyName: 'Home',
    departmentId: home.departmentId,
    groupId: home.groupId,
    allocationTime: open?.allocationTime,
    outstanding: open?.outstanding,
    recovered: 100_000,
    paidAmount: 100_000,
    amountDue: (open?.outstanding ?? 0) + 100_000,
    followCount: 1,
    lastContactResult: 1,
    lastWillingness: 2,
    ptpState: null,
    firstDueTime: null,
    version: (open?.version ?? 0) + 1,
  })
  for (const who of [leader, head]) expect(await processed(who)).toEqual([left])
  for (const who of [ravi, agent, agencyHead, manager]) expect(await processed(who)).toEqual([])
})

test('later events of the case elsewhere are not shown', async () => {
  const made = await given(asha)
  await recall(made)
  const before = await processed(leader)
  await give(made, agent)
  await sql`update collection_case set intimated_at = clock_timestamp() where id = ${made.caseId}`.execute(
    floor.database.kysely,
  )
  await visit(agent, made)
  await pay(made, 50_000)
  await sql`
    update collection_case set ptp_state = 'broken', broken_count = 1, overdue_days = 20, stage_id = 'M2'
      where id = ${made.caseId}`.execute(floor.database.kysely)
  await sql`update loan_order set rbi_class = 'npa' where id = ${made.orderId}`.execute(
    floor.database.kysely,
  )
  await sql`
    insert into repay_proof (order_id, customer_id, amount, utr, paid_at, channel, submitter,
      submitted_by_name, state, created_at)
    values (${made.orderId}, ${made.customerId}, 1000, '700000000009', clock_timestamp(), 2, 'customer',
      'Asha', 'pending', clock_timestamp())`.execute(floor.database.kysely)
  for (const who of [asha, leader, head]) expect(await processed(who)).toEqual(before)
  // no filter reveals them, and the case itself is out of scope
  expect(await processed(leader, { proofState: 'pending' })).toEqual([])
  expect(await asha.refused(caseDetail, { caseId: made.caseId })).toMatchObject({
    problem: { id: 'G404' },
  })
  expect(await processed(agencyHead)).toEqual([])
})

test('a case leaves its collector when given to a colleague, and the group when moved to another agency', async () => {
  const [inside, outside] = [await given(asha), await given(asha)]
  await give(inside, ravi)
  await manager.call(launchChange, {
    transferType: 'collectorToCollector',
    fromId: asha.userId,
    toId: agent.userId,
    count: 1,
    order: 'oldest',
    caseIds: [outside.caseId],
    reason: 'Lives there',
  })
  expect((await ends(asha)).toSorted()).toEqual([
    [inside.caseId, 'moved'],
    [outside.caseId, 'moved'],
  ])
  for (const who of [leader, head]) expect(await ends(who)).toEqual([[outside.caseId, 'moved']])
  for (const who of [ravi, agent, agencyHead]) expect(await ends(who)).toEqual([])
})

test('a case that returned is open again, and when it leaves once more it is listed once', async () => {
  const made = await given(asha)
  await recall(made)
  await give(made, asha)
  for (const who of [asha, leader, head]) expect(await processed(who)).toEqual([])
  await give(made, agent)
  for (const who of [asha, leader, head]) expect(await ends(who)).toEqual([[made.caseId, 'moved']])
  await recall(made)
  expect(await ends(agencyHead)).toEqual([[made.caseId, 'recalled']])
  expect(await ends(leader)).toEqual([[made.caseId, 'moved']])
  // ended at its present unit, it is processed there
  await give(made, ravi)
  await pay(made, 10_000_000)
  expect(await ends(leader)).toEqual([[made.caseId, 'repaid']])
  expect(await ends(asha)).toEqual([[made.caseId, 'moved']])
})

test('an undone run, a stage change and a recall from an agency are listed for both ends', async () => {
  const ran = await makeCase(floor, { overdueDays: 12 })
  const { runId } = await manager.call(autoAllocate, { stageIds: ['M1'], scope: 'unallocated' })
  await floor.settle()
  await manager.call(undoRun, { runId, reason: 'Wrong weights' })
  await floor.settle()
  expect(await ends(leader)).toEqual([[ran.caseId, 'recalled']])

  // T2 → S1, which nobody here serves
  const grown = await given(ravi, { overdueDays: 3 })
  await fallDue(floor, grown.orderId, 4)
  await runCommand(floor.context, { actor: systemActor('test'), audit: { action: 'test' } }, (tx) =>
    openDayCases(tx, { day: today, orderIds: [grown.orderId] }),
  )
  expect(await processed(ravi, { caseId: grown.caseId })).toEqual([
    expect.objectContaining({ endReason: 'recalled', stageId: 'T2', overdueDays: 4 }),
  ])

  const placed = await makeCase(floor, { overdueDays: 12 })
  await manager.call(allocateCases, { caseIds: [placed.caseId], agencyId: away.agencyId })
  await give(placed, asha)
  expect(
    (await processed(agencyHead)).map((row) => [row.caseId, row.endReason, row.collectorId]),
  ).toEqual([[placed.caseId, 'moved', null]])
  expect(await ends(agent)).toEqual([])
})

test('filters, sort and pages cover them together with ended cases', async () => {
  const [first, second, third] = [
    await given(asha, { amount: 2_000_000 }),
    await given(asha),
    await given(asha),
  ]
  await recall(first)
  await give(second, agent)
  await pay(third, 10_000_000)
  expect((await processed(leader)).map((row) => row.endReason)).toEqual([
    'repaid',
    'moved',
    'recalled',
  ])
  const found = async (filters: Partial<InputOf<typeof listCases>>) =>
    (await processed(leader, filters)).map((row) => row.caseId)
  expect(await found({ endReason: 'moved' })).toEqual([second.caseId])
  expect(await found({ endReason: 'recalled' })).toEqual([first.caseId])
  expect(await found({ caseId: first.caseId })).toEqual([first.caseId])
  expect(await found({ collectorId: asha.userId, amountFrom: 1_500_000 })).toEqual([first.caseId])
  expect(await found({ agencyId: away.agencyId })).toEqual([])
  expect(await found({ endTimeTo: '2026-01-01T00:00:00Z' })).toEqual([])
  expect(await found({ sort: 'endTime:asc' })).toEqual(
    (await found({ sort: 'endTime:desc' })).toReversed(),
  )
  expect((await found({ sort: 'endTime:desc' }))[0]).toBe(third.caseId)
  for (let n = 0; n < 9; n += 1) await recall(await given(ravi))
  const pages = [
    await leader.call(listCases, { tab: 'ended', pageSize: 10 }),
    await leader.call(listCases, { tab: 'ended', pageSize: 10, pageNum: 2 }),
  ]
  expect(pages.map((page) => [page.rows.length, page.total])).toEqual([
    [10, 12],
    [2, 12],
  ])
  expect(pages.flatMap((page) => page.rows.map((row) => row.caseId))).toEqual(
    (await processed(leader)).map((row) => row.caseId),
  )
})

test("after any moves nobody sees a case that was never theirs or their unit's", async () => {
  const cases = []
  for (let n = 0; n < 8; n += 1) cases.push(await given([asha, ravi, agent][n % 3] as Person))
  // fixed moves: every case takes its own way
  for (const [n, made] of cases.entries()) {
    for (let step = 0; step < 4; step += 1) {
      const where = (n * 5 + step * 3 + n * step) % 4
      await (where === 3 ? recall(made) : give(made, [asha, ravi, agent][where] as Person))
    }
  }
  const { rows: now } = await sql<{
    id: string
    collector_id: string | null
    group_id: string | null
    department_id: string | null
    agency_id: string | null
  }>`select c.id, c.collector_id, c.group_id, c.department_id, c.agency_id from collection_case c`.execute(
    floor.database.kysely,
  )
  const { rows: had } = await sql<{
    id: string
    collector_id: string | null
    group_id: string | null
    department_id: string | null
    agency_id: string | null
  }>`
    select m.case_id as id, m.to_user_id as collector_id, m.to_group_id as group_id,
      m.to_department_id as department_id, m.to_agency_id as agency_id from case_allocation m`.execute(
    floor.database.kysely,
  )
  const viewers = [
    [asha, 'collector_id', asha.userId],
    [ravi, 'collector_id', ravi.userId],
    [agent, 'collector_id', agent.userId],
    [leader, 'group_id', home.groupId],
    [head, 'department_id', home.departmentId],
    [agencyHead, 'agency_id', away.agencyId],
  ] as const
  for (const [who, column, value] of viewers) {
    const once = new Set(had.filter((move) => move[column] === value).map(({ id }) => id))
    const here = new Set(now.filter((one) => one[column] === value).map(({ id }) => id))
    const rows = await processed(who)
    expect(rows.map((row) => row.caseId).toSorted()).toEqual(
      [...once].filter((id) => !here.has(id)).toSorted(),
    )
    for (const row of rows)
      expect(row.agencyId).toBe(who === agent || who === agencyHead ? away.agencyId : home.agencyId)
    // the log of moves is limited to the own unit as well
    if (who === leader || who === head)
      for (const { caseId } of (await who.call(listMoves, { pageSize: 200 })).rows)
        expect(once).toContain(caseId)
  }
  expect(await processed(manager)).toEqual([])
})

test('a person who changes units brings no processed case of the old unit to the new leader', async () => {
  const made = await given(ravi)
  await recall(made)
  await sql`
    update sys_user set agency_id = ${away.agencyId}, department_id = ${away.departmentId},
      group_id = ${away.groupId} where id = ${ravi.userId}`.execute(floor.database.kysely)
  expect(await ends(agencyHead)).toEqual([])
  expect(await ends(leader)).toEqual([[made.caseId, 'recalled']])
})
