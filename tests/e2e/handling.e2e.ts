/** Money that did not arrive and money given up in a batch, by people in front of screens: a transfer paid by hand before a colleague's eyes, a sheet of orders that a director approves. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { row, seriousFindings } from '#tests/support/browser.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()

const statusOf = async (orderId: string) => (await sql<{ status: number }>`select o.status from loan_order o where o.id = ${orderId}`.execute(stage.stack.database.kysely)).rows[0]?.status

test('a failed transfer that was paid by hand becomes a loan, and leaves a colleague’s list', async () => {
  const order = await makeOrder(stage.stack, { status: 31, vendorCode: 'elsewhere' })
  const { page: colleague } = await stage.signIn('customer_service', { to: '/order_management/wait_relent' })
  await row(colleague, order.orderId).waitFor()
  const { page } = await stage.signIn('manager', { to: '/order_management/wait_relent' })
  await row(page, order.orderId).getByRole('button', { name: /actions|More/i }).click()
  await page.getByRole('menuitem', { name: 'Handle transfer' }).click()
  const form = page.getByRole('dialog')
  // the vendor it failed with sends nothing any more
  await form.getByText(/change the vendor/).first().waitFor()
  await form.getByLabel(/^What to do/).selectOption({ label: 'Was transferred by hand' })
  await form.getByText(/the loan runs from now on/).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await form.getByRole('button', { name: /^Confirm/ }).click()
  await form.getByText('Please fill this in').first().waitFor()
  await form.getByLabel(/^UTR/).fill('SBINN12026112299')
  await form.getByRole('button', { name: /^Confirm/ }).click()
  await page.getByText(`${order.orderId} is disbursed by hand`).waitFor()
  await row(colleague, order.orderId).waitFor({ state: 'detached' })
  expect(await statusOf(order.orderId)).toBe(30)
})

test('a sheet of orders is looked at row by row, asked for once, approved, and written off', async () => {
  const [one, two, running] = [await makeCase(stage.stack, { overdueDays: 12 }), await makeCase(stage.stack, { overdueDays: 20 }), await makeOrder(stage.stack, { status: 30 })]
  const { page } = await stage.signIn('manager', { to: '/order_management/flat_management' })
  await page.getByRole('button', { name: 'Batch write-off' }).click()
  const question = page.getByRole('alertdialog')
  const sheet = page.waitForEvent('download')
  await question.getByRole('button', { name: 'Template (CSV)' }).click()
  expect((await sheet).suggestedFilename()).toBe('batch-write-off.csv')
  await question.getByLabel('Choose a file').setInputFiles({ name: 'overdue.csv', mimeType: 'text/csv', buffer: Buffer.from(['Borrowing ID', one.orderId, two.orderId, one.orderId, running.orderId].join('\r\n')) })
  await question.getByText('overdue.csv').waitFor()
  await question.getByRole('button', { name: 'Check' }).click()
  await question.getByText('Left out: 2').waitFor()
  await question.getByText(/Neither overdue nor bad debt/).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await question.getByLabel(/^Reason/).fill('Yearly clearing')
  await question.getByRole('button', { name: 'Ask for approval' }).dblclick()
  await page.getByText(/2 orders wait for approval/).waitFor()
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from approval a where a.kind = 'batchWriteOff'`.execute(stage.stack.database.kysely)
  expect(rows).toEqual([{ n: 1 }])

  const { page: director } = await stage.signIn('director', { to: '/order_management/flat_management?requests=1' })
  await director.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await director.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  await expect.poll(() => Promise.all([one, two, running].map(({ orderId }) => statusOf(orderId))), { timeout: 15_000 }).toEqual([110, 110, 30])
})
