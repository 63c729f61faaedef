/** One ticket from claim to resolution and reopening. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logout } from '#shared/session/session-api.ts'
import {
  addTicket,
  assignTickets,
  claimNextTicket,
  claimTicket,
  escalateTicket,
  listTickets,
  listTicketTypes,
  releaseTicket,
  renewTicket,
  reopenTicket,
  replyTicket,
  resolveTicket,
  setDistribution,
  ticketDetail,
  ticketSteps,
} from '#shared/tickets/tickets-api.ts'
import type { TestClock } from '#tests/support/clock.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { addPeople, makeClaimed, makeTicket, ticketsFloor } from '#tests/factories/tickets.ts'
import { makeCollector, makeUnit, type Unit } from '#tests/factories/units.ts'
import type { Floor, Person } from '#tests/support/manage.ts'

let floor: Floor & { clock: TestClock }
let asha: Person
let ben: Person
let manager: Person
let director: Person
let unit: Unit

beforeAll(async () => {
  floor = await ticketsFloor()
  unit = await makeUnit(floor)
  ;[asha, ben, manager, director] = (await Promise.all(
    ['customer_service', 'customer_service2', 'manager', 'director'].map((account) =>
      floor.signIn(account),
    ),
  )) as [Person, Person, Person, Person]
})
afterAll(() => floor.close())

const db = () => floor.database.kysely
async function rowOf(feedbackId: string) {
  const { rows } = await sql<{
    progress: string
    follow_state: string
    processor_id: string | null
    token: number
    idle_until: string | null
    level: number
    version: number
  }>`
    select t.progress, t.follow_state, t.processor_id, t.token, t.idle_until, t.level, t.version
      from feedback t where t.id = ${feedbackId}`.execute(db())
  return rows[0]
}
async function caseState(caseId: string): Promise<string | undefined> {
  return (
    await sql<{
      state: string
    }>`select c.state from collection_case c where c.id = ${caseId}`.execute(db())
  ).rows[0]?.state
}
async function kinds(feedbackId: string): Promise<string[]> {
  return (await asha.call(ticketSteps, { feedbackId })).steps.map(({ kind }) => kind)
}
async function notifications(person: Person, feedbackId: string): Promise<string[]> {
  const { rows } = await sql<{ title_key: string }>`
    select n.title_key
    from notification n
    where n.user_id = ${person.userId} and n.params ->> 'feedbackId' = ${feedbackId}
    order by n.id`.execute(db())
  return rows.map(({ title_key: key }) => key)
}

describe('a new ticket', () => {
  test('goes to the queue of its type and starts both clocks', async () => {
    const { customerId, orderId } = await makeOrder(floor, { status: 30 })
    const { feedbackId, queue } = await asha.call(addTicket, {
      userId: customerId,
      orderId,
      type: 3,
      content: 'I paid yesterday and see nothing',
      contactWay: 'phone',
    })
    expect(queue).toBe('operation')
    const { ticket, customer, order, allowed } = await asha.call(ticketDetail, { feedbackId })
    expect(ticket).toMatchObject({
      progress: 'unprocessed',
      followState: 'notFollowed',
      type: 3,
      level: 0,
      processorId: null,
      phone: expect.stringMatching(/^XXXXXX\d{4}$/),
      caseId: null,
      held: false,
      token: 0,
      version: 1,
    })
    expect(Date.parse(ticket.dueTime) - Date.parse(ticket.createTime)).toBe(240 * 60_000)
    expect(customer).toMatchObject({ userId: customerId, ticketCount: 1 })
    expect(order).toMatchObject({ orderId })
    expect(allowed).toEqual(['CLAIM'])
    expect((await manager.call(ticketDetail, { feedbackId })).allowed).toEqual(['CLAIM', 'ASSIGN'])
    expect((await director.call(ticketDetail, { feedbackId })).allowed).toEqual([])
    expect(await kinds(feedbackId)).toEqual(['created'])
  })

  test('about repayment of an overdue loan goes to the post-loan queue with its case', async () => {
    const made = await makeCase(floor, { overdueDays: 3 })
    const { feedbackId, queue } = await asha.call(addTicket, {
      userId: made.customerId,
      type: 3,
      content: 'I paid yesterday and see nothing',
      contactWay: 'sms',
    })
    expect(queue).toBe('loaned')
    expect((await asha.call(ticketDetail, { feedbackId })).ticket).toMatchObject({
      caseId: made.caseId,
      stageId: 'T2',
      held: false,
      orderId: null,
    })
    expect(await caseState(made.caseId)).toBe('unallocated')
  })

  test('for a customer or an order that does not exist is refused as not found', async () => {
    const [one, other] = [
      await makeOrder(floor, { status: 30 }),
      await makeOrder(floor, { status: 30 }),
    ]
    const given = { type: 1, content: 'Where is my loan', contactWay: 'phone' } as const
    expect(await asha.refused(addTicket, { ...given, userId: 'C999' })).toMatchObject({
      problem: { id: 'G404' },
    })
    expect(
      await asha.refused(addTicket, { ...given, userId: one.customerId, orderId: other.orderId }),
    ).toMatchObject({ problem: { id: 'G404' } })
    expect(await director.refused(addTicket, { ...given, userId: one.customerId })).toMatchObject({
      code: 403,
    })
  })

  test('sent twice is created once', async () => {
    const { customerId } = await makeOrder(floor, { status: 30 })
    const input = {
      userId: customerId,
      type: 6,
      content: 'The same words twice',
      contactWay: 'email',
    } as const
    const key = { 'idempotency-key': 'add-twice-1' }
    const answers = await Promise.all([1, 2, 3].map(() => asha.call(addTicket, input, key)))
    expect(new Set(answers.map(({ feedbackId }) => feedbackId)).size).toBe(1)
    expect((await asha.call(listTickets, { userId: customerId })).total).toBe(1)
  })

  test('can be opened by a collector only from a case of their own', async () => {
    const holder = await makeCollector(floor, unit)
    const person = await floor.signIn(holder.account)
    const [own, other] = [
      await makeCase(floor, { collectorId: holder.userId }),
      await makeCase(floor),
    ]
    const given = {
      type: 3,
      content: 'Says it was paid by UPI on Monday',
      contactWay: 'phone',
    } as const
    expect((await person.call(addTicket, { ...given, userId: own.customerId })).queue).toBe(
      'loaned',
    )
    expect(await person.refused(addTicket, { ...given, userId: other.customerId })).toMatchObject({
      problem: { id: 'G404' },
    })
  })

  test('types list their queue and their first reply minutes', async () => {
    const types = await director.call(listTicketTypes, {})
    expect(
      types.map(({ code, queue, queueWhenOverdue, slaMinutes }) => [
        code,
        queue,
        queueWhenOverdue,
        slaMinutes,
      ]),
    ).toEqual([
      [1, 'operation', 'operation', 1440],
      [2, 'operation', 'operation', 240],
      [3, 'operation', 'loaned', 240],
      [4, 'loaned', 'loaned', 480],
      [5, 'operation', 'operation', 240],
      [6, 'operation', 'operation', 1440],
    ])
  })
})

describe('a claim', () => {
  test('returns the ticket, its token and a lease of half an hour, and returns the same when repeated', async () => {
    const { feedbackId, version } = await makeTicket(floor)
    const before = (await floor.events()).at(-1)?.seq ?? 0
    const row = await asha.call(claimTicket, { feedbackId, version })
    expect(row).toMatchObject({
      progress: 'followingUp',
      followState: 'notFollowed',
      processorId: asha.userId,
      processorName: 'Customer service 1',
      token: 1,
      version: 2,
    })
    expect(
      Math.round(
        (Date.parse(row.leaseUntil ?? '') - Date.parse((await asha.call(listTickets, {})).asOf)) /
          60_000,
      ),
    ).toBe(30)
    expect(await asha.call(claimTicket, { feedbackId, version })).toEqual(row)
    const emitted = (await floor.events(before)).filter((event) => event.type.startsWith('ticket.'))
    expect(emitted.map((event) => [event.type, event.entity_version])).toEqual([
      ['ticket.assigned', 2],
      ['ticket.state.changed', 2],
    ])
    expect(emitted[0]?.rooms.toSorted()).toEqual(
      [`queue:ticket:operation`, `ticket:${feedbackId}`, `user:${asha.userId}`].toSorted(),
    )
    expect(emitted[0]?.data).toMatchObject({
      feedbackId,
      fromUserId: null,
      toUserId: asha.userId,
      cause: 'claimed',
      progress: 'followingUp',
    })
  })

  test("of another processor's ticket is refused with the processor's name and nothing else", async () => {
    const { feedbackId } = await makeClaimed(floor, asha)
    expect(await ben.refused(claimTicket, { feedbackId, version: 1 })).toMatchObject({
      code: 409,
      data: null,
      problem: { id: 'F-OWN', params: { userName: 'Customer service 1' } },
    })
  })

  test('with an outdated version is refused with the current row', async () => {
    const { feedbackId } = await makeTicket(floor)
    expect(await asha.refused(claimTicket, { feedbackId, version: 7 })).toMatchObject({
      problem: { id: 'G409' },
      data: { feedbackId, version: 1 },
    })
  })

  test('above the limit per person is refused', async () => {
    await sql`update sys_config set value = '2' where code = 'ticket.maxClaimed'`.execute(db())
    try {
      const [account] = await addPeople(floor, 'customer_service', 1)
      const person = await floor.signIn(account as string)
      const made = await Promise.all([1, 2, 3, 4].map(() => makeTicket(floor)))
      const answers = await Promise.all(
        made.map(({ feedbackId, version }) => person.send(claimTicket, { feedbackId, version })),
      )
      expect(answers.filter((answer) => answer.json<{ code: number }>().code === 200)).toHaveLength(
        2,
      )
      expect(
        await manager.call(assignTickets, {
          feedbackIds: [(await makeTicket(floor)).feedbackId],
          toUserId: person.userId,
        }),
      ).toMatchObject({ ok: [], failed: [{ problem: 'F-MAX', params: { n: 2 } }] })
    } finally {
      await sql`update sys_config set value = '50' where code = 'ticket.maxClaimed'`.execute(db())
    }
  })

  test('is kept by heartbeats until the first reply', async () => {
    const { feedbackId, token } = await makeClaimed(floor, asha)
    const now = () => asha.call(listTickets, {}).then(({ asOf }) => asOf)
    const lease = await asha.call(renewTicket, { feedbackId, token, lastInputTime: await now() })
    expect(Math.round((Date.parse(lease.leaseUntil ?? '') - Date.parse(await now())) / 1_000)).toBe(
      120,
    )
    expect(
      await ben.refused(renewTicket, { feedbackId, token, lastInputTime: await now() }),
    ).toMatchObject({ problem: { id: 'F-OWN' } })
    expect(
      await asha.refused(renewTicket, { feedbackId, token: token + 1, lastInputTime: await now() }),
    ).toMatchObject({ problem: { id: 'F-LEASE' } })
    const { version } = (await rowOf(feedbackId)) as { version: number }
    await asha.call(replyTicket, { feedbackId, version, content: 'We are looking into it' })
    expect(await asha.call(renewTicket, { feedbackId, token, lastInputTime: await now() })).toEqual(
      { leaseUntil: null, idleUntil: null, liveUntil: null },
    )
  })

  test('can be released with a reason by its processor or by a leader', async () => {
    const own = await makeClaimed(floor, asha)
    expect(
      await asha.call(releaseTicket, {
        feedbackId: own.feedbackId,
        version: own.version,
        reason: 'end of shift',
      }),
    ).toMatchObject({ progress: 'unprocessed', processorId: null, leaseUntil: null, token: 2 })
    const held = await makeClaimed(floor, asha)
    expect(
      await ben.refused(releaseTicket, {
        feedbackId: held.feedbackId,
        version: held.version,
        reason: 'let me have it',
      }),
    ).toMatchObject({ problem: { id: 'F-OWN' } })
    await manager.call(releaseTicket, {
      feedbackId: held.feedbackId,
      version: held.version,
      reason: 'sis away today',
    })
    expect(await notifications(asha, held.feedbackId)).toEqual(['tickets:notification.taken'])
    expect(
      await asha.refused(replyTicket, {
        feedbackId: held.feedbackId,
        version: held.version + 1,
        content: 'Too late',
      }),
    ).toMatchObject({ problem: { id: 'F-STATE', params: { progress: 'unprocessed' } } })
  })
})

test('is released at sign-out only where the processor has not replied', async () => {
  const [account] = await addPeople(floor, 'manager', 1)
  const person = await floor.signIn(account as string)
  const [open, answered] = [await makeClaimed(floor, person), await makeClaimed(floor, person)]
  await person.call(replyTicket, {
    feedbackId: answered.feedbackId,
    version: 2,
    content: 'We look into it',
  })
  await person.call(logout, {})
  expect(await rowOf(open.feedbackId)).toMatchObject({
    progress: 'unprocessed',
    processor_id: null,
    token: 2,
  })
  expect(await rowOf(answered.feedbackId)).toMatchObject({
    progress: 'followingUp',
    processor_id: person.userId,
  })
})

describe('an assignment', () => {
  test('moves unprocessed tickets to a person on duty and notifies them', async () => {
    const made = [await makeTicket(floor), await makeTicket(floor)]
    const taken = await makeClaimed(floor, asha)
    const ids = [...made.map(({ feedbackId }) => feedbackId), taken.feedbackId]
    expect(
      await manager.call(assignTickets, { feedbackIds: ids, toUserId: ben.userId }),
    ).toMatchObject({
      ok: ids.slice(0, 2),
      failed: [{ id: taken.feedbackId, code: 409, problem: 'F-STATE' }],
    })
    expect(await rowOf(ids[0] as string)).toMatchObject({
      progress: 'followingUp',
      processor_id: ben.userId,
      token: 1,
    })
    expect(await notifications(ben, ids[0] as string)).toEqual(['tickets:notification.assigned'])
    await sql`update sys_user set allocation_flag = false where id = ${ben.userId}`.execute(db())
    const { feedbackId } = await makeTicket(floor)
    expect(
      await manager.call(assignTickets, { feedbackIds: [feedbackId], toUserId: ben.userId }),
    ).toMatchObject({ failed: [{ problem: 'F-DUTY' }] })
    await sql`update sys_user set allocation_flag = true where id = ${ben.userId}`.execute(db())
    expect(
      await asha.refused(assignTickets, { feedbackIds: [feedbackId], toUserId: ben.userId }),
    ).toMatchObject({ code: 403 })
    expect(
      await manager.refused(assignTickets, { feedbackIds: [], toUserId: ben.userId }),
    ).toMatchObject({ problem: { id: 'G-SEL' } })
  })

  test('of more than fifty becomes a job', async () => {
    const { customerId } = await makeOrder(floor, { status: 30 })
    await sql`update sys_config set value = '5' where code = 'bulk.syncMax'`.execute(db())
    const ids: string[] = []
    for (let n = 0; n < 7; n += 1) ids.push((await makeTicket(floor, { customerId })).feedbackId)
    const { jobId, ok } = await manager.call(assignTickets, {
      feedbackIds: ids,
      toUserId: ben.userId,
    })
    expect([typeof jobId, ok]).toEqual(['string', []])
    await floor.settle()
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from feedback t where t.id = any(${ids}) and t.processor_id = ${ben.userId}`.execute(
      db(),
    )
    expect(rows[0]?.n).toBe(7)
    await sql`update sys_config set value = '50' where code = 'bulk.syncMax'`.execute(db())
  })
})

describe('a reply', () => {
  test("ends the lease and the first reply clock; the answer's clock continues", async () => {
    const { feedbackId, version } = await makeClaimed(floor, asha)
    const row = await asha.call(replyTicket, {
      feedbackId,
      version,
      content: 'Please update the app',
      remark: 'told to update',
    })
    expect(row).toMatchObject({
      progress: 'followingUp',
      followState: 'following',
      leaseUntil: null,
      version: 3,
    })
    expect(row.firstReplyTime).not.toBeNull()
    expect(Date.parse(row.dueTime) - Date.parse(row.createTime)).toBeGreaterThan(29 * 86_400_000)
    const { steps } = await ben.call(ticketSteps, { feedbackId })
    expect(steps.at(-1)).toMatchObject({
      kind: 'reply',
      content: 'Please update the app',
      remark: 'told to update',
      internal: false,
      operatorName: 'Customer service 1',
      fromState: 'followingUp',
      toState: 'followingUp',
    })
  })

  test('for colleagues only is a note: the lease and the clock continue', async () => {
    const { feedbackId, version } = await makeClaimed(floor, asha)
    const row = await asha.call(replyTicket, {
      feedbackId,
      version,
      content: 'Looks like case 12',
      internal: true,
    })
    expect(row).toMatchObject({ followState: 'following', firstReplyTime: null })
    expect(row.leaseUntil).not.toBeNull()
    expect(await kinds(feedbackId)).toEqual(['created', 'claimed', 'note'])
    const { rows } = await sql<{
      message: string | null
    }>`select s.message from feedback_step s where s.feedback_id = ${feedbackId} and s.kind = 'note'`.execute(
      db(),
    )
    expect(rows).toEqual([{ message: null }])
  })

  test('sent twice is written once, with and without an idempotency key', async () => {
    const { feedbackId, version } = await makeClaimed(floor, asha)
    const input = { feedbackId, version, content: 'Booked now' }
    const key = { 'idempotency-key': 'reply-twice-1' }
    const answers = await Promise.all([1, 2, 3].map(() => asha.send(replyTicket, input, key)))
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
    expect(await asha.refused(replyTicket, input)).toMatchObject({ problem: { id: 'G409' } })
    expect((await kinds(feedbackId)).filter((kind) => kind === 'reply')).toHaveLength(1)
  })

  test('can be written by the processor only', async () => {
    const { feedbackId, version } = await makeClaimed(floor, asha)
    for (const person of [ben, manager])
      expect(
        await person.refused(replyTicket, { feedbackId, version, content: 'Hello' }),
      ).toMatchObject({ problem: { id: 'F-OWN' } })
    expect(
      await director.refused(replyTicket, { feedbackId, version, content: 'Hello' }),
    ).toMatchObject({ code: 403 })
  })
})

describe('an escalation', () => {
  test('raises the level by one, notifies the managers and halves the remaining time', async () => {
    const { feedbackId, version, dueTime } = await makeClaimed(floor, asha, { type: 5 })
    const row = await asha.call(escalateTicket, { feedbackId, version, reason: 'needs the bank' })
    expect(row).toMatchObject({ level: 1, progress: 'followingUp', processorId: asha.userId })
    expect(Date.parse(dueTime) - Date.parse(row.dueTime)).toBeGreaterThan(115 * 60_000)
    expect(await notifications(manager, feedbackId)).toEqual(['tickets:notification.escalated'])
    let { version: v } = row
    for (const level of [2, 3]) {
      const next = await asha.call(escalateTicket, {
        feedbackId,
        version: v,
        reason: 'needs the bank',
      })
      expect(next.level).toBe(level)
      v = next.version
    }
    expect(
      await asha.refused(escalateTicket, { feedbackId, version: v, reason: 'needs the bank' }),
    ).toMatchObject({ problem: { id: 'F-TOP' } })
    expect(
      await ben.refused(escalateTicket, { feedbackId, version: v, reason: 'needs the bank' }),
    ).toMatchObject({ problem: { id: 'F-OWN' } })
  })
})

describe('a resolution', () => {
  test('closes the follow-up, keeps the processor and is shown on the ticket', async () => {
    const { feedbackId, version } = await makeClaimed(floor, asha)
    const row = await asha.call(resolveTicket, { feedbackId, version, remark: 'Reset the device' })
    expect(row).toMatchObject({
      progress: 'finished',
      followState: 'caseClosed',
      processorId: asha.userId,
      leaseUntil: null,
    })
    expect(row.firstReplyTime).toBe(row.finishTime)
    expect(await ben.call(ticketDetail, { feedbackId })).toMatchObject({
      finishedBy: 'Customer service 1',
      resolution: 'Reset the device',
      allowed: [],
    })
    expect((await manager.call(ticketDetail, { feedbackId })).allowed).toEqual(['REOPEN'])
    for (const [e, more] of [
      [replyTicket, { content: 'x' }],
      [resolveTicket, { remark: 'again' }],
      [escalateTicket, { reason: 'too late' }],
      [releaseTicket, { reason: 'too late' }],
      [claimTicket, {}],
    ] as const) {
      expect(
        await asha.refused(e, { feedbackId, version: row.version, ...more }),
        e.path,
      ).toMatchObject({ code: 409, problem: { id: 'F-STATE', params: { progress: 'finished' } } })
    }
  })

  test("of another processor's ticket can be written by a leader, who can also reopen it", async () => {
    const { feedbackId, version } = await makeClaimed(floor, asha)
    expect(await ben.refused(resolveTicket, { feedbackId, version, remark: 'done' })).toMatchObject(
      { problem: { id: 'F-OWN' } },
    )
    const ended = await manager.call(resolveTicket, {
      feedbackId,
      version,
      remark: 'Settled with the bank',
    })
    expect(await notifications(asha, feedbackId)).toEqual(['tickets:notification.resolved'])
    expect(
      await asha.refused(reopenTicket, { feedbackId, version: ended.version, reason: 'not done' }),
    ).toMatchObject({ code: 403 })
    const open = await manager.call(reopenTicket, {
      feedbackId,
      version: ended.version,
      reason: 'the bank says no',
    })
    expect(open).toMatchObject({
      progress: 'followingUp',
      followState: 'following',
      processorId: asha.userId,
      finishTime: null,
      leaseUntil: null,
    })
    expect(await kinds(feedbackId)).toEqual(['created', 'claimed', 'resolved', 'reopened'])
    expect(
      await manager.refused(reopenTicket, {
        feedbackId,
        version: open.version,
        reason: 'again please',
      }),
    ).toMatchObject({ problem: { id: 'F-STATE' } })
  })
})

describe('a grievance', () => {
  test("holds the customer's case until it is resolved, and again when it is reopened", async () => {
    const holder = await makeCollector(floor, unit)
    const made = await makeCase(floor, { collectorId: holder.userId, overdueDays: 2 })
    const before = (await floor.events()).at(-1)?.seq ?? 0
    const { feedbackId, queue } = await asha.call(addTicket, {
      userId: made.customerId,
      type: 4,
      content: 'He calls me at night',
      contactWay: 'phone',
    })
    expect([queue, await caseState(made.caseId)]).toEqual(['loaned', 'held'])
    expect(
      (await floor.events(before)).filter((event) => event.type === 'case.stop.changed'),
    ).toHaveLength(1)
    const row = (await asha.call(ticketDetail, { feedbackId })).ticket
    expect(row).toMatchObject({
      caseId: made.caseId,
      held: true,
      aboutId: holder.userId,
      department: unit.departmentId,
    })
    const claimed = await asha.call(claimTicket, { feedbackId, version: row.version })
    const ended = await asha.call(resolveTicket, {
      feedbackId,
      version: claimed.version,
      remark: 'Spoke to the collector',
    })
    expect(await caseState(made.caseId)).toBe('allocated')
    const open = await manager.call(reopenTicket, {
      feedbackId,
      version: ended.version,
      reason: 'it happened again',
    })
    expect(await caseState(made.caseId)).toBe('held')
    await asha.call(resolveTicket, {
      feedbackId,
      version: open.version,
      remark: 'Case moved to somebody else',
    })
    expect(await caseState(made.caseId)).toBe('allocated')
  })

  test('holds the case together with a second one until both are resolved', async () => {
    const made = await makeCase(floor, { overdueDays: 2 })
    const tickets = [
      await makeTicket(floor, { type: 5, customerId: made.customerId }),
      await makeTicket(floor, { type: 4, customerId: made.customerId }),
    ]
    const states: (string | undefined)[] = []
    for (const { feedbackId, version } of tickets) {
      states.push(await caseState(made.caseId))
      const claimed = await asha.call(claimTicket, { feedbackId, version })
      await asha.call(resolveTicket, { feedbackId, version: claimed.version, remark: 'Answered' })
    }
    expect([...states, await caseState(made.caseId)]).toEqual(['held', 'held', 'unallocated'])
  })
})

test('a person switches automatic distribution for themselves, a leader for others', async () => {
  expect(await asha.call(setDistribution, { userId: asha.userId, status: 1 })).toEqual({
    userId: asha.userId,
    distributionOn: true,
  })
  expect((await asha.call(listTickets, {})).stats).toMatchObject({
    takers: 1,
    distributionOn: true,
  })
  expect((await ben.call(listTickets, { queue: 'operation' })).stats).toMatchObject({
    takers: 1,
    distributionOn: false,
  })
  expect((await director.call(listTickets, {})).stats.distributionOn).toBeNull()
  expect(await asha.refused(setDistribution, { userId: ben.userId, status: 1 })).toMatchObject({
    code: 403,
  })
  const before = (await floor.events()).at(-1)?.seq ?? 0
  await manager.call(setDistribution, { userId: asha.userId, status: 0 })
  expect(
    (await floor.events(before))
      .filter((event) => event.type === 'ticket.distribution.changed')
      .map(({ data }) => data),
  ).toEqual([
    { queue: 'operation', userId: asha.userId, on: false, takers: 0 },
    { queue: 'loaned', userId: asha.userId, on: false, takers: 0 },
  ])
  expect(
    await manager.refused(setDistribution, { userId: director.userId, status: 1 }),
  ).toMatchObject({ problem: { id: 'F-DUTY' } })
})

test('the next ticket is the one due first that nobody holds, and two people get two', async () => {
  const late = await makeTicket(floor)
  const first = await makeTicket(floor)
  const second = await makeTicket(floor)
  await sql`
    update feedback t
    set reply_due_at = case t.id when ${first.feedbackId} then timestamptz '2020-01-01'
      when ${second.feedbackId} then timestamptz '2020-01-02' else timestamptz '2020-01-03' end
    where t.id = any(${[late, first, second].map(({ feedbackId }) => feedbackId)}::text[])`.execute(
    db(),
  )
  const queue = 'operation' as const
  const claimed = await Promise.all([
    asha.call(claimNextTicket, { queue }),
    ben.call(claimNextTicket, { queue }),
  ])
  expect(claimed.map(({ feedbackId }) => feedbackId).toSorted()).toEqual(
    [first, second].map(({ feedbackId }) => feedbackId).toSorted(),
  )
  expect(claimed.map(({ processorId }) => processorId)).toEqual([asha.userId, ben.userId])
  expect((await director.refused(claimNextTicket, { queue })).code).toBe(403)
})
