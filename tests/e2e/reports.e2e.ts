/**
 * Reports in the console: their figures are those of the book and lead to their rows.
 * tests/long opens every report.
 */
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { machineOf } from '#tests/support/machine.ts'
import { numberIn, proveReport, reportStage } from '#tests/support/report-walk.ts'

const stage = reportStage()

const tile = (page: Page, name: string) =>
  page.getByRole('link', { name: new RegExp(`^${name}: `, 'u') })

/** One of each kind of chart and figure. */
const SHOWN = [
  '/home_manage/home',
  '/data_analysis/process_conversion',
  '/data_analysis/approve_conversions?tab=risk',
  '/data_analysis/repayment_statistics?tab=bucket',
  '/data_analysis/graphical_report/Recycling_trend',
  '/data_analysis/reloan_report',
  '/data_analysis/review_report?tab=hour',
]

test.each(SHOWN)(
  '%s shows what the book says, by pointer, by keys and as a file, and opens those rows',
  async (path) => proveReport(stage, path),
)

test('a report shows the former rows with their names until those of another group are there', async () => {
  const { page } = await stage.signIn('director', { to: '/data_analysis/channel_statistics' })
  const rows = page.locator('.report-table tbody').getByRole('rowheader')
  await rows.nth(20).waitFor()
  const days = await rows.allInnerTexts()
  let answer = (): void => undefined
  const isAnswered = new Promise<void>((resolve) => (answer = resolve))
  await page.route(
    ({ searchParams }) => searchParams.get('groupBy') === 'channel',
    async (route) => {
      await isAnswered
      await route.continue()
    },
  )
  await page.getByRole('radio', { name: 'Channel', exact: true }).click()
  await page.getByRole('radio', { name: 'Channel', exact: true, checked: true }).waitFor()
  expect(await rows.allInnerTexts()).toEqual(days)
  answer()
  await rows.getByText('Organic', { exact: true }).waitFor()
  expect((await rows.allInnerTexts()).filter((name) => days.includes(name))).toEqual([])
  expect(await rows.count()).toBeLessThan(10)
})

test('a payment moves the running day in the window of another person', async () => {
  const { rows } = await sql<{ id: string }>`
    select p.order_id as id from repay_plan p
    join loan_order o on o.id = p.order_id and o.status = 50
    where p.outstanding > 123400 order by p.order_id limit 1`.execute(stage.stack.database.kysely)
  const { page } = await stage.signIn('director', { to: '/home_manage/home' })
  await tile(page, 'Repaid').getByText('₹').waitFor()
  const before = numberIn((await tile(page, 'Repaid').textContent()) ?? '')
  const channel = await machineOf(stage.stack, ['payment'])
  await channel.call(inboundPayment, {
    vendorOrderNo: 'W1',
    orderId: rows[0]?.id ?? '',
    amount: 123_400,
    channel: 1,
    result: 'success',
    utr: '300000000001',
  })
  await stage.refresh()
  await expect
    .poll(async () => numberIn((await tile(page, 'Repaid').textContent()) ?? ''))
    .toBe(before + 123_400)
})

test('the chart says what changed, who did it and when, until the legend hides it', async () => {
  await sql`
    insert into operate_log (user_name, menu, action, target_kind, target_id, after, result)
    values ('Someone', 'conf', 'edit', 'config', 'K1', '{"code": "review.maxClaimed", "value": "5"}',
      'ok')`.execute(stage.stack.database.kysely)
  const { page } = await stage.signIn('director', {
    to: `/data_analysis/graphical_report/Lending_trends?dateFrom=${stage.today}&dateTo=${stage.today}`,
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

test('a limit is set on a figure of a report, and its crossing is seen', async () => {
  const { page } = await stage.signIn('manager', {
    to: '/data_analysis/graphical_report/Lending_trends',
  })
  await page.getByRole('button', { name: 'Set a limit' }).click()
  const form = page.getByRole('dialog')
  expect(await form.getByLabel('Report').inputValue()).toBe('lending')
  await form.getByLabel('Figure').selectOption({ label: 'Disbursed' })
  await form.getByLabel('When').selectOption({ label: 'below' })
  await form.getByLabel('Limit').fill('100000')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  stage.stack.context.wakeSchedule('reportAlerts')
  await stage.stack.settle()
  await page.goto('/home_manage/home?tab=alerts')
  await page.getByRole('gridcell', { name: 'Lending' }).waitFor()
  await page.getByRole('gridcell', { name: 'Crossed' }).waitFor()
})
