/**
 * Hand-overs to a person and to a department: requested, approved, rejected, cancelled and expired.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  claimTicket,
  decideTransfers,
  escalateTicket,
  listTakers,
  listTickets,
  releaseTicket,
  replyTicket,
  resolveTicket,
  ticketDetail,
  ticketSteps,
  transferTickets,
} from '#shared/tickets/tickets-api.ts'
import { ticketSweep } from '../clock/ticket-sweep-job.ts'
import {
  makeClaimed,
  makeLoanedTicket,
  makeTicket,
  ticketsFloor,
} from '#tests/factories/tickets.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import type { TestClock } from '#tests/support/clock.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { istDay, addDays } from '#shared/kernel/time.ts'

let floor: Floor & { clock: TestClock }
let asha: Person
let ben: Person
let manager: Person
let specialist: Person
let otherSpecialist: Person
let supervisor: Person
let stranger: Person
let collector: Person
let unit: Unit

beforeAll(async () => {
  floor = await ticketsFloor()
  unit = await makeUnit(floor)
  const elsewhere = await makeUnit(floor, { inHouse: false })
  const sign = (made: { account: string }) => floor.signIn(made.account)
  specialist = await sign(
    await makeCollector(floor, unit, {
      account: 'collection_specialist',
      role: 'collection_specialist',
    }),
  )
  otherSpecialist = await sign(await makeCollector(floor, unit, { role: 'collection_specialist' }))
  collector = await sign(await makeCollector(floor, unit))
  supervisor = await sign(await makeLeader(floor, unit, 'internal_supervisor'))
  stranger = await sign(await makeLeader(floor, elsewhere, 'external_supervisor'))
  ;[asha, ben, manager] = (await Promise.all(
    ['customer_service', 'customer_service2', 'manager'].map((account) => floor.signIn(account)),
  )) as [Person, Person, Person]
})
afterAll(() => floor.close())

const db = () => floor.database.kysely
async function pendingOf(feedbackId: string): Promise<string> {
  return (
    (
      await sql<{
        id: string
      }>`select h.id from feedback_handover h where h.feedback_id = ${feedbackId} and h.state = 'pending'`.execute(
        db(),
      )
    ).rows[0]?.id ?? ''
  )
}
async function stored(feedbackId: string) {
  const { rows } = await sql`
      select t.progress, t.processor_id, t.token, t.handover_state, t.department, (select h.cause
        from feedback_handover h where h.feedback_id = t.id order by h.id desc limit 1) as cause
        from feedback t where t.id = ${feedbackId}`.execute(db())
  return rows[0]
}
async function notifications(person: Person, feedbackId: string): Promise<string[]> {
  const { rows } = await sql<{ title_key: string }>`
    select n.title_key
    from notification n
    where n.user_id = ${person.userId} and n.params ->> 'feedbackId' = ${feedbackId}
    order by n.id`.execute(db())
  return rows.map(({ title_key: key }) => key.replace('tickets:notification.', ''))
}
async function offered(
  from = asha,
  to = ben,
): Promise<{ feedbackId: string; handoverId: string; version: number }> {
  const { feedbackId } = await makeClaimed(floor, from)
  expect(
    await from.call(transferTickets, {
      feedbackIds: [feedbackId],
      toUserId: to.userId,
      reason: 'end of shift',
    }),
  ).toEqual({ ok: [feedbackId], failed: [] })
  return { feedbackId, handoverId: await pendingOf(feedbackId), version: 3 }
}

test('a requested hand-over keeps the processor, blocks them and is shown to both sides and leaders', async () => {
  const { feedbackId, handoverId, version } = await offered()
  expect(await stored(feedbackId)).toMatchObject({
    progress: 'followingUp',
    processor_id: asha.userId,
    token: 1,
    handover_state: 'pending',
  })
  for (const person of [asha, ben, manager]) {
    const { rows } = await person.call(listTickets, { tab: 'handover', feedbackId })
    expect(rows).toMatchObject([
      {
        feedbackId,
        handoverId,
        handoverFrom: 'Customer service 1',
        handoverTo: 'Customer service 2',
        handoverToId: ben.userId,
        handoverById: asha.userId,
        handoverReason: 'end of shift',
      },
    ])
  }
  for (const [e, more] of [
    [replyTicket, { content: 'x' }],
    [resolveTicket, { remark: 'x' }],
    [escalateTicket, { reason: 'more help' }],
    [releaseTicket, { reason: 'no time' }],
  ] as const) {
    expect(await asha.refused(e, { feedbackId, version, ...more }), e.path).toMatchObject({
      code: 409,
      problem: { id: 'F-HAND' },
    })
  }
  expect(
    await asha.call(transferTickets, {
      feedbackIds: [feedbackId],
      toUserId: ben.userId,
      reason: 'once more',
    }),
  ).toMatchObject({ failed: [{ problem: 'F-HAND' }] })
  expect(await notifications(ben, feedbackId)).toEqual(['handoverAsked'])
  const [a, b] = [
    await asha.call(ticketDetail, { feedbackId }),
    await ben.call(ticketDetail, { feedbackId }),
  ]
  expect([a.allowed, a.mayDecide, a.mayWithdraw, b.mayDecide, b.mayWithdraw]).toEqual([
    [],
    false,
    true,
    true,
    false,
  ])
})

test('only the receiver or a leader can approve, and the former processor is refused afterwards', async () => {
  const { feedbackId, handoverId, version } = await offered()
  expect(
    await asha.call(decideTransfers, { handoverIds: [handoverId], result: 'approved' }),
  ).toMatchObject({ ok: [], failed: [{ problem: 'G-SELF' }] })
  const third = await floor.signIn('collection_specialist')
  expect(
    await third.call(decideTransfers, { handoverIds: [handoverId], result: 'approved' }),
  ).toMatchObject({ ok: [], failed: [{ problem: 'G404' }] })
  expect(
    await stranger.call(decideTransfers, { handoverIds: [handoverId], result: 'approved' }),
  ).toMatchObject({ ok: [], failed: [{ problem: 'G404' }] })
  expect(
    await stranger.call(decideTransfers, { handoverIds: ['FH1'], result: 'approved' }),
  ).toMatchObject({ failed: [{ problem: 'G404', msg: 'Record not found', params: {} }] })
  const before = (await floor.events()).at(-1)?.seq ?? 0
  expect(
    await ben.call(decideTransfers, { handoverIds: [handoverId], result: 'approved' }),
  ).toEqual({ ok: [handoverId], failed: [] })
  expect(await stored(feedbackId)).toMatchObject({
    progress: 'followingUp',
    processor_id: ben.userId,
    token: 2,
    handover_state: 'approved',
  })
  const emitted = (await floor.events(before)).filter((event) => event.type.startsWith('ticket.'))
  expect(emitted.map((event) => event.type)).toEqual([
    'ticket.handover.changed',
    'ticket.assigned',
    'ticket.access.changed',
    'ticket.state.changed',
  ])
  expect(emitted[1]?.data).toMatchObject({
    fromUserId: asha.userId,
    toUserId: ben.userId,
    cause: 'handover',
    token: 2,
  })
  expect(emitted[1]?.rooms).toContain(`user:${asha.userId}`)
  expect(
    await asha.refused(replyTicket, { feedbackId, version: version + 1, content: 'Still me' }),
  ).toMatchObject({ problem: { id: 'F-OWN', params: { userName: 'Customer service 2' } } })
  expect(
    await ben.call(decideTransfers, {
      handoverIds: [handoverId],
      result: 'rejected',
      reason: 'too many',
    }),
  ).toMatchObject({ failed: [{ problem: 'F-HANDST', params: { state: 'approved' } }] })
  expect([await notifications(asha, feedbackId), await notifications(ben, feedbackId)]).toEqual([
    ['handoverApproved'],
    ['handoverAsked'],
  ])
})

test('two concurrent approvals move the ticket once', async () => {
  const { feedbackId, handoverId } = await offered()
  const answers = await Promise.all(
    [ben, manager, ben, manager].map((person) =>
      person.call(decideTransfers, { handoverIds: [handoverId], result: 'approved' }),
    ),
  )
  expect(answers.flatMap(({ ok }) => ok)).toEqual([handoverId])
  expect(await stored(feedbackId)).toMatchObject({ processor_id: ben.userId, token: 2 })
})

test('after a rejection or a cancellation the processor continues', async () => {
  const refused = await offered()
  expect(
    await ben.refused(decideTransfers, { handoverIds: [refused.handoverId], result: 'rejected' }),
  ).toMatchObject({ code: 400, data: { fields: { reason: 'required' } } })
  await ben.call(decideTransfers, {
    handoverIds: [refused.handoverId],
    result: 'rejected',
    reason: 'my desk is full',
  })
  expect(await stored(refused.feedbackId)).toMatchObject({
    processor_id: asha.userId,
    token: 1,
    handover_state: 'rejected',
    cause: 'rejected',
  })
  await asha.call(replyTicket, {
    feedbackId: refused.feedbackId,
    version: 4,
    content: 'I go on with it',
  })
  const withdrawn = await offered()
  expect(
    await ben.call(decideTransfers, { handoverIds: [withdrawn.handoverId], result: 'cancelled' }),
  ).toMatchObject({ failed: [{ problem: 'G403' }] })
  await asha.call(decideTransfers, { handoverIds: [withdrawn.handoverId], result: 'cancelled' })
  expect(await stored(withdrawn.feedbackId)).toMatchObject({
    processor_id: asha.userId,
    handover_state: 'rejected',
    cause: 'cancelled',
  })
  expect(await notifications(ben, withdrawn.feedbackId)).toEqual([
    'handoverAsked',
    'handoverCancelled',
  ])
})

test("a leader's hand-over is approved at once", async () => {
  const { feedbackId } = await makeClaimed(floor, asha)
  expect(
    await manager.call(transferTickets, {
      feedbackIds: [feedbackId],
      toUserId: ben.userId,
      reason: 'she is away',
    }),
  ).toEqual({ ok: [feedbackId], failed: [] })
  expect(await stored(feedbackId)).toMatchObject({
    processor_id: ben.userId,
    token: 2,
    handover_state: 'approved',
    cause: null,
  })
  expect((await ben.call(ticketSteps, { feedbackId })).steps.map(({ kind }) => kind)).toEqual([
    'created',
    'claimed',
    'handoverAsked',
    'handoverApproved',
  ])
  expect([await notifications(asha, feedbackId), await notifications(ben, feedbackId)]).toEqual([
    ['taken'],
    ['assigned'],
  ])
  // a hand-over to the current processor is refused
  expect(
    await manager.call(transferTickets, {
      feedbackIds: [feedbackId],
      toUserId: ben.userId,
      reason: 'again please',
    }),
  ).toMatchObject({ failed: [{ problem: 'F-STATE' }] })
})

test('a hand-over to a department goes to the person of it who accepts', async () => {
  const { ticket } = await makeLoanedTicket(floor)
  const claimed = await asha.call(claimTicket, {
    feedbackId: ticket.feedbackId,
    version: ticket.version,
  })
  expect(
    await asha.call(transferTickets, {
      feedbackIds: [ticket.feedbackId],
      toDepartment: unit.departmentId,
      reason: 'theirs to answer',
    }),
  ).toMatchObject({ ok: [ticket.feedbackId] })
  expect(claimed.processorId).toBe(asha.userId)
  const handoverId = await pendingOf(ticket.feedbackId)
  expect((await otherSpecialist.call(listTickets, { tab: 'handover' })).rows).toMatchObject([
    { feedbackId: ticket.feedbackId, handoverToDepartment: unit.departmentId, handoverToId: null },
  ])
  expect(
    (await otherSpecialist.call(ticketDetail, { feedbackId: ticket.feedbackId })).mayDecide,
  ).toBe(true)
  expect(await notifications(specialist, ticket.feedbackId)).toEqual(['handoverAsked'])
  expect(
    await collector.refused(decideTransfers, { handoverIds: [handoverId], result: 'approved' }),
  ).toMatchObject({ code: 403 })
  await otherSpecialist.call(decideTransfers, { handoverIds: [handoverId], result: 'approved' })
  expect(await stored(ticket.feedbackId)).toMatchObject({
    processor_id: otherSpecialist.userId,
    department: unit.departmentId,
  })
  // requested by a leader: assigned at once to the person with the fewest tickets
  const { ticket: next } = await makeLoanedTicket(floor)
  await asha.call(claimTicket, { feedbackId: next.feedbackId, version: next.version })
  await manager.call(transferTickets, {
    feedbackIds: [next.feedbackId],
    toDepartment: unit.departmentId,
    reason: 'theirs to answer',
  })
  expect([specialist.userId, supervisor.userId]).toContain(
    ((await stored(next.feedbackId)) as { processor_id: string }).processor_id,
  )
})

test("a complaint cannot be handed to the person it is about, nor a ticket outside the caller's reach", async () => {
  const { ticket } = await makeLoanedTicket(floor, { collectorId: specialist.userId, type: 4 })
  expect(ticket).toMatchObject({ aboutId: specialist.userId })
  const { feedbackId } = await supervisor.call(claimTicket, {
    feedbackId: ticket.feedbackId,
    version: ticket.version,
  })
  expect(
    await supervisor.call(transferTickets, {
      feedbackIds: [feedbackId],
      toUserId: specialist.userId,
      reason: 'it is yours',
    }),
  ).toMatchObject({ ok: [], failed: [{ problem: 'F-ABOUT' }] })
  expect(
    (await supervisor.call(listTakers, { queue: 'loaned', feedbackId })).map(
      ({ userId }) => userId,
    ),
  ).not.toContain(specialist.userId)
  expect(
    (await supervisor.call(listTakers, { queue: 'loaned' })).map(({ userId }) => userId),
  ).toContain(specialist.userId)
  expect(
    await supervisor.refused(transferTickets, {
      feedbackIds: [feedbackId],
      toUserId: stranger.userId,
      reason: 'to the agency',
    }),
  ).toMatchObject({ problem: { id: 'G404' } })
  expect(
    (await supervisor.call(listTakers, { queue: 'loaned' })).map(({ userId }) => userId),
  ).not.toContain(stranger.userId)
  expect(
    await supervisor.refused(transferTickets, { feedbackIds: [feedbackId], reason: 'to nobody' }),
  ).toMatchObject({ code: 400 })
  // but it can go back to customer service
  expect(
    await supervisor.call(transferTickets, {
      feedbackIds: [feedbackId],
      toUserId: ben.userId,
      reason: 'needs the centre',
    }),
  ).toMatchObject({ ok: [feedbackId] })
  expect(await specialist.call(listTickets, { feedbackId })).toMatchObject({ total: 0, rows: [] })
})

test('a pending hand-over is rejected when its ticket is resolved or released', async () => {
  const ended = await offered()
  await manager.call(resolveTicket, {
    feedbackId: ended.feedbackId,
    version: ended.version,
    remark: 'Settled',
  })
  expect(await stored(ended.feedbackId)).toMatchObject({
    progress: 'finished',
    handover_state: 'rejected',
    cause: 'closed',
  })
  const taken = await offered()
  const before = (await floor.events()).at(-1)?.seq ?? 0
  await manager.call(releaseTicket, {
    feedbackId: taken.feedbackId,
    version: taken.version,
    reason: 'both are away',
  })
  expect(await stored(taken.feedbackId)).toMatchObject({
    progress: 'unprocessed',
    processor_id: null,
    handover_state: 'rejected',
    cause: 'closed',
  })
  expect(
    (await floor.events(before))
      .filter((event) => event.type === 'ticket.handover.changed')
      .map(({ data, entity_version: v }) => [data.state, data.cause, v]),
  ).toEqual([['rejected', 'closed', 4]])
})

test('a hand-over that is not decided expires after a day', async () => {
  const { feedbackId, version } = await offered()
  // replied before, so that no lease frees it in the meantime
  await sql`
    update feedback set first_reply_at = created_at, idle_until = null, live_until = null
      where id = ${feedbackId}`.execute(db())
  await ticketSweep.run(floor.context)
  expect(await stored(feedbackId)).toMatchObject({ handover_state: 'pending' })
  await floor.clock.to('11:01', addDays(istDay(Date.now()), 1))
  await ticketSweep.run(floor.context)
  expect(await stored(feedbackId)).toMatchObject({
    processor_id: asha.userId,
    handover_state: 'rejected',
    cause: 'expired',
  })
  expect(await notifications(asha, feedbackId)).toEqual(['handoverExpired'])
  await asha.call(replyTicket, { feedbackId, version: version + 1, content: 'I go on with it' })
  await floor.clock.to('11:00')
  expect((await makeTicket(floor)).progress).toBe('unprocessed')
})
