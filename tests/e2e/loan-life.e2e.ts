/**
 * A loan from application to final payment, handled by four users, each on their own screen; and an
 * EMI loan from its parameters to what ends it.
 */
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { formatBasisPoints, formatPaise } from '#shared/kernel/money.ts'
import { istDay } from '#shared/kernel/time.ts'
import { inboundApplication, inboundMachineReview } from '#shared/orders/inbound-api.ts'
import { type EmiConfig, emiOffer } from '#shared/products/emi-offer.ts'
import { listProducts, setProductStatus } from '#shared/products/products-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { confirmRecord, listRecords, quotePayment } from '#shared/repayments/repayments-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { row, seriousFindings } from '#tests/support/browser.ts'
import { machineOf } from '#tests/support/machine.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
beforeAll(async () => {
  await makeProduct(stage.stack)
})

async function statusOf(orderId: string): Promise<number> {
  const { rows } = await sql<{
    status: number
  }>`select o.status from loan_order o where o.id = ${orderId}`.execute(stage.stack.database.kysely)
  return rows[0]?.status ?? 0
}

async function reviewOf(reviewId: string): Promise<string> {
  const { rows } = await sql<{
    state: string
  }>`select r.state from review r where r.id = ${reviewId}`.execute(stage.stack.database.kysely)
  return rows[0]?.state ?? ''
}

/** Books a payment reported by the borrower. @param amount rupees; null = all that is due */
async function book(
  page: Page,
  orderId: string,
  utr: string,
  amount: string | null,
): Promise<void> {
  await page.getByRole('button', { name: 'Add repayment' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Borrowing ID/).fill(orderId)
  await form.getByRole('radio', { name: amount === null ? 'In full' : 'In part' }).click()
  await form.getByText('Ravi Kumar 1').first().waitFor()
  if (amount !== null) await form.getByLabel(/^Amount/).fill(amount)
  await form.getByLabel(/^UTR/).fill(utr)
  await form.getByLabel(/^Channel/).selectOption('2')
  await form.getByLabel(/^Bank code/).fill('HDFC')
  await form.getByText('What this payment changes').waitFor()
  await form.getByRole('button', { name: /^Book the payment/ }).click()
  await form.waitFor({ state: 'detached' })
}

async function confirm(page: Page, utr: string): Promise<void> {
  // A list in use does not insert rows, so it is opened again.
  await page.reload()
  const line = row(page, utr)
  await line.getByRole('button', { name: /actions|More/i }).click()
  await page.getByRole('menuitem', { name: 'Confirm receipt' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('What this payment changes').waitFor()
  await question.getByRole('button', { name: 'Confirm receipt' }).click()
  await question.waitFor({ state: 'detached' })
}

/** The machine leaves the application to a reviewer. */
async function applied(given: Parameters<typeof makeApplication>[1] = {}, n = 1) {
  const order = await (
    await machineOf(stage.stack, ['application'])
  ).call(inboundApplication, makeApplication(n, given))
  await (
    await machineOf(stage.stack, ['machineReview'])
  ).call(inboundMachineReview, {
    reviewId: order.reviewId,
    machineId: `M${n}`,
    result: 'undecided',
    needManual: true,
    rules: [],
  })
  await stage.stack.settle()
  return order
}

/** Claims from the list and passes with the keyboard. */
async function pass(page: Page, reviewId: string): Promise<void> {
  await row(page, reviewId).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Claim', exact: true }).click()
  await page.waitForURL(/\/detail2/)
  await page.getByLabel('Remark').waitFor()
  await page.keyboard.press('KeyP')
  await page.getByRole('button', { name: /^Decide: pass/, disabled: false }).waitFor()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => reviewOf(reviewId)).toMatch(/audited|passed/)
  for (let n = 0; n < 3; n += 1) await stage.stack.settle()
}

test('an order is applied for, reviewed, paid out and repaid, and an open screen shows it', async () => {
  const { orderId, reviewId } = await applied()
  const { page: director } = await stage.signIn('director', { to: `/detail?orderId=${orderId}` })
  const status = (text: string) =>
    director.getByRole('main').getByText(text, { exact: true }).first().waitFor()
  await status('Awaiting manual review')

  const { page: reviewer } = await stage.signIn('reviewer', { to: '/order_management/review_list' })
  await pass(reviewer, reviewId)
  expect(await statusOf(orderId)).toBe(30)
  await status('Awaiting repayment')

  const { page: service } = await stage.signIn('customer_service', {
    to: '/order_management/repay_record',
  })
  const { page: manager } = await stage.signIn('manager', { to: '/order_management/repay_record' })
  await book(service, orderId, '940000000001', '4000')
  await status('Repayment processing')
  await confirm(manager, '940000000001')
  await status('Awaiting repayment')
  await director.getByRole('main').getByText('₹4,000.00').first().waitFor()

  await book(service, orderId, '940000000002', null)
  await status('Repayment processing')
  await confirm(manager, '940000000002')
  await status('Repaid')
  expect(await statusOf(orderId)).toBe(40)
  for (const page of [director, service, manager]) expect(await seriousFindings(page)).toEqual([])
  expect(await brokenInvariants(stage.stack.database)).toEqual([])
})

const CONFIG = {
  minAmount: 500_000,
  maxAmount: 5_000_000,
  instalments: [6, 12],
  annualRate: 1_800,
  processingFee: 200,
  dueDay: 5,
  graceDays: 3,
  bounceCharge: 25_000,
  prepayment: 'fewerInstalments',
  coolingOffDays: 3,
} as const satisfies EmiConfig

test('an EMI loan goes from its parameters to its plan, a payment, a prepayment and what ends it', async () => {
  const offer = emiOffer(CONFIG, { amount: 1_200_000, instalments: 12 }, 1_800, istDay(new Date()))
  const [first, second] = offer.plan.map((row) => Number(row.principal + row.interest))
  const { page: admin } = await stage.signIn('administrator', {
    to: '/system/emi_manage/params_config',
  })
  await row(admin, 'A1').getByText('A1', { exact: true }).click()
  const form = admin.getByRole('dialog')
  for (const [label, text] of [
    [/^Minimum/, '5,000'],
    [/^Maximum/, '50000'],
    [/^Instalments/, '12, 6'],
    [/^Interest a year/, '18'],
    [/^Processing fee/, '2'],
    [/^Grace days/, '3'],
    [/^Bounce charge/, '250'],
  ] as const)
    await form.getByLabel(label).first().fill(text)
  const plan = form.getByRole('region', { name: 'Plan' }).first()
  await plan.getByLabel('Amount').fill('12,000')
  await plan.getByLabel('Instalments').selectOption('12')
  await plan
    .getByText(formatPaise(second ?? 0))
    .first()
    .waitFor()
  await plan.getByText(formatBasisPoints(offer.apr)).waitFor()
  expect(await seriousFindings(admin)).toEqual([])
  await admin.keyboard.press('Control+Enter')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  const manager = await stage.stack.signIn('manager')
  const { rows } = await manager.call(listProducts, { pageSize: 50 })
  const { productId = '', version = 0 } = rows.find(({ kind }) => kind === 'emi') ?? {}
  await manager.call(setProductStatus, { productId, version, status: 'enabled' })

  const { orderId, reviewId } = await applied({ productId, amount: 1_200_000, instalments: 12 }, 2)
  const { page: reviewer } = await stage.signIn('reviewer', { to: '/order_management/review_list' })
  await pass(reviewer, reviewId)
  expect(await statusOf(orderId)).toBe(30)

  const { page: service } = await stage.signIn('customer_service', {
    to: `/detail?orderId=${orderId}`,
  })
  const main = service.getByRole('main')
  await main
    .getByText(formatPaise(second ?? 0))
    .nth(10)
    .waitFor()
  for (const fact of ['18 %', `${offer.apr / 100} %`, '₹240.00', '₹43.20', '₹250.00'])
    await main.getByText(fact, { exact: true }).first().waitFor()
  const channel = await machineOf(stage.stack, ['payment'])
  await channel.call(inboundPayment, {
    vendorOrderNo: 'V1',
    orderId,
    amount: first ?? 0,
    utr: '950000000001',
    channel: 2,
    result: 'success',
  })
  await stage.stack.settle()
  await main.getByRole('cell', { name: 'Paid', exact: true }).waitFor()

  await main.getByRole('button', { name: 'Add repayment' }).click()
  const payment = service.getByRole('dialog')
  await payment.getByRole('radio', { name: 'In part' }).click()
  await payment.getByLabel(/^Amount/).fill('3000')
  await payment.getByLabel(/^UTR/).fill('950000000002')
  await payment.getByLabel(/^Channel/).selectOption('2')
  await payment.getByLabel(/^Bank code/).fill('HDFC')
  const ahead = payment.getByRole('group', { name: 'Money ahead of the plan' })
  await ahead
    .getByText(/Then owed/)
    .nth(2)
    .waitFor()
  const outcomes = await ahead.getByText(/Then owed/).allInnerTexts()
  expect(new Set(outcomes).size).toBeGreaterThan(1)
  await ahead.getByLabel('Principal: lower instalments').press('Space')
  expect(await seriousFindings(service)).toEqual([])
  await service.keyboard.press('Control+Enter')
  await payment.waitFor({ state: 'detached' })
  const booked = await manager.call(listRecords, { utr: '950000000002' })
  const { recordId = '', version: seen = 0 } = booked.rows[0] ?? {}
  await manager.call(confirmRecord, { recordId, version: seen, result: 'success' })
  await stage.stack.settle()
  await main.getByText('₹3,000.00').first().waitFor()

  const quote = await manager.call(quotePayment, { orderId, type: 'full' })
  await main.getByRole('button', { name: 'Add repayment' }).click()
  await payment.getByText(formatPaise(quote.amountDue)).first().waitFor()
  expect(await seriousFindings(service)).toEqual([])
  expect(await brokenInvariants(stage.stack.database)).toEqual([])
})
