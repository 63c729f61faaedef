/**
 * The lists of a segment: a list plus the events received since equals a new read, in every lane,
 * for two telemarketers, their leader and a manager, over real sockets.
 */
import { isDeepStrictEqual } from 'node:util'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { grantCoupon } from '#shared/coupons/coupons-api.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { userInfo } from '#shared/session/session-api.ts'
import { assignTasks } from '#shared/telemarketing/person-api.ts'
import { claimTask, followTask, listTasks, releaseTask } from '#shared/telemarketing/tele-api.ts'
import { LANES, type Lane } from '#shared/telemarketing/tele-sets.ts'
import { applyTeleEvents, TELE_LIST_EVENTS } from '#client/features/telemarketing/tele-apply.ts'
import type { TeleRow } from '#client/features/telemarketing/tele-types.ts'
import { teleTasks } from '#gateway/manage/features/telemarketing/segments/task-follow-job.ts'
import { makeTaker, makeUncertified } from '#tests/factories/telemarketing.ts'
import type { Person } from '#tests/support/manage.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import { type Listener, WebPerson } from '#tests/support/web-person.ts'

interface Look {
  name: string
  person: Person
  received: Listener
  /** Null = sees more than their own customers. */
  ownOf: string | null
}

const segment = 'no_certified' as const
const COUPON = 'CP99'
let stack: Stack
let caller: Person
let manager: Person
const looks: Look[] = []

beforeAll(async () => {
  stack = await startStack()
  for (const account of ['tele_uncertified', 'salesman', 'group_leader', 'manager']) {
    const person = await stack.signIn(account)
    const { user } = await person.call(userInfo, {})
    const received = await (await WebPerson.signIn(stack.url, account)).listen().ready()
    const ownOf = user.scope.kind === 'own' ? user.userId : null
    looks.push({ name: account, person, received, ownOf })
  }
  const by = (name: string) => (looks.find((look) => look.name === name) as Look).person
  ;[caller, manager] = [by('tele_uncertified'), by('manager')]
  await makeTaker(stack.database, caller.userId, [segment])
  await sql`
    insert into coupon (id, name, type, amount_type, preferential_type, discount_amount, valid_days,
      creator_name)
    values (${COUPON}, 'Fine off', 'reduction', 'fixed', 'overdueFine', 5000, 30, 'Manager')`.execute(
    db(),
  )
})
afterAll(async () => {
  for (const { received } of looks) received.close()
  await stack.close()
})

const db = () => stack.database.kysely
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** A customer with a task in the pool. */
async function waiting(): Promise<string> {
  const customerId = await makeUncertified(stack)
  await teleTasks.run(stack.context)
  const { rows } = await manager.call(listTasks, { segment, userId: customerId })
  return rows[0]?.taskId as string
}
async function claimed(): Promise<string> {
  const taskId = await waiting()
  await caller.call(claimTask, { segment, taskId })
  return taskId
}
async function taskOf(taskId: string): Promise<TeleRow> {
  return (await manager.call(listTasks, { segment, taskId })).rows[0] as TeleRow
}
async function follow(taskId: string, more: { result: number; nextFollowTime?: string }) {
  const { version, token } = await taskOf(taskId)
  return caller.call(followTask, { taskId, version, token, contactWay: 'phone', ...more })
}
async function followed(): Promise<string> {
  const taskId = await claimed()
  await follow(taskId, { result: 28 })
  return taskId
}
async function change(taskId: string, set: 'certified' | 'blacklisted'): Promise<void> {
  await sql`
    update customer set ${sql.ref(set)} = true
    where id = (select t.customer_id from tele_task t where t.id = ${taskId})`.execute(db())
  await teleTasks.run(stack.context)
}

interface Move {
  name: string
  emits: string
  arrange: () => Promise<string>
  act: (taskId: string) => Promise<unknown>
}
const MOVES: Move[] = [
  {
    name: 'a customer registers',
    emits: 'tele.task.assigned',
    arrange: waiting,
    act: waiting,
  },
  {
    name: 'a claim',
    emits: 'tele.task.assigned',
    arrange: waiting,
    act: (taskId) => caller.call(claimTask, { segment, taskId }),
  },
  {
    name: 'a first follow-up',
    emits: 'tele.followed',
    arrange: claimed,
    act: (taskId) => follow(taskId, { result: 28 }),
  },
  {
    name: 'a follow-up that names another day',
    emits: 'tele.followed',
    arrange: followed,
    act: (taskId) => follow(taskId, { result: 21, nextFollowTime: inDays(3) }),
  },
  {
    name: 'a task given back',
    emits: 'tele.task.assigned',
    arrange: followed,
    async act(taskId) {
      const { version, token } = await taskOf(taskId)
      await caller.call(releaseTask, { taskId, version, token })
    },
  },
  {
    name: 'a lease that ends',
    emits: 'tele.task.assigned',
    arrange: claimed,
    async act(taskId) {
      await sql`update tele_task set idle_until = clock_timestamp() where id = ${taskId}`.execute(
        db(),
      )
      await teleTasks.run(stack.context)
    },
  },
  {
    name: 'a task given by a leader',
    emits: 'tele.task.assigned',
    arrange: waiting,
    act: (taskId) =>
      manager.call(
        assignTasks,
        { segment, taskIds: [taskId], assigneeIds: [caller.userId] },
        { 'idempotency-key': randomUUID() },
      ),
  },
  {
    name: 'a coupon',
    emits: 'coupon.granted',
    arrange: followed,
    async act(taskId) {
      const { userId } = await taskOf(taskId)
      await manager.call(
        grantCoupon,
        { couponId: COUPON, userIds: [userId] },
        { 'idempotency-key': randomUUID() },
      )
    },
  },
  {
    name: 'a conversion',
    emits: 'tele.task.assigned',
    arrange: followed,
    act: (taskId) => change(taskId, 'certified'),
  },
  {
    name: 'a customer who came back alone',
    emits: 'tele.task.assigned',
    arrange: waiting,
    act: (taskId) => change(taskId, 'certified'),
  },
  {
    name: 'a customer who is blacklisted',
    emits: 'tele.task.assigned',
    arrange: claimed,
    act: (taskId) => change(taskId, 'blacklisted'),
  },
]

const covered = new Set<string>()

test.each(MOVES)('$name: every list equals a new read', async ({ emits, arrange, act }) => {
  const taskId = await arrange()
  await stack.settle()
  const read = []
  for (const look of looks) {
    // as the screen does for users with access to coupons
    if (look.ownOf === null) await look.received.watch('menu:coupon_list')
    await look.received.watch('menu:nothing')
    for (const lane of LANES)
      read.push({ look, lane, from: look.received.events.length, rows: await rowsOf(look, lane) })
  }
  await act(taskId)
  await stack.settle()
  const delivered = new Set<string>()
  const wrong: string[] = []
  for (const { look, lane, from, rows } of read) {
    await look.received.watch('menu:nothing')
    const events = look.received.events
      .slice(from)
      .filter((event) => TELE_LIST_EVENTS.includes(event.type))
    for (const event of events) delivered.add(event.type)
    const found = await differences(look, lane, rows, events)
    wrong.push(...found.map((what) => `${look.name}, ${lane}: ${what}`))
  }
  expect(wrong).toEqual([])
  expect([...delivered]).toContain(emits)
  for (const type of delivered) covered.add(type)
})

test('every event of the lists was received in one of these moves', () => {
  expect(TELE_LIST_EVENTS.filter((type) => !covered.has(type))).toEqual([])
})

async function rowsOf({ person }: Look, lane: Lane, taskId?: string): Promise<TeleRow[]> {
  const asked = { segment, lane, pageSize: 200, ...(taskId === undefined ? {} : { taskId }) }
  return (await person.call(listTasks, asked)).rows
}

/** What the screen makes of the events, beside what a new read gives. */
async function differences(
  look: Look,
  lane: Lane,
  stale: TeleRow[],
  events: LiveEvent[],
): Promise<string[]> {
  const view = { segment, lane, ownOf: look.ownOf }
  const before = new Map(stale.map((row) => [row.taskId, row]))
  const { changes, read, needsRefetch } = applyTeleEvents(before, events, view, (key) => key)
  const shown = new Map(before)
  for (const one of changes)
    if (one.kind === 'leave') shown.delete(one.id)
    else if (one.kind === 'patch') {
      const row = shown.get(one.id)
      if (row) shown.set(one.id, { ...row, ...one.changes })
    }
  for (const id of read.keys()) {
    const [row] = await rowsOf(look, lane, id)
    if (row) shown.set(id, row)
    else shown.delete(id)
  }
  const fresh = await rowsOf(look, lane)
  const missing = fresh.filter(({ taskId }) => !shown.has(taskId))
  // a coupon for somebody else's customer is not heard, and read with the page soon after
  const same = (a: TeleRow, b: TeleRow) =>
    isDeepStrictEqual(a, look.ownOf === null ? b : { ...b, couponName: a.couponName })
  return [
    ...(missing.length > 0 && !needsRefetch
      ? [`${missing.length} new rows, nothing asked for`]
      : []),
    ...[...shown].flatMap(([id, row]) => {
      const now = fresh.find(({ taskId }) => taskId === id)
      if (now === undefined) return [`${id} stays`]
      return same(row, now) ? [] : [`${id}: ${JSON.stringify(row)} ≠ ${JSON.stringify(now)}`]
    }),
  ]
}
