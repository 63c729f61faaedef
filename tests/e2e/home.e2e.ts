/** The home page: the figures, their links, and live updates. */
import { beforeAll, expect, test } from 'vitest'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { row, seriousFindings } from '#tests/support/browser.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
let failed: string
beforeAll(async () => {
  ;({ orderId: failed } = await makeOrder(stage.stack, { status: 31 }))
  await makeReview(stage.stack)
})

test("a manager's figures update without a reload and link to the rows they count", async () => {
  const { page } = await stage.signIn('manager', { to: '/home_page' })
  const count = page.getByRole('link', { name: /^Failed disbursements/ })
  await expect.poll(() => count.innerText()).toMatch(/1$/)
  expect(await seriousFindings(page)).toEqual([])
  const { orderId: next } = await makeOrder(stage.stack, { status: 31 })
  await stage.stack.settle()
  await expect.poll(() => count.innerText(), { timeout: 10_000 }).toMatch(/2$/)
  await count.click()
  await row(page, failed).waitFor()
  await row(page, next).waitFor()
  await page.getByText('1–2 of 2').waitFor()
})

test('the open requests are read once, whether the tab counts them or shows them', async () => {
  const { page } = await stage.signIn('manager', { to: '/home_page' })
  await page.getByRole('link', { name: /^Orders under review/ }).waitFor()
  const calls: string[] = []
  page.on(
    'request',
    (request) => request.url().includes('/approval/list') && calls.push(request.url()),
  )
  await page.reload()
  await page.getByRole('link', { name: /^Orders under review/ }).waitFor()
  await expect.poll(() => calls.length).toBe(1)
})

test('a reviewer sees the queue as a figure and as pending work', async () => {
  const { page } = await stage.signIn('reviewer', { to: '/home_page' })
  await page.getByRole('link', { name: '1 review to claim' }).click()
  await page.waitForURL(/review_list\?tab=queue/)
  await page.goBack()
  await page.getByRole('link', { name: /^Reviews to claim\s*1$/ }).waitFor()
})
