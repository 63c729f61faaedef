/** The home page: the figures, their links, and live updates. */
import { sql } from 'kysely'
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
  await expect.poll(() => count.innerText()).toMatch(/2$/)
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

test('one key takes the next review, and the other reviewer sees that the queue is empty', async () => {
  const [{ page }, { page: other }] = await Promise.all([
    stage.signIn('reviewer2', { to: '/home_page' }),
    stage.signIn('reviewer3', { to: '/home_page' }),
  ])
  await other.getByRole('button', { name: /^Take next review/ }).waitFor()
  await page.getByRole('button', { name: /^Take next review/ }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('n')
  await page.waitForURL(/\/detail2\?reviewId=/)
  await other.getByText('Nothing is waiting for you.').waitFor()
  await page.goBack()
  await page.getByRole('button', { name: /^Continue my review/ }).click()
  await page.waitForURL(/\/detail2\?reviewId=/)
})

test('a director decides a request on the home page itself', async () => {
  await sql`
    insert into approval (id, kind, target_kind, target_id, payload, amount, count, reason, requested_by,
      requested_by_name, expires_at)
    select 'AP900', 'batchWriteOff', 'order', 'AP900', '{"orderIds": []}', 1, 1, 'Closed shop', u.id,
      u.user_name, clock_timestamp() + interval '1 hour'
    from sys_user u where u.account = 'manager'`.execute(stage.stack.database.kysely)
  const { page } = await stage.signIn('director', { to: '/home_page' })
  await page.getByRole('button', { name: /^Decide next request/ }).waitFor()
  const decisions = page.getByRole('region', { name: 'Decide here' })
  await decisions.getByText('Closed shop').waitFor()
  await decisions.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('textbox').fill('Not this one')
  await page.getByRole('button', { name: 'Reject' }).last().click()
  await page.getByText('Nothing is waiting for you.').waitFor()
  await decisions.waitFor({ state: 'detached' })
})

test('screens are listed in a collapsed section, and a figure opens its rows', async () => {
  const { page } = await stage.signIn('reviewer', { to: '/home_page' })
  const list = page.getByRole('link', { name: 'Review queue' }).last()
  expect(await list.isVisible()).toBe(false)
  await page.getByText('All screens').click()
  await list.waitFor()
  await page.getByRole('link', { name: /^Decided today/ }).click()
  await page.waitForURL(/review_list\?tab=quality/)
})
