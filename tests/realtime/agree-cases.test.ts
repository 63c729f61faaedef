/**
 * The collectors' lists: a list plus the events received since equals a new read, for collector,
 * leader and manager, over real sockets.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { autoAllocate, launchChange, undoRun } from '#shared/collection/allocation-api.ts'
import {
  allocateCases,
  callBorrower,
  endCase,
  followCase,
  listCases,
  recallCases,
} from '#shared/collection/cases-api.ts'
import { addStop, resumeStops } from '#shared/collection/stops-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { addProof } from '#shared/repayments/proofs-api.ts'
import { launchReduction } from '#shared/repayments/reductions-api.ts'
import { userInfo } from '#shared/session/session-api.ts'
import { applyCaseEvents, CASE_EVENTS } from '#client/features/collection/desk/case-apply.ts'
import type { CaseRow, CaseTab, CaseViewer } from '#client/features/collection/desk/case-types.ts'
import { casePaid, openDayCases } from '#gateway/manage/features/collection/public.ts'
import { ptpCheck } from '#gateway/manage/features/collection/day/ptp-check-job.ts'
import { openDays } from '#gateway/manage/features/repayments/open-day.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import {
  approveCure,
  requestCure,
  bookExtension,
  confirmExtension,
  FIRST_PART,
  missPart,
} from '#tests/factories/agreements.ts'
import {
  fallDue,
  makeBadDebt,
  makeCase,
  type CaseGiven,
  type MadeCase,
} from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import { testClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import type { Person } from '#tests/support/manage.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import { type Listener, WebPerson } from '#tests/support/web-person.ts'

interface Look {
  name: string
  person: Person
  received: Listener
  viewer: CaseViewer
  tabs: CaseTab[]
}

let stack: Stack
let home: Unit
let holder: { userId: string; account: string }
let collector: Person
let supervisor: Person
let manager: Person
let director: Person
let service: Person
let channel: Machine
let colleagueId: string
let runId: string
const looks: Look[] = []
const today = istDay(Date.now())
const ist = (clock: string, days = 0) =>
  new Date(`${addDays(today, days)}T${clock}:00+05:30`).toISOString()

beforeAll(async () => {
  stack = await startStack()
  const clock = await testClock(stack.database)
  await clock.to('11:00')
  home = await makeUnit(stack, { weight: 60, inHouse: true })
  const outside = await makeUnit(stack, { weight: 40, inHouse: false })
  holder = await makeCollector(stack, home, { stageIds: ['T0', 'T1', 'T2', 'M1', 'M3'] })
  const colleague = await makeCollector(stack, home)
  colleagueId = colleague.userId
  // The test allocates, not the schedule.
  await sql`update sys_config set value = '' where code = 'collection.allocationTimes'`.execute(
    stack.database.kysely,
  )
  const accounts = {
    collector: holder.account,
    colleague: colleague.account,
    leader: (await makeLeader(stack, home, 'team_leader')).account,
    supervisor: (await makeLeader(stack, home, 'internal_supervisor')).account,
    outsider: (await makeLeader(stack, outside, 'external_supervisor')).account,
    manager: 'manager',
  }
  for (const [name, account] of Object.entries(accounts)) {
    const person = await stack.signIn(account)
    const { user } = await person.call(userInfo, {})
    const viewer: CaseViewer = {
      userId: user.userId,
      scope: user.scope.kind,
      agencyId: user.scope.agencyId,
      departmentId: user.scope.departmentId,
      groupId: user.scope.groupId,
    }
    const received = await (await WebPerson.signIn(stack.url, account)).listen().ready()
    looks.push({
      name,
      person,
      received,
      viewer,
      tabs: viewer.scope === 'own' ? ['toFollow', 'ended'] : ['toFollow', 'toAllocate', 'ended'],
    })
  }
  const by = (name: string) => (looks.find((look) => look.name === name) as Look).person
  collector = by('collector')
  supervisor = by('supervisor')
  manager = by('manager')
  ;[director, service, channel] = await Promise.all([
    stack.signIn('director'),
    stack.signIn('customer_service'),
    machineOf(stack, ['payment']),
  ])
})
afterAll(async () => {
  for (const { received } of looks) received.close()
  await stack.close()
})

const held = (given: Partial<CaseGiven> = {}) =>
  makeCase(stack, { collectorId: holder.userId, overdueDays: 12, ...given })
const system = (run: (tx: CommandTx) => Promise<void>) =>
  runCommand(stack.context, { actor: systemActor('test'), audit: { action: 'test' } }, run)
const visit = (
  made: MadeCase,
  given: Partial<InputOf<typeof followCase>> = {},
): InputOf<typeof followCase> => ({
  caseId: made.caseId,
  version: 1,
  token: 1,
  contactWay: 'visit',
  contactId: made.customerId,
  contactResult: 1,
  willingness: 1,
  commitmentTime: ist('18:00', 1),
  nextFollowTime: ist('12:00', 1),
  remark: 'Pays tomorrow',
  ...given,
})
async function pay(made: MadeCase, amount: number, to: OrderStatus): Promise<void> {
  await sql`
    update repay_plan p set paid_amount = p.paid_amount + ${amount},
      outstanding = p.outstanding - ${amount}, open_principal = p.outstanding - ${amount},
      open_interest = 0, open_service = 0, open_fine = 0 where p.order_id = ${made.orderId}`.execute(
    stack.database.kysely,
  )
  const { rows } = await sql<{
    outstanding: number
  }>`
    update loan_order o set status = ${to}, outstanding = o.outstanding - ${amount}
    where o.id = ${made.orderId} returning o.outstanding`.execute(stack.database.kysely)
  await system((tx) =>
    casePaid(tx, {
      orderId: made.orderId,
      amount,
      payTime: ist('10:30'),
      from: 43,
      to,
      outstanding: rows[0]?.outstanding as number,
    }),
  )
}
async function age(made: { orderId: string }, overdueDays: number): Promise<void> {
  await fallDue(stack, made.orderId, overdueDays)
  await system((tx) => openDayCases(tx, { day: today, orderIds: [made.orderId] }))
}

const bad = () => makeBadDebt(stack, { collectorId: holder.userId })
/** What an order waits for: its request, or its payment. */
const waiting = new Map<string, string>()
async function cured(): Promise<MadeCase> {
  const made = await bad()
  await approveCure(director, await requestCure(manager, made.orderId))
  return made
}
async function dayBegins(): Promise<void> {
  await sql`delete from day_opening`.execute(stack.database.kysely)
  await openDays(stack.context, today, [openDayCases])
}

/** @returns the run */
async function allocateM1(scope: unknown = 'unallocated'): Promise<string> {
  const answer = await manager.call(autoAllocate, {
    stageIds: ['M1'],
    scope: scope === 'all' ? 'all' : 'unallocated',
  })
  await stack.settle()
  return answer.runId
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

interface Move {
  name: string
  emits: string[]
  arrange: () => Promise<MadeCase>
  act: (made: MadeCase) => Promise<unknown>
}
const MOVES: Move[] = [
  {
    name: 'a call',
    emits: ['case.followed'],
    arrange: held,
    act: (made) =>
      collector.call(callBorrower, {
        caseId: made.caseId,
        contactId: made.customerId,
        way: 'phone',
      }),
  },
  {
    name: 'a contact',
    emits: ['case.followed'],
    arrange: held,
    act: (made) => collector.call(followCase, visit(made)),
  },
  {
    name: 'a promise',
    emits: ['case.followed', 'case.ptp.changed'],
    arrange: held,
    act: (made) =>
      collector.call(followCase, visit(made, { ptpTime: ist('18:00', 2), ptpAmount: 5_000 })),
  },
  {
    name: 'a refusal that breaks a promise',
    emits: ['case.followed', 'case.ptp.changed'],
    arrange: () => held({ state: 'promised' }),
    act: (made) => supervisor.call(followCase, visit(made, { willingness: 3 })),
  },
  {
    name: 'a promise broken at its due time',
    emits: ['case.ptp.changed'],
    arrange: () => held({ state: 'promised', ptpTime: ist('18:00', -1) }),
    act: () => ptpCheck.run(stack.context),
  },
  {
    name: 'a payment in part',
    emits: ['case.amount.changed'],
    arrange: held,
    act: (made) => pay(made, 20_000, 50),
  },
  {
    name: 'a payment that keeps a promise in part',
    emits: ['case.amount.changed', 'case.ptp.changed'],
    arrange: () => held({ state: 'promised', ptpAmount: 10_000 }),
    act: (made) => pay(made, 10_000, 50),
  },
  {
    name: 'a payment in full',
    emits: ['case.amount.changed', 'case.ended'],
    arrange: held,
    act: (made) => pay(made, made.outstanding, 40),
  },
  {
    name: 'a payment reversed',
    emits: ['case.created'],
    arrange: async () => {
      const made = await held()
      await pay(made, made.outstanding, 40)
      return made
    },
    act: (made) => pay(made, -made.outstanding, 50),
  },
  {
    name: 'a reduction requested',
    emits: ['reduction.changed'],
    arrange: held,
    act: async ({ orderId }) => {
      const { order, plans } = await manager.call(orderDetail, { orderId })
      return manager.call(launchReduction, {
        orderId,
        planId: plans[0]?.planId ?? '',
        version: order.version,
        reduceItems: { overdueFine: 1_000, serviceFee: 0, interest: 0 },
        validUntil: today,
        reason: 'Pays the rest',
      })
    },
  },
  {
    name: 'a proof sent in',
    emits: ['proof.changed'],
    arrange: held,
    act: ({ orderId }) =>
      collector.call(addProof, {
        orderId,
        amount: 10_000,
        utr: '600000000099',
        payTime: ist('10:30'),
        channel: 2,
        ...({ files: [PNG] } as object),
      }),
  },
  {
    name: 'a case closed manually',
    emits: ['case.ended', 'case.ptp.changed'],
    arrange: () => held({ state: 'promised' }),
    act: (made) =>
      supervisor.call(endCase, {
        caseId: made.caseId,
        version: 1,
        endReason: 'duplicate',
        remark: 'Twice in the book',
      }),
  },
  {
    name: 'a contact stop',
    emits: ['case.stop.changed'],
    arrange: held,
    act: (made) =>
      manager.call(
        addStop,
        {
          userId: made.customerId,
          reason: 'legal',
          remark: 'Court has the case',
          endTime: addDays(today, 9),
        },
        { 'idempotency-key': randomUUID() },
      ),
  },
  {
    name: 'the end of a contact stop',
    emits: ['case.stop.changed', 'case.allocated'],
    arrange: async () => {
      const made = await held()
      await manager.call(addStop, {
        userId: made.customerId,
        reason: 'legal',
        remark: 'Court has the case',
      })
      return made
    },
    act: async (made) => {
      const { rows } = await sql<{
        id: string
      }>`select s.id from stop_collection s where s.customer_id = ${made.customerId}`.execute(
        stack.database.kysely,
      )
      return manager.call(resumeStops, {
        stopIds: [rows[0]?.id as string],
        remark: 'Court closed it',
      })
    },
  },
  {
    name: 'an allocation',
    emits: ['cases.allocated'],
    arrange: () => makeCase(stack, { overdueDays: 12 }),
    act: allocateM1,
  },
  {
    name: 'an allocation to all collectors',
    emits: ['cases.allocated', 'cases.recalled'],
    // The colleague has no cases: some of this collector's cases are reassigned.
    arrange: async () => {
      for (let n = 0; n < 3; n += 1) await held()
      return held()
    },
    act: () => allocateM1('all'),
  },
  {
    name: 'an allocation undone',
    emits: ['cases.recalled'],
    arrange: async () => {
      const made = await makeCase(stack, { overdueDays: 12 })
      runId = await allocateM1()
      return made
    },
    act: async () => {
      await manager.call(undoRun, { runId, reason: 'Wrong weights' })
      await stack.settle()
    },
  },
  {
    name: 'a case assigned manually',
    emits: ['case.allocated'],
    arrange: () => makeCase(stack, { overdueDays: 12 }),
    act: (made) =>
      manager.call(allocateCases, { caseIds: [made.caseId], collectorId: holder.userId }),
  },
  {
    name: 'a case recalled manually',
    emits: ['case.recalled'],
    arrange: held,
    act: (made) => manager.call(recallCases, { caseIds: [made.caseId], reason: 'He is on leave' }),
  },
  {
    name: 'a case moved to a colleague',
    emits: ['cases.allocated', 'cases.recalled'],
    arrange: held,
    act: (made) =>
      manager.call(launchChange, {
        transferType: 'collectorToCollector',
        fromId: holder.userId,
        toId: colleagueId,
        count: 1,
        order: 'oldest',
        caseIds: [made.caseId],
        reason: 'Speaks her language',
      }),
  },
  {
    name: 'a cure requested',
    emits: [],
    arrange: bad,
    act: ({ orderId }) => requestCure(manager, orderId),
  },
  {
    name: 'a cure approved',
    emits: ['case.stage.moved'],
    arrange: async () => {
      const made = await bad()
      waiting.set(made.orderId, await requestCure(manager, made.orderId))
      return made
    },
    act: ({ orderId }) => approveCure(director, waiting.get(orderId) ?? ''),
  },
  {
    name: 'a part of a cure paid',
    emits: ['case.amount.changed'],
    arrange: cured,
    act: ({ orderId }) =>
      channel.call(inboundPayment, {
        vendorOrderNo: 'AC1',
        orderId,
        amount: FIRST_PART,
        channel: 1,
        result: 'success',
        utr: '760000980001',
      }),
  },
  {
    name: 'a part of a cure missed',
    emits: ['case.stage.moved'],
    arrange: async () => {
      const made = await cured()
      await missPart(stack, made.orderId)
      return made
    },
    act: dayBegins,
  },
  {
    name: 'an extension booked',
    emits: [],
    arrange: held,
    act: ({ orderId }) => bookExtension(stack, service, orderId),
  },
  {
    name: 'an extension confirmed',
    emits: ['case.ended'],
    arrange: async () => {
      const made = await held()
      waiting.set(made.orderId, await bookExtension(stack, service, made.orderId))
      return made
    },
    act: ({ orderId }) => confirmExtension(manager, waiting.get(orderId) ?? ''),
  },
  {
    name: 'a day that changes the figures',
    emits: ['case.amount.changed'],
    arrange: held,
    act: (made) => age(made, 13),
  },
  {
    name: 'a stage the holder serves too',
    emits: ['case.stage.moved'],
    arrange: () => held({ overdueDays: 1 }),
    act: (made) => age(made, 2),
  },
  {
    name: 'a stage the holder does not serve',
    emits: ['case.stage.moved', 'case.recalled'],
    arrange: () => held({ overdueDays: 3 }),
    act: (made) => age(made, 4),
  },
  {
    name: 'an order that falls due',
    emits: ['case.created'],
    arrange: async () => {
      const order = await makeOrder(stack, { status: 30, product: { id: 'PRC', periods: 1 } })
      return { ...order, caseId: '', outstanding: 0 }
    },
    act: (made) => age(made, 1),
  },
]

const FOREIGN = 'outsider'

test.each(MOVES)('$name: every list equals a new read', async ({ emits, arrange, act }) => {
  const made = await arrange()
  await stack.settle()
  const read = []
  for (const look of looks) {
    await look.received.watch('menu:nothing')
    for (const tab of look.tabs)
      read.push({
        look,
        tab,
        from: look.received.events.length,
        rows: (await look.person.call(listCases, { tab, pageSize: 200 })).rows,
      })
  }
  await act(made)
  await stack.settle()
  const delivered = new Set<string>()
  const wrong: string[] = []
  for (const { look, tab, from, rows } of read) {
    await look.received.watch('menu:nothing')
    const events = look.received.events
      .slice(from)
      .filter((event) => CASE_EVENTS.includes(event.type))
    for (const event of events) delivered.add(event.type)
    if (look.name === FOREIGN) expect(events.map((event) => event.type)).toEqual([])
    const fresh = (await look.person.call(listCases, { tab, pageSize: 200 })).rows
    wrong.push(
      ...differences(look, tab, rows, fresh, events).map(
        (what) => `${look.name}, ${tab}, after ${events.map(labelOf).join(', ')}: ${what}`,
      ),
    )
  }
  expect(wrong).toEqual([])
  expect(
    emits.filter((type) => !delivered.has(type)),
    'delivered to no list',
  ).toEqual([])
})

/**
 * Unchanged rows must be right, new rows must have been announced, removed rows must have been
 * marked as leaving.
 */
function differences(
  { viewer }: Look,
  tab: CaseTab,
  stale: CaseRow[],
  fresh: CaseRow[],
  events: LiveEvent[],
): string[] {
  const rows = new Map(stale.map((row) => [row.caseId, row]))
  const { changes, read, needsRefetch } = applyCaseEvents(
    { tab, viewer, rows },
    events,
    (why) => why,
  )
  for (const change of changes) {
    const row = change.kind === 'patch' ? rows.get(change.id) : undefined
    if (row && change.kind === 'patch')
      rows.set(change.id, { ...row, ...(change.changes as Partial<CaseRow>) })
  }
  const left = new Set(changes.flatMap((change) => (change.kind === 'leave' ? [change.id] : [])))
  const arrived = new Set(changes.flatMap((change) => (change.kind === 'new' ? [change.id] : [])))
  const wrong: string[] = []
  for (const row of fresh) {
    const shown = left.has(row.caseId) ? undefined : rows.get(row.caseId)
    if (!shown && !arrived.has(row.caseId) && !needsRefetch)
      wrong.push(`${row.caseId} is there and was not announced`)
    if (!shown || read.has(row.caseId)) continue
    const fields = (Object.keys(row) as (keyof CaseRow)[]).filter(
      (field) => row[field] !== shown[field],
    )
    if (fields.length > 0)
      wrong.push(
        `${row.caseId} shows ${fields.map((field) => `${field} ${shown[field]} for ${row[field]}`).join(', ')}`,
      )
  }
  const now = new Set(fresh.map((row) => row.caseId))
  for (const id of rows.keys())
    if (!left.has(id) && !now.has(id) && !read.has(id) && !needsRefetch)
      wrong.push(`${id} should have left`)
  for (const id of arrived) if (!now.has(id)) wrong.push(`${id} was announced and is not there`)
  return wrong
}

function labelOf({ type, version }: { type: string; version?: number }): string {
  return `${type} v${version ?? '-'}`
}
