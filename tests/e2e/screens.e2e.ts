/** Every screen: who may see it, in which languages, in both themes, for everybody's eyes and hands. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROLES } from '#shared/session/roles.ts'
import { userInfo } from '#shared/session/session-api.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { faultsBut, openBrowser, row, seriousFindings, signIn, visit } from '#tests/support/browser.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import { WebPerson } from '#tests/support/web-person.ts'

let stack: Stack
let browser: Browser
let paths: { name: string; path: string }[]
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ client: true }), openBrowser()])
  await makeReview(stack, { state: 'unclaimed', waitedMinutes: 12 })
  const { reviewId, orderId } = await makeReview(stack, { state: 'manualCheck', firstReviewerId: (await stack.signIn('reviewer')).userId })
  await makeOrder(stack, { status: 30 })
  paths = [
    { name: 'home', path: '/home_page' },
    { name: 'review list', path: '/order_management/review_list' },
    { name: 'review desk', path: `/detail2?reviewId=${reviewId}` },
    { name: 'order list', path: '/order_management/order_list' },
    { name: 'order detail', path: `/detail?orderId=${orderId}` },
  ]
})
afterAll(async () => {
  await browser.close()
  await stack.close()
})

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await expect.poll(() => page.locator('.app-loading').count()).toBe(0)
  await page.getByRole('main').waitFor()
}

test('login: a wrong password keeps the name, the right one leads where the person wanted to go', async () => {
  const { page, faults, context } = await visit(browser, stack)
  await page.goto('/order_management/order_list')
  await page.waitForURL(/\/login\?redirect=/)
  await page.getByLabel('Account').fill('manager')
  await page.getByLabel('Password', { exact: true }).fill('Wrong#2026')
  await page.keyboard.press('Enter')
  await page.getByText('Account or password is incorrect').waitFor()
  expect(await page.getByLabel('Account').inputValue()).toBe('manager')
  await page.getByLabel('Password', { exact: true }).fill('Floor#2026')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/order_management\/order_list$/)
  expect(faults).toEqual([])
  await context.close()
})

test.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '/nowhere'])('a redirect to %s does not leave the console', async (target) => {
  const { page, context } = await signIn(browser, stack, 'director', { to: target })
  expect(new URL(page.url()).origin).toBe(stack.url)
  await context.close()
})

test.each(ROLES.map((role) => role.mark))('%s sees the menu the server gives him, and nothing else', async (mark) => {
  const person = await WebPerson.signIn(stack.url, mark)
  const { menu } = await person.call(userInfo, {})
  const leaves = (nodes: typeof menu): string[] => nodes.flatMap((node) => (node.component === 'Layout' ? leaves(node.children as typeof menu) : node.visible === 0 ? [node.path] : []))
  const visitor = await signIn(browser, stack, mark, { width: 1920, height: 1080 })
  const { page } = visitor
  await settled(page)
  for (const group of await page.getByRole('navigation').first().locator('button[aria-expanded="false"]').all()) await group.click()
  const links = await page.getByRole('navigation').first().getByRole('link').evaluateAll((anchors) => anchors.map((anchor) => new URL((anchor as HTMLAnchorElement).href).pathname))
  expect([...new Set(links)].sort()).toEqual(leaves(menu).sort())
  await page.goto('/order_management/review_list')
  await settled(page)
  if (!leaves(menu).includes('/order_management/review_list')) await page.waitForURL(/\/401|\/404/)
  expect(faultsBut(visitor)).toEqual([])
  await visitor.context.close()
})

test('an unknown path is the not-found page', async () => {
  const { page, context } = await signIn(browser, stack, 'manager')
  await page.goto('/no/such/place')
  await page.waitForURL(/\/404/)
  await context.close()
})

test.each([false, true])('axe has no serious finding on any screen (dark: %s)', async (dark) => {
  const outside = await visit(browser, stack, { dark })
  await outside.page.goto('/login')
  await outside.page.getByLabel('Account').waitFor()
  const found: Record<string, string[]> = { login: await seriousFindings(outside.page) }
  await outside.context.close()
  const visitor = await signIn(browser, stack, 'manager', { dark })
  for (const { name, path } of paths) {
    await visitor.page.goto(path)
    await settled(visitor.page)
    found[name] = await seriousFindings(visitor.page)
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])))
  expect(faultsBut(visitor)).toEqual([])
  await visitor.context.close()
})

/** Words of more than one language's people: names, codes, units and what the demo book itself holds in English. */
function englishTexts(namespaces: readonly string[], language: string): Set<string> {
  const texts = new Set<string>()
  const walk = (english: Record<string, unknown>, own: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(english)) {
      const other = own[key]
      if (typeof value === 'string' && typeof other === 'string' && value !== other && /[a-z]{3}/.test(value) && !value.includes('{{')) texts.add(value)
      else if (typeof value === 'object' && value !== null && typeof other === 'object' && other !== null) walk(value as Record<string, unknown>, other as Record<string, unknown>)
    }
  }
  const read = (at: string, namespace: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'locales', at, `${namespace}.json`), 'utf8')) as Record<string, unknown>
  for (const namespace of namespaces) walk(read('en', namespace), read(language, namespace))
  return texts
}

test.each(['zh', 'th'])('%s: every screen renders, no English text is left and nothing is cut at 1366 px', async (language) => {
  const english = englishTexts(['session', 'shell', 'live', 'ui', 'review', 'orders'], language)
  const visitor = await signIn(browser, stack, 'manager', { language })
  const { page } = visitor
  const left: Record<string, string[]> = {}
  for (const { name, path } of paths) {
    await page.goto(path)
    await settled(page)
    const lines = (await page.locator('body').innerText()).split('\n').map((line) => line.trim())
    left[name] = lines.filter((line) => english.has(line))
    left[`${name}, cut`] = await page.locator('button, [role="tab"], h1, h2, .ag-header-cell-text').evaluateAll((nodes) =>
      nodes.filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflow === 'hidden' && node.clientWidth > 2 && !node.closest('[title]')).map((node) => node.textContent ?? ''))
  }
  expect(left).toEqual(Object.fromEntries(Object.keys(left).map((name) => [name, []])))
  expect(faultsBut(visitor)).toEqual([])
  await visitor.context.close()
})

test('the language changes without a reload', async () => {
  const { page, context } = await signIn(browser, stack, 'manager', { to: '/order_management/review_list' })
  await settled(page)
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
  await page.getByRole('button', { name: 'Language: EN' }).click()
  await page.getByRole('option', { name: '中文' }).click()
  await page.getByText('审核队列').first().waitFor()
  expect(await page.evaluate(() => (globalThis as { sameDocument?: boolean }).sameDocument)).toBe(true)
  expect(await page.locator('html').getAttribute('lang')).toMatch(/^zh/)
  await context.close()
})

test('a masked value is opened with a reason, and its document is shown', async () => {
  const { reviewId } = await makeReview(stack, { state: 'manualCheck', firstReviewerId: (await stack.signIn('reviewer2')).userId })
  const { page, context } = await signIn(browser, stack, 'manager', { to: `/detail2?reviewId=${reviewId}` })
  await settled(page)
  const masked = page.getByText(/^XXXXXX\d{4}$/).first()
  await masked.waitFor()
  await page.getByRole('button', { name: 'Show Phone', exact: true }).click()
  await page.getByLabel(/Why do you need to see it/).fill('the customer asked to be called')
  await page.keyboard.press('Enter')
  await page.getByText(/^[6-9]\d{9}$/).first().waitFor()
  await context.close()
})

test('a row opens by Enter and the grid is left by one Tab', async () => {
  const { page, context } = await signIn(browser, stack, 'manager', { to: '/order_management/order_list' })
  await settled(page)
  await row(page, 'L1').waitFor()
  await page.locator('.ag-row').first().locator('.ag-cell').nth(1).click()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('.ag-body-viewport') ?? null)).toBeNull()
  await page.locator('.ag-row').first().locator('.ag-cell').nth(2).click()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/detail\?orderId=/)
  await context.close()
})
