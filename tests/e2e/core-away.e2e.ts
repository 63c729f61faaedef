/**
 * A console whose core does not answer for a while, and a browser that loses its line: pages wait,
 * say so, and continue by themselves.
 */
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { NOT_AVAILABLE } from '#shared/kernel/problem.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { atRest, endVisits, openBrowser, row, signIn } from '#tests/support/browser.ts'
import { FaultProxy } from '#tests/support/fault-proxy.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'

const ORDERS = '/order_management/order_list'
/** What a page may say of calls that nobody answers. */
const AWAY = /50[234]|Failed to load resource|WebSocket|ERR_/

let stack: Stack
let browser: Browser
/** Before the core, and before the edge. */
const core: FaultProxy[] = []
let front: FaultProxy
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ edges: 0, client: true }), openBrowser()])
  const [{ calls, internal } = { calls: '', internal: '' }] = stack.cores
  const wires = [
    await new FaultProxy([calls]).start(),
    await new FaultProxy([internal]).start(),
  ] as const
  core.push(...wires)
  const edge = await stack.addEdge([{ calls: wires[0].url, internal: wires[1].url }])
  front = await new FaultProxy([edge]).start()
})
afterAll(async () => {
  await browser.close()
  for (const wire of [...core, front]) wire.close()
  await stack.close()
})
afterEach(async (context) => {
  setCore('pass')
  front.set({ kind: 'pass' })
  await endVisits(context)
})

function setCore(kind: 'pass' | 'cut'): void {
  for (const wire of core) wire.set({ kind })
}

async function atOrders(): Promise<Page> {
  const { page, excuse } = await signIn(browser, { url: front.url }, 'manager', { to: ORDERS })
  excuse(AWAY)
  await page.getByRole('grid').waitFor()
  return page
}

test('a page opened while the core is down waits, shows it, and keeps the session', async () => {
  const page = await atOrders()
  setCore('cut')
  await page.reload()
  await page.getByText('The server does not answer').waitFor()
  expect(await page.locator('body').innerText()).not.toMatch(/failure\.|session:/)
  expect(page.url()).toContain(ORDERS)
  setCore('pass')
  await page.getByRole('grid').waitFor()
  expect(page.url()).toContain(ORDERS)
})

test('a view that could not be loaded loads itself when the core is back', async () => {
  const page = await atOrders()
  setCore('cut')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).fill('Repayment plans')
  await page.getByRole('option', { name: /^Repayment plans/ }).click()
  const failure = page.getByText(/could not be loaded|Could not refresh|Could not load/i).first()
  await failure.waitFor()
  setCore('pass')
  await failure.waitFor({ state: 'detached' })
  await page.getByRole('grid').waitFor()
})

test('a list read again by a press says that it failed, for a while', async () => {
  const page = await atOrders()
  setCore('cut')
  await page.getByRole('button', { name: 'Refresh' }).click()
  const toast = page.locator('.toast').first()
  await toast.waitFor()
  await toast.waitFor({ state: 'detached' })
})

test('a screen first opened without the line waits for it, and the other views stay', async () => {
  const page = await atOrders()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).fill('Coupon list')
  const option = page.getByRole('option', { name: /^Coupon/ }).first()
  await option.waitFor()
  front.set({ kind: 'cut' })
  await option.click()
  await page.getByText(/Reconnecting [2-9] s/).waitFor()
  expect(await page.getByText('This view has failed').count()).toBe(0)
  front.set({ kind: 'pass' })
  await page.getByRole('grid').waitFor({ timeout: 40_000 })
  expect(await page.getByText('This view has failed').count()).toBe(0)
})

/** A question whether the failed disbursements of two new orders are sent again. */
async function requestTwo() {
  const failed = async () => makeOrder(stack, { status: 31, vendorCode: 'elsewhere' })
  const ids = [(await failed()).orderId, (await failed()).orderId] as const
  const { page, excuse } = await signIn(browser, { url: front.url }, 'manager', {
    to: '/order_management/wait_relent',
  })
  excuse(AWAY)
  for (const id of ids) await row(page, id).locator('input[type="checkbox"]').check()
  await page.getByRole('button', { name: 'Send again' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('₹18,000.00').waitFor()
  // what shows the rows is there before anything is sent
  await atRest(page)
  return { page, ids, send: () => question.getByRole('button', { name: 'Send again' }).click() }
}

test('rows sent while the core is away are shown as not answered, saved as a file and sent again', async () => {
  const { page, ids, send } = await requestTwo()
  setCore('cut')
  await send()
  const drawer = page.getByRole('dialog', { name: 'No answer came' })
  await drawer.waitFor()
  for (const id of ids)
    expect(await drawer.getByRole('listitem').filter({ hasText: id }).innerText()).toMatch(
      /no answer/,
    )
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    drawer.getByRole('button', { name: 'Download' }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/)
  expect(lines.slice(1).toSorted()).toEqual(ids.map((id) => `"${id}","no answer",""`).toSorted())
  setCore('pass')
  await drawer.getByRole('button', { name: 'Run 2 rows again' }).click()
  await drawer.waitFor({ state: 'detached' })
  for (const id of ids) await row(page, id).waitFor({ state: 'detached' })
})

test('rows whose answer was lost are not sent twice', async () => {
  const { page, send } = await requestTwo()
  const keys: (string | undefined)[] = []
  await page.route('**/loan/redisburse?*', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    // the core ends between its work and its answer
    await route.fetch()
    const { id, code, msg } = NOT_AVAILABLE
    return route.fulfill({
      status: 502,
      json: { code, msg, data: null, problem: { id, params: {} } },
    })
  })
  await send()
  const drawer = page.getByRole('dialog', { name: 'No answer came' })
  await drawer.getByRole('button', { name: 'Run 2 rows again' }).click()
  // a second run would be refused: the orders have not failed any more
  await drawer.waitFor({ state: 'detached' })
  await page.getByText('2 disbursements sent again').first().waitFor()
  expect(new Set(keys).size).toBe(1)
})

test('the socket is back at once when the browser is online again', async () => {
  const page = await atOrders()
  const live = page.getByText('Live', { exact: true }).first()
  await live.waitFor()
  front.set({ kind: 'cut' })
  // Long enough for the pause between two tries to be the longest.
  await page.getByText(/Reconnecting [6-9] s/).waitFor()
  front.set({ kind: 'pass' })
  const [ms] = await Promise.all([
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const began = performance.now()
          const seen = new MutationObserver(() => {
            if (!document.body.innerText.includes('Reconnecting'))
              resolve(performance.now() - began)
          })
          seen.observe(document.body, { subtree: true, childList: true, characterData: true })
          window.dispatchEvent(new Event('online'))
        }),
    ),
    live.waitFor(),
  ])
  expect(ms).toBeLessThan(2_000)
})
