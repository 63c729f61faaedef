/** The built console in a browser: every other browser test runs the sources. */
import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { endVisits, openBrowser, signIn } from '#tests/support/browser.ts'
import { ConsoleProcesses } from '#tests/support/console-processes.ts'
import { type ChaosDatabase, makeEmbeddedDatabase } from '#tests/support/chaos-database.ts'

const processes = new ConsoleProcesses()
let chaosDatabase: ChaosDatabase
let url: string
let browser: Browser
beforeAll(async () => {
  ;[chaosDatabase, browser] = await Promise.all([makeEmbeddedDatabase(), openBrowser()])
  ;({ url } = await processes.start(chaosDatabase.env))
})
afterAll(async () => {
  await browser.close()
  await processes.end()
  await chaosDatabase.drop()
})
afterEach(endVisits)

test('signs in, receives events by socket, keeps the session over a reload and documents its calls', async () => {
  const { page } = await signIn(browser, { url }, 'administrator', {
    to: '/order_management/order_list',
  })
  await page.getByText('Live', { exact: true }).first().waitFor()
  await page.reload()
  await page.getByRole('grid').waitFor()
  await page.goto('/docs')
  // it draws some 470 calls at once
  await page.locator('.opblock').first().waitFor({ timeout: 120_000 })
})
