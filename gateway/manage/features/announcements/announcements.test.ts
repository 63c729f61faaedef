import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '#shared/announcements/announcements-api.ts'
import { announcementExposure } from '#shared/announcements/exposure-api.ts'
import { ANNOUNCEMENTS_MENU } from '#shared/announcements/announcements-menu.ts'
import { TICKETS_MENU } from '#shared/tickets/tickets-menu.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { announcementsRoutes } from './announcements-routes.ts'

let floor: Floor
let manager: Person
let reviewer: Person
beforeAll(async () => {
  floor = await testManage({
    parts: () => ({
      menus: [...TICKETS_MENU, ...ANNOUNCEMENTS_MENU],
      routes: (base, context) => announcementsRoutes(base, context),
    }),
  })
  manager = await floor.signIn('manager')
  reviewer = await floor.signIn('reviewer')
})
afterAll(() => floor.close())

const add = async (more: Partial<InputOf<typeof api.addAnnouncement>> = {}) =>
  (
    await manager.call(api.addAnnouncement, {
      title: 'Holiday',
      content: 'Closed on Friday',
      status: 'published',
      popCondition: 'once',
      ...more,
    })
  ).noticeId
const mine = async (person: Person, noticeId: string) =>
  (await person.call(api.myAnnouncements, {})).rows.find((row) => row.noticeId === noticeId)
const shown = (person: Person, noticeId: string) => person.call(api.announcementShown, { noticeId })
const version = async (noticeId: string) =>
  (await manager.call(api.listAnnouncements, {})).rows.find((row) => row.noticeId === noticeId)
    ?.version ?? 0
/** Moves the person's last exposure into the past. */
const back = (noticeId: string, ago: string) =>
  sql`update notice_read set shown_at = shown_at - ${ago}::interval where notice_id = ${noticeId}`.execute(
    floor.database.kysely,
  )

test('an announcement for some roles reaches only those roles, and a draft reaches nobody', async () => {
  const all = await add()
  const some = await add({ roles: ['reviewer', 'manager'] })
  const draft = await add({ status: 'draft' })
  expect([
    await mine(reviewer, all),
    await mine(reviewer, some),
    await mine(reviewer, draft),
  ]).toEqual([
    expect.objectContaining({ popup: true, readTime: null }),
    expect.objectContaining({ noticeId: some }),
    undefined,
  ])
  expect(await mine(await floor.signIn('collector'), some)).toBeUndefined()
  const emitted = (await floor.events())
    .filter((event) => event.type === 'notice.published')
    .map((event) => [event.subject, event.rooms])
  expect(emitted).toEqual([
    [`notice:${all}`, ['all']],
    [`notice:${some}`, ['role:reviewer', 'role:manager', 'menu:notice_list']],
  ])
})

test('an exposure is counted once per account, also from concurrent tabs', async () => {
  const noticeId = await add()
  await Promise.all([
    shown(reviewer, noticeId),
    shown(reviewer, noticeId),
    shown(reviewer, noticeId),
  ])
  expect(await shown(manager, noticeId)).toEqual({ exposureCount: 2 })
  expect(
    await reviewer.refused(api.announcementShown, { noticeId: await add({ roles: ['manager'] }) }),
  ).toMatchObject({ problem: { id: 'G404' } })
})

test('an announcement pops up according to its condition', async () => {
  const [none, once, daily, login] = [
    await add({ popCondition: 'none' }),
    await add(),
    await add({ popCondition: 'oncePerDay' }),
    await add({ popCondition: 'everyLogin' }),
  ]
  const pops = async (person: Person) =>
    Promise.all([none, once, daily, login].map(async (id) => (await mine(person, id))?.popup))
  expect(await pops(reviewer)).toEqual([false, true, true, true])
  for (const id of [once, daily, login]) await shown(reviewer, id)
  expect(await pops(reviewer)).toEqual([false, false, false, false])
  expect(await pops(await floor.signIn('reviewer'))).toEqual([false, false, false, true])
  await sql`update notice set published_at = published_at - interval '3 days'`.execute(
    floor.database.kysely,
  )
  await back(daily, '24 hours')
  await back(once, '24 hours')
  expect(await pops(reviewer)).toEqual([false, false, true, false])
})

test('a republished announcement is unread for everybody, a withdrawn one is gone', async () => {
  const noticeId = await add()
  await shown(reviewer, noticeId)
  await manager.call(api.setAnnouncementStatus, {
    noticeId,
    version: await version(noticeId),
    status: 'withdrawn',
  })
  expect(await mine(reviewer, noticeId)).toBeUndefined()
  await manager.call(api.setAnnouncementStatus, {
    noticeId,
    version: await version(noticeId),
    status: 'published',
  })
  expect(await mine(reviewer, noticeId)).toMatchObject({ popup: true })
  expect(
    await manager.refused(api.setAnnouncementStatus, {
      noticeId,
      version: await version(noticeId),
      status: 'published',
    }),
  ).toMatchObject({ code: 400, problem: { id: 'G-FLOW' } })
})

test('an outdated edit is refused, and so are links other than http, https, mailto and tel', async () => {
  const noticeId = await add()
  const edit = {
    noticeId,
    version: 1,
    title: 'Holidays',
    content: 'Closed: https://floor.example',
    status: 'published',
    popCondition: 'none',
    roles: ['reviewer'],
  } as const
  await manager.call(api.editAnnouncement, { ...edit, roles: [...edit.roles] })
  expect(await manager.refused(api.editAnnouncement, edit)).toMatchObject({
    problem: { id: 'G409' },
    data: { title: 'Holidays', version: 2 },
  })
  expect(
    await manager.refused(api.editAnnouncement, {
      ...edit,
      version: 2,
      content: 'javascript:alert(1)',
    }),
  ).toMatchObject({
    problem: { id: 'G-FIELD' },
    data: { fields: { content: 'announcements:fault.link' } },
  })
  expect(
    await manager.refused(api.editAnnouncement, { ...edit, version: 2, roles: ['nobody'] }),
  ).toMatchObject({ data: { fields: { roles: 'unknown' } } })
  const emitted = (await floor.events())
    .filter((event) => event.subject === `notice:${noticeId}`)
    .map((event) => [event.type, event.rooms[0]])
  expect(emitted).toEqual([
    ['notice.published', 'all'],
    ['notice.withdrawn', 'all'],
    ['notice.published', 'role:reviewer'],
  ])
})

test('deleting an announcement deletes its exposures; a director can only view announcements', async () => {
  const noticeId = await add()
  await shown(reviewer, noticeId)
  const director = await floor.signIn('director')
  expect(
    (await director.call(api.listAnnouncements, { title: 'holi', status: 'published' })).rows.some(
      (row) => row.noticeId === noticeId,
    ),
  ).toBe(true)
  expect(await director.refused(api.deleteAnnouncement, { noticeId, version: 1 })).toMatchObject({
    problem: { id: 'G403' },
  })
  await manager.call(api.deleteAnnouncement, { noticeId, version: await version(noticeId) })
  expect(await mine(reviewer, noticeId)).toBeUndefined()
})

test('the exposure is counted by role', async () => {
  const noticeId = await add({ roles: ['reviewer', 'manager'] })
  await shown(reviewer, noticeId)
  await shown(reviewer, noticeId)
  const { rows } = await manager.call(announcementExposure, { noticeId })
  expect(rows.map(({ role, shown: n, accounts }) => [role, n, accounts]).toSorted()).toEqual([
    ['manager', 0, 2],
    ['reviewer', 1, 6],
  ])
  expect((await manager.refused(announcementExposure, { noticeId: 'N1' })).problem?.id).toBe('G404')
})
