/** Reports in the console: each opens, its figures are those of the book and lead to their rows. */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { seriousFindings } from '#tests/support/browser.ts'
import { testClock } from '#tests/support/clock.ts'
import { machineOf } from '#tests/support/machine.ts'
import { browserStage } from '#tests/support/stage.ts'

const REPORTS = {
  '/home_manage/home': 'Daily figures',
  '/data_analysis/channel_statistics': 'Channels',
  '/data_analysis/process_conversion': 'Conversion funnel',
  '/data_analysis/approve_conversions': 'Approval',
  '/data_analysis/repayment_statistics': 'Repayment',
  '/data_analysis/graphical_report/Acquisition_trends': 'Acquisition',
  '/data_analysis/graphical_report/Lending_trends': 'Lending',
  '/data_analysis/graphical_report/Recycling_trend': 'Repayment curve',
  '/data_analysis/graphical_report/Recall_trend': 'Recovery',
  '/data_analysis/delivery_data': 'Advertising',
  '/data_analysis/reloan_report': 'Re-loans',
  '/data_analysis/review_report': 'Review',
}

const stage = browserStage()

beforeAll(async () => {
  const clock = await testClock(stage.stack.database)
  await clock.to('11:00')
  for (let n = 0; n < 3; n += 1) await makeOrder(stage.stack, { status: 30 })
  await refreshed()
})

async function refreshed(): Promise<void> {
  stage.stack.context.wakeSchedule('reportRefresh')
  await stage.stack.settle()
}

/** The loans that the book says were paid out today: how many, and their principal in paise. */
async function paidOutToday(): Promise<{ n: number; amount: number }> {
  const { rows } = await sql<{ n: number; amount: number }>`
    select count(*)::int as n, sum(o.amount)::bigint as amount
    from loan_order o
    join order_status_log l on l.order_id = o.id and l.from_status = 29 and l.to_status = 30
    where (l.at at time zone 'Asia/Kolkata')::date
      = (clock_timestamp() at time zone 'Asia/Kolkata')::date`.execute(stage.stack.database.kysely)
  return rows[0] as { n: number; amount: number }
}

const tile = (page: Page, name: string) =>
  page.getByRole('link', { name: new RegExp(`^${name}: `, 'u') })

test('each report opens with its title and is read by a screen reader', async () => {
  const { page } = await stage.signIn('director', { to: '/home_manage/home' })
  for (const [path, title] of Object.entries(REPORTS)) {
    await page.goto(path)
    await page
      .getByRole('heading', { name: title, exact: true })
      .first()
      .waitFor({ state: 'attached' })
    await page.locator('.report-body').or(page.getByText('Nothing in this range')).first().waitFor()
    expect(await seriousFindings(page), path).toEqual([])
  }
})

test('a figure matches the stored rows and opens exactly them', async () => {
  const { n } = await paidOutToday()
  expect(n).toBeGreaterThanOrEqual(3)
  const { page } = await stage.signIn('manager', { to: '/home_manage/home' })
  await tile(page, 'Disbursed').getByText(String(n), { exact: true }).waitFor()
  await tile(page, 'Disbursed').click()
  await page.waitForURL(/loan_list\?disburseTimeFrom=/)
  await page.getByText(new RegExp(`^1–${n} of ${n}$`)).waitFor()
})

test('the arrow keys move along the chart, and the file adds up to the total', async () => {
  const { n, amount } = await paidOutToday()
  const { page } = await stage.signIn('manager', { to: '/home_manage/home' })
  const along = page.getByRole('figure', { name: 'Lent and received' }).getByRole('slider')
  await along.focus()
  await page.keyboard.press('End')
  await expect
    .poll(() => along.getAttribute('aria-valuetext'))
    .toMatch(/until \d\d:\d\d: Disbursed amount ₹[\d,.]+/)
  await page.getByRole('button', { name: 'Export' }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV file' }).click()
  const lines = (await readFile(await (await coming).path(), 'utf8')).trimEnd().split('\r\n')
  const cells = (line: string) =>
    [...line.replace('\uFEFF', '').matchAll(/"([^"]*)"|([^,]+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    )
  const head = cells(lines[0] ?? '')
  const sumOf = (name: string) =>
    lines.slice(1, 31).reduce((sum, line) => sum + Number(cells(line)[head.indexOf(name)]), 0)
  expect(sumOf('Disbursed')).toBe(n)
  expect(Math.round(sumOf('Disbursed amount') * 100)).toBe(amount)
})

test('a payment moves the running day in the window of another person', async () => {
  const owed = await makeCase(stage.stack, { overdueDays: 5 })
  const { page } = await stage.signIn('director', { to: '/home_manage/home' })
  await tile(page, 'Repaid').getByText('₹0.00').waitFor()
  const channel = await machineOf(stage.stack, ['payment'])
  await channel.call(inboundPayment, {
    vendorOrderNo: 'W1',
    orderId: owed.orderId,
    amount: 123_400,
    channel: 1,
    result: 'success',
    utr: '300000000001',
  })
  await refreshed()
  await tile(page, 'Repaid').getByText('₹1,234.00').waitFor()
  await tile(page, 'Recovered by collection').getByText('₹1,234.00').waitFor()
})

test('the chart says what changed, who did it and when, until the legend hides it', async () => {
  await sql`
    insert into operate_log (user_name, menu, action, target_kind, target_id, after, result)
    values ('Someone', 'conf', 'edit', 'config', 'K1', '{"code": "review.maxClaimed", "value": "5"}',
      'ok')`.execute(stage.stack.database.kysely)
  const { page } = await stage.signIn('director', {
    to: '/data_analysis/graphical_report/Lending_trends',
  })
  const figure = page.getByRole('figure', { name: 'Disbursed amount' })
  const along = figure.getByRole('slider')
  await figure.getByRole('button', { name: 'What changed' }).waitFor()
  await along.focus()
  await page.keyboard.press('m')
  await expect
    .poll(() => along.getAttribute('aria-valuetext'))
    .toMatch(/Parameter changed: review\.maxClaimed \(Someone\)/)
  await figure.getByRole('button', { name: 'What changed' }).click()
  await along.focus()
  await page.keyboard.press('End')
  await expect.poll(() => along.getAttribute('aria-valuetext')).not.toMatch(/Parameter changed/)
})

test('reminders, rules and medians stand in their tabs', async () => {
  const { page } = await stage.signIn('director', {
    to: '/data_analysis/repayment_statistics?tab=preRemind',
  })
  await page.getByRole('columnheader', { name: 'Reached %' }).waitFor()
  await page.getByRole('rowheader', { name: 'Day -3' }).first().waitFor()
  await page.goto('/data_analysis/approve_conversions?tab=risk')
  await page.getByRole('radio', { name: 'Refusal code' }).waitFor()
  await page.goto('/data_analysis/process_conversion')
  await page.getByRole('columnheader', { name: 'Median time' }).first().waitFor()
})

test('a report is asked for each morning and ended again', async () => {
  const { page } = await stage.signIn('manager', {
    to: '/data_analysis/graphical_report/Lending_trends',
  })
  await page.getByRole('button', { name: 'Each morning' }).click()
  const asked = page.getByRole('dialog', { name: 'This report each morning' })
  await asked.getByRole('button', { name: 'Start' }).click()
  await asked.getByRole('button', { name: 'Stop' }).click()
  await asked.getByRole('button', { name: 'Start' }).waitFor()
})

test('a limit is set on a daily figure, and its crossing is seen', async () => {
  const { page } = await stage.signIn('manager', { to: '/home_manage/home?tab=alerts' })
  await page.getByRole('button', { name: 'Set a limit' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Figure').selectOption({ label: 'Disbursed' })
  await form.getByLabel('When').selectOption({ label: 'above, today' })
  await form.getByLabel('Limit').fill('1')
  await form.getByRole('button', { name: 'Save' }).click()
  // new rows wait while the pointer is over the list
  await page.mouse.move(5, 5)
  await page.getByRole('gridcell', { name: 'above, today' }).waitFor()
  stage.stack.context.wakeSchedule('reportAlerts')
  await stage.stack.settle()
  await page.reload()
  await page.getByRole('gridcell', { name: 'Crossed' }).waitFor()
})
