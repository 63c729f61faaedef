/** Products and failed disbursements: a product with fine ranges, disbursements sent again live. */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { PNG } from '#tests/factories/files.ts'
import { makeOrder, makeProduct } from '#tests/factories/orders.ts'
import { filled } from '#tests/factories/terms-workbook.ts'
import { row, seriousFindings, untilQuiet } from '#tests/support/browser.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
beforeAll(async () => {
  await makeProduct(stage.stack)
})

test('a product is added with fine ranges that cannot overlap, and enabled', async () => {
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
  await expect.poll(() => form.getByLabel(/^Tenure/).inputValue()).toBe('60')
  await form.getByLabel(/^Service rate/).fill('2.5')
  await form.getByLabel(/^Interest per day/).fill('0.07')
  expect(await seriousFindings(page)).toEqual([])
  await form.getByRole('button', { name: /^Save/ }).click()
  const { rows } = await untilProduct()
  const product = row(page, rows[0]?.id as string)
  await product.getByText('Off', { exact: true }).waitFor()

  await product.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Overdue fine' }).click()
  const fines = page.getByRole('dialog')
  await fines.getByRole('button', { name: 'Add range' }).click()
  await fines.getByLabel('Per day · from 1').fill('0.1')
  await fines.getByRole('button', { name: 'Add range' }).click()
  await fines.getByRole('button', { name: /^Save/ }).click()
  // The first range has no end yet.
  await fines
    .getByText(/Fill every end/)
    .first()
    .waitFor()
  await fines.getByLabel('End of the range from 1').fill('7')
  await fines.getByLabel('Cap in all · from 8').fill('5')
  await fines.getByRole('button', { name: /^Save/ }).click()
  const question = page.getByRole('alertdialog', { name: 'Save the new terms of Harvest 60?' })
  await question.getByText(/orders made from now on/).waitFor()
  await question.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await untilProduct()).rows[0]?.penalty)
    .toEqual([
      { dayFrom: 1, dayTo: 7, rate: 10, capRatio: null },
      { dayFrom: 8, dayTo: null, rate: 10, capRatio: 500 },
    ])

  await fines.waitFor({ state: 'detached' })
  await untilQuiet(page)
  await product.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Extension' }).click()
  await form.getByLabel(/^Fee(?! as)/).fill('3')
  await form.getByLabel(/^Days/).fill('10')
  // A colleague saved first.
  const colleaguesTerms = {
    enabled: true,
    days: 7,
    feeType: 'fixed',
    fee: 25_000,
    commission: 0,
    maxTimes: 1,
  }
  await sql`
    update product
      set extend = ${JSON.stringify(colleaguesTerms)}::jsonb, version = version + 1
      where id = ${rows[0]?.id}`.execute(stage.stack.database.kysely)
  await form.getByRole('button', { name: /^Save/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click()
  await form.getByLabel('Share of the principal: 3.00 %, Commission 0.00 %').waitFor()
  await form.getByLabel('Fixed amount: ₹250.00, Commission ₹0.00').check()
  expect(await seriousFindings(page)).toEqual([])
  await form.getByRole('button', { name: 'Save on top of the new version' }).click()
  await form.waitFor({ state: 'detached' })
  // The other value where it was chosen or the own field untouched; the own value otherwise.
  expect(
    (
      await sql<{
        extend: unknown
      }>`select p.extend from product p where p.id = ${rows[0]?.id}`.execute(
        stage.stack.database.kysely,
      )
    ).rows,
  ).toEqual([
    {
      extend: {
        enabled: true,
        days: 10,
        feeType: 'fixed',
        fee: 25_000,
        commission: 0,
        maxTimes: 1,
      },
    },
  ])

  await untilQuiet(page)
  await product.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Switch on' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch on' }).click()
  await product.getByText('On', { exact: true }).waitFor()

  // a merchant lends on it no longer, and the apps stop offering it
  const links = async () =>
    (
      await sql`select from merchant_product l where l.product_id = ${rows[0]?.id}`.execute(
        stage.stack.database.kysely,
      )
    ).rows.length
  const choose = async (isLinked: boolean) => {
    await page.getByRole('button', { name: 'Products of a merchant' }).click()
    await form.getByLabel(/^Merchant/).selectOption({ label: 'Own book' })
    await form.getByLabel(/^Harvest 60/).setChecked(isLinked)
    await form.getByRole('button', { name: /^Save/ }).click()
  }
  await choose(true)
  await expect.poll(links).toBe(1)
  await form.waitFor({ state: 'detached' })
  await choose(false)
  const ending = page.getByRole('alertdialog', { name: 'End these links?' })
  await ending.getByText(/no longer offer: Harvest 60/).waitFor()
  await ending.getByRole('button', { name: 'Save' }).click()
  await expect.poll(links).toBe(0)
  await form.waitFor({ state: 'detached' })
})

async function untilProduct() {
  const find = () =>
    sql<{
      id: string
      penalty: unknown
    }>`select p.id, p.penalty from product p where p.name = 'Harvest 60'`.execute(
      stage.stack.database.kysely,
    )
  await expect.poll(async () => (await find()).rows.length).toBe(1)
  return find()
}

test('a product is added with logo and filled template; errors in the template name their cell', async () => {
  const { page } = await stage.signIn('manager', { to: '/system/product_config' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Terms template' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('product-terms.xlsx')
  const template = await readFile(await download.path())
  const workbook = (loanTo: number | null) => ({
    name: 'terms.xlsx',
    mimeType: 'application/octet-stream',
    buffer: filled(template, {
      quota: [['New borrowers', 1, loanTo, 15000, 1]],
      penalty: [[1, null, 0.1, 50]],
      extend: [['Yes', 7, 'Fixed amount', 250, 0, 1]],
    }),
  })
  await page.getByRole('button', { name: 'Add product' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Product/).fill('Monsoon 30')
  await form.getByLabel(/^App/).selectOption({ label: 'RupeeOnce' })
  await form.getByLabel(/^Merchant/).selectOption({ label: 'Own book' })
  await form.getByLabel(/^Minimum/).fill('5,000')
  await form.getByLabel(/^Maximum/).fill('40000')
  await form.getByLabel(/^Days per instalment/).fill('30')
  await form.getByLabel(/^Service rate/).fill('2.5')
  await form.getByLabel(/^Interest per day/).fill('0.07')
  await form.getByLabel(/^Logo/).setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  })
  await form.getByLabel(/^Terms in a workbook/).setInputFiles(workbook(3))
  await form.getByRole('button', { name: /^Save/ }).click()
  await form.getByText('Only PNG and JPG pictures').waitFor()
  await form.getByRole('button', { name: 'Take out logo.png' }).click()
  await form
    .getByLabel(/^Logo/)
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PNG })
  await form.getByRole('img', { name: 'Chosen logo' }).waitFor()
  await form.getByRole('button', { name: /^Save/ }).click()
  await form.getByText('Limits by borrower, cell C2').waitFor()
  await form
    .getByText(/Nothing was saved/)
    .first()
    .waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await form.getByRole('button', { name: 'Take out terms.xlsx' }).click()
  await form.getByText('Limits by borrower, cell C2').waitFor({ state: 'detached' })
  await form.getByLabel(/^Terms in a workbook/).setInputFiles(workbook(null))
  await form.getByRole('button', { name: /^Save/ }).click()
  await form.waitFor({ state: 'detached' })
  const { rows } = await sql<{
    id: string
    quota: unknown
    penalty: unknown
    extend: unknown
  }>`select p.id, p.quota, p.penalty, p.extend from product p where p.name = 'Monsoon 30'`.execute(
    stage.stack.database.kysely,
  )
  expect(rows).toMatchObject([
    {
      quota: [{ customerClass: 'new', orderNoFrom: 1, orderNoTo: null, limit: 1_500_000, term: 1 }],
      penalty: [{ dayFrom: 1, dayTo: null, rate: 10, capRatio: 5_000 }],
      extend: { enabled: true, days: 7, feeType: 'fixed', fee: 25_000, commission: 0, maxTimes: 1 },
    },
  ])
  const product = row(page, rows[0]?.id as string)
  await product.locator('.product-logo img').waitFor()

  await product.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await form.getByRole('img', { name: 'Logo of Monsoon 30' }).waitFor()
  await form.getByRole('button', { name: 'Remove the logo' }).click()
  await form.getByText('The logo goes when you save').waitFor()
  await form.getByRole('button', { name: /^Save/ }).click()
  await form.waitFor({ state: 'detached' })
  await product.locator('.product-logo img').waitFor({ state: 'detached' })
})

/** What a payout needs is taken from a customer, or given back. */
const bind = (customerId: string, state: 'bound' | 'notBound') =>
  sql`update bank_card set bind_state = ${state} where customer_id = ${customerId}`.execute(
    stage.stack.database.kysely,
  )

test('after a bulk action a drawer shows every row, runs the refused again and saves a file', async () => {
  const failed = async () => makeOrder(stage.stack, { status: 31, vendorCode: 'elsewhere' })
  const [first, second, late] = [await failed(), await failed(), await failed()]
  const { page } = await stage.signIn('manager', { to: '/order_management/wait_relent' })
  for (const { orderId } of [first, second, late])
    await row(page, orderId).locator('input[type="checkbox"]').check()
  await page.getByRole('button', { name: 'Send again' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('₹27,000.00').waitFor()
  await bind(late.customerId, 'notBound')
  await question.getByRole('button', { name: 'Send again' }).click()
  const drawer = page.getByRole('dialog', { name: '2 of 3 rows done' })
  await drawer.getByText(/bank card is not bound/).waitFor()
  expect(await drawer.getByRole('listitem').filter({ hasText: first.orderId }).innerText()).toMatch(
    /done/,
  )
  expect(await seriousFindings(page)).toEqual([])
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    drawer.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('rows.csv')
  await bind(late.customerId, 'bound')
  await drawer.getByRole('button', { name: 'Run 1 row again' }).click()
  await drawer.waitFor({ state: 'detached' })
  await row(page, late.orderId).waitFor({ state: 'detached' })
  // nothing can be sent of one alone: the drawer says why
  const none = await failed()
  await bind(none.customerId, 'notBound')
  await row(page, none.orderId).waitFor()
  await row(page, none.orderId).locator('input[type="checkbox"]').check()
  await page.getByRole('button', { name: 'Send again' }).click()
  const refused = page.getByRole('dialog', { name: '0 of 1 rows done' })
  await refused.getByText(/bank card is not bound/).waitFor()
  await refused.getByRole('button', { name: 'Close' }).last().click()
})

test('failed disbursements are sent again live, and refused rows are listed', async () => {
  const failed = async () => makeOrder(stage.stack, { status: 31, vendorCode: 'elsewhere' })
  const [good, unbound] = [await failed(), await failed()]
  await bind(unbound.customerId, 'notBound')
  const colleague = await stage.signIn('director', { to: '/order_management/wait_relent' })
  await row(colleague.page, good.orderId).waitFor()
  const { page } = await stage.signIn('manager', { to: '/order_management/wait_relent' })
  await row(page, good.orderId).waitFor()
  for (const { orderId } of [good, unbound])
    await row(page, orderId).locator('input[type="checkbox"]').check()
  await page.getByRole('button', { name: 'Send again' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText(unbound.orderId).waitFor()
  await question.getByText(/bank card is not bound/).waitFor()
  await question.getByText('₹9,000.00').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await question.getByRole('button', { name: 'Send again' }).click()
  await expect
    .poll(
      async () =>
        (
          await sql<{
            status: number
          }>`select o.status from loan_order o where o.id = ${good.orderId}`.execute(
            stage.stack.database.kysely,
          )
        ).rows[0]?.status,
    )
    .not.toBe(31)
  await row(colleague.page, good.orderId).waitFor({ state: 'detached' })
  await row(colleague.page, unbound.orderId).waitFor()
})
