/** Every screen: who may see it, and common behaviour. */
import { expect, test } from 'vitest'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeTicket } from '#tests/factories/tickets.ts'
import { logIn, moveTo, row } from '#tests/support/browser.ts'
import { screenStage, settled, walkByMenu } from '#tests/support/screen-walk.ts'

const stage = screenStage()

test('login: a wrong password keeps the name, the right one opens the requested page', async () => {
  const { page } = await stage.visit()
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

test.each([
  '//evil.example',
  'https://evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
  '/nowhere',
])('a redirect to %s does not leave the console', async (target) => {
  const { page } = await stage.visit()
  await logIn(page, 'director', target)
  expect(new URL(page.url()).origin).toBe(stage.stack.url)
})

/**
 * Who configures, leads, collects and reviews; languages.e2e.ts opens each screen once, and
 * `npm run test:long` walks every role through its whole menu.
 */
test.each(['administrator', 'manager', 'collector', 'reviewer'])(
  "%s sees the menu from the server and cannot open other roles' screens",
  async (mark) => {
    await walkByMenu(stage, mark, [])
  },
)

test('an unknown path shows the not-found page', async () => {
  const { page } = await stage.signIn('manager', { to: '/no/such/place' })
  await page.waitForURL(/\/404/)
})

test('the language changes without a reload', async () => {
  const { page } = await stage.signIn('manager', { to: '/order_management/review_list' })
  await settled(page)
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
  await page.getByRole('button', { name: 'Language: EN' }).click()
  await page.getByRole('option', { name: '中文' }).click()
  await page.getByText('审核队列').first().waitFor()
  expect(await page.evaluate(() => (globalThis as { sameDocument?: boolean }).sameDocument)).toBe(
    true,
  )
  expect(await page.locator('html').getAttribute('lang')).toMatch(/^zh/)
})

test('a masked value is revealed with a reason, and its document is shown', async () => {
  const { reviewId } = await makeReview(stage.stack, {
    state: 'manualCheck',
    firstReviewerId: (await stage.stack.signIn('reviewer2')).userId,
  })
  const { page } = await stage.signIn('manager', { to: `/detail2?reviewId=${reviewId}` })
  await settled(page)
  const masked = page.getByText(/^XXXXXX\d{4}$/).first()
  await masked.waitFor()
  await page.getByRole('button', { name: 'Show Phone', exact: true }).click()
  await page.getByLabel(/Why do you need to see it/).fill('the customer asked to be called')
  await page.keyboard.press('Enter')
  await page
    .getByText(/^[6-9]\d{9}$/)
    .first()
    .waitFor()
})

test('Enter opens a row and one Tab leaves the grid', async () => {
  const { page } = await stage.signIn('manager', { to: '/order_management/order_list' })
  await settled(page)
  await row(page, 'L1').waitFor()
  // A cell without a link.
  const cell = page.locator('.ag-cell[col-id="amount"]').first()
  await cell.click()
  await page.keyboard.press('Tab')
  expect(
    await page.evaluate(() => document.activeElement?.closest('.ag-body-viewport') ?? null),
  ).toBeNull()
  await cell.click()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/detail\?orderId=/)
})

test('the rows are reached from the page and from its filter by one key each', async () => {
  const { page } = await stage.signIn('manager', { to: '/order_management/order_list' })
  await settled(page)
  await row(page, 'L1').waitFor()
  const at = () =>
    page.evaluate(() => document.activeElement?.closest('.ag-row')?.getAttribute('row-index'))
  await page.keyboard.press('KeyJ')
  await expect.poll(at).toBe('0')
  await page.keyboard.press('KeyJ')
  await expect.poll(at).toBe('1')
  await page.keyboard.press('Slash')
  await page.keyboard.type('L99')
  // Escape takes the text back first, and then returns to the row
  await page.keyboard.press('Escape')
  expect(await page.locator('[data-shortcut="Slash"]').inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await expect.poll(at).toBe('1')
  await page.keyboard.press('Slash')
  await page.keyboard.press('ArrowDown')
  await expect.poll(at).toBe('1')
  await page.keyboard.press('KeyK')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/detail\?orderId=/)
  await page.getByRole('tab', { name: 'Timeline' }).waitFor()
  await settled(page)
  await page.keyboard.press('Escape')
  await page.waitForURL(/\/order_list/)
  await expect.poll(at).toBe('0')
})

test('one key goes from the selected rows to their actions, and Escape goes back', async () => {
  const { page } = await stage.signIn('manager', { to: '/customer_management/user_feedback' })
  const { feedbackId } = await makeTicket(stage.stack)
  await row(page, feedbackId).waitFor()
  await settled(page)
  await page.keyboard.press('KeyJ')
  await page.keyboard.press('Space')
  const bar = page.locator('.grid-bulk:visible')
  await bar.getByText('1 selected').waitFor()
  await page.keyboard.press('KeyM')
  const isInBar = () => bar.evaluate((element) => element.contains(document.activeElement))
  await expect.poll(isInBar).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(isInBar).toBe(false)
  expect(await page.evaluate(() => document.activeElement?.closest('.ag-row') !== null)).toBe(true)
})

test('an impossible id is not searched: the list shows the format of an id', async () => {
  const { page } = await stage.signIn('manager')
  for (const path of [
    '/order_management/order_list?userId=C%2F1',
    '/order_management/repay_record?orderId=L%201',
    '/loaned_management/peded_list?caseId=CA%201',
    '/loaned_management/recycle_bill?orderId=L%201',
    '/order_management/change_case?changeId=CC%201',
  ]) {
    await moveTo(page, path)
    await expect
      .poll(
        () =>
          page.getByText('An ID has letters and digits only.').filter({ visible: true }).count(),
        { message: path },
      )
      .toBe(1)
    await page.getByRole('button', { name: 'Clear all' }).filter({ visible: true }).first().click()
    await expect
      .poll(
        () =>
          page.getByText('An ID has letters and digits only.').filter({ visible: true }).count(),
        { message: path },
      )
      .toBe(0)
  }
})

test('a view chip of a list does not move its rows', async () => {
  const { page } = await stage.signIn('manager')
  const moved: string[] = []
  for (const [path, view] of [
    ['order_list', 'Closed'],
    ['repay_plan', 'Due today'],
    ['repay_proof', 'Accepted'],
  ] as const) {
    await moveTo(page, `/order_management/${path}`)
    await settled(page)
    const top = () =>
      page.locator('.ag-header:visible').evaluate((head) => head.getBoundingClientRect().top)
    const before = await top()
    await page.locator('.view-chips:visible').getByText(view, { exact: true }).click()
    await settled(page)
    if ((await top()) !== before) moved.push(path)
  }
  expect(moved).toEqual([])
})

test('with reduced motion a row has its final look from the first frame', async () => {
  const { page } = await stage.signIn('administrator')
  await settled(page)
  await page.evaluate(() => {
    const borders = new Set<string>()
    Object.assign(globalThis, { borders })
    const look = (): void => {
      for (const cell of document.querySelectorAll('.ag-cell'))
        if (cell.checkVisibility()) borders.add(getComputedStyle(cell).borderTopWidth)
      requestAnimationFrame(look)
    }
    look()
  })
  for (const path of ['/system/user', '/system/role', '/system/product_config']) {
    await moveTo(page, path)
    await page.locator('.ag-cell:visible').first().waitFor()
    await settled(page)
  }
  expect(
    await page.evaluate(() => [
      ...(globalThis as typeof globalThis & { borders: Set<string> }).borders,
    ]),
  ).toEqual(['1px'])
})
