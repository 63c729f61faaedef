/** A list that was read, plus the events heard since, is what reading it again gives - for every event type there is (trust.md A8). */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LiveEventKind } from '#shared/kernel/live.ts'
import { REVIEW_EVENTS } from '#client/features/review/review-events.ts'
import { ORDER_LIST_EVENTS } from '#client/features/orders/list/order-apply.ts'
import { ORDER_DETAIL_EVENTS } from '#client/features/orders/detail/detail-apply.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import type { Person } from '#tests/support/manage.ts'
import { type Listener, WebPerson } from '#tests/support/web-person.ts'
import { MOVES, type Scene, sceneOf } from './agree-moves.ts'
import { orderDetailScreen, orderScreens, reviewScreens, type Screen } from './agree-screens.ts'

/** Declared types that no screen applies to rows, and why that is right. */
const NO_ROWS: Record<string, string> = {
  'session.revoked': 'ends the session of its hearer; there is no list left to apply it to (rooms.test.ts)',
  'menu.changed': 'the frame reads the menu and the permissions again',
  'user.changed': 'the frame reads its own account again; no list of accounts exists yet',
  'job.changed': 'progress of a job is shown by its own toast and read with the job, not as a row',
}

let stack: Stack
let scene: Scene
const audiences: { person: Person; heard: Listener; screens: Screen[] }[] = []
beforeAll(async () => {
  stack = await startStack()
  scene = await sceneOf(stack)
  const who: [string, Person, boolean][] = [['reviewer', scene.reviewer, false], ['reviewer2', scene.colleague, false], ['quality_inspector', scene.inspector, false], ['manager', scene.manager, true]]
  for (const [account, person, seesAll] of who) {
    const heard = await (await WebPerson.signIn(stack.url, account)).listen().ready()
    const screens = [...(await reviewScreens(person, account)), ...orderScreens(person, account, seesAll, seesAll ? [{}, { status: ['22'] }, { status: ['10', '29'] }, { status: ['30', '70'] }] : [{}])]
    audiences.push({ person, heard, screens })
  }
})
afterAll(async () => {
  for (const { heard } of audiences) heard.close()
  await stack.close()
})

/** The socket keeps its order, so once an answer has come back everything written before it is here. */
async function caughtUp(heard: Listener): Promise<void> {
  await stack.settle()
  await heard.watch('menu:nothing')
}

/** Who sees orders through reviews watches the rows of his page, and whoever opens a review watches it. */
async function watchRows({ heard }: { heard: Listener }): Promise<void> {
  const { rows } = await sql<{ id: string; order_id: string }>`select r.id, r.order_id from review r order by r.id desc limit 4`.execute(stack.database.kysely)
  const orders = await sql<{ id: string }>`select o.id from loan_order o order by o.id desc limit 2`.execute(stack.database.kysely)
  const watched = [...rows.flatMap((row) => [`review:${row.id}`, `order:${row.order_id}`]), ...orders.rows.map((row) => `order:${row.id}`)]
  for (const one of [...new Set(watched)]) await heard.watch(one)
}
async function unwatchRows({ heard }: { heard: Listener }, watched: readonly string[]): Promise<void> {
  for (const one of watched) await heard.socket.emitWithAck('unwatch', { kind: one.slice(0, one.indexOf(':')), key: one.slice(one.indexOf(':') + 1) })
}
