/** The built console as it is started, in a browser: every other browser test runs the sources. */
import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { endVisits, openBrowser, signIn } from '#tests/support/browser.ts'
import { ConsoleProcesses } from '#tests/support/console-processes.ts'
import { type Ground, makeEmbeddedGround } from '#tests/support/ground.ts'

const processes = new ConsoleProcesses()
let ground: Ground
let url: string
let browser: Browser
beforeAll(async () => {
  ;[ground, browser] = await Promise.all([makeEmbeddedGround(), openBrowser()])
  ;({ url } = await processes.start(ground.env))
})
afterAll(async () => {
  await browser.close()
  await processes.end()
  await ground.drop()
})
afterEach(endVisits)

test('signs a browser in, hears its socket, keeps it over a reload and describes its calls', async () => {
  const { page } = await signIn(browser, { url }, 'administrator', {
    to: '/order_management/order_list',
  })
  await page.getByText('Live', { exact: true }).first().waitFor()
  await page.reload()
  await page.getByRole('grid').waitFor()
  await page.goto('/docs')
  await page.locator('.opblock').first().waitFor()
})
