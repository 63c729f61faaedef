/**
 * Messages of the customer app: new tickets, further messages and ratings, each event applied once.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { inboundEvaluate, inboundFeedback } from '#shared/tickets/inbound-feedback-api.ts'
import {
  claimTicket,
  resolveTicket,
  ticketDetail,
  ticketSteps,
} from '#shared/tickets/tickets-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeClaimed, ticketsFloor } from '#tests/factories/tickets.ts'
import type { TestClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import type { Floor, Person } from '#tests/support/manage.ts'

let floor: Floor & { clock: TestClock }
let app: Machine
let asha: Person
const today = istDay(Date.now())
const words = { type: 5, content: 'Nobody answered my last message', contactWay: 'sms' } as const

beforeAll(async () => {
  floor = await ticketsFloor()
  app = await machineOf(floor, ['feedback'])
  asha = await floor.signIn('customer_service')
})
afterAll(() => floor.close())

const db = () => floor.database.kysely
async function caseState(caseId: string): Promise<string | undefined> {
  return (
    await sql<{
      state: string
    }>`select c.state from collection_case c where c.id = ${caseId}`.execute(db())
  ).rows[0]?.state
}
async function ended(
  customerId: string,
  type: 1 | 5 = 1,
): Promise<{ feedbackId: string; version: number }> {
  const { feedbackId } = await makeClaimed(floor, asha, { customerId, type })
  const { version } = await asha.call(resolveTicket, {
    feedbackId,
    version: 2,
    remark: 'Answered in full',
  })
  return { feedbackId, version }
}

test('a message opens one ticket, however often the event is delivered', async () => {
  const made = await makeCase(floor, { overdueDays: 3 })
  const send = () =>
    app.call(
      inboundFeedback,
      { userId: made.customerId, orderId: made.orderId, ...words },
      { eventId: 'FB-EVENT-1' },
    )
  const answers = [await send(), ...(await Promise.all([send(), send()]))]
  expect(new Set(answers.map(({ feedbackId }) => feedbackId)).size).toBe(1)
  const { ticket } = await asha.call(ticketDetail, { feedbackId: answers[0]?.feedbackId ?? '' })
  expect(ticket).toMatchObject({
    type: 5,
    queue: 'operation',
    contactWay: 'sms',
    progress: 'unprocessed',
  })
  expect(await caseState(made.caseId)).toBe('held')
  expect(
    await app.refused(
      inboundFeedback,
      { userId: made.customerId, ...words, content: 'Something else entirely' },
      { eventId: 'FB-EVENT-1' },
    ),
  ).toMatchObject({ code: 409, problem: { id: 'G-IK' } })
})

test("a message of an unknown customer, or on another customer's ticket, is refused as not found", async () => {
  const [one, other] = [
    await makeOrder(floor, { status: 30 }),
    await makeOrder(floor, { status: 30 }),
  ]
  const { feedbackId } = await makeClaimed(floor, asha, { customerId: one.customerId })
  for (const input of [
    { userId: 'C1', ...words },
    { userId: other.customerId, feedbackId, ...words },
    { userId: other.customerId, orderId: one.orderId, ...words },
  ]) {
    expect(await app.refused(inboundFeedback, input)).toMatchObject({ problem: { id: 'G404' } })
  }
  expect(
    await app.refused(inboundEvaluate, { userId: other.customerId, feedbackId, evaluation: 5 }),
  ).toMatchObject({ problem: { id: 'G404' } })
  const stranger = await machineOf(floor, ['payout'])
  expect(
    await stranger.refused(inboundFeedback, { userId: one.customerId, ...words }),
  ).toMatchObject({ code: 403 })
})

test('a message on an open ticket is a step, and its processor is notified', async () => {
  const { customerId } = await makeOrder(floor, { status: 30 })
  const { feedbackId } = await makeClaimed(floor, asha, { customerId })
  const before = (await floor.events()).at(-1)?.seq ?? 0
  expect(await app.call(inboundFeedback, { userId: customerId, feedbackId, ...words })).toEqual({
    feedbackId,
    progress: 'followingUp',
  })
  expect(
    (await floor.events(before))
      .filter((event) => event.type === 'ticket.replied')
      .map(({ data, rooms }) => [data.byCustomer, rooms.includes(`user:${asha.userId}`)]),
  ).toEqual([[true, true]])
  expect((await asha.call(ticketSteps, { feedbackId })).steps.at(-1)).toMatchObject({
    kind: 'customerMessage',
    content: words.content,
    internal: false,
  })
})

test('a message within a week reopens a resolved ticket, a later one opens a new ticket', async () => {
  const made = await makeCase(floor, { overdueDays: 3 })
  const one = await ended(made.customerId, 5)
  expect(await caseState(made.caseId)).toBe('unallocated')
  await floor.clock.to('10:59', addDays(today, 7))
  expect(
    await app.call(inboundFeedback, {
      userId: made.customerId,
      feedbackId: one.feedbackId,
      ...words,
    }),
  ).toEqual({ feedbackId: one.feedbackId, progress: 'followingUp' })
  expect(await caseState(made.caseId)).toBe('held')
  const again = await asha.call(resolveTicket, {
    feedbackId: one.feedbackId,
    version: one.version + 2,
    remark: 'Answered once more',
  })
  expect(again.progress).toBe('finished')
  await floor.clock.to('11:10', addDays(today, 14))
  const late = await app.call(inboundFeedback, {
    userId: made.customerId,
    feedbackId: one.feedbackId,
    ...words,
  })
  expect(late).toMatchObject({ progress: 'unprocessed' })
  expect(late.feedbackId).not.toBe(one.feedbackId)
  expect(await caseState(made.caseId)).toBe('held')
  await floor.clock.to('11:00')
})

test('a low rating within a week reopens the ticket; a good or late one is only stored', async () => {
  const { customerId } = await makeOrder(floor, { status: 30 })
  const [good, low, late] = [
    await ended(customerId),
    await ended(customerId),
    await ended(customerId),
  ]
  const rate = (feedbackId: string, evaluation: number) =>
    app.call(inboundEvaluate, { userId: customerId, feedbackId, evaluation })
  expect(await rate(good.feedbackId, 3)).toMatchObject({ progress: 'finished' })
  expect(await rate(low.feedbackId, 2)).toMatchObject({ progress: 'followingUp' })
  const { ticket } = await asha.call(ticketDetail, { feedbackId: low.feedbackId })
  expect(ticket).toMatchObject({
    evaluation: 2,
    followState: 'following',
    finishTime: null,
    processorId: asha.userId,
  })
  expect(
    (
      await sql<{ title_key: string }>`
        select n.title_key
        from notification n
        where n.params ->> 'feedbackId' = ${low.feedbackId} and n.user_id = ${asha.userId}`.execute(
        db(),
      )
    ).rows,
  ).toEqual([{ title_key: 'tickets:notification.reopenedByCustomer' }])
  expect(
    await app.refused(inboundEvaluate, {
      userId: customerId,
      feedbackId: low.feedbackId,
      evaluation: 5,
    }),
  ).toMatchObject({ problem: { id: 'F-STATE' } })
  await floor.clock.to('11:30', addDays(today, 7))
  expect(await rate(late.feedbackId, 1)).toMatchObject({ progress: 'finished' })
  expect((await asha.call(ticketDetail, { feedbackId: late.feedbackId })).ticket.evaluation).toBe(1)
  await floor.clock.to('11:00')
  // it is hers again without a claim
  expect(await asha.call(claimTicket, { feedbackId: low.feedbackId, version: 1 })).toMatchObject({
    processorId: asha.userId,
    token: 1,
  })
})
