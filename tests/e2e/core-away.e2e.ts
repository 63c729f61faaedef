/**
 * A console whose core does not answer for a while, and a browser that loses its line: pages wait,
 * say so, and continue by themselves.
 */
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { endVisits, openBrowser, signIn } from '#tests/support/browser.ts'
import { FaultProxy } from '#tests/support/fault-proxy.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'

const ORDERS = '/order_management/order_list'
const SOON = { timeout: 20_000 }
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
  await page.getByRole('grid').waitFor(SOON)
  return page
}

test('a page opened while the core is down waits, shows it, and keeps the session', async () => {
  const page = await atOrders()
  setCore('cut')
  await page.reload()
  await page.getByText('The server does not answer').waitFor(SOON)
  expect(await page.locator('body').innerText()).not.toMatch(/failure\.|session:/)
  expect(page.url()).toContain(ORDERS)
  setCore('pass')
  await page.getByRole('grid').waitFor(SOON)
  expect(page.url()).toContain(ORDERS)
})

test('a view that could not be loaded loads itself when the core is back', async () => {
  const page = await atOrders()
  setCore('cut')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).fill('Repayment plans')
  await page.getByRole('option', { name: /^Repayment plans/ }).click()
  const failure = page.getByText(/could not be loaded|Could not refresh|Could not load/i).first()
  await failure.waitFor(SOON)
  setCore('pass')
  await failure.waitFor({ state: 'detached', ...SOON })
  await page.getByRole('grid').waitFor(SOON)
})

test('a list read again by a press says that it failed, for a while', async () => {
  const page = await atOrders()
  setCore('cut')
  await page.getByRole('button', { name: 'Refresh' }).click()
  const said = page.locator('.toast').first()
  await said.waitFor(SOON)
  await said.waitFor({ state: 'detached', ...SOON })
})

test('the socket is back at once when the browser is online again', async () => {
  const page = await atOrders()
  const live = page.getByText('Live', { exact: true }).first()
  await live.waitFor(SOON)
  front.set({ kind: 'cut' })
  // Long enough for the pause between two tries to be the longest.
  await page.getByText(/Reconnecting [6-9] s/).waitFor(SOON)
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
    live.waitFor(SOON),
  ])
  expect(ms).toBeLessThan(2_000)
})
