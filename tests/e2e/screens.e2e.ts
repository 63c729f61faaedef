/** Every screen: who may see it, in which languages, in both themes, for everybody's eyes and hands. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { ROLES } from '#shared/session/roles.ts'
import { userInfo } from '#shared/session/session-api.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeStaffedFloor } from '#tests/factories/staffed-floor.ts'
import { endVisits, openBrowser, row, seriousFindings, signIn, visit } from '#tests/support/browser.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import { WebPerson } from '#tests/support/web-person.ts'

const LOCALES = join(import.meta.dirname, '..', '..', 'locales')

let stack: Stack
let browser: Browser
interface Shown {
  account: string
  path: string
}
/** Paths of the screens in each role's menu. */
const menus = new Map<string, string[]>()
/** Every screen there is, once, seen by somebody who has most of its buttons. */
let everyScreen: Shown[]
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ client: true }), openBrowser()])
  const { reviewId, orderId, caseId } = await makeStaffedFloor(stack)
  for (const { mark } of ROLES) menus.set(mark, leavesOf((await (await WebPerson.signIn(stack.url, mark)).call(userInfo, {})).menu))
  const seenBy = new Map([...menus].flatMap(([mark, paths]) => paths.map((path) => [path, menus.get('manager')?.includes(path) ? 'manager' : mark] as const)))
  everyScreen = [
    ...[...seenBy].map(([path, account]) => ({ account, path })),
    // pages that no menu leads to, and second faces of those it leads to
    { account: 'manager', path: `/detail2?reviewId=${reviewId}` },
    { account: 'manager', path: `/detail?orderId=${orderId}` },
    { account: 'manager', path: `/detail3?caseId=${caseId}` },
    { account: 'manager', path: '/loaned_management/pedding_list?tab=toAllocate' },
    { account: 'manager', path: '/loaned_management/pedding_list?tab=desk' },
    { account: 'manager', path: '/loaned_management/peded_list?tab=follows' },
    { account: 'administrator', path: '/system/role_edit' },
    { account: 'collector', path: `/loaned_management/pedding_list?open=${caseId}` },
    { account: 'collector', path: `/detail3?caseId=${caseId}` },
    { account: 'reviewer', path: '/order_management/review_list?tab=mine' },
  ]
})
afterAll(async () => {
  await browser.close()
  await stack.close()
})
afterEach(endVisits)

type Menu = DataOf<typeof userInfo>['menu']
function leavesOf(nodes: Menu): string[] {
  return nodes.flatMap((node) => (node.component === 'Layout' ? leavesOf(node.children) : node.visible === 0 ? [node.path] : []))
}

/** In how many tabs an account walks at once; most of a visit is waiting. */
const TABS = 3
/** Every screen there is takes its time on a busy machine. */
const WALK_MS = 900_000

/** Walks through screens, each account in a window of its own. */
async function walk(screens: readonly Shown[], given: Parameters<typeof signIn>[3], look: (page: Page, path: string) => Promise<void>): Promise<void> {
  for (const account of new Set(screens.map((screen) => screen.account))) {
    const paths = screens.filter((screen) => screen.account === account).map((screen) => screen.path)
    const visitor = await signIn(browser, stack, account, given)
    await Promise.all(Array.from({ length: Math.min(TABS, paths.length) }, async (_, tab) => {
      const page = tab === 0 ? visitor.page : await visitor.tab()
      for (const path of paths.filter((_path, at) => at % TABS === tab)) {
        await page.goto(path)
        await expectShown(page, path, account)
        await look(page, path)
      }
    }))
  }
}

async function openGroups(page: Page): Promise<void> {
  // an opened group leaves the set, so it is always the first one that is next
  const shut = page.getByRole('navigation').first().locator('button[aria-expanded="false"]')
  while ((await shut.count()) > 0) await shut.first().click()
}

async function expectShown(page: Page, path: string, account: string): Promise<void> {
  await settled(page)
  expect(new URL(page.url()).pathname, `${account} was sent away from ${path}`).toBe(path.split('?')[0])
  expect(await page.locator('.pane-note-bad').count(), `${path} could not be read by ${account}`).toBe(0)
}

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await expect.poll(() => page.locator('.app-loading').count()).toBe(0)
  await page.getByRole('main').waitFor()
}

test('login: a wrong password keeps the name, the right one leads where the person wanted to go', async () => {
  const { page } = await visit(browser, stack)
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
})

test.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '/nowhere'])('a redirect to %s does not leave the console', async (target) => {
  const { page } = await signIn(browser, stack, 'director', { to: target })
  expect(new URL(page.url()).origin).toBe(stack.url)
})

test.each(ROLES.map((role) => role.mark))('%s sees the menu the server gives him, each of its screens, and nothing else', { timeout: WALK_MS }, async (mark) => {
  const leaves = menus.get(mark) ?? []
  const { page } = await signIn(browser, stack, mark, { width: 1920, height: 1080 })
  await settled(page)
  await openGroups(page)
  const links = await page.getByRole('navigation').first().getByRole('link').evaluateAll((anchors) => anchors.map((anchor) => new URL((anchor as HTMLAnchorElement).href).pathname))
  expect([...new Set(links)].sort()).toEqual([...leaves].sort())
  // by the menu, as he goes all day; the walks below open every screen by its address
  for (const path of leaves) {
    // the menu keeps but the group open in which he is
    await openGroups(page)
    await page.getByRole('navigation').first().locator(`a[href="${path}"]`).click()
    await expectShown(page, path, mark)
  }
  const foreign = [...menus.values()].flat().find((path) => !leaves.includes(path))
  if (foreign === undefined) return
  await page.goto(foreign)
  await page.waitForURL(/\/401|\/404/)
})

test('an unknown path is the not-found page', async () => {
  const { page } = await signIn(browser, stack, 'manager')
  await page.goto('/no/such/place')
  await page.waitForURL(/\/404/)
})

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
  await walk(everyScreen, { language, dark }, async (page, path) => {
    const lines = (await page.locator('body').innerText()).split('\n').map((line) => line.trim())
    left[path] = lines.filter((line) => english.has(line))
    left[`${path}, cut`] = await page.locator('button, [role="tab"], h1, h2, .ag-header-cell-text').evaluateAll((nodes) =>
      nodes.filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflow === 'hidden' && node.clientWidth > 2 && !node.closest('[title]')).map((node) => node.textContent ?? ''))
    left[`${path}, axe`] = await seriousFindings(page)
  })
  expect(left).toEqual(Object.fromEntries(Object.keys(left).map((name) => [name, []])))
})

test('the language changes without a reload', async () => {
  const { page } = await signIn(browser, stack, 'manager', { to: '/order_management/review_list' })
  await settled(page)
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
  await page.getByRole('button', { name: 'Language: EN' }).click()
  await page.getByRole('option', { name: '中文' }).click()
  await page.getByText('审核队列').first().waitFor()
  expect(await page.evaluate(() => (globalThis as { sameDocument?: boolean }).sameDocument)).toBe(true)
  expect(await page.locator('html').getAttribute('lang')).toMatch(/^zh/)
})

test('a masked value is opened with a reason, and its document is shown', async () => {
  const { reviewId } = await makeReview(stack, { state: 'manualCheck', firstReviewerId: (await stack.signIn('reviewer2')).userId })
  const { page } = await signIn(browser, stack, 'manager', { to: `/detail2?reviewId=${reviewId}` })
  await settled(page)
  const masked = page.getByText(/^XXXXXX\d{4}$/).first()
  await masked.waitFor()
  await page.getByRole('button', { name: 'Show Phone', exact: true }).click()
  await page.getByLabel(/Why do you need to see it/).fill('the customer asked to be called')
  await page.keyboard.press('Enter')
  await page.getByText(/^[6-9]\d{9}$/).first().waitFor()
})

test('a row opens by Enter and the grid is left by one Tab', async () => {
  const { page } = await signIn(browser, stack, 'manager', { to: '/order_management/order_list' })
  await settled(page)
  await row(page, 'L1').waitFor()
  await page.locator('.ag-row').first().locator('.ag-cell').nth(1).click()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('.ag-body-viewport') ?? null)).toBeNull()
  await page.locator('.ag-row').first().locator('.ag-cell').nth(2).click()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/detail\?orderId=/)
})
