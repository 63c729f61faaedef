/** A loan from application to final payment, handled by four users, each on their own screen. */
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { inboundApplication, inboundMachineReview } from '#shared/orders/inbound-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { row, seriousFindings } from '#tests/support/browser.ts'
import { machineOf } from '#tests/support/machine.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
/** Machines that run tests are busy. */
const SOON = { timeout: 20_000 }

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
  await form.getByLabel(/^UPI/).fill('-')
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

test('an order is applied for, reviewed, paid out and repaid, and an open screen shows it', async () => {
  await makeProduct(stage.stack)
  const { orderId, reviewId } = await (
    await machineOf(stage.stack, ['application'])
  ).call(inboundApplication, makeApplication(1))
  await (
    await machineOf(stage.stack, ['machineReview'])
  ).call(inboundMachineReview, {
    reviewId,
    machineId: 'M1',
    result: 'undecided',
    needManual: true,
    rules: [],
  })
  await stage.stack.settle()
  const { page: director } = await stage.signIn('director', { to: `/detail?orderId=${orderId}` })
  const status = (text: string) =>
    director.getByRole('main').getByText(text, { exact: true }).first().waitFor()
  await status('Awaiting manual review')

  const { page: reviewer } = await stage.signIn('reviewer', { to: '/order_management/review_list' })
  await row(reviewer, reviewId).click({ button: 'right' })
  await reviewer.getByRole('menuitem', { name: 'Claim', exact: true }).click()
  await reviewer.waitForURL(/\/detail2/)
  await reviewer.getByLabel('Remark').waitFor()
  await reviewer.keyboard.press('KeyP')
  await reviewer.getByRole('button', { name: /^Decide: pass/, disabled: false }).waitFor()
  await reviewer.keyboard.press('Control+Enter')
  await expect.poll(() => reviewOf(reviewId), SOON).toMatch(/audited|passed/)
  for (let n = 0; n < 3; n += 1) await stage.stack.settle()
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
