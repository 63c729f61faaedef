import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { deleteView, listViews, saveView } from '#shared/views/views-api.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { viewsRoutes } from './views-routes.ts'

let floor: Floor
let manager: Person
let second: Person
beforeAll(async () => {
  floor = await testManage({
    parts: () => ({ routes: (base, context) => viewsRoutes(base, context) }),
  })
  manager = await floor.signIn('manager')
  second = await floor.signIn('manager2')
})
afterAll(() => floor.close())

const COLUMNS = {
  order: ['orderId', 'status'],
  hidden: ['status'],
  pinned: {},
  widths: { orderId: 140 },
}
const view = (more: Partial<InputOf<typeof saveView>> = {}): InputOf<typeof saveView> => ({
  menu: 'order_list',
  name: 'Overdue',
  filters: { status: ['50', '90'] },
  sort: 'dueTime:asc',
  columns: COLUMNS,
  shared: false,
  isDefault: false,
  ...more,
})
const seen = async (person: Person, menu = 'order_list') =>
  (await person.call(listViews, { menu })).rows

test('a saved view is visible to its owner only, until it is shared with the role', async () => {
  const { viewId } = await manager.call(saveView, view())
  expect(await seen(manager)).toEqual([
    {
      viewId,
      name: 'Overdue',
      filters: { status: ['50', '90'] },
      sort: 'dueTime:asc',
      columns: COLUMNS,
      shared: false,
      isDefault: false,
      isOwn: true,
      ownerName: 'Manager 1',
    },
  ])
  expect(await seen(second)).toEqual([])
  await manager.call(saveView, view({ viewId, shared: true }))
  expect(await seen(second)).toMatchObject([
    { viewId, shared: true, isOwn: false, ownerName: 'Manager 1' },
  ])
  expect(await seen(await floor.signIn('director'))).toEqual([])
  expect(await seen(second, 'repay_plan')).toEqual([])
})

test('a list has one default view per person, and a new default replaces it', async () => {
  const { viewId: first } = await second.call(
    saveView,
    view({ menu: 'review_list:queue', isDefault: true }),
  )
  const { viewId: next } = await second.call(
    saveView,
    view({ menu: 'review_list:queue', name: 'Mine', isDefault: true }),
  )
  expect(
    (await seen(second, 'review_list:queue')).map((row) => [row.viewId, row.isDefault]).toSorted(),
  ).toEqual(
    [
      [first, false],
      [next, true],
    ].toSorted(),
  )
})

test('names are unique per list regardless of case, and only the owner can change or delete a view', async () => {
  const { viewId } = await manager.call(saveView, view({ name: 'Today' }))
  expect(await manager.refused(saveView, view({ name: 'TODAY' }))).toMatchObject({
    data: { fields: { name: 'ui:views.taken' } },
  })
  expect(await second.refused(saveView, view({ viewId }))).toMatchObject({
    problem: { id: 'G404' },
  })
  expect(await second.refused(deleteView, { viewId })).toMatchObject({ problem: { id: 'G404' } })
  await manager.call(deleteView, { viewId })
  expect((await seen(manager)).some((row) => row.viewId === viewId)).toBe(false)
})

test('a person with own scope cannot share views', async () => {
  const collector = await floor.signIn('collector')
  expect(await collector.refused(saveView, view({ shared: true }))).toMatchObject({
    problem: { id: 'G403' },
  })
  await collector.call(saveView, view())
  expect(await seen(collector)).toHaveLength(1)
})

test('identifying filters are not stored in a view', async () => {
  await manager.call(
    saveView,
    view({
      menu: 'repay_plan',
      filters: { phone: ['9876543210'], userName: ['Asha'], stageId: ['S1'] },
    }),
  )
  expect((await seen(manager, 'repay_plan'))[0]?.filters).toEqual({ stageId: ['S1'] })
})
