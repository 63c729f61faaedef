/**
 * Cases under random events: contacts, promises, refusals, payments, reversals, stops, stage
 * changes, recalls and nights in any order, some concurrently. Every step succeeds or is refused,
 * and afterwards all rules about cases hold. fast-check prints the seed.
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callBorrower, endCase, followCase } from '#shared/collection/cases-api.ts'
import { addStop, resumeStops } from '#shared/collection/stops-api.ts'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import { checkInvariants } from '#gateway/manage/db/check-invariants.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import { fallDue, makeCase, type MadeCase, workFloor } from '#tests/factories/cases.ts'
import { makeCollector, makeLeader, makeUnit } from '#tests/factories/units.ts'
import type { TestClock } from '#tests/support/clock.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { lockCase, moveCase, nextCaseState, placeOfCollector } from './case-store.ts'
import { casePaid } from './day/case-paid.ts'
import { intimate } from './day/intimate-job.ts'
import { openDayCases } from './day/open-day-cases.ts'
import { ptpCheck } from './day/ptp-check-job.ts'
import { recallIdle } from './day/recall-idle-job.ts'
import { stopExpire, stopHold } from './day/stop-expire-job.ts'
import { endGrievance, holdForGrievance } from './stops/system-stops.ts'

const RULES = [
  'an open case owes what its loan owes',
  'a collector has as many cases in hand as are counted',
  'a case is held by who its last move names',
  'a promise is open exactly while its case is promised',
  'a held case is stopped or was ended by hand',
]

let floor: Floor & { clock: TestClock }
let holders: Person[]
let manager: Person
let day = 0
const start = istDay(Date.now())

beforeAll(async () => {
  floor = await workFloor()
  const [home, outside] = [
    await makeUnit(floor, { weight: 60, inHouse: true }),
    await makeUnit(floor, { weight: 40, inHouse: false }),
  ]
  holders = [
    await floor.signIn(
      (await makeCollector(floor, home, { stageIds: ['T0', 'T1', 'T2', 'S1'] })).account,
    ),
    await floor.signIn((await makeCollector(floor, outside)).account),
    await floor.signIn((await makeLeader(floor, home, 'internal_supervisor')).account),
  ]
  manager = await floor.signIn('administrator')
})
afterAll(() => floor.close())

const today = () => addDays(start, day)
const at = (clock: string, days = 0) =>
  new Date(`${addDays(today(), days)}T${clock}:00+05:30`).toISOString()
const system = (run: (tx: CommandTx) => Promise<unknown>) =>
  runCommand(floor.context, { actor: systemActor('test'), audit: { action: 'test' } }, run)

interface State {
  id: string
  version: number
  token: number
  customer_id: string
  outstanding: number
  order_status: OrderStatus
  state: string
}
async function now(made: MadeCase): Promise<State> {
  const { rows } = await sql<State>`
    select c.id, c.version, c.token, c.customer_id, o.outstanding, o.status as order_status, c.state
      from collection_case c join loan_order o on o.id = c.order_id where c.order_id = ${made.orderId}
      order by (c.state = 'closed'), c.created_at desc limit 1`.execute(floor.database.kysely)
  return rows[0] as State
}
/** A refusal is a valid answer, a server failure is not. */
async function send(person: Person, e: Endpoint, input: unknown): Promise<void> {
  const { code } = (await person.send(e, input)).json<{ code: number }>()
  expect([200, 400, 403, 409]).toContain(code)
}
async function money(made: MadeCase, share: number): Promise<void> {
  const { outstanding, order_status: from } = await now(made)
  const amount =
    share < 0
      ? -Math.min(made.outstanding - outstanding, made.outstanding)
      : Math.floor((outstanding * share) / 100)
  if (amount === 0) return
  const left = outstanding - amount
  const to: OrderStatus = left === 0 ? 40 : 50
  await system(async (tx) => {
    await sql`
      update repay_plan p set paid_amount = p.paid_amount + ${amount}, outstanding = ${left},
        open_principal = ${left}, open_interest = 0, open_service = 0, open_fine = 0
        where p.order_id = ${made.orderId}`.execute(tx.db)
    await sql`update loan_order set outstanding = ${left}, status = ${to} where id = ${made.orderId}`.execute(
      tx.db,
    )
    await casePaid(tx, {
      orderId: made.orderId,
      amount,
      payTime: at('11:00'),
      from,
      to,
      outstanding: left,
    })
  })
}

type Step = (made: MadeCase) => Promise<unknown>
const follow =
  (who: number, given: Record<string, unknown>): Step =>
  async (made) => {
    const { id, version, token, customer_id: customerId } = await now(made)
    await send(holders[who] as Person, followCase, {
      caseId: id,
      version,
      token,
      contactWay: 'visit',
      contactId: customerId,
      contactResult: 1,
      commitmentTime: at('18:00', 1),
      nextFollowTime: at('12:00', 1),
      remark: 'x',
      willingness: 1,
      ...given,
    })
  }
const STEPS: Record<string, Step> = {
  contact: follow(0, {}),
  'contact of the agent': follow(1, { willingness: 2 }),
  promise: (made) => follow(0, { ptpTime: at('18:00', 1), ptpAmount: 10_000 })(made),
  'promise taken by the leader': (made) =>
    follow(2, { ptpTime: at('18:00', 0), ptpAmount: 10_000 })(made),
  refusal: follow(0, { willingness: 3 }),
  call: async (made) =>
    send(holders[0] as Person, callBorrower, {
      caseId: (await now(made)).id,
      contactId: made.customerId,
      way: 'phone',
    }),
  'a part is paid': (made) => money(made, 30),
  'a little is paid': (made) => money(made, 1),
  'all is paid': (made) => money(made, 100),
  'all comes back': (made) => money(made, -1),
  'given to the first': (made) => give(made, 0),
  'given to the agent': (made) => give(made, 1),
  'the borrower is informed': () =>
    intimate({ code: 'test', send: () => Promise.resolve({ accepted: true, vendorRef: 'R' }) }).run(
      floor.context,
    ),
  'a stop': async (made) =>
    send(manager, addStop, {
      userId: made.customerId,
      reason: 'dispute',
      remark: 'Says it is another person',
      endTime: addDays(today(), 1),
    }),
  'the stop ends': async (made) => {
    const { rows } = await sql<{
      id: string
    }>`select s.id from stop_collection s where s.customer_id = ${made.customerId} and s.state = 'active'`.execute(
      floor.database.kysely,
    )
    if (rows.length > 0)
      await send(manager, resumeStops, {
        stopIds: rows.map(({ id }) => id),
        remark: 'It is the customer after all',
      })
  },
  'a complaint': (made) =>
    system((tx) =>
      holdForGrievance(tx, { customerId: made.customerId, ticketId: `FB-${made.orderId}` }),
    ),
  'the complaint is answered': (made) =>
    system((tx) => endGrievance(tx, { ticketId: `FB-${made.orderId}` })),
  'ended by hand': async (made) => {
    const { id, version } = await now(made)
    await send(manager, endCase, {
      caseId: id,
      version,
      endReason: 'duplicate',
      remark: 'Same case twice',
    })
  },
  'a night': async (made) => {
    day += 1
    await floor.clock.to('11:00', today())
    await stopExpire.run(floor.context)
    await ptpCheck.run(floor.context)
    await stopHold.run(floor.context)
    const { order_status: status } = await now(made)
    if (status === 50) await fallDue(floor, made.orderId, 1 + day)
    await system((tx) => openDayCases(tx, { day: today(), orderIds: [made.orderId] }))
    await recallIdle.run(floor.context)
  },
}
async function give(made: MadeCase, who: number): Promise<void> {
  const { id } = await now(made)
  await system(async (tx) => {
    const locked = await lockCase(tx, id, sql<boolean>`true`)
    if (locked.state !== 'unallocated') return
    const allocating = {
      id: locked.id,
      state: nextCaseState(locked, { type: 'RUN_ALLOCATION', stageEnabled: true }),
    }
    const to = nextCaseState(allocating, {
      type: 'ALLOCATED',
      enabled: true,
      participates: true,
      onDuty: true,
      certified: true,
      servesStage: true,
      underCapacity: true,
    })
    const place = await placeOfCollector(tx, (holders[who] as Person).userId)
    if (place !== null) await moveCase(tx, locked, { to, place, cause: 'auto' })
  })
}

test('no random sequence of events breaks a rule', async () => {
  const names = fc.constantFrom(...Object.keys(STEPS))
  // some steps run concurrently
  const life = fc.array(
    fc.oneof(
      { weight: 5, arbitrary: names.map((name) => [name]) },
      {
        weight: 1,
        arbitrary: fc.array(
          names.filter(
            (name) => name !== 'a night' && !name.includes('paid') && !name.includes('back'),
          ),
          { minLength: 2, maxLength: 3 },
        ),
      },
    ),
    { minLength: 10, maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(life, async (steps) => {
      day = 0
      await floor.clock.to('11:00', today())
      const made = await makeCase(floor, {
        overdueDays: 1,
        collectorId: (holders[0] as Person).userId,
      })
      for (const together of steps)
        await Promise.all(together.map((name) => (STEPS[name] as Step)(made)))
      const broken = (await checkInvariants(floor.database)).filter(
        ({ name, violations }) => RULES.includes(name) && violations > 0,
      )
      expect(broken).toEqual([])
      expect(
        await sql<{
          n: number
        }>`
          select count(*)::int as n
          from collection_case c
          where c.order_id = ${made.orderId} and c.amount_due <> c.paid_amount + c.outstanding`
          .execute(floor.database.kysely)
          .then(({ rows }) => rows[0]?.n),
      ).toBe(0)
    }),
    {
      numRuns: 12,
      // both transactions saw the other stop as active, and the case stayed held (seed 325586152,
      // on a server)
      examples: [[[['a stop'], ['a complaint'], ['the stop ends', 'the complaint is answered']]]],
    },
  )
})
