/** Announcements, list files, saved views and settings in real browsers. */
import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { seriousFindings } from '#tests/support/browser.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
let orderId: string
beforeAll(async () => {
  ;({ orderId } = await makeOrder(stage.stack, { status: 30 }))
})

test('a published announcement appears at once for its readers, and only once', async () => {
  await makeReview(stage.stack)
  const reader = await stage.signIn('reviewer', { to: '/home_page' })
  await reader.page.getByRole('button', { name: /Take next review/ }).waitFor()
  const { page } = await stage.signIn('manager', { to: '/system/notice_list' })
  await page.getByRole('button', { name: 'New announcement' }).click()
  const form = page.getByRole('dialog', { name: 'New announcement' })
  await form.getByLabel('Title').fill('The floor closes at four')
  await form.getByLabel('Content').fill('Plan: https://floor.example/plan')
  await form.getByLabel('Pop-up').selectOption('once')
  await form.getByLabel('Status').selectOption('published')
  await form.getByLabel('Reviewer').check()
  expect(await seriousFindings(page)).toEqual([])
  await form.getByRole('button', { name: 'Save' }).click()
  const question = page.getByRole('alertdialog', { name: 'Publish “The floor closes at four”?' })
  await question.getByText('It is shown at once. Readers: Reviewer. Pop-up: Once.').waitFor()
  await question.getByRole('button', { name: 'Publish' }).click()
  const shown = reader.page.getByRole('dialog', { name: 'The floor closes at four' })
  await shown.getByRole('link', { name: 'https://floor.example/plan' }).waitFor()
  expect(await seriousFindings(reader.page)).toEqual([])
  // the keys of the page below wait until it is read
  await reader.page.keyboard.press('KeyN')
  await shown.getByRole('button', { name: 'Understood' }).click()
  await shown.waitFor({ state: 'detached' })
  await reader.page.reload()
  await reader.page.getByRole('button', { name: /^Notifications/ }).click()
  await reader.page
    .getByRole('region', { name: /^Notifications/ })
    .getByRole('list', { name: 'Announcements' })
    .getByText('The floor closes at four')
    .waitFor()
  expect(await reader.page.getByRole('dialog', { name: 'The floor closes at four' }).count()).toBe(
    0,
  )
  expect(await page.getByRole('dialog', { name: 'The floor closes at four' }).count()).toBe(0)
  expect(new URL(reader.page.url()).pathname).toBe('/home_page')
})

test('a list can be downloaded as shown, and its view can be saved under a name', async () => {
  const { page } = await stage.signIn('manager', { to: '/order_management/order_list?status=30' })
  await page.getByText(orderId).waitFor()
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.getByLabel('Save what is shown as').fill('To be repaid')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'Saved views: To be repaid' }).waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV file' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/^order_list-.*\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain(orderId)
  expect(lines[2]).toMatch(/^"manager \(/)
  // A deleted view can be restored while its toast is shown.
  const view = page.getByRole('button', { name: 'Saved views: To be repaid' })
  await view.click()
  await page.getByRole('button', { name: 'Delete “To be repaid”' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await view.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await view.waitFor()
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
})

test('code tables are imported into the dictionary and a parameter change needs a confirmation', async () => {
  const { page } = await stage.signIn('administrator', { to: '/system/dict' })
  await page.getByRole('button', { name: 'Generate' }).click()
  const form = page.getByRole('dialog', { name: 'Generate' })
  await form.getByLabel('Loan order status').check()
  expect(await seriousFindings(page)).toEqual([])
  await form.getByRole('button', { name: 'Generate' }).click()
  await page.getByRole('gridcell', { name: 'Overdue', exact: true }).waitFor()
  await page.goto(`${stage.stack.url}/system/conf?code=review.maxClaimed`)
  await page.getByText('review.maxClaimed').first().click()
  const parameter = page.getByRole('dialog', { name: 'Change review.maxClaimed' })
  await parameter.getByLabel('Value').fill('4')
  await parameter.getByRole('button', { name: 'Save' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('3 becomes 4').waitFor()
  await question.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('gridcell', { name: '4', exact: true }).waitFor()
})

test("a parameter is named in the user's language and found by that name", async () => {
  const { page } = await stage.signIn('administrator', {
    language: 'zh',
    to: `/system/conf?name=${encodeURIComponent('最多持有数')}`,
  })
  await page.getByRole('gridcell', { name: '审核：每位审核员最多持有数' }).waitFor()
  expect(await page.getByRole('gridcell', { name: 'ticket.maxClaimed' }).count()).toBe(1)
  expect(await page.getByText('items one reviewer may hold').count()).toBe(0)
  await page.getByText('review.maxClaimed').first().click()
  await page.getByRole('dialog').getByText('审核：每位审核员最多持有数').waitFor()
})

test('an administrator runs the ledger check and reads the result; a read-only user cannot run it', async () => {
  const { page } = await stage.signIn('administrator', { to: '/system/operate_record?tab=books' })
  await page.getByText('The books have not been proven yet.').waitFor()
  await page.getByRole('button', { name: 'Prove now' }).click()
  await page.getByText(/^The books hold: \d+ rules$/).waitFor()
  await page.getByRole('row', { name: /^Principal receivable/ }).waitFor()
  await page.getByText('Ledger', { exact: true }).click()
  await page.getByText('In every posting the debits equal the credits.').waitFor()
  await page.getByRole('row', { name: /^Total .*₹0\.00$/ }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  const { page: director } = await stage.signIn('director', {
    to: '/system/operate_record?tab=books',
  })
  await director.getByText(/^The books hold:/).waitFor()
  expect(await director.getByRole('button', { name: 'Prove now' }).count()).toBe(0)
})
