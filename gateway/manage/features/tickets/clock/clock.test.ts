/**
 * The background jobs of tickets: leases, due times, escalation, distribution, absence and
 * messages.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, istDay } from '#shared/kernel/time.ts'
import {
  claimTicket,
  listTickets,
  renewTicket,
  replyTicket,
  resolveTicket,
  setDistribution,
  ticketDetail,
  ticketStatement,
  ticketSteps,
} from '#shared/tickets/tickets-api.ts'
import { ticketDistribute } from './ticket-distribute-job.ts'
import { ticketMessage } from './ticket-message-job.ts'
import { ticketSla } from './ticket-sla-job.ts'
import { ticketSweep } from './ticket-sweep-job.ts'
import type { OutgoingMessage } from '#gateway/manage/vendors/message-vendor.ts'
import {
  makeClaimed,
  makeLoanedTicket,
  makeTicket,
  ticketsFloor,
} from '#tests/factories/tickets.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import type { TestClock } from '#tests/support/clock.ts'
import type { Floor, Person } from '#tests/support/manage.ts'

let floor: Floor & { clock: TestClock }
let asha: Person
let ben: Person
let manager: Person
let unit: Unit
let elsewhere: Unit
let specialist: Person
let stranger: Person
const today = istDay(Date.now())

beforeAll(async () => {
  floor = await ticketsFloor()
  unit = await makeUnit(floor)
  elsewhere = await makeUnit(floor, { inHouse: false })
  specialist = await floor.signIn(
    (
      await makeCollector(floor, unit, {
        account: 'collection_specialist',
        role: 'collection_specialist',
      })
    ).account,
  )
  stranger = await floor.signIn((await makeLeader(floor, elsewhere, 'external_supervisor')).account)
  ;[asha, ben, manager] = (await Promise.all(
    ['customer_service', 'customer_service2', 'manager'].map((account) => floor.signIn(account)),
  )) as [Person, Person, Person]
})
afterAll(() => floor.close())
beforeEach(async () => {
  await floor.clock.to('11:00')
  // each test looks at its own tickets
  await sql`
    update feedback set progress = 'finished', follow_state = 'caseClosed',
      processor_id = coalesce(processor_id, ${asha.userId}), processor_name = 'x',
      first_reply_at = coalesce(first_reply_at, created_at), idle_until = null, live_until = null,
      finished_at = coalesce(finished_at, clock_timestamp())`.execute(db())
  await sql`delete from feedback_distributor`.execute(db())
})

const db = () => floor.database.kysely
async function rowOf(feedbackId: string) {
  const { rows } = await sql<{
    progress: string
    processor_id: string | null
    token: number
    level: number
    auto_level: number
    warned_at: string | null
    version: number
  }>`
    select t.progress, t.processor_id, t.token, t.level, t.auto_level, t.warned_at, t.version
      from feedback t where t.id = ${feedbackId}`.execute(db())
  return rows[0]
}
async function emitted(after: number, type: string) {
  return (await floor.events(after)).filter((event) => event.type === type)
}
const newest = async () => (await floor.events()).at(-1)?.seq ?? 0
async function notifications(person: Person, feedbackId: string): Promise<string[]> {
  const { rows } = await sql<{ title_key: string }>`
    select n.title_key
    from notification n
    where n.user_id = ${person.userId} and n.params ->> 'feedbackId' = ${feedbackId}
    order by n.id`.execute(db())
  return rows.map(({ title_key: key }) => key.replace('tickets:notification.', ''))
}

describe('lease', () => {
  test('the processor is warned once, a minute before the lease ends, and the ticket is freed at its end', async () => {
    const { feedbackId } = await makeClaimed(floor, asha)
    const before = await newest()
    await floor.clock.to('11:29:30')
    await ticketSweep.run(floor.context)
    await ticketSweep.run(floor.context)
    expect(
      (await emitted(before, 'ticket.lease.expiring')).map(({ rooms, data }) => [
        rooms,
        data.feedbackId,
      ]),
    ).toEqual([[[`user:${asha.userId}`], feedbackId]])
    await floor.clock.to('11:30:30')
    await ticketSweep.run(floor.context)
    expect(await rowOf(feedbackId)).toMatchObject({
      progress: 'unprocessed',
      processor_id: null,
      token: 2,
    })
    expect(
      (await emitted(before, 'ticket.assigned')).map(({ data }) => [
        data.fromUserId,
        data.toUserId,
        data.cause,
      ]),
    ).toEqual([[asha.userId, null, 'expired']])
    expect(await notifications(asha, feedbackId)).toEqual(['expired'])
    expect((await ben.call(claimTicket, { feedbackId, version: 3 })).token).toBe(3)
  })

  test('the lease ends two minutes after the last heartbeat, and no longer ends once somebody replied', async () => {
    const [silent, answered] = [await makeClaimed(floor, asha), await makeClaimed(floor, asha)]
    for (const { feedbackId, token } of [silent, answered])
      await asha.call(renewTicket, { feedbackId, token, lastInputTime: new Date().toISOString() })
    await asha.call(replyTicket, {
      feedbackId: answered.feedbackId,
      version: 2,
      content: 'We look into it',
    })
    await floor.clock.to('11:02:30')
    // the lease has ended but the sweep has not run yet: the processor is refused
    expect(
      await asha.refused(replyTicket, {
        feedbackId: silent.feedbackId,
        version: 2,
        content: 'Too late',
      }),
    ).toMatchObject({ problem: { id: 'F-LEASE' } })
    await ticketSweep.run(floor.context)
    expect([
      (await rowOf(silent.feedbackId))?.progress,
      (await rowOf(answered.feedbackId))?.progress,
    ]).toEqual(['unprocessed', 'followingUp'])
  })
})

describe('due times', () => {
  test('a due time is announced once ten minutes before it and once when it passes', async () => {
    const { feedbackId } = await makeClaimed(floor, asha, { type: 2 })
    await sql`
      update feedback set idle_until = clock_timestamp() + interval '1 day' where id = ${feedbackId}`.execute(
      db(),
    )
    const before = await newest()
    const at = async (clock: string) => {
      await floor.clock.to(clock)
      await ticketSla.run(floor.context)
      await ticketSla.run(floor.context)
      return (await emitted(before, 'ticket.sla.due')).map(({ data }) => data.missed)
    }
    const lines = async () =>
      (
        await sql<{
          n: number
        }>`select count(*)::int as n from operate_log where action = 'ticketSla'`.execute(db())
      ).rows[0]?.n ?? 0
    const linesBefore = await lines()
    expect(await at('14:49')).toEqual([])
    // a run without anything to announce leaves no line in the operate log
    expect(await lines()).toBe(linesBefore)
    expect(await at('14:51')).toEqual([false])
    expect(await at('15:01')).toEqual([false, true])
    expect(await notifications(asha, feedbackId)).toEqual(['slaSoon', 'slaMissed'])
    expect((await emitted(before, 'ticket.sla.due'))[0]?.rooms.toSorted()).toEqual(
      [`queue:ticket:operation`, `ticket:${feedbackId}`, `user:${asha.userId}`].toSorted(),
    )
    // the due time of the answer is a different one
    await asha.call(replyTicket, { feedbackId, version: 2, content: 'Sorry for the wait' })
    expect(await at('15:05')).toEqual([false, true])
    await floor.clock.to('23:51', addDays(today, 30))
    await ticketSla.run(floor.context)
    expect(
      (await emitted(before, 'ticket.sla.due')).map(({ data }) => data.missed).slice(2),
    ).toContain(false)
  })

  test('a ticket is due soon in the last quarter of its time, whatever that time is', async () => {
    // four hours, and a day
    await makeTicket(floor, { type: 5 })
    await makeTicket(floor, { type: 6 })
    const soon = async (clock: string, day = today) => {
      await floor.clock.to(clock, day)
      const { counts } = await manager.call(listTickets, { tab: 'queue' })
      const { total } = await manager.call(listTickets, { tab: 'queue', dueSoon: true })
      expect(total).toBe(counts.dueSoon)
      return [counts.dueSoon, counts.missed]
    }
    expect(await soon('13:59')).toEqual([0, 0])
    expect(await soon('14:01')).toEqual([1, 0])
    expect(await soon('15:01')).toEqual([0, 1])
    expect(await soon('04:59', addDays(today, 1))).toEqual([0, 1])
    expect(await soon('05:01', addDays(today, 1))).toEqual([1, 1])
    expect(await soon('11:01', addDays(today, 1))).toEqual([0, 2])
  })

  test('a ticket in any state is escalated at midnight IST of days 20, 25 and 29', async () => {
    await floor.clock.to('23:59')
    const late = await makeTicket(floor, { type: 5 })
    await floor.clock.to('00:01', addDays(today, 1))
    const early = await makeTicket(floor, { type: 5 })
    const levels = async (day: number, clock: string) => {
      await floor.clock.to(clock, addDays(today, day))
      await ticketSla.run(floor.context)
      return [(await rowOf(late.feedbackId))?.level, (await rowOf(early.feedbackId))?.level]
    }
    expect(await levels(19, '23:59')).toEqual([0, 0])
    // created two minutes later, which is the next day in India
    expect(await levels(20, '00:00')).toEqual([1, 0])
    expect(await levels(20, '23:59')).toEqual([1, 0])
    expect(await levels(21, '00:00')).toEqual([1, 1])
    // midnight UTC is 05:30 in India, so nothing happens there
    expect(await levels(25, '05:31')).toEqual([2, 1])
    // no run for a week: both days count
    expect(await levels(30, '12:00')).toEqual([3, 3])
    expect(await levels(31, '12:00')).toEqual([3, 3])
    expect(
      (await manager.call(ticketSteps, { feedbackId: late.feedbackId })).steps.map(
        ({ kind }) => kind,
      ),
    ).toEqual(['created', 'autoEscalated', 'autoEscalated', 'autoEscalated'])
    expect((await rowOf(early.feedbackId))?.auto_level).toBe(3)
  })

  test('the answer is due at the end of the thirtieth IST day', async () => {
    await floor.clock.to('23:59')
    const { feedbackId } = await makeClaimed(floor, asha)
    const { dueTime } = await asha.call(replyTicket, {
      feedbackId,
      version: 2,
      content: 'We look into it',
    })
    expect(dueTime).toBe(`${addDays(today, 30)}T18:29:59.999Z`)
  })
})

describe('automatic distribution', () => {
  test('tickets due soonest go first to the signed-in taker with the fewest open tickets', async () => {
    const held = await makeClaimed(floor, asha)
    const [usage, complaint, other] = [
      await makeTicket(floor, { type: 1 }),
      await makeTicket(floor, { type: 5 }),
      await makeTicket(floor, { type: 6 }),
    ]
    await ticketDistribute.run(floor.context)
    expect((await rowOf(complaint.feedbackId))?.progress).toBe('unprocessed')
    for (const person of [asha, ben])
      await person.call(setDistribution, { userId: person.userId, status: 1 })
    expect(await ticketDistribute.run(floor.context)).toEqual({ distributed: 3, returned: 0 })
    expect([complaint, usage, other].map(({ feedbackId }) => feedbackId)).toHaveLength(3)
    const owners = await Promise.all(
      [held, complaint, usage, other].map(
        async ({ feedbackId }) => (await rowOf(feedbackId))?.processor_id,
      ),
    )
    // ben had none and gets the first two
    expect(owners.slice(0, 2)).toEqual([asha.userId, ben.userId])
    expect(owners.filter((id) => id === ben.userId)).toHaveLength(2)
    expect(await notifications(ben, complaint.feedbackId)).toEqual(['distributed'])
    expect(await ticketDistribute.run(floor.context)).toEqual({ distributed: 0, returned: 0 })
  })

  test('a post-loan ticket stays in the agency of its case, a complaint away from the person concerned', async () => {
    for (const person of [specialist, stranger])
      await person.call(setDistribution, { userId: person.userId, status: 1 })
    const own = await makeLoanedTicket(floor, { collectorId: specialist.userId })
    const about = await makeLoanedTicket(floor, { collectorId: specialist.userId, type: 4 })
    const pool = await makeLoanedTicket(floor)
    await ticketDistribute.run(floor.context)
    expect(
      await Promise.all(
        [own, about, pool].map(
          async ({ ticket }) => (await rowOf(ticket.feedbackId))?.processor_id,
        ),
      ),
    ).toEqual([specialist.userId, null, null])
  })

  test('two concurrent runs distribute a ticket once', async () => {
    await asha.call(setDistribution, { userId: asha.userId, status: 1 })
    await ben.call(setDistribution, { userId: ben.userId, status: 1 })
    const made = await Promise.all(Array.from({ length: 12 }, () => makeTicket(floor)))
    await Promise.all([1, 2, 3].map(() => ticketDistribute.run(floor.context)))
    const { rows } = await sql<{ n: number; tokens: number }>`
      select count(*)::int as n, max(t.token) as tokens
      from feedback t
      where t.id = any(${made.map(({ feedbackId }) => feedbackId)}) and t.progress = 'followingUp'`.execute(
      db(),
    )
    expect(rows[0]).toEqual({ n: 12, tokens: 1 })
  })

  test('tickets of a person who was away for a day, or whose account was closed, return to the queue', async () => {
    const answered = await makeClaimed(floor, asha)
    await asha.call(replyTicket, {
      feedbackId: answered.feedbackId,
      version: 2,
      content: 'We look into it',
    })
    const closed = await makeClaimed(floor, ben)
    await ben.call(replyTicket, {
      feedbackId: closed.feedbackId,
      version: 2,
      content: 'We look into it',
    })
    await sql`update sys_user set status = 'disabled' where id = ${ben.userId}`.execute(db())
    await ticketDistribute.run(floor.context)
    expect([
      (await rowOf(answered.feedbackId))?.progress,
      (await rowOf(closed.feedbackId))?.progress,
    ]).toEqual(['followingUp', 'unprocessed'])
    await sql`update sys_user set status = 'enabled' where id = ${ben.userId}`.execute(db())
    await sql`update sys_session set last_seen_at = clock_timestamp()`.execute(db())
    await floor.clock.to('10:00', addDays(today, 1))
    await ticketDistribute.run(floor.context)
    expect((await rowOf(answered.feedbackId))?.progress).toBe('followingUp')
    await floor.clock.to('11:30', addDays(today, 1))
    await sql`
      update sys_session set last_seen_at = clock_timestamp() - interval '24 hours 10 minutes'
        where user_id = ${asha.userId}`.execute(db())
    await ticketDistribute.run(floor.context)
    expect(await rowOf(answered.feedbackId)).toMatchObject({
      progress: 'unprocessed',
      processor_id: null,
      token: 2,
    })
    expect(await notifications(asha, answered.feedbackId)).toEqual(['offDuty'])
  })
})

test('each answer is sent once over the chosen channel, whatever the vendor answers first', async () => {
  await sql`update feedback_step set message = null`.execute(db())
  const sent: OutgoingMessage[] = []
  let fails = 1
  const vendor = {
    code: 'test',
    send(message: OutgoingMessage) {
      if (fails-- > 0) return Promise.reject(new Error('no answer'))
      sent.push(message)
      return Promise.resolve({ accepted: true as const, vendorRef: 'V1' })
    },
  }
  const { feedbackId } = await makeClaimed(floor, asha)
  const { version } = await asha.call(replyTicket, {
    feedbackId,
    version: 2,
    content: 'Please update the app',
  })
  const note = await asha.call(replyTicket, {
    feedbackId,
    version,
    content: 'He is angry',
    internal: true,
  })
  await asha.call(resolveTicket, { feedbackId, version: note.version, remark: 'It works now' })
  expect(await ticketMessage(vendor).run(floor.context)).toEqual({ sent: 1, notReached: 1 })
  await floor.clock.to('11:11')
  await ticketMessage(vendor).run(floor.context)
  expect(await ticketMessage(vendor).run(floor.context)).toEqual({ sent: 0, notReached: 0 })
  expect(sent.map(({ template, way, params }) => [template, way, params])).toEqual([
    ['ticketEnded', 'sms', { ticket: feedbackId, text: 'It works now' }],
    ['ticketAnswered', 'sms', { ticket: feedbackId, text: 'Please update the app' }],
  ])
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2)
  const { rows } = await sql<{
    message: string | null
  }>`select s.message from feedback_step s where s.feedback_id = ${feedbackId} order by s.id`.execute(
    db(),
  )
  expect(rows.map(({ message }) => message)).toEqual([null, null, 'sent', null, 'sent'])
})

test('the statement counts tickets by the IST day they were created', async () => {
  await sql`update feedback set created_at = created_at - interval '200 days'`.execute(db())
  await floor.clock.to('23:59')
  const one = await makeClaimed(floor, asha, { type: 2 })
  await floor.clock.to('00:01', addDays(today, 1))
  await makeTicket(floor, { type: 5 })
  await asha.call(replyTicket, {
    feedbackId: one.feedbackId,
    version: 2,
    content: 'We look into it',
  })
  await floor.clock.to('00:11', addDays(today, 1))
  await asha.call(resolveTicket, { feedbackId: one.feedbackId, version: 3, remark: 'Paid out' })
  const range = { dateFrom: today, dateTo: addDays(today, 1) }
  const { rows } = await manager.call(ticketStatement, range)
  expect(
    rows.map(({ key, created, finished, open, slaMissed }) => [
      key,
      created,
      finished,
      open,
      slaMissed,
    ]),
  ).toEqual([
    [today, 1, 1, 0, 0],
    [addDays(today, 1), 1, 0, 1, 0],
  ])
  expect(Math.round((rows[0]?.avgFirstReplySec ?? 0) / 60)).toBe(2)
  expect(Math.round((rows[0]?.avgFinishSec ?? 0) / 60)).toBe(12)
  expect((await manager.call(ticketStatement, { ...range, dateTo: today })).rows).toHaveLength(1)
  expect(
    (await manager.call(ticketStatement, { ...range, groupBy: 'type' })).rows.map(({ key }) => key),
  ).toEqual(['2', '5'])
  expect(
    (await manager.call(ticketStatement, { ...range, groupBy: 'processor' })).rows
      .map(({ key, name }) => [key, name])
      .toSorted(),
  ).toEqual([
    ['', null],
    [asha.userId, 'Customer service 1'],
  ])
  expect((await manager.call(ticketStatement, { ...range, queue: 'loaned' })).rows).toEqual([])
  expect((await stranger.call(ticketStatement, range)).rows).toEqual([])
  for (const dateTo of [addDays(today, -1), addDays(today, 92)])
    expect(await manager.refused(ticketStatement, { ...range, dateTo })).toMatchObject({
      code: 400,
    })
  expect((await manager.call(ticketDetail, { feedbackId: one.feedbackId })).ticket.progress).toBe(
    'finished',
  )
})
