/**
 * Random sequences of claims, replies, hand-overs, releases, resolutions, customer messages,
 * ratings, ended leases and passing days, partly concurrent. Every step succeeds or is refused, and
 * afterwards the invariants of tickets and held cases hold. fast-check prints the seed.
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { inboundEvaluate, inboundFeedback } from '#shared/tickets/inbound-feedback-api.ts'
import {
  assignTickets,
  claimTicket,
  decideTransfers,
  escalateTicket,
  releaseTicket,
  renewTicket,
  reopenTicket,
  replyTicket,
  resolveTicket,
  setDistribution,
  transferTickets,
} from '#shared/tickets/tickets-api.ts'
import { checkInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeTicket, ticketsFloor } from '#tests/factories/tickets.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import type { TestClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { ticketDistribute } from './clock/ticket-distribute-job.ts'
import { ticketSla } from './clock/ticket-sla-job.ts'
import { ticketSweep } from './clock/ticket-sweep-job.ts'

let floor: Floor & { clock: TestClock }
let unit: Unit
let app: Machine
/**
 * Two people of customer service, a specialist of the case's department, its supervisor, a manager,
 * and the collector the complaint is about.
 */
const people: Person[] = []
let day = 0
let minute = 0
const start = istDay(Date.now())

beforeAll(async () => {
  floor = await ticketsFloor()
  app = await machineOf(floor, ['feedback'])
  unit = await makeUnit(floor)
  const sign = (made: { account: string }) => floor.signIn(made.account)
  people.push(
    await floor.signIn('customer_service'),
    await floor.signIn('customer_service2'),
    await sign(await makeCollector(floor, unit, { role: 'collection_specialist' })),
    await sign(await makeLeader(floor, unit, 'internal_supervisor')),
    await floor.signIn('manager'),
    await sign(await makeCollector(floor, unit, { role: 'collection_specialist' })),
  )
})
afterAll(() => floor.close())

interface Life {
  feedbackId: string
  made: MadeCase
}
const of = (who: number) => people[who] as Person
async function now({
  feedbackId,
}: Life): Promise<{ version: number; token: number; handover_id: string | null }> {
  const { rows } = await sql<{ version: number; token: number; handover_id: string | null }>`
    select t.version, t.token, (select h.id from feedback_handover h where h.feedback_id = t.id
      order by h.id desc limit 1) as handover_id from feedback t where t.id = ${feedbackId}`.execute(
    floor.database.kysely,
  )
  return rows[0] as { version: number; token: number; handover_id: string | null }
}
/** A refusal is allowed; a server failure is not. */
async function ask(person: { send: Person['send'] }, e: Endpoint, input: unknown): Promise<void> {
  const { code } = (await person.send(e, input)).json<{ code: number }>()
  expect([200, 400, 403, 409], `${e.path} ${code}`).toContain(code)
}
async function pass(minutes: number): Promise<void> {
  minute += minutes
  const since = 8 * 60 + minute
  const clock = `${String(Math.floor((since % 1_440) / 60)).padStart(2, '0')}:${String(since % 60).padStart(2, '0')}`
  await floor.clock.to(clock, addDays(start, day + Math.floor(since / 1_440)))
}

type Step = (life: Life) => Promise<unknown>
const versioned =
  (who: number, e: Endpoint, more: Record<string, unknown>): Step =>
  async (life) =>
    ask(of(who), e, { feedbackId: life.feedbackId, version: (await now(life)).version, ...more })
const decide =
  (who: number, result: string): Step =>
  async (life) => {
    const { handover_id: id } = await now(life)
    if (id !== null)
      await ask(of(who), decideTransfers, { handoverIds: [id], result, reason: 'as it is' })
  }
const STEPS: Record<string, Step> = {
  'the first claims': versioned(0, claimTicket, {}),
  'the second claims': versioned(1, claimTicket, {}),
  'the specialist claims': versioned(2, claimTicket, {}),
  'who it is about claims': versioned(5, claimTicket, {}),
  'the first answers': versioned(0, replyTicket, { content: 'We look into it' }),
  'the second answers': versioned(1, replyTicket, { content: 'Please wait' }),
  'the specialist notes': versioned(2, replyTicket, {
    content: 'called the customer',
    internal: true,
  }),
  'the first ends it': versioned(0, resolveTicket, { remark: 'Answered' }),
  'the supervisor ends it': versioned(3, resolveTicket, { remark: 'Settled' }),
  'the manager opens it again': versioned(4, reopenTicket, { reason: 'not settled' }),
  'the first gives it back': versioned(0, releaseTicket, { reason: 'end of shift' }),
  'the supervisor takes it back': versioned(3, releaseTicket, { reason: 'is away' }),
  'the second raises it': versioned(1, escalateTicket, { reason: 'needs the bank' }),
  'the manager raises it': versioned(4, escalateTicket, { reason: 'needs the bank' }),
  'the manager assigns it': ({ feedbackId }) =>
    ask(of(4), assignTickets, { feedbackIds: [feedbackId], toUserId: of(1).userId }),
  'the manager assigns it to whom it is about': ({ feedbackId }) =>
    ask(of(4), assignTickets, { feedbackIds: [feedbackId], toUserId: of(5).userId }),
  'the first offers it': ({ feedbackId }) =>
    ask(of(0), transferTickets, {
      feedbackIds: [feedbackId],
      toUserId: of(1).userId,
      reason: 'end of shift',
    }),
  'the second offers it to the department': ({ feedbackId }) =>
    ask(of(1), transferTickets, {
      feedbackIds: [feedbackId],
      toDepartment: unit.departmentId,
      reason: 'theirs to answer',
    }),
  'the manager hands it over': ({ feedbackId }) =>
    ask(of(4), transferTickets, {
      feedbackIds: [feedbackId],
      toUserId: of(0).userId,
      reason: 'knows the case',
    }),
  'the second accepts': decide(1, 'approved'),
  'the specialist accepts': decide(2, 'approved'),
  'who it is about accepts': decide(5, 'approved'),
  'the second refuses': decide(1, 'rejected'),
  'the first withdraws': decide(0, 'cancelled'),
  'the first is there': async (life) =>
    ask(of(0), renewTicket, {
      feedbackId: life.feedbackId,
      token: (await now(life)).token,
      lastInputTime: new Date().toISOString(),
    }),
  'the second takes what comes': () =>
    ask(of(1), setDistribution, { userId: of(1).userId, status: 1 }),
  'the second takes no more': () =>
    ask(of(1), setDistribution, { userId: of(1).userId, status: 0 }),
  'the customer writes': ({ feedbackId, made }) =>
    ask(app, inboundFeedback, {
      userId: made.customerId,
      feedbackId,
      type: 4,
      content: 'Is anybody there',
      contactWay: 'sms',
    }),
  'the customer is pleased': ({ feedbackId, made }) =>
    ask(app, inboundEvaluate, { userId: made.customerId, feedbackId, evaluation: 5 }),
  'the customer is not pleased': ({ feedbackId, made }) =>
    ask(app, inboundEvaluate, { userId: made.customerId, feedbackId, evaluation: 1 }),
  'half an hour': () => pass(31),
  'some minutes': () => pass(3),
  'a week': async () => {
    day += 7
    minute = 0
    await pass(5)
  },
  sweep: () => ticketSweep.run(floor.context),
  distribution: () => ticketDistribute.run(floor.context),
  'due times': () => ticketSla.run(floor.context),
}
const MOVES_CLOCK = ['half an hour', 'some minutes', 'a week']

test('no sequence of steps breaks an invariant', async () => {
  const names = fc.constantFrom(...Object.keys(STEPS))
  // some steps run concurrently
  const life = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: names.map((name) => [name]) },
      {
        weight: 2,
        arbitrary: fc.array(
          names.filter((name) => !MOVES_CLOCK.includes(name)),
          { minLength: 2, maxLength: 4 },
        ),
      },
    ),
    { minLength: 15, maxLength: 45 },
  )
  const ends = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      life,
      fc.constantFrom(3 as const, 4 as const, 5 as const),
      async (steps, type) => {
        day = 0
        minute = 0
        await pass(180)
        const made = await makeCase(floor, { overdueDays: 4, collectorId: of(5).userId })
        const { feedbackId } = await makeTicket(floor, {
          type,
          customerId: made.customerId,
          orderId: made.orderId,
        })
        for (const together of steps)
          await Promise.all(together.map((name) => (STEPS[name] as Step)({ feedbackId, made })))
        const broken = (await checkInvariants(floor.database)).filter(
          ({ name, violations }) =>
            violations > 0 && /ticket|grievance|complaint|held case/.test(name),
        )
        expect(broken).toEqual([])
        const { rows } = await sql<{ progress: string; state: string }>`
          select t.progress,
            (select c.state from collection_case c where c.order_id = ${made.orderId}) as state
          from feedback t
          where t.id = ${feedbackId}`.execute(floor.database.kysely)
        const { progress, state } = rows[0] as { progress: string; state: string }
        ends.add(progress)
        // another ticket of the same customer, created later, may hold the case too
        if (type !== 3 && progress !== 'finished') expect(state).toBe('held')
      },
    ),
    { numRuns: 15 },
  )
  expect(ends.size).toBeGreaterThan(1)
})
