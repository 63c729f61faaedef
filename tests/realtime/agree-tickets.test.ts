/**
 * The ticket lists: a list plus the events received since equals a new read, for customer service,
 * a department, its leader and a manager, over real sockets.
 */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resumeStops } from '#shared/collection/stops-api.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { currentRole, userInfo } from '#shared/session/session-api.ts'
import { TICKET_TABS, type TicketTab } from '#shared/tickets/ticket-sets.ts'
import {
  addTicket,
  assignTickets,
  claimTicket,
  decideTransfers,
  escalateTicket,
  listTickets,
  releaseTicket,
  reopenTicket,
  replyTicket,
  resolveTicket,
  setDistribution,
  transferTickets,
} from '#shared/tickets/tickets-api.ts'
import {
  applyTicketEvents,
  TICKET_EVENTS,
  TICKET_LIST_EVENTS,
} from '#client/features/tickets/ticket-apply.ts'
import type { TicketRow, Viewer } from '#client/features/tickets/ticket-types.ts'
import { receiveEvaluation } from '#gateway/manage/features/tickets/inbound/receive-evaluation.ts'
import { receiveFeedback } from '#gateway/manage/features/tickets/inbound/receive-feedback.ts'
import { ticketSla } from '#gateway/manage/features/tickets/clock/ticket-sla-job.ts'
import { ticketSweep } from '#gateway/manage/features/tickets/clock/ticket-sweep-job.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { bySystem, makeClaimed, makeLoanedTicket, makeTicket } from '#tests/factories/tickets.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import type { Person } from '#tests/support/manage.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import { type Listener, WebPerson } from '#tests/support/web-person.ts'

interface Look {
  name: string
  person: Person
  received: Listener
  viewer: Viewer
}

let stack: Stack
let unit: Unit
let asha: Person
let ben: Person
let specialist: Person
let manager: Person
const looks: Look[] = []

beforeAll(async () => {
  stack = await startStack()
  unit = await makeUnit(stack, { inHouse: true })
  const outside = await makeUnit(stack, { inHouse: false })
  const accounts = {
    asha: 'customer_service',
    ben: 'customer_service2',
    manager: 'manager',
    specialist: (await makeCollector(stack, unit, { role: 'collection_specialist' })).account,
    supervisor: (await makeLeader(stack, unit, 'internal_supervisor')).account,
    outsider: (await makeLeader(stack, outside, 'external_supervisor')).account,
  }
  for (const [name, account] of Object.entries(accounts)) {
    const person = await stack.signIn(account)
    const [{ user }, { permissions }] = await Promise.all([
      person.call(userInfo, {}),
      person.call(currentRole, {}),
    ])
    const received = await (await WebPerson.signIn(stack.url, account)).listen().ready()
    looks.push({
      name,
      person,
      received,
      viewer: {
        userId: user.userId,
        departmentId: user.scope.departmentId,
        codes: new Set(permissions),
      },
    })
  }
  const by = (name: string) => (looks.find((look) => look.name === name) as Look).person
  ;[asha, ben, specialist, manager] = [by('asha'), by('ben'), by('specialist'), by('manager')]
})
afterAll(async () => {
  for (const { received } of looks) received.close()
  await stack.close()
})

const db = () => stack.database.kysely
async function versionOf(feedbackId: string): Promise<number> {
  return (
    await sql<{
      version: number
    }>`select t.version from feedback t where t.id = ${feedbackId}`.execute(db())
  ).rows[0]?.version as number
}
async function offerOf(feedbackId: string): Promise<string> {
  return (
    await sql<{
      id: string
    }>`select h.id from feedback_handover h where h.feedback_id = ${feedbackId} and h.state = 'pending'`.execute(
      db(),
    )
  ).rows[0]?.id as string
}
async function customerOf(feedbackId: string): Promise<string> {
  return (
    await sql<{
      id: string
    }>`select t.customer_id as id from feedback t where t.id = ${feedbackId}`.execute(db())
  ).rows[0]?.id as string
}
const claimed = async (): Promise<string> => (await makeClaimed(stack, asha)).feedbackId
/** A post-loan ticket of a case in the department, handled by its specialist. */
async function loaned(type: 3 | 4 = 3): Promise<string> {
  const holder = await makeCollector(stack, unit)
  const { ticket } = await makeLoanedTicket(stack, { collectorId: holder.userId, type })
  await manager.call(assignTickets, {
    feedbackIds: [ticket.feedbackId],
    toUserId: specialist.userId,
  })
  return ticket.feedbackId
}
async function answered(): Promise<string> {
  const id = await claimed()
  await asha.call(replyTicket, { feedbackId: id, version: 2, content: 'We look into it' })
  return id
}
async function ended(id: string, by = asha): Promise<string> {
  await by.call(resolveTicket, { feedbackId: id, version: await versionOf(id), remark: 'Answered' })
  return id
}
async function offered(): Promise<string> {
  const id = await answered()
  await asha.call(transferTickets, {
    feedbackIds: [id],
    toUserId: ben.userId,
    reason: 'end of shift',
  })
  return id
}
async function write(id: string): Promise<unknown> {
  const userId = await customerOf(id)
  return bySystem(stack, (tx) =>
    receiveFeedback(tx, {
      userId,
      feedbackId: id,
      type: 1,
      content: 'Is anybody there',
      contactWay: 'sms',
      files: [],
    }),
  )
}
async function rate(id: string, evaluation: number): Promise<unknown> {
  const userId = await customerOf(id)
  return bySystem(stack, (tx) => receiveEvaluation(tx, { userId, feedbackId: id, evaluation }))
}

interface Move {
  name: string
  emits: string[]
  arrange: () => Promise<string>
  act: (feedbackId: string) => Promise<unknown>
}
const MOVES: Move[] = [
  {
    name: 'a new ticket',
    emits: ['ticket.created'],
    arrange: () => claimed(),
    act: async (id) =>
      asha.call(addTicket, {
        userId: await customerOf(id),
        type: 6,
        content: 'Please change my address',
        contactWay: 'phone',
      }),
  },
  {
    name: 'a complaint',
    emits: ['ticket.created'],
    arrange: async () =>
      (
        await makeCase(stack, {
          overdueDays: 9,
          collectorId: (await makeCollector(stack, unit)).userId,
        })
      ).customerId,
    act: (userId) =>
      asha.call(addTicket, {
        userId,
        type: 4,
        content: 'He calls me at night',
        contactWay: 'phone',
      }),
  },
  {
    name: 'a claim',
    emits: ['ticket.assigned', 'ticket.state.changed'],
    arrange: async () => (await makeTicket(stack)).feedbackId,
    act: (id) => asha.call(claimTicket, { feedbackId: id, version: 1 }),
  },
  {
    name: 'an assignment',
    emits: ['ticket.assigned'],
    arrange: async () =>
      (await makeLoanedTicket(stack, { collectorId: (await makeCollector(stack, unit)).userId }))
        .ticket.feedbackId,
    act: (id) => manager.call(assignTickets, { feedbackIds: [id], toUserId: specialist.userId }),
  },
  {
    name: 'a first answer',
    emits: ['ticket.replied', 'ticket.state.changed'],
    arrange: claimed,
    act: (id) => asha.call(replyTicket, { feedbackId: id, version: 2, content: 'We look into it' }),
  },
  {
    name: 'a note',
    emits: ['ticket.replied', 'ticket.state.changed'],
    arrange: claimed,
    act: (id) =>
      asha.call(replyTicket, {
        feedbackId: id,
        version: 2,
        content: 'Ask the bank',
        internal: true,
      }),
  },
  {
    name: 'a customer reply',
    emits: ['ticket.replied', 'ticket.state.changed'],
    arrange: claimed,
    act: write,
  },
  {
    name: 'a customer reply after the end',
    emits: ['ticket.state.changed', 'ticket.replied'],
    arrange: async () => ended(await answered()),
    act: write,
  },
  {
    name: 'a good rating',
    emits: ['ticket.state.changed'],
    arrange: async () => ended(await claimed()),
    act: (id) => rate(id, 5),
  },
  {
    name: 'a bad rating',
    emits: ['ticket.state.changed'],
    arrange: async () => ended(await claimed()),
    act: (id) => rate(id, 1),
  },
  {
    name: 'a release',
    emits: ['ticket.assigned', 'ticket.state.changed'],
    arrange: answered,
    act: async (id) =>
      asha.call(releaseTicket, {
        feedbackId: id,
        version: await versionOf(id),
        reason: 'end of shift',
      }),
  },
  {
    name: 'a lease about to expire',
    emits: ['ticket.lease.expiring'],
    arrange: async () => {
      const id = await claimed()
      await sql`
        update feedback set idle_until = clock_timestamp() + interval '40 seconds',
          warned_at = clock_timestamp() where id = ${id}`.execute(db())
      return id
    },
    act: async (id) => {
      await sql`update feedback set warned_at = null where id = ${id}`.execute(db())
      await ticketSweep.run(stack.context)
    },
  },
  {
    name: 'an expired lease',
    emits: ['ticket.assigned', 'ticket.state.changed'],
    arrange: claimed,
    act: async (id) => {
      await sql`update feedback set idle_until = clock_timestamp() where id = ${id}`.execute(db())
      await ticketSweep.run(stack.context)
    },
  },
  {
    name: 'an offer to a colleague',
    emits: ['ticket.handover.changed'],
    arrange: answered,
    act: (id) =>
      asha.call(transferTickets, {
        feedbackIds: [id],
        toUserId: ben.userId,
        reason: 'end of shift',
      }),
  },
  {
    name: 'an offer to a department',
    emits: ['ticket.handover.changed'],
    arrange: async () => {
      const { ticket } = await makeLoanedTicket(stack)
      return (await asha.call(claimTicket, { feedbackId: ticket.feedbackId, version: 1 }))
        .feedbackId
    },
    act: (id) =>
      asha.call(transferTickets, {
        feedbackIds: [id],
        toDepartment: unit.departmentId,
        reason: 'theirs to answer',
      }),
  },
  {
    name: 'an offer accepted',
    emits: ['ticket.handover.changed', 'ticket.assigned'],
    arrange: offered,
    act: async (id) =>
      ben.call(decideTransfers, { handoverIds: [await offerOf(id)], result: 'approved' }),
  },
  {
    name: 'an offer refused',
    emits: ['ticket.handover.changed'],
    arrange: offered,
    act: async (id) =>
      ben.call(decideTransfers, {
        handoverIds: [await offerOf(id)],
        result: 'rejected',
        reason: 'my desk is full',
      }),
  },
  {
    name: 'an offer withdrawn',
    emits: ['ticket.handover.changed'],
    arrange: offered,
    act: async (id) =>
      asha.call(decideTransfers, { handoverIds: [await offerOf(id)], result: 'cancelled' }),
  },
  {
    name: 'an expired offer',
    emits: ['ticket.handover.changed'],
    arrange: offered,
    act: async (id) => {
      await sql`
        update feedback_handover set expires_at = clock_timestamp() where id = ${await offerOf(id)}`.execute(
        db(),
      )
      await ticketSweep.run(stack.context)
    },
  },
  {
    name: 'a post-loan ticket returned to customer service',
    emits: ['ticket.assigned'],
    arrange: () => loaned(),
    act: (id) =>
      manager.call(transferTickets, {
        feedbackIds: [id],
        toUserId: ben.userId,
        reason: 'needs the centre',
      }),
  },
  {
    name: 'an escalation',
    emits: ['ticket.escalated'],
    arrange: answered,
    act: async (id) =>
      asha.call(escalateTicket, {
        feedbackId: id,
        version: await versionOf(id),
        reason: 'needs the bank',
      }),
  },
  {
    name: 'a missed reply deadline',
    emits: ['ticket.sla.due'],
    arrange: async () => {
      const id = await claimed()
      await sql`
        update feedback set reply_due_at = clock_timestamp() - interval '1 minute', sla_told = 2
          where id = ${id}`.execute(db())
      return id
    },
    act: async (id) => {
      await sql`update feedback set sla_told = 1 where id = ${id}`.execute(db())
      await ticketSla.run(stack.context)
    },
  },
  {
    name: 'a finished ticket',
    emits: ['ticket.state.changed'],
    arrange: claimed,
    act: async (id) => ended(id),
  },
  {
    name: 'a ticket finished with an open offer',
    emits: ['ticket.state.changed', 'ticket.handover.changed'],
    arrange: offered,
    act: async (id) => ended(id, manager),
  },
  {
    name: 'a finished grievance',
    emits: ['ticket.state.changed'],
    arrange: () => loaned(4),
    act: async (id) => ended(id, manager),
  },
  {
    name: 'a grievance found frivolous',
    emits: [],
    arrange: () => loaned(4),
    act: async (id) => {
      const { rows } = await sql<{
        id: string
      }>`select s.id from stop_collection s where s.ticket_id = ${id}`.execute(db())
      await manager.call(resumeStops, { stopIds: [rows[0]?.id as string], remark: 'Nothing in it' })
    },
  },
  {
    name: 'a reopened ticket',
    emits: ['ticket.state.changed'],
    arrange: async () => ended(await answered()),
    act: async (id) =>
      manager.call(reopenTicket, {
        feedbackId: id,
        version: await versionOf(id),
        reason: 'the bank says no',
      }),
  },
  {
    name: 'a user with automatic assignment',
    emits: ['ticket.distribution.changed'],
    arrange: () => claimed(),
    act: () =>
      ben
        .call(setDistribution, { userId: ben.userId, status: 1 })
        .then(() => ben.call(setDistribution, { userId: ben.userId, status: 0 })),
  },
]

const covered = new Set<string>()

test.each(MOVES)('$name: every list equals a new read', async ({ emits, arrange, act }) => {
  const id = await arrange()
  await stack.settle()
  const read = []
  for (const look of looks) {
    await look.received.watch('menu:nothing')
    for (const tab of TICKET_TABS)
      read.push({
        look,
        tab,
        from: look.received.events.length,
        rows: (await look.person.call(listTickets, { tab, pageSize: 200 })).rows,
      })
  }
  await act(id)
  await stack.settle()
  const delivered = new Set<string>()
  const wrong: string[] = []
  for (const { look, tab, from, rows } of read) {
    await look.received.watch('menu:nothing')
    const events = look.received.events
      .slice(from)
      .filter((event) => TICKET_LIST_EVENTS.includes(event.type))
    for (const event of events) delivered.add(event.type)
    // Another agency receives none of these events.
    if (look.name === 'outsider')
      expect(
        events.filter((event) => TICKET_EVENTS.includes(event.type)).map((event) => event.type),
      ).toEqual([])
    const fresh = (await look.person.call(listTickets, { tab, pageSize: 200 })).rows
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
  for (const type of delivered) covered.add(type)
})

test('every ticket event type was received in one of these moves', () => {
  expect(TICKET_EVENTS.filter((type) => !covered.has(type))).toEqual([])
})

test('the subject of a complaint and the former holder of a ticket receive no events', async () => {
  const by = (name: string) => looks.find((look) => look.name === name) as Look
  const delivered = async ({ received }: Look, feedbackId: string) => {
    await stack.settle()
    await received.watch('menu:nothing')
    return received.events
      .filter((event) => event.subject === `ticket:${feedbackId}`)
      .map((event) => event.type)
  }
  const { customerId } = await makeCase(stack, { overdueDays: 9, collectorId: specialist.userId })
  const { feedbackId } = await asha.call(addTicket, {
    userId: customerId,
    type: 4,
    content: 'He calls me at night',
    contactWay: 'phone',
  })
  expect(
    await by('specialist').received.socket.emitWithAck('watch', {
      kind: 'ticket',
      key: feedbackId,
    }),
  ).not.toMatchObject({ code: 200 })
  await asha.call(claimTicket, { feedbackId, version: 1 })
  expect(await delivered(by('specialist'), feedbackId)).toEqual([])
  expect(await delivered(by('supervisor'), feedbackId)).toEqual([
    'ticket.created',
    'ticket.assigned',
    'ticket.state.changed',
  ])
  // A post-loan ticket of another collector's case, handled and handed over again.
  const id = await loaned()
  expect(
    await by('specialist').received.socket.emitWithAck('watch', { kind: 'ticket', key: id }),
  ).toMatchObject({ code: 200 })
  await manager.call(transferTickets, {
    feedbackIds: [id],
    toUserId: ben.userId,
    reason: 'needs the centre',
  })
  await by('specialist').received.until((events) =>
    events.some(
      (event) => event.type === 'ticket.access.changed' && event.subject === `ticket:${id}`,
    ),
  )
  await stack.settle()
  const before = (await delivered(by('specialist'), id)).length
  await ben.call(replyTicket, {
    feedbackId: id,
    version: await versionOf(id),
    content: 'We look into it',
  })
  expect((await delivered(by('specialist'), id)).slice(before)).toEqual([])
})

/**
 * Unchanged rows must be right, new rows must have been announced, removed rows must have been
 * marked as leaving; an event that requests a new page covers both.
 */
function differences(
  { viewer }: Look,
  tab: TicketTab,
  stale: TicketRow[],
  fresh: TicketRow[],
  events: LiveEvent[],
): string[] {
  const rows = new Map(stale.map((row) => [row.feedbackId, row]))
  const { changes, read, needsRefetch } = applyTicketEvents(
    { tab, queue: null, viewer, filters: {}, rows },
    events,
    (why) => why,
  )
  for (const change of changes) {
    const row = change.kind === 'patch' ? rows.get(change.id) : undefined
    // The patch type belongs to the list.
    if (row && change.kind === 'patch')
      rows.set(change.id, { ...row, ...(change.changes as Partial<TicketRow>) })
  }
  const left = new Set(changes.flatMap((change) => (change.kind === 'leave' ? [change.id] : [])))
  const arrived = new Set(changes.flatMap((change) => (change.kind === 'new' ? [change.id] : [])))
  const wrong: string[] = []
  for (const row of fresh) {
    const shown = left.has(row.feedbackId) ? undefined : rows.get(row.feedbackId)
    if (!shown && !arrived.has(row.feedbackId) && !needsRefetch)
      wrong.push(`${row.feedbackId} is there and was not announced`)
    if (!shown || read.has(row.feedbackId)) continue
    const fields = (Object.keys(row) as (keyof TicketRow)[]).filter(
      (field) => !isDeepStrictEqual(row[field], shown[field]),
    )
    if (fields.length > 0) {
      const different = fields.map(
        (field) => `${field} ${String(shown[field])} for ${String(row[field])}`,
      )
      wrong.push(`${row.feedbackId} shows ${different.join(', ')}`)
    }
  }
  const now = new Set(fresh.map((row) => row.feedbackId))
  for (const id of rows.keys())
    if (!left.has(id) && !now.has(id) && !read.has(id) && !needsRefetch)
      wrong.push(`${id} should have left`)
  return wrong
}

function labelOf({ type, version }: { type: string; version?: number }): string {
  return `${type} v${version ?? '-'}`
}
