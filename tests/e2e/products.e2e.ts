/** What is lent, and money that did not arrive: a product is made and fined by ranges, failed disbursements are sent again before a colleague's eyes. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makeOrder, makeProduct } from '#tests/factories/orders.ts'
import { row, seriousFindings, untilQuiet } from '#tests/support/browser.ts'
import { browserStage } from '#tests/support/stage.ts'

const SOON = { timeout: 20_000 }

const stage = browserStage()
beforeAll(async () => {
  await makeProduct(stage.stack)
})

test('a product is added, fined by ranges that cannot overlap, and switched on', async () => {
  const { page } = await stage.signIn('manager', { to: '/system/product_config' })
  await page.getByRole('button', { name: 'Add product' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Product/).fill('Harvest 60')
  await form.getByLabel(/^App/).selectOption({ label: 'RupeeOnce' })
  await form.getByLabel(/^Merchant/).selectOption({ label: 'Own book' })
  await form.getByLabel(/^Minimum/).fill('5,000')
  await form.getByLabel(/^Maximum/).fill('40000')
  await form.getByLabel(/^Instalments/).fill('2')
  await form.getByLabel(/^Days per instalment/).fill('30')
  await expect.poll(() => form.getByLabel(/^Tenure/).inputValue(), SOON).toBe('60')
  await form.getByLabel(/^Service rate/).fill('2.5')
  await form.getByLabel(/^Interest per day/).fill('0.07')
  expect(await seriousFindings(page)).toEqual([])
  await form.getByRole('button', { name: /^Save/ }).click()
  const { rows } = await untilProduct()
  const product = row(page, rows[0]?.id as string)
  await product.getByText('Off', { exact: true }).waitFor(SOON)

  await product.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Overdue fine' }).click()
  const fines = page.getByRole('dialog')
  await fines.getByRole('button', { name: 'Add range' }).click()
  await fines.getByLabel('Per day · from 1').fill('0.1')
  await fines.getByRole('button', { name: 'Add range' }).click()
  await fines.getByRole('button', { name: /^Save/ }).click()
  // the first range has no end yet
  await fines.getByText(/Fill every end/).first().waitFor(SOON)
  await fines.getByLabel('End of the range from 1').fill('7')
  await fines.getByLabel('Cap in all · from 8').fill('5')
  await fines.getByRole('button', { name: /^Save/ }).click()
  await expect.poll(async () => (await untilProduct()).rows[0]?.penalty, SOON).toEqual([{ dayFrom: 1, dayTo: 7, rate: 10, capRatio: null }, { dayFrom: 8, dayTo: null, rate: 10, capRatio: 500 }])

  await fines.waitFor({ state: 'detached' })
  await untilQuiet(page)
  await product.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Switch on' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch on' }).click()
  await product.getByText('On', { exact: true }).waitFor(SOON)
})

async function untilProduct() {
  const find = () => sql<{ id: string; penalty: unknown }>`select p.id, p.penalty from product p where p.name = 'Harvest 60'`.execute(stage.stack.database.kysely)
  await expect.poll(async () => (await find()).rows.length, SOON).toBe(1)
  return find()
}

test('failed disbursements are sent again; the rows that stay are named, and a colleague sees the others go', async () => {
  const failed = async () => makeOrder(stage.stack, { status: 31, vendorCode: 'elsewhere' })
  const [good, unbound] = [await failed(), await failed()]
  await sql`update bank_card set bind_state = 'notBound' where customer_id = ${unbound.customerId}`.execute(stage.stack.database.kysely)
  const colleague = await stage.signIn('director', { to: '/order_management/wait_relent' })
  await row(colleague.page, good.orderId).waitFor(SOON)
  const { page } = await stage.signIn('manager', { to: '/order_management/wait_relent' })
  await row(page, good.orderId).waitFor(SOON)
  await page.locator('.ag-header input[type="checkbox"]').check()
  await page.getByRole('button', { name: 'Send again' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText(unbound.orderId).waitFor(SOON)
  await question.getByText(/bank card is not bound/).waitFor(SOON)
  await question.getByText('₹9,000.00').waitFor(SOON)
  expect(await seriousFindings(page)).toEqual([])
  await question.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(async () => (await sql<{ status: number }>`select o.status from loan_order o where o.id = ${good.orderId}`.execute(stage.stack.database.kysely)).rows[0]?.status, SOON).not.toBe(31)
  await row(colleague.page, good.orderId).waitFor({ ...SOON, state: 'detached' })
  await row(colleague.page, unbound.orderId).waitFor(SOON)
})
