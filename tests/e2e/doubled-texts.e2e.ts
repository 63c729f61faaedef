/**
 * The console at 1366 px with every text twice as long: nothing is cut off and nothing overlaps.
 * `npm run test:long` visits all screens.
 */
import { expect, test } from 'vitest'
import { clippedTexts, doubled } from '#tests/support/doubled-texts.ts'
import { screenStage, WALK_MS, walkByAddress } from '#tests/support/screen-walk.ts'

const stage = screenStage()

test('a text is doubled around its placeholders', () => {
  expect(
    doubled({
      a: 'Save',
      b: { c: '{{n}} of {{total}}' },
      d: '{{n}}',
      e: '$t(x:y, {"a": "b"}) is over',
    }),
  ).toEqual({
    a: 'Save Save',
    b: { c: '{{n}} of {{total}} of' },
    d: '{{n}}',
    e: '$t(x:y, {"a": "b"}) is over is over',
  })
})

/** One of each kind: home, a list, a work screen, a desk, figures, settings, a large form. */
const SHOWN = [
  '/home_page',
  '/order_management/order_list',
  '/detail?',
  '/loaned_management/pedding_list?tab=desk',
  '/loaned_management/urge_performance',
  '/loaned_management/collect_config',
  '/system/role_edit',
]

test(
  'no text of the login and of one screen of each kind is cut off',
  { timeout: WALK_MS },
  async () => {
    const outside = await stage.visit({ doubled: true })
    await outside.page.goto('/login')
    await outside.page.locator('input[autocomplete="username"]').waitFor()
    const faults: Record<string, string[]> = { login: await clippedTexts(outside.page) }
    await outside.page.getByRole('button', { name: 'Sign in Sign in' }).waitFor()
    await walkByAddress(
      stage,
      stage.screens.every.filter(({ path }) =>
        SHOWN.some((shown) => path === shown || (shown.endsWith('?') && path.startsWith(shown))),
      ),
      { doubled: true },
      async (page, path) => {
        faults[path] = await clippedTexts(page)
      },
    )
    expect(Object.keys(faults).length).toBe(SHOWN.length + 1)
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((path) => [path, []])))
  },
)
