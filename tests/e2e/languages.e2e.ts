/** Every screen in other languages and both themes, for everybody's eyes and hands. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { endVisits, openBrowser, seriousFindings, visit } from '#tests/support/browser.ts'
import { readScreens, type Screens, WALK_MS, walkByAddress } from '#tests/support/screen-walk.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'

const LOCALES = join(import.meta.dirname, '..', '..', 'locales')

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

/** Words of more than one language's people: names, codes, units and what the demo book itself holds in English. */
function englishTexts(language: string): Set<string> {
  const texts = new Set<string>()
  const walk = (english: Record<string, unknown>, own: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(english)) {
      const other = own[key]
      if (typeof value === 'string' && typeof other === 'string' && value !== other && /[a-z]{3}/.test(value) && !value.includes('{{')) texts.add(value)
      else if (typeof value === 'object' && value !== null && typeof other === 'object' && other !== null) walk(value as Record<string, unknown>, other as Record<string, unknown>)
    }
  }
  const read = (at: string, file: string) => JSON.parse(readFileSync(join(LOCALES, at, file), 'utf8')) as Record<string, unknown>
  for (const file of readdirSync(join(LOCALES, 'en'))) walk(read('en', file), read(language, file))
  return texts
}

test.each([['zh', false], ['th', true]] as const)('%s (dark: %s): axe has no serious finding on any screen, no English text is left and nothing is cut at 1366 px', { timeout: WALK_MS }, async (language, dark) => {
  const english = englishTexts(language)
  const outside = await visit(browser, stack, { dark, language })
  await outside.page.goto('/login')
  await outside.page.locator('input[autocomplete="username"]').waitFor()
  const left: Record<string, string[]> = { login: await seriousFindings(outside.page) }
  await walkByAddress(browser, stack, screens.every, { language, dark }, async (page, path) => {
    const lines = (await page.locator('body').innerText()).split('\n').map((line) => line.trim())
    left[path] = lines.filter((line) => english.has(line))
    left[`${path}, cut`] = await page.locator('button, [role="tab"], h1, h2, .ag-header-cell-text').evaluateAll((nodes) =>
      nodes.filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflow === 'hidden' && node.clientWidth > 2 && !node.closest('[title]')).map((node) => node.textContent ?? ''))
    left[`${path}, axe`] = await seriousFindings(page)
  })
  expect(left).toEqual(Object.fromEntries(Object.keys(left).map((name) => [name, []])))
})
