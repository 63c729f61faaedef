/**
 * An export of more rows than one person may take: requested, approved by a second person,
 * downloaded by the first.
 */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { cancelDisbursement } from '#shared/orders/disbursement-api.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { seriousFindings } from '#tests/support/browser.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
const orderIds: string[] = []
beforeAll(async () => {
  for (let n = 0; n < 2; n += 1)
    orderIds.push((await makeOrder(stage.stack, { status: 30 })).orderId)
  await sql`update sys_config set value = '1' where code = 'export.approveAbove'`.execute(
    stage.stack.database.kysely,
  )
  stage.stack.context.parameters.forget()
})

test('a manager requests a large file, the director approves it, and it can be downloaded', async () => {
  const { page } = await stage.signIn('manager', { to: '/order_management/order_list?status=30' })
  await page.getByText(orderIds[0] as string).waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByText('More than 1 rows: a second person').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'CSV file' }).click()
  await page.getByText('Write 4 to 200 letters').waitFor()
  await page.getByLabel('Reason, for who decides').fill('Audit of the quarter')
  await page.getByRole('button', { name: 'CSV file' }).click()
  await page.getByText(/^Request AP\d+ waits for a decision/).waitFor()

  const director = await stage.signIn('director', { to: '/home_page?tab=decide' })
  const request = director.page.getByRole('listitem').filter({ hasText: 'Large export' })
  await request.getByText('Audit of the quarter').waitFor()
  await request.getByText('2 rows').waitFor()
  await request.getByRole('button', { name: 'What is in the file' }).click()
  await request.getByText('Borrowing ID').waitFor()
  await request.getByText('status: 30').waitFor()
  expect(await seriousFindings(director.page)).toEqual([])
  await request.getByRole('button', { name: 'Approve' }).click()
  await director.page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  await request.getByText('Approved', { exact: true }).waitFor()

  await page.getByRole('button', { name: /^Jobs/ }).click()
  await page.getByText('Export: Orders').waitFor()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const lines = (await readFile(await (await coming).path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(4)
  for (const orderId of orderIds) expect(lines.join()).toContain(orderId)
  expect(lines[3]).toMatch(/^"manager \(/)
})

test("the result of each row of a job can be downloaded in the user's language", async () => {
  await sql`update sys_config set value = '1' where code = 'bulk.syncMax'`.execute(
    stage.stack.database.kysely,
  )
  stage.stack.context.parameters.forget()
  const { orderId: failed } = await makeOrder(stage.stack, { status: 31 })
  const running = orderIds[0] as string
  const manager = await stage.stack.signIn('manager2')
  await manager.call(cancelDisbursement, {
    orderIds: [failed, running],
    reason: 'The customer asked for it',
  })
  await stage.stack.settle()
  const { page } = await stage.signIn('manager2', { to: '/order_management/order_list' })
  await page.getByRole('button', { name: /^Jobs/ }).click()
  // the newest is the first: a second try leaves the job of the first one below
  await page.getByText('Cancel disbursements').first().waitFor()
  expect(await seriousFindings(page)).toEqual([])
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Outcome' }).first().click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines[0]).toBe('\uFEFF"Row","Record","Outcome","Reason"')
  expect(
    lines
      .slice(1)
      .map((line) => line.replace(/^"\d+",/, ''))
      .toSorted(),
  ).toEqual(
    [
      `"${failed}","Done",""`,
      `"${running}","Failed","Order is “Awaiting repayment”; operation not possible"`,
    ].toSorted(),
  )
})
