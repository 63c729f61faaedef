/**
 * Fifty concurrent claims: each ticket has one processor, each refused caller learns who has it,
 * and nobody exceeds their limit.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Envelope } from '#shared/kernel/problem.ts'
import { claimTicket, releaseTicket, replyTicket } from '#shared/tickets/tickets-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import type { TicketRow } from '#gateway/manage/features/tickets/ticket-row.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { addPeople, makeTicket, ticketsFloor } from '#tests/factories/tickets.ts'
import type { TestClock } from '#tests/support/clock.ts'
import type { Floor, Person } from '#tests/support/manage.ts'

const PEOPLE = 50
const TICKETS = 16
let floor: Floor & { clock: TestClock }
const people: Person[] = []
const tickets: TicketRow[] = []

beforeAll(async () => {
  floor = await ticketsFloor()
  for (const account of await addPeople(floor, 'customer_service', PEOPLE))
    people.push(await floor.signIn(account))
  const { customerId } = await makeOrder(floor, { status: 30 })
  for (let n = 0; n < TICKETS; n += 1) tickets.push(await makeTicket(floor, { customerId }))
})
afterAll(() => floor.close())

test('fifty people claim the same tickets: each ticket gets exactly one processor', async () => {
  // each person claims every ticket, starting at a different one
  const answers = await Promise.all(
    people.map(async (person, at) => {
      const won: string[] = []
      const lost: Envelope<unknown>[] = []
      for (let n = 0; n < TICKETS; n += 1) {
        const { feedbackId } = tickets[(n + at) % TICKETS] as TicketRow
        const answer = (await person.send(claimTicket, { feedbackId, version: 1 })).json<
          Envelope<{ processorId: string }>
        >()
        if (answer.code === 200) won.push(feedbackId)
        else lost.push(answer)
      }
      return { person, won, lost }
    }),
  )
  const winners = answers.flatMap(({ won, person }) =>
    won.map((feedbackId) => [feedbackId, person.userId] as const),
  )
  expect(winners).toHaveLength(TICKETS)
  expect(new Set(winners.map(([feedbackId]) => feedbackId)).size).toBe(TICKETS)
  const { rows } = await sql<{
    id: string
    processor_id: string
    token: number
    version: number
  }>`select t.id, t.processor_id, t.token, t.version from feedback t order by t.id`.execute(
    floor.database.kysely,
  )
  expect(rows.map(({ id, processor_id: owner }) => [id, owner])).toEqual(
    [...winners].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([id, owner]) => [id, owner]),
  )
  expect(rows.every(({ token, version }) => token === 1 && version === 2)).toBe(true)
  for (const { problem } of answers.flatMap(({ lost }) => lost))
    expect(problem).toMatchObject({
      id: 'F-OWN',
      params: { userName: expect.stringMatching(/^customer_servicex/) },
    })
})

test('concurrent releases and claims raise the token by one each, and no reply is written twice', async () => {
  const { feedbackId } = tickets[0] as TicketRow
  const { rows } = await sql<{
    processor_id: string
    version: number
  }>`select t.processor_id, t.version from feedback t where t.id = ${feedbackId}`.execute(
    floor.database.kysely,
  )
  const { processor_id: owner, version } = rows[0] as { processor_id: string; version: number }
  const holder = people.find(({ userId }) => userId === owner) as Person
  const answers = await Promise.all([
    holder.send(releaseTicket, { feedbackId, version, reason: 'end of shift' }),
    holder.send(replyTicket, { feedbackId, version, content: 'We look into it' }),
    holder.send(replyTicket, { feedbackId, version, content: 'We look into it' }),
    ...people
      .filter((person) => person !== holder)
      .slice(0, 10)
      .map((person) => person.send(claimTicket, { feedbackId, version: version + 1 })),
  ])
  expect(
    answers.slice(0, 3).filter((answer) => answer.json<Envelope<unknown>>().code === 200),
  ).toHaveLength(1)
  const steps = await sql<{
    kind: string
    token: number
  }>`select s.kind, s.token from feedback_step s where s.feedback_id = ${feedbackId} order by s.id`.execute(
    floor.database.kysely,
  )
  expect(steps.rows.filter(({ kind }) => kind === 'reply').length).toBeLessThanOrEqual(1)
  expect(await brokenInvariants(floor.database)).toEqual([])
})
