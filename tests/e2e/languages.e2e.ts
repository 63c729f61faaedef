/** Every screen in another language, for everybody's eyes and hands. */
import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { endVisits, openBrowser, seriousFindings, visit } from '#tests/support/browser.ts'
import { englishTexts, languageFaults, readScreens, type Screens, WALK_MS, walkByAddress } from '#tests/support/screen-walk.ts'
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

// one half of the screens in each; `npm run test:long` shows every screen in every language
test.each([['zh', false, 0], ['th', true, 1]] as const)('%s (dark: %s): axe has no serious finding on any screen, no English text is left and nothing is cut at 1366 px', { timeout: WALK_MS }, async (language, dark, half) => {
  const english = englishTexts(language)
  const outside = await visit(browser, stack, { dark, language })
  await outside.page.goto('/login')
  await outside.page.locator('input[autocomplete="username"]').waitFor()
  const faults: Record<string, string[]> = { login: await seriousFindings(outside.page) }
  await walkByAddress(browser, stack, screens.every.filter((_, at) => at % 2 === half), { language, dark }, async (page, path) => {
    faults[path] = await languageFaults(page, english)
  })
  expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((path) => [path, []])))
})
