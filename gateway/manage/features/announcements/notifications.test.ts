import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotifications, readNotifications } from '#shared/announcements/notifications-api.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { announcementsRoutes } from './announcements-routes.ts'

let floor: Floor
let reviewer: Person
beforeAll(async () => {
  floor = await testManage({
    parts: () => ({ routes: (base, context) => announcementsRoutes(base, context) }),
  })
  reviewer = await floor.signIn('reviewer')
  for (const [n, kind] of ['assigned', 'taken', 'assigned'].entries()) {
    await sql`
      insert into notification (user_id, kind, title_key, params, route, at)
      values (${reviewer.userId}, ${kind}, 'review:notification.assigned',
        ${JSON.stringify({ reviewId: `R${n}` })}::jsonb, '/home_page',
        clock_timestamp() + ${n} * interval '1 second')`.execute(floor.database.kysely)
  }
})
afterAll(() => floor.close())

test('a person lists their own notifications, newest first, by kind or unread only', async () => {
  const { rows, unread, total } = await reviewer.call(listNotifications, {})
  expect([rows.map((row) => row.params.reviewId), unread, total]).toEqual([
    ['R2', 'R1', 'R0'],
    3,
    3,
  ])
  expect((await reviewer.call(listNotifications, { kind: 'taken' })).rows).toHaveLength(1)
  expect((await (await floor.signIn('collector')).call(listNotifications, {})).total).toBe(0)
})

test("reading marks a notification once and notifies the person's other tabs", async () => {
  const [first] = (await reviewer.call(listNotifications, {})).rows
  const id = (first as { notificationId: string }).notificationId
  expect(await (await floor.signIn('collector')).call(readNotifications, { ids: [id] })).toEqual({
    unread: 0,
  })
  expect(await reviewer.call(readNotifications, { ids: [id] })).toEqual({ unread: 2 })
  expect(await reviewer.call(readNotifications, { all: true })).toEqual({ unread: 0 })
  expect((await reviewer.call(listNotifications, { unread: true })).rows).toEqual([])
  expect(
    (await floor.events())
      .filter((event) => event.type === 'notification.changed')
      .map((event) => [event.rooms, event.data.kind]),
  ).toEqual([
    [[`user:${reviewer.userId}`], 'read'],
    [[`user:${reviewer.userId}`], 'read'],
  ])
})

test('reading without ids is refused', async () => {
  expect(await reviewer.refused(readNotifications, {})).toMatchObject({ problem: { id: 'G-SEL' } })
})
