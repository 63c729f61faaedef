/** A list plus the events received since equals a new read, for every event type. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LiveEventKind } from '#shared/kernel/live.ts'
import { GRANT_EVENTS } from '#client/features/coupons/grant-apply.ts'
import { HEALTH_EVENTS } from '#client/features/vendors/vendor-apply.ts'
import { CASE_EVENTS } from '#client/features/collection/desk/case-apply.ts'
import { REVIEW_EVENTS } from '#client/features/review/review-events.ts'
import { TICKET_EVENTS } from '#client/features/tickets/ticket-apply.ts'
import { ORDER_LIST_EVENTS } from '#client/features/orders/list/order-apply.ts'
import { ORDER_DETAIL_EVENTS } from '#client/features/orders/detail/detail-apply.ts'
import {
  PROOF_LIST_EVENTS,
  RECORD_LIST_EVENTS,
  REDUCTION_LIST_EVENTS,
  WRITE_OFF_LIST_EVENTS,
} from '#client/features/repayments/list/payment-apply.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import type { Person } from '#tests/support/manage.ts'
import { type Listener, WebPerson } from '#tests/support/web-person.ts'
import { DECISION_MOVES } from './agree-decision-moves.ts'
import { ORDER_MOVES } from './agree-order-moves.ts'
import { QUEUE_MOVES } from './agree-queue-moves.ts'
import { type Scene, sceneOf } from './agree-scene.ts'
import { orderDetailScreen, orderScreens, reviewScreens, type Screen } from './agree-screens.ts'

/** Types tested in a file of their own. */
const PROVED: readonly string[] = [
  ...CASE_EVENTS,
  ...TICKET_EVENTS,
  ...PROOF_LIST_EVENTS,
  ...RECORD_LIST_EVENTS,
  ...REDUCTION_LIST_EVENTS,
  ...WRITE_OFF_LIST_EVENTS,
  ...GRANT_EVENTS,
  ...HEALTH_EVENTS,
]

/** Declared types that no screen applies to rows, each with the reason. */
const NO_ROWS: Record<string, string> = {
  'session.revoked':
    'ends the session of its hearer; there is no list left to apply it to (rooms.test.ts)',
  'notification.changed': 'the notification centre reads its list and its count again',
  'customer.changed': 'the list and the page of the customer are read again',
  'tele.task.assigned': 'a closed task leaves, every other row is read again (tele-apply.test.ts)',
  'tele.followed': 'the row of the task is read again',
  'tele.node.run':
    'lists of the segment and the page of nodes are read again: a run changes thousands of rows',
  'tele.node.changed': 'the page of nodes is read again',
  'tele.lease.expiring': 'the banner of the desk counts the lease itself',
  'coupon.changed': 'the list of coupons reads its page again',
  'coupons.granted': 'the lists of coupons and what customers hold of them are read again',
  'blacklist.changed': 'the list, the blacklist and the page of the customer are read again',
  'config.refreshed': 'the screens of settings read their page again',
  'dict.changed': 'the page of dictionaries is read again',
  'notice.published': 'the tray and the page of announcements are read again',
  'notice.withdrawn': 'the tray and the page of announcements are read again',
  'menu.changed': 'the frame reads the menu and the permissions again',
  'user.changed': 'the page of accounts is read again',
  'presence.changed': 'the pages of accounts, collectors and telemarketers are read again',
  'stage.changed': 'the screens of set-up read their page again with each of these',
  'agency.changed': 'the screens of set-up read their page again',
  'collector.changed': 'the screens of set-up read their page again',
  'schedule.changed': 'the duty table is read again',
  'allocation.run.changed':
    'the allocation screen shows a run as a whole; its cases are announced by cases.allocated and cases.recalled',
  'case.access.changed':
    'makes sockets ask for their rooms again; nothing is shown of it (rooms-cases.test.ts)',
  'ticket.access.changed':
    'makes sockets ask for their rooms again; nothing is shown of it (agree-tickets.test.ts)',
  'change.changed': 'the page of changes is read again with each of these',
  'board.changed': 'the page of screens is read again; a screen reads its board again',
  'report.refreshed': 'a report reads its figures again',
  'board.tick':
    'a board is not a list of rows: tested in gateway/manage/features/wall/figures/figures.test.ts',
  'aicall.task.changed': 'the page of tasks is read again',
  'aicall.result': 'the page of tasks is read again, and a task with its calls',
  'voicecall.changed': 'a case or a task that is open is read again, and the records of contacts',
  'batch.changed': 'the page of batch runs is read again',
  'rule.tried': 'back-tests and trials of the rule shown are read again',
  'rule.changed': 'the pages of rules, groups and actions are read again',
  'task.run.changed': 'the page of scheduled tasks and of their runs is read again',
  'job.changed': 'progress of a job is shown by its own toast and read with the job, not as a row',
}

let stack: Stack
let scene: Scene
const audiences: { person: Person; received: Listener; screens: Screen[] }[] = []
beforeAll(async () => {
  stack = await startStack()
  scene = await sceneOf(stack)
  const who: [string, Person, boolean][] = [
    ['reviewer', scene.reviewer, false],
    ['reviewer2', scene.colleague, false],
    ['quality_inspector', scene.inspector, false],
    ['manager', scene.manager, true],
  ]
  for (const [account, person, seesAll] of who) {
    const received = await (await WebPerson.signIn(stack.url, account)).listen().ready()
    const screens = [
      ...(await reviewScreens(person, account)),
      ...orderScreens(
        person,
        account,
        seesAll,
        seesAll
          ? [
              {},
              { status: ['22'] },
              { status: ['10', '29'] },
              { status: ['30', '70'] },
              { status: ['50', '90'] },
              { status: ['43', '80'] },
            ]
          : [{}],
      ),
    ]
    audiences.push({ person, received, screens })
  }
})
afterAll(async () => {
  for (const { received } of audiences) received.close()
  await stack.close()
})

/**
 * The socket keeps its order, so once an answer has arrived everything written before it has, too.
 */
async function caughtUp(received: Listener): Promise<void> {
  await stack.settle()
  await received.watch('menu:nothing')
}

/** The review and the order that an id of `arrange` belongs to. */
async function subjectOf(id: string): Promise<{ reviewId: string | null; orderId: string | null }> {
  const { rows } = await sql<{ review_id: string | null; order_id: string }>`
    select r.id as review_id, o.id as order_id from loan_order o left join review r on r.order_id = o.id
    where o.id = ${id} or r.id = ${id}
      or r.id in (select h.review_id from review_handover h where h.id = ${id})
      or o.id in (select t.order_id from payout_transfer t where t.platform_order_no = ${id})`.execute(
    stack.database.kysely,
  )
  return { reviewId: rows[0]?.review_id ?? null, orderId: rows[0]?.order_id ?? null }
}

/** No claim of an earlier move ends by the clock between the events of a screen and its new read. */
async function keepClaims(): Promise<void> {
  await sql`
    update review set idle_until = clock_timestamp() + interval '1 hour',
      live_until = clock_timestamp() + interval '1 hour' where idle_until is not null`.execute(
    stack.database.kysely,
  )
}

const covered = new Map<string, Set<string>>()

const MOVES = [...QUEUE_MOVES, ...DECISION_MOVES, ...ORDER_MOVES]

test.each(MOVES)('$name: every screen equals a new read', async (move) => {
  await keepClaims()
  const id = await move.arrange(scene)
  await stack.settle()
  const { reviewId, orderId } = await subjectOf(id)
  // As the screens do: the review screen watches its review, the order list of users who see orders
  // through reviews its rows, a detail page its order.
  const watches = [
    ...(reviewId === null ? [] : [{ kind: 'review', key: reviewId }]),
    ...(orderId === null ? [] : [{ kind: 'order', key: orderId }]),
  ]
  const looks = []
  for (const { person, received, screens } of audiences) {
    for (const watch of watches) await received.socket.emitWithAck('watch', watch)
    await caughtUp(received)
    const from = received.events.length
    const open =
      person === scene.manager && orderId !== null
        ? [...screens, orderDetailScreen(person, orderId)]
        : screens
    for (const screen of open) looks.push({ screen, received, from, compare: await screen.read() })
  }
  await move.act(scene, id)
  await stack.settle()
  const delivered = new Set<string>()
  const wrong: string[] = []
  for (const { screen, received, from, compare } of looks) {
    await caughtUp(received)
    const events = received.events.slice(from).filter((event) => screen.events.includes(event.type))
    for (const event of events) delivered.add(event.type)
    try {
      const { applied } = await compare(events)
      for (const type of applied)
        covered.set(type, (covered.get(type) ?? new Set()).add(screen.name))
    } catch (error) {
      wrong.push(
        `${screen.name} after ${events.map(labelOf).join(', ')}\n${(error as Error).message}`,
      )
    }
  }
  for (const { received } of audiences)
    for (const watch of watches) await received.socket.emitWithAck('unwatch', watch)
  expect(wrong).toEqual([])
  expect(
    move.emits.filter((type) => !delivered.has(type)),
    'delivered to no screen',
  ).toEqual([])
})

test('every declared event type is applied by a screen in one of these moves, or has a listed reason', async () => {
  const declared = await declaredTypes()
  const received = new Set([...REVIEW_EVENTS, ...ORDER_LIST_EVENTS, ...ORDER_DETAIL_EVENTS])
  expect(
    declared.filter(
      (type) => !covered.has(type) && !PROVED.includes(type) && NO_ROWS[type] === undefined,
    ),
  ).toEqual([])
  expect(
    Object.keys(NO_ROWS).filter((type) => received.has(type) || !declared.includes(type)),
  ).toEqual([])
  expect([...received].filter((type) => !declared.includes(type))).toEqual([])
})

/** From every `shared/<feature>/<feature>-live.ts`. */
async function declaredTypes(): Promise<string[]> {
  const root = join(import.meta.dirname, '..', '..', 'shared')
  const files = (await readdir(root, { recursive: true })).filter((file) =>
    file.endsWith('-live.ts'),
  )
  const modules = await Promise.all(
    files.map((file) => import(join(root, file)) as Promise<Record<string, LiveEventKind>>),
  )
  return modules.flatMap((module) => Object.values(module).map((kind) => kind.type))
}

function labelOf({ type, version }: { type: string; version?: number }): string {
  return `${type} v${version ?? '-'}`
}
