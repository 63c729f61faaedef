/** Every role opens every screen of its menu. */
import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { ROLES } from '#shared/session/roles.ts'
import { endVisits, openBrowser } from '#tests/support/browser.ts'
import { readScreens, type Screens, WALK_MS, walkByMenu } from '#tests/support/screen-walk.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'

let stack: Stack
let browser: Browser
let screens: Screens
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ client: true }), openBrowser()])
  screens = await readScreens(stack)
})
afterAll(async () => {
  await browser.close()
  await stack.close()
})
afterEach(endVisits)

test.each(ROLES.map((role) => role.mark))('%s opens each screen of the menu the server gives him', { timeout: WALK_MS }, async (mark) => {
  await walkByMenu(browser, stack, screens, mark, screens.menus.get(mark) ?? [])
})
