/** The first screen: what a person's desk counts, where it leads, and that it follows the floor. */
import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { endVisits, openBrowser, row, seriousFindings, signIn } from '#tests/support/browser.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'

let stack: Stack
let browser: Browser
let failed: string
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ client: true }), openBrowser()])
  ;({ orderId: failed } = await makeOrder(stack, { status: 31 }))
  await makeReview(stack)
})
afterAll(async () => {
  await browser.close()
  await stack.close()
})
afterEach(endVisits)

test("a manager's figures follow the floor without a reload, and lead to the rows they count", async () => {
  const { page } = await signIn(browser, stack, 'manager', { to: '/home_page' })
  const count = page.getByRole('link', { name: /^Failed disbursements/ })
  await expect.poll(() => count.innerText()).toMatch(/1$/)
  expect(await seriousFindings(page)).toEqual([])
  const { orderId: next } = await makeOrder(stack, { status: 31 })
  await stack.settle()
  await expect.poll(() => count.innerText(), { timeout: 10_000 }).toMatch(/2$/)
  await count.click()
  await row(page, failed).waitFor()
  await row(page, next).waitFor()
  await page.getByText('1–2 of 2').waitFor()
})

test('the open requests are asked for once, whether the tab counts them or shows them', async () => {
  const { page } = await signIn(browser, stack, 'manager', { to: '/home_page' })
  await page.getByRole('link', { name: /^Orders under review/ }).waitFor()
  const calls: string[] = []
  page.on('request', (request) => request.url().includes('/approval/list') && calls.push(request.url()))
  await page.reload()
  await page.getByRole('link', { name: /^Orders under review/ }).waitFor()
  await expect.poll(() => calls.length).toBe(1)
})

test('a reviewer finds his queue as a figure and as what waits for him', async () => {
  const { page } = await signIn(browser, stack, 'reviewer', { to: '/home_page' })
  await page.getByRole('link', { name: '1 review to claim' }).click()
  await page.waitForURL(/review_list\?tab=queue/)
  await page.goBack()
  await page.getByRole('link', { name: /^Reviews to claim\s*1$/ }).waitFor()
})
