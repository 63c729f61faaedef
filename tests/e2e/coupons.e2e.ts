/**
 * A coupon granted by a file, used in a repayment and given back by its reversal, in real browsers:
 * a colleague who has the list open sees each step.
 */
import { expect, test } from 'vitest'
import { decideApproval } from '#shared/approvals/approvals-api.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import {
  confirmRecord,
  listRecords,
  recordDetail,
  reverseRecord,
} from '#shared/repayments/repayments-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { row, seriousFindings } from '#tests/support/browser.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
const LIST = '/loaned_management/coupon_list'

test('a coupon of a file reduces a repayment and is unused again when that is reversed', async () => {
  // 10,000.00 with 150.00 of interest and 120.00 of fine
  const made = await makeCase(stage.stack, { overdueDays: 12 })
  const { page } = await stage.signIn('manager', { to: LIST })
  await page.getByRole('button', { name: 'New coupon' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel(/^Name/).fill('Fifty off the fine')
  await drawer.getByLabel(/^Discount amount/).fill('50')
  await drawer.getByLabel(/^Budget/).fill('60')
  expect(await seriousFindings(page)).toEqual([])
  await drawer.getByRole('button', { name: /^Save/ }).click()
  await row(page, 'Fifty off the fine').waitFor()

  const { page: colleague } = await stage.signIn('manager2', { to: `${LIST}?tab=grants` })
  await colleague.getByText('No coupon was granted').waitFor()

  await row(page, 'Fifty off the fine').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Grant', exact: true }).click()
  const question = page.getByRole('alertdialog')
  await question.getByLabel('Choose a file').setInputFiles({
    name: 'customers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Customer ID', made.customerId, 'C99999999'].join('\r\n')),
  })
  await question.getByRole('button', { name: 'Check' }).click()
  await question.getByText(/No such customer/).waitFor()
  await question.getByText('₹60.00').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  // the budget is enough for one of two: the other is refused, and its row stays on the screen
  const other = (await makeCase(stage.stack, { overdueDays: 12 })).customerId
  await question.getByLabel('Customer IDs').fill(other)
  await question.getByRole('button', { name: 'Check' }).click()
  await question.getByText('The budget is enough for 1 of 2 customers').waitFor()
  await question.getByRole('button', { name: 'Grant' }).click()
  await page.getByText('1 customer was given it').waitFor()
  const result = page.getByRole('dialog', { name: /1 of 2/ })
  await result
    .getByRole('listitem')
    .filter({ hasText: /budget/ })
    .waitFor()
  await result.getByRole('button', { name: 'Close' }).last().click()
  await result.waitFor({ state: 'detached' })
  await row(colleague, made.customerId).getByText('Unused').waitFor()

  const { page: service } = await stage.signIn('customer_service', {
    to: `/detail?orderId=${made.orderId}`,
  })
  await service.getByRole('button', { name: 'Add repayment' }).first().click()
  const form = service.getByRole('dialog')
  await form.getByLabel('Coupon').selectOption({ index: 1 })
  await form.getByLabel(/^UTR/).fill('930000000001')
  await form.getByLabel(/^Channel/).selectOption('2')
  await form.getByLabel(/^Bank code/).fill('HDFC')
  await form.getByText('Given up by the coupon').waitFor()
  await form.getByText('₹10,220.00').first().waitFor()
  expect(await seriousFindings(service)).toEqual([])
  await form.getByRole('button', { name: /^Book the payment/ }).click()
  await form.waitFor({ state: 'detached' })
  await row(colleague, made.customerId).getByText('Used', { exact: true }).waitFor()
  await row(colleague, made.customerId).getByText(made.orderId).waitFor()

  const [manager, director] = await Promise.all([
    stage.stack.signIn('manager'),
    stage.stack.signIn('director'),
  ])
  const record = (await manager.call(listRecords, { utr: '930000000001' })).rows[0]
  const recordId = record?.recordId ?? ''
  await manager.call(confirmRecord, { recordId, version: record?.version ?? 0, result: 'success' })
  await row(colleague, made.customerId).getByText('₹50.00').waitFor()
  expect((await manager.call(orderDetail, { orderId: made.orderId })).order.status).toBe(40)
  await service.getByRole('tab', { name: 'Coupons' }).click()
  await service.getByText('Fifty off the fine').waitFor()

  const { version } = (await manager.call(recordDetail, { recordId })).record
  const { approvalId } = await manager.call(reverseRecord, {
    recordId,
    version,
    cause: 'bounced',
    reason: 'The bank took it back',
  })
  await director.call(decideApproval, { approvalId, version: 1, result: 'approved' })
  await row(colleague, made.customerId).getByText('Unused').waitFor()
  await service.getByText('No coupon is used with this order').waitFor()
  const back = await manager.call(orderDetail, { orderId: made.orderId })
  expect(back.order).toMatchObject({ status: 50, outstanding: 1_027_000 })
})
