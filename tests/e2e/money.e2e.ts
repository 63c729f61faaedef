/**
 * Reductions above the cap and approved by a manager, permanent write-offs, a reversal by two
 * people, and payment proofs, in real browsers.
 */
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { istClock, istDay } from '#shared/kernel/time.ts'
import { inboundPayout } from '#shared/orders/inbound-api.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { confirmRecord, listRecords } from '#shared/repayments/repayments-api.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeOrder, makeProduct } from '#tests/factories/orders.ts'
import { makeCollector, makeLeader, makeUnit } from '#tests/factories/units.ts'
import { row, seriousFindings } from '#tests/support/browser.ts'
import { machineOf } from '#tests/support/machine.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
let holder: { userId: string; account: string }
let supervisor: { account: string }

beforeAll(async () => {
  const unit = await makeUnit(stage.stack, { weight: 100, inHouse: true })
  holder = await makeCollector(stage.stack, unit, { account: 'collector' })
  supervisor = await makeLeader(stage.stack, unit, 'internal_supervisor')
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** In the format of a field for date and time. */
const istInput = (at: number) => `${istDay(at)}T${istClock(at)}`
const overdue = (): Promise<MadeCase> =>
  makeCase(stage.stack, { overdueDays: 12, collectorId: holder.userId })
const orderOf = async ({ orderId }: MadeCase) =>
  (await (await stage.stack.signIn('manager')).call(orderDetail, { orderId })).order
/** Of 120.00 fine and 150.00 interest. */
async function ask(
  page: Page,
  { orderId }: MadeCase,
  fine: string,
  interest: string,
): Promise<void> {
  await page.getByRole('button', { name: 'Launch reduction' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Borrowing ID/).fill(orderId)
  await form.getByText('₹10,270.00').first().waitFor()
  await form.getByLabel(/^Overdue fine/).fill(fine)
  await form.getByLabel(/^Interest/).fill(interest)
  await form.getByLabel(/^Reason/).fill('Pays the rest at once')
  await form.getByRole('button', { name: /^Launch/ }).click()
}

test("a reduction above the supervisor's cap is refused, one within it approved by a manager", async () => {
  const made = await overdue()
  const { page: asker } = await stage.signIn(supervisor.account, {
    to: '/order_management/reduce_list',
  })
  // 70 % of 270.00 is 189.00.
  await ask(asker, made, '120', '70')
  await asker.getByText(/^Above your limit\. May ask for as much: .*Manager/).waitFor()
  expect(await seriousFindings(asker)).toEqual([])
  const form = asker.getByRole('dialog')
  await form.getByLabel(/^Interest/).fill('69')
  await form.getByRole('button', { name: /^Launch/ }).click()
  const question = asker.getByRole('alertdialog')
  await question.getByText('₹189.00').waitFor()
  await question.getByRole('button', { name: 'Launch' }).click()
  await asker.getByText(/waits for a decision/).waitFor()
  await asker.reload()
  await row(asker, made.orderId).getByText('To decide').waitFor()
  // The requester has the list open.
  await row(asker, made.orderId).locator('.staff-cell .dot-online').waitFor()

  const { page: manager } = await stage.signIn('manager', {
    to: '/order_management/reduce_list?toDecide=true',
  })
  const line = row(manager, made.orderId)
  await line.waitFor()
  await line.getByRole('button', { name: /actions|More/i }).click()
  await manager.getByRole('menuitem', { name: 'Approve' }).click()
  await manager.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  await manager.getByText('Approved: 1').waitFor()
  await row(asker, made.orderId).getByText('Approved').waitFor()
})

test('a date is typed with the day before the month, or picked from a calendar by keyboard', async () => {
  const { page } = await stage.signIn('manager', { to: '/order_management/repay_record' })
  await page.getByRole('button', { name: /^Paid on/ }).click()
  const from = page.getByRole('textbox', { name: 'Paid on from' })
  await from.fill('3/12/2026')
  await expect.poll(() => new URL(page.url()).search).toContain('2026-12-03')
  await from.press('Tab')
  expect(await from.inputValue()).toBe('03-12-2026')
  // Invalid text changes nothing and stays for correction.
  await from.fill('31-02-2026')
  await from.press('Tab')
  expect(await from.inputValue()).toBe('31-02-2026')
  expect(new URL(page.url()).search).toContain('2026-12-03')
  await from.fill('03-12-2026')
  await from.press('Alt+ArrowDown')
  await page.getByRole('gridcell', { name: '3', exact: true }).first().waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(() => from.inputValue()).toBe('04-12-2026')
  await expect.poll(() => from.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(new URL(page.url()).search).toContain('2026-12-04')
})

test('an operational write-off asks for the order number and is executed at once', async () => {
  const made = await overdue()
  const { page } = await stage.signIn('manager', { to: '/order_management/flat_management' })
  // The first filter shows its shortcut.
  await page.getByPlaceholder('/ Borrowing ID').waitFor()
  await page.getByRole('button', { name: 'Write off', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Borrowing ID/).fill(made.orderId)
  await form.getByText('₹10,270.00').first().waitFor()
  // The fields required by this kind are marked.
  const needs = () =>
    Promise.all(
      [/^Reason/, /^UTR/].map(
        async (label) =>
          (await form.getByLabel(label).count()) > 0 &&
          (await form.getByLabel(label).getAttribute('aria-required')) === 'true',
      ),
    )
  await form.getByText('Paid in full', { exact: true }).click()
  await form.getByLabel(/^UTR/).waitFor()
  expect(await needs()).toEqual([false, true])
  await form.getByText('Operational', { exact: true }).click()
  await form.getByText(/blacklists the customer/).waitFor()
  expect(await needs()).toEqual([true, false])
  await form.getByRole('button', { name: /^Write off/ }).click()
  // The reason first.
  await form.getByText('Please fill this in').first().waitFor()
  await form.getByLabel(/^Reason/).fill('Borrower cannot be found')
  await form.getByRole('button', { name: /^Write off/ }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('It can never be undone.').waitFor()
  await question.getByRole('button', { name: 'Write off' }).click()
  await question
    .getByText(`Type exactly: ${made.orderId}`)
    .or(question.locator('.fault:not(:empty)'))
    .first()
    .waitFor()
  expect((await orderOf(made)).status).toBe(50)
  await question.getByLabel(/^Type/).fill(made.orderId)
  await question.getByRole('button', { name: 'Write off' }).click()
  await page.getByText(/the account is written off/).waitFor()
  await page.reload()
  await row(page, made.orderId).getByText('Done').waitFor()
  // A wide window shows the new status of the order.
  await page.setViewportSize({ width: 1720, height: 900 })
  await row(page, made.orderId)
    .locator('.tag')
    .getByText('Settled by operations', { exact: true })
    .waitFor()
  // A second attempt is refused, and the reason is visible.
  await page.getByRole('button', { name: 'Write off', exact: true }).click()
  await form.getByLabel(/^Borrowing ID/).fill(made.orderId)
  await form.getByRole('alert').getByText('Nothing is owed here').waitFor()
  expect(await orderOf(made)).toMatchObject({ status: 100, outstanding: 0 })
})

test('one manager requests a reversal, the other sees it pending and approves it', async () => {
  const made = await overdue()
  const channel = await machineOf(stage.stack, ['payment'])
  await channel.call(inboundPayment, {
    vendorOrderNo: 'V-E1',
    orderId: made.orderId,
    amount: 1_027_000,
    channel: 1,
    result: 'success',
    utr: '910000000001',
  })
  const { page: first } = await stage.signIn('manager', { to: '/order_management/repay_record' })
  const line = row(first, made.orderId)
  // The whole payment, then back to the list by Escape.
  await line.dblclick()
  const whole = first.getByRole('dialog', { name: /^Payment RR/ })
  await whole
    .getByRole('region', { name: 'Counted against' })
    .getByRole('row', { name: /Repayment ₹120\.00 ₹150\.00 ₹0\.00 ₹10,000\.00 ₹10,270\.00/ })
    .waitFor()
  expect(await seriousFindings(first)).toEqual([])
  await first.keyboard.press('Escape')
  await whole.waitFor({ state: 'detached' })
  expect(new URL(first.url()).search).toBe('')
  await line.getByRole('button', { name: /actions|More/i }).click()
  await first.getByRole('menuitem', { name: 'Reverse payment' }).click()
  // The effect on order and case is shown before.
  await first
    .getByRole('alertdialog')
    .getByRole('region', { name: 'What changes' })
    .getByText('Overdue', { exact: true })
    .waitFor()
  await first
    .getByRole('alertdialog')
    .getByLabel(/^Reason/)
    .fill('The bank took it back')
  await first.getByRole('alertdialog').getByRole('button', { name: 'Ask for approval' }).click()
  await first
    .getByText(/waits for another person/)
    .first()
    .waitFor()
  await line.getByText('Waiting for approval').waitFor()
  // The order page shows it too; the requester withdraws it there and requests it again.
  await first.goto(`${stage.stack.url}/detail?orderId=${made.orderId}&from=order_list&tab=payments`)
  const payments = first.getByRole('region', { name: 'Repayment records' })
  await payments.getByText('Waiting for approval').waitFor()
  const { page: second } = await stage.signIn('manager2', {
    to: `/detail?orderId=${made.orderId}&from=order_list&tab=payments`,
  })
  const seen = second
    .getByRole('region', { name: 'Repayment records' })
    .getByText('Waiting for approval')
  await seen.waitFor()
  await payments.getByRole('button', { name: 'Withdraw request' }).click()
  await first.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
  await payments.getByText('Waiting for approval').waitFor({ state: 'detached' })
  await seen.waitFor({ state: 'detached' })
  await payments.getByRole('button', { name: 'Reverse payment' }).click()
  await first
    .getByRole('alertdialog')
    .getByLabel(/^Reason/)
    .fill('The bank took it back')
  await first.getByRole('alertdialog').getByRole('button', { name: 'Ask for approval' }).click()
  await payments.getByText('Waiting for approval').waitFor()
  await seen.waitFor()
  // It is open while the other manager decides.
  const { rows } = await (
    await stage.stack.signIn('manager')
  ).call(listRecords, { orderId: made.orderId })
  await first.goto(`${stage.stack.url}/order_management/repay_record?open=${rows[0]?.recordId}`)
  await whole.getByText('Waiting for approval').waitFor()
  await second.goto(`${stage.stack.url}/order_management/repay_record?requests=1`)
  await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  expect(await seriousFindings(second)).toEqual([])
  await second
    .getByRole('alertdialog')
    .getByRole('region', { name: 'What changes' })
    .getByText('Overdue', { exact: true })
    .waitFor()
  await second.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  await second.getByText(/is approved/).waitFor()
  await whole.getByText('Reason of the reversal: The bank took it back').waitFor()
  await whole.getByText('Manager 2').waitFor()
  await whole.getByText('Payment reversed').waitFor()
  await first.keyboard.press('Escape')
  await row(first, made.orderId).getByText('Reversed').waitFor()
  await line.getByText('Waiting for approval').waitFor({ state: 'detached' })
  await second.goto(`/detail?orderId=${made.orderId}&from=order_list&tab=payments`)
  await second.getByRole('region', { name: 'Repayment records' }).getByText('Reversed').waitFor()
  expect(await second.getByRole('button', { name: 'Reverse payment' }).count()).toBe(0)
  await second.getByRole('tab', { name: 'Reductions and write-offs' }).click()
  await second.getByText('Nothing was reduced or written off').waitFor()
  expect(await seriousFindings(second)).toEqual([])
  expect(await orderOf(made)).toMatchObject({ status: 50, outstanding: 1_027_000 })
  // It links to its case.
  await second.getByRole('link', { name: made.caseId, exact: true }).click()
  await second.waitForURL(`**/detail3?caseId=${made.caseId}&from=pedding_list`)
  await second.getByText(made.caseId).first().waitFor()
})

test('a payout told failed and then paid is settled by two people, and the books follow', async () => {
  const { orderId } = await makeOrder(stage.stack, { status: 29, vendorCode: 'bank' })
  const bank = await machineOf(stage.stack, ['payout'])
  const report = { platformOrderNo: `${orderId}-1`, vendorOrderNo: `V-${orderId}` }
  await bank.call(inboundPayout, { ...report, result: 'fail', failReason: 'Bank offline' })
  const { page: maker } = await stage.signIn('manager', {
    to: '/order_management/loan_list?tab=transfers&conflict=true',
  })
  const line = row(maker, report.platformOrderNo)
  await bank.call(inboundPayout, { ...report, result: 'success', utr: '910000000077' })
  await line.getByText('To be settled').waitFor()
  await maker.getByRole('button', { name: /^Notifications: [1-9]/ }).waitFor()
  await line.getByRole('button', { name: /actions|More/i }).click()
  await maker.getByRole('menuitem', { name: 'Settle contradiction' }).click()
  const form = maker.getByRole('dialog')
  await form.getByLabel(/^What is true/).selectOption({ label: 'The money left' })
  await form.getByLabel(/^Reason/).fill('The statement of the bank shows it')
  expect(await seriousFindings(maker)).toEqual([])
  await form.getByRole('button', { name: 'Ask for approval' }).click()
  await maker
    .getByText(/waits for another person/)
    .first()
    .waitFor()

  const { page: checker } = await stage.signIn('director', {
    to: '/order_management/wait_relent?requests=1',
  })
  const requests = checker.getByRole('dialog')
  await requests.getByText('Transfer paid out').waitFor()
  await requests.getByRole('button', { name: 'Approve' }).click()
  await checker.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  await checker
    .getByText(/is approved/)
    .first()
    .waitFor()
  const { order, ledger } = await (
    await stage.stack.signIn('manager')
  ).call(orderDetail, { orderId })
  expect(order.status).toBe(30)
  expect(ledger.map(({ kind }) => kind)).toContain('disbursement')
})

test('a payment whose channel takes it back is kept by two people, on the page of its notification', async () => {
  const made = await overdue()
  const channel = await machineOf(stage.stack, ['payment'])
  const report = {
    vendorOrderNo: 'V-E3',
    orderId: made.orderId,
    amount: 1_027_000,
    channel: 1,
    utr: '910000000003',
  }
  await channel.call(inboundPayment, { ...report, result: 'success' })
  await channel.call(inboundPayment, { ...report, result: 'fail', failReason: 'Recalled' })
  const { page: checker } = await stage.signIn('director', {
    to: `/order_management/repay_record?conflict=true&orderId=${made.orderId}`,
  })
  const line = row(checker, made.orderId)
  await line.getByText('Contradiction', { exact: true }).waitFor()
  // the order's page offers it, too
  const ofOrder = `/detail?orderId=${made.orderId}&from=order_list&tab=payments`
  const { page: asker } = await stage.signIn('manager', { to: ofOrder })
  const { page: other } = await stage.signIn('manager2', { to: ofOrder })
  await asker.getByRole('button', { name: 'Keep payment' }).click()
  const question = asker.getByRole('alertdialog')
  await question.getByLabel(/^Reason/).fill('The statement of the bank shows it')
  await question.getByRole('button', { name: 'Ask for approval' }).click()
  await line.getByText('Waiting for approval').waitFor()
  await asker.getByRole('button', { name: 'Withdraw request' }).waitFor()
  // a second person is told before pressing why it is not reversed meanwhile
  const reverse = other.getByRole('button', { name: /^Reverse payment/ })
  await expect.poll(() => reverse.getAttribute('aria-disabled')).toBe('true')
  await other
    .getByText(/has asked to keep it \(AP\d+\)/)
    .first()
    .waitFor({ state: 'attached' })
  await reverse.press('Enter')
  expect(await other.getByRole('alertdialog').count()).toBe(0)
  await checker.getByRole('button', { name: /^Requests/ }).click()
  const requests = checker.getByRole('dialog')
  await requests.getByText('Payment stands').waitFor()
  await requests.getByRole('button', { name: 'Approve' }).click()
  await checker.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  await line.getByText('Contradiction', { exact: true }).waitFor({ state: 'detached' })
  expect(await orderOf(made)).toMatchObject({ status: 40, outstanding: 0 })
})

test('an extension is priced while it is booked; after confirmation the order links to its successor', async () => {
  await makeProduct(stage.stack, { id: 'PRC', periods: 1, daysPerPeriod: 30 })
  await sql`
    update product
      set extend = '{"enabled":true,"days":30,"feeType":"rate","fee":400,"commission":60,"maxTimes":2}'
      where id = 'PRC'`.execute(stage.stack.context.database.kysely)
  const made = await overdue()
  const { page } = await stage.signIn('customer_service', { to: '/order_management/repay_record' })
  await page.getByRole('button', { name: 'Add repayment' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Borrowing ID/).fill(made.orderId)
  await form.getByRole('radio', { name: 'Extension' }).click()
  // 4 % of 10,000.00 and twelve days of 10.00.
  await form.getByText('₹520.00').first().waitFor()
  await form.getByText('₹10,150.00').first().waitFor()
  await form.getByText('Settled by extension').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await form.getByLabel(/^UTR/).fill('920000000001')
  await form.getByLabel(/^Channel/).selectOption('2')
  await form.getByLabel(/^Bank code/).fill('HDFC')
  await form.getByRole('button', { name: /^Book the payment/ }).click()
  await page
    .getByText(/is booked and waits for confirmation/)
    .first()
    .waitFor()

  const manager = await stage.stack.signIn('manager')
  const { rows } = await manager.call(listRecords, { orderId: made.orderId })
  await manager.call(confirmRecord, {
    recordId: rows[0]?.recordId ?? '',
    version: rows[0]?.version ?? 0,
    result: 'success',
  })
  const { extension } = await manager.call(orderDetail, { orderId: made.orderId })
  const newOrderId = extension?.newOrderId ?? ''
  await page.goto(`${stage.stack.url}/detail?orderId=${made.orderId}&from=order_list`)
  await page.getByRole('link', { name: newOrderId, exact: true }).click()
  await page.getByRole('heading', { name: new RegExp(newOrderId) }).waitFor()
  await page.getByRole('link', { name: made.orderId, exact: true }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
})

test("customer service accepts a collector's payment proof, and the case is updated", async () => {
  const made = await overdue()
  const { page: collector } = await stage.signIn(holder.account, {
    to: `/detail3?caseId=${made.caseId}&from=pedding_list`,
  })
  await collector.getByRole('button', { name: 'Add payment proof' }).click()
  const form = collector.getByRole('dialog')
  await form.getByText('₹10,270.00').first().waitFor()
  await form.getByLabel(/^Amount/).fill('4000')
  await form.getByLabel(/^UTR/).fill('930000000001')
  await form.getByLabel(/^Paid on/).fill(istInput(Date.now() - 120_000))
  await form.getByLabel(/^Channel/).selectOption({ label: 'Bank transfer' })
  // A file that only claims to be a picture is refused at once.
  await form.locator('input[type="file"]').setInputFiles({
    name: 'receipt.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<html>not a picture</html>'),
  })
  await form.getByRole('button', { name: /^Send to check/ }).click()
  await form.getByText('Only JPG, PNG and plain PDF files').waitFor()
  await form.getByRole('button', { name: 'Take out receipt.png' }).click()
  await form
    .locator('input[type="file"]')
    .setInputFiles({ name: 'receipt.png', mimeType: 'image/png', buffer: PNG })
  expect(await seriousFindings(collector)).toEqual([])
  await form.getByRole('button', { name: /^Send to check/ }).click()
  await collector
    .getByRole('status')
    .getByText(/waits to be checked/)
    .waitFor()
  await collector
    .getByText(/Payment proof under check/)
    .first()
    .waitFor()

  const { page: checker } = await stage.signIn('customer_service', {
    to: '/order_management/repay_proof',
  })
  // from the list to the decision by keys, which the list of keys names
  await row(checker, made.orderId).getByText('To check').waitFor()
  await checker.keyboard.press('KeyN')
  const drawer = checker.getByRole('dialog', { name: /^Payment proof PF/ })
  await drawer.getByRole('button', { name: /^Accept/ }).waitFor()
  await drawer.getByRole('img', { name: 'File 1 of 1' }).waitFor()
  expect(await seriousFindings(checker)).toEqual([])
  await checker.keyboard.press('Shift+Slash')
  const keys = checker.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const name of ['Accept', 'Reject']) await keys.getByText(name, { exact: true }).waitFor()
  // covered by the list of keys, the drawer does not take them
  await checker.keyboard.press('KeyR')
  expect(await checker.getByRole('alertdialog').count()).toBe(0)
  await checker.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await checker.keyboard.press('KeyR')
  await checker.getByRole('alertdialog').getByRole('button', { name: 'Reject' }).waitFor()
  await checker.keyboard.press('Escape')
  await checker.getByRole('alertdialog').waitFor({ state: 'detached' })
  await drawer.waitFor({ state: 'detached' })
  await checker.keyboard.press('Enter')
  await drawer.getByRole('button', { name: /^Accept/ }).waitFor()
  await checker.keyboard.press('KeyA')
  const check = checker.getByRole('dialog', { name: /^Accept/ })
  await check.getByRole('img', { name: 'File 1 of 1' }).waitFor()
  await check.getByLabel(/^Bank code/).fill('HDFC')
  await check.getByText('What this payment changes').waitFor()
  expect(await seriousFindings(checker)).toEqual([])
  await check.getByRole('button', { name: /^Accept/ }).click()
  // Again with the effect on the order; reopening loses nothing.
  const question = checker.getByRole('alertdialog')
  await question.getByText('What this payment changes').waitFor()
  expect(await seriousFindings(checker)).toEqual([])
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await check.getByLabel(/^Bank code/).inputValue()).toBe('HDFC')
  await check.getByRole('button', { name: /^Accept/ }).click()
  await question.getByRole('button', { name: 'Accept' }).click()
  await checker
    .getByText(/is accepted as payment/)
    .first()
    .waitFor()
  await checker.keyboard.press('KeyN')
  await checker.getByText(/No row of this page is left to do/).waitFor()
  await collector
    .getByText(/Payment proof under check/)
    .first()
    .waitFor({ state: 'hidden' })
  expect(await orderOf(made)).toMatchObject({ status: 50, outstanding: 627_000 })
})
