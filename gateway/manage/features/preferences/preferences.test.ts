import { afterAll, beforeAll, expect, test } from 'vitest'
import { getPreferences, savePreferences } from '#shared/preferences/preferences-api.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { preferencesRoutes } from './preferences-routes.ts'

let floor: Floor
beforeAll(async () => {
  floor = await testManage({
    parts: () => ({ routes: (base, context) => preferencesRoutes(base, context) }),
  })
})
afterAll(() => floor.close())

const COLUMNS = {
  order: ['orderId', 'status'],
  hidden: ['status'],
  pinned: { orderId: 'left' as const },
  widths: { orderId: 140 },
}

test('a person without choices gets the defaults', async () => {
  const reviewer = await floor.signIn('reviewer')
  expect(await reviewer.call(getPreferences, {})).toEqual({
    size: 'medium',
    theme: '#1890ff',
    mode: 'system',
    motion: true,
    singleKeys: true,
    sounds: {},
    tagsView: true,
    fixedHeader: false,
    sidebarLogo: false,
    pinyinSearch: true,
    favourites: [],
    language: null,
    grids: {},
  })
})

test('partial saves are merged, and only that person gets them at the next login', async () => {
  const reviewer = await floor.signIn('reviewer')
  await reviewer.call(savePreferences, { theme: '#eb8f00', sounds: { job: true } })
  await reviewer.call(savePreferences, { mode: 'dark', grids: { order_list: COLUMNS } })
  await reviewer.call(savePreferences, { grids: { review_list: COLUMNS } })
  const again = await floor.signIn('reviewer')
  expect(await again.call(getPreferences, {})).toMatchObject({
    theme: '#eb8f00',
    mode: 'dark',
    sounds: { job: true },
    tagsView: true,
    grids: { order_list: COLUMNS, review_list: COLUMNS },
  })
  expect(await (await floor.signIn('collector')).call(getPreferences, {})).toMatchObject({
    theme: '#1890ff',
    grids: {},
  })
})

test("a reset list layout falls back to the screen's own", async () => {
  const reviewer = await floor.signIn('reviewer')
  await reviewer.call(savePreferences, { grids: { order_list: COLUMNS, review_list: null } })
  expect((await reviewer.call(getPreferences, {})).grids).toEqual({ order_list: COLUMNS })
})

test('invalid choices are refused', async () => {
  const reviewer = await floor.signIn('reviewer')
  for (const input of [
    { theme: '#123456' },
    { mode: 'blue' },
    { size: 'huge' },
    { sounds: { shout: true } },
    { language: 'xx' },
    { grids: { 'a b': COLUMNS } },
  ])
    expect(await reviewer.refused(savePreferences, input), JSON.stringify(input)).toMatchObject({
      code: 400,
    })
})
