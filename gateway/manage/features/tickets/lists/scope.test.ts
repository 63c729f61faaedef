/**
 * Data scope of tickets: ids of another agency, department or person are refused as missing in
 * every call, and a complaint is hidden from the person it is about.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { caseDetail } from '#shared/collection/cases-api.ts'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { liveRooms } from '#shared/session/session-api.ts'
import {
  assignTickets,
  claimTicket,
  decideTransfers,
  escalateTicket,
  listTakers,
  listTickets,
  releaseTicket,
  renewTicket,
  replyTicket,
  reopenTicket,
  resolveTicket,
  ticketDetail,
  ticketStatement,
  ticketSteps,
  transferTickets,
} from '#shared/tickets/tickets-api.ts'
import { istDay } from '#shared/kernel/time.ts'
import { makeLoanedTicket, makeTicket, ticketsFloor } from '#tests/factories/tickets.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import type { TestClock } from '#tests/support/clock.ts'
import type { MadeCase } from '#tests/factories/cases.ts'
import type { TicketRow } from '#gateway/manage/features/tickets/ticket-row.ts'
import type { Floor, Person } from '#tests/support/manage.ts'

interface Place {
  unit: Unit
  specialist: Person
  leader: Person
  supervisor: Person
  repayment: { ticket: TicketRow; made: MadeCase }
  complaint: { ticket: TicketRow; made: MadeCase }
}
let floor: Floor & { clock: TestClock }
const places: Place[] = []
let operation: TicketRow
let manager: Person
let cs: Person
let director: Person

beforeAll(async () => {
  floor = await ticketsFloor()
  const sign = (made: { account: string }) => floor.signIn(made.account)
  for (const inHouse of [true, false, false]) {
    const unit = await makeUnit(floor, { inHouse })
    const specialist = await sign(
      await makeCollector(floor, unit, { role: 'collection_specialist' }),
    )
    places.push({
      unit,
      specialist,
      leader: await sign(await makeLeader(floor, unit, 'team_leader')),
      supervisor: await sign(
        await makeLeader(floor, unit, inHouse ? 'internal_supervisor' : 'external_supervisor'),
      ),
      repayment: await makeLoanedTicket(floor, { collectorId: specialist.userId }),
      complaint: await makeLoanedTicket(floor, { collectorId: specialist.userId, type: 4 }),
    })
  }
  operation = await makeTicket(floor)
  ;[manager, cs, director] = (await Promise.all(
    ['manager', 'customer_service', 'director'].map((account) => floor.signIn(account)),
  )) as [Person, Person, Person]
})
afterAll(() => floor.close())

const idsOf = async (person: Person) =>
  (await person.call(listTickets, { pageSize: 50 })).rows
    .map(({ feedbackId }) => feedbackId)
    .toSorted()

test('people see the tickets of their own unit, and scope all sees every ticket', async () => {
  for (const place of places) {
    const [repayment, complaint] = [
      place.repayment.ticket.feedbackId,
      place.complaint.ticket.feedbackId,
    ]
    expect(await idsOf(place.leader)).toEqual([repayment, complaint].toSorted())
    expect(await idsOf(place.supervisor)).toEqual([repayment, complaint].toSorted())
    // the complaint is about this collector
    expect(await idsOf(place.specialist)).toEqual([repayment])
  }
  for (const person of [manager, cs, director]) expect(await idsOf(person)).toHaveLength(7)
})

/** Every call that takes a ticket id, with input that passes the checks before the scope. */
const CALLS: [Endpoint, (feedbackId: string) => Record<string, unknown>, bulk: boolean][] = [
  [ticketDetail, (feedbackId) => ({ feedbackId }), false],
  [ticketSteps, (feedbackId) => ({ feedbackId }), false],
  [claimTicket, (feedbackId) => ({ feedbackId, version: 1 }), false],
  [
    renewTicket,
    (feedbackId) => ({ feedbackId, token: 1, lastInputTime: '2026-11-21T05:30:00Z' }),
    false,
  ],
  [releaseTicket, (feedbackId) => ({ feedbackId, version: 1, reason: 'end of shift' }), false],
  [replyTicket, (feedbackId) => ({ feedbackId, version: 1, content: 'Hello' }), false],
  [resolveTicket, (feedbackId) => ({ feedbackId, version: 1, remark: 'Done' }), false],
  [escalateTicket, (feedbackId) => ({ feedbackId, version: 1, reason: 'needs help' }), false],
  [
    transferTickets,
    (feedbackId) => ({
      feedbackIds: [feedbackId],
      toUserId: cs.userId,
      reason: 'not mine to answer',
    }),
    true,
  ],
]
const LEADER_CALLS: typeof CALLS = [
  [reopenTicket, (feedbackId) => ({ feedbackId, version: 1, reason: 'once more' }), false],
  [assignTickets, (feedbackId) => ({ feedbackIds: [feedbackId], toUserId: cs.userId }), true],
]

test('an id outside scope or queue, or of a complaint about the caller, is refused like an unknown one', async () => {
  const [one, two] = places as [Place, Place, Place]
  const tries: [Person, string[]][] = [
    [
      one.specialist,
      [two.repayment.ticket.feedbackId, operation.feedbackId, one.complaint.ticket.feedbackId],
    ],
    [
      one.leader,
      [two.repayment.ticket.feedbackId, two.complaint.ticket.feedbackId, operation.feedbackId],
    ],
    [
      two.supervisor,
      [one.repayment.ticket.feedbackId, one.complaint.ticket.feedbackId, operation.feedbackId],
    ],
  ]
  for (const [person, hidden] of tries) {
    for (const [e, input, bulk] of [...CALLS, ...(person === one.supervisor ? LEADER_CALLS : [])]) {
      const answer = async (feedbackId: string) =>
        (await person.send(e, input(feedbackId))).body.replaceAll(feedbackId, 'ID')
      const missing = await answer('FB99999999')
      for (const feedbackId of hidden)
        expect({ path: e.path, body: await answer(feedbackId) }).toEqual({
          path: e.path,
          body: missing,
        })
      expect(missing).toContain(bulk ? '"problem":"G404"' : '"id":"G404"')
    }
    expect(
      (await person.call(liveRooms, { watch: hidden.map((id) => `ticket:${id}`).join(',') }))
        .refused,
    ).toHaveLength(hidden.length)
  }
  for (const [e, input] of LEADER_CALLS) {
    const answer = async (feedbackId: string) =>
      (await one.supervisor.send(e, input(feedbackId))).body.replaceAll(feedbackId, 'ID')
    expect(await answer(two.repayment.ticket.feedbackId), e.path).toBe(await answer('FB99999999'))
  }
})

test('a hand-over of another unit is refused exactly like an unknown one', async () => {
  const [one, two] = places as [Place, Place, Place]
  const { feedbackId, version } = two.repayment.ticket
  await two.specialist.call(claimTicket, { feedbackId, version })
  await two.specialist.call(transferTickets, {
    feedbackIds: [feedbackId],
    toUserId: two.leader.userId,
    reason: 'end of shift',
  })
  const { rows } = await sql<{
    id: string
  }>`select h.id from feedback_handover h where h.feedback_id = ${feedbackId}`.execute(
    floor.database.kysely,
  )
  const handoverId = rows[0]?.id ?? ''
  for (const person of [one.specialist, one.supervisor, places[2]?.supervisor as Person]) {
    const answer = async (id: string) =>
      (
        await person.send(decideTransfers, { handoverIds: [id], result: 'approved' })
      ).body.replaceAll(id, 'ID')
    expect(await answer(handoverId)).toBe(await answer('FH99999999'))
  }
  await two.leader.call(decideTransfers, { handoverIds: [handoverId], result: 'approved' })
})

test("no figure counts tickets outside the caller's scope", async () => {
  const [one] = places as [Place, Place, Place]
  const { counts, total } = await one.leader.call(listTickets, {})
  expect([total, counts.queue]).toEqual([2, 2])
  const today = istDay((await manager.call(listTickets, {})).asOf)
  const created = async (person: Person) =>
    (await person.call(ticketStatement, { dateFrom: today, dateTo: today })).rows.reduce(
      (sum, row) => sum + row.created,
      0,
    )
  expect([
    await created(one.specialist),
    await created(one.leader),
    await created(manager),
  ]).toEqual([1, 2, 7])
  for (const filter of [
    { userId: places[1]?.repayment.made.customerId },
    { orderId: places[1]?.repayment.made.orderId },
    { agencyId: places[1]?.unit.agencyId },
    { processorId: places[1]?.specialist.userId },
  ] as Record<string, string>[]) {
    expect(await one.leader.call(listTickets, filter)).toMatchObject({ total: 0, rows: [] })
  }
})

test('a case shows only the tickets the caller may see', async () => {
  const [one] = places as [Place, Place, Place]
  const idsIn = async (person: Person, caseId: string) =>
    (await person.call(caseDetail, { caseId })).tickets.map(({ feedbackId }) => feedbackId)
  expect(await idsIn(one.leader, one.complaint.made.caseId)).toEqual([
    one.complaint.ticket.feedbackId,
  ])
  expect(await idsIn(one.specialist, one.complaint.made.caseId)).toEqual([])
  expect(await idsIn(one.specialist, one.repayment.made.caseId)).toEqual([
    one.repayment.ticket.feedbackId,
  ])
})

test('an agency can assign tickets to its own people and to the centre only', async () => {
  const [one, two] = places as [Place, Place, Place]
  const reach = (await two.supervisor.call(listTakers, { queue: 'loaned' })).map(
    ({ userId }) => userId,
  )
  expect(reach).toEqual(
    expect.arrayContaining([two.specialist.userId, two.leader.userId, cs.userId]),
  )
  for (const person of [one.specialist, one.leader, places[2]?.specialist as Person])
    expect(reach).not.toContain(person.userId)
  expect(await two.supervisor.refused(listTakers, { queue: 'operation' })).toMatchObject({
    code: 403,
  })
})

test('the room of a whole queue is joined only by people who see every ticket', async () => {
  const rooms = async (person: Person) =>
    (await person.call(liveRooms, {})).rooms.filter((room) => room.startsWith('queue:ticket'))
  expect(await rooms(manager)).toEqual(['queue:ticket:operation', 'queue:ticket:loaned'])
  for (const place of places)
    for (const person of [place.specialist, place.leader, place.supervisor])
      expect(await rooms(person)).toEqual([])
})

test('unknown filters and sorts are refused', async () => {
  expect(await manager.refused(listTickets, { progress: 'closed' })).toMatchObject({
    code: 400,
    data: { fields: { progress: 'enum' } },
  })
  expect(await manager.refused(listTickets, { sort: 'content:asc' })).toMatchObject({
    code: 400,
    data: { fields: { sort: 'unknown' } },
  })
  const types = (await manager.call(listTickets, { type: '4', sort: 'createTime:desc' })).rows
  expect(types.map(({ type }) => type)).toEqual([4, 4, 4])
  expect((await manager.call(listTickets, { stageId: 'S1', queue: 'loaned' })).total).toBe(6)
  expect((await manager.call(listTickets, { overdue: true })).total).toBe(0)
})
