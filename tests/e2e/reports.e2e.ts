/** Reports in the console: each opens, its figures are those of the book and lead to their rows. */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import texts from '#locales/en/reports.json' with { type: 'json' }
import { addDays } from '#shared/kernel/time.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { seedDemo } from '#gateway/manage/demo/seed-demo.ts'
import { seriousFindings } from '#tests/support/browser.ts'
import { testClock } from '#tests/support/clock.ts'
import { fillRollups } from '#tests/support/fill-rollups.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type ReportCase, reportCases } from '#tests/support/report-cases.ts'
import { browserStage } from '#tests/support/stage.ts'

/** So many that each figure has rows whatever day the book ends on. */
const CUSTOMERS = 90
const DAYS = 45

const stage = browserStage()
let today: string

beforeAll(async () => {
  const clock = await testClock(stage.stack.database)
  await clock.to('11:00')
  await seedDemo(stage.stack.context, { customers: CUSTOMERS })
  await fillRollups(stage.stack.database)
  await refreshed()
  const { rows } = await sql<{ today: string }>`
    select (clock_timestamp() at time zone 'Asia/Kolkata')::date::text as today`.execute(
    stage.stack.database.kysely,
  )
  today = rows[0]?.today ?? ''
})

async function refreshed(): Promise<void> {
  stage.stack.context.wakeSchedule('reportRefresh')
  await stage.stack.settle()
}

const tile = (page: Page, name: string) =>
  page.getByRole('link', { name: new RegExp(`^${name}: `, 'u') })

/** A figure as it is written; money in paise, shares in basis points. */
function numberIn(text: string): number {
  const value = Number(text.replaceAll(/[₹,%\s]/g, ''))
  return /[₹%]/.test(text) ? Math.round(value * 100) : value
}

/** The cell of the figure, and how many columns follow it. */
async function figureOf(page: Page, { column, row }: ReportCase) {
  const table = page.locator('.report-table')
  const heads = await table.getByRole('columnheader').allTextContents()
  const line =
    row === undefined
      ? table.locator('tfoot tr')
      : table
          .getByRole('row')
          .filter({ has: page.getByRole('rowheader', { name: row, exact: true }) })
  return line
    .last()
    .getByRole('cell')
    .nth(heads.indexOf(column) - heads.length)
}

/** Its column in the file, as many rows as the table has. */
async function exported(page: Page, column: string): Promise<number[]> {
  await page.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV file' }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  const cells = (line: string) =>
    [...line.replace('\uFEFF', '').matchAll(/(?:"([^"]*)"|([^,]*))(?:,|$)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    )
  const at = cells(lines[0] ?? '').indexOf(column)
  const rows = await page.locator('.report-table tbody tr').count()
  return lines.slice(1, 1 + rows).map((line) => Number(cells(line)[at]))
}

/** Why a figure has no list. */
const REASONS = Object.values(texts.rows)
/** What the chart says of a day: `14 Oct 2026: Approval 62.50 %`. */
const HAS_FIGURE = /.+: .*\d/

// which reports there are does not depend on the days
for (const [index, { path }] of reportCases({ from: '', to: '' }).entries())
  test(`${path} shows what the book says, by pointer, by keys and as a file, and opens those rows`, async () => {
    const days = { from: addDays(today, 1 - DAYS), to: today }
    const one = reportCases(days)[index]
    if (one === undefined) throw new Error(`no report at ${index}`)
    const { title, column, row, book, opens } = one
    const { page } = await stage.signIn('director', {
      to: `${path}${path.includes('?') ? '&' : '?'}dateFrom=${days.from}&dateTo=${days.to}`,
    })
    await page.locator('.report-table').waitFor()
    await page
      .getByRole('heading', { name: title, exact: true })
      .first()
      .waitFor({ state: 'attached' })
    expect(await seriousFindings(page, 'main')).toEqual([])

    const { rows } = await sql<{ n: number }>`${book}`.execute(stage.stack.database.kysely)
    const wanted = Number(rows[0]?.n)
    const cell = await figureOf(page, one)
    expect(numberIn((await cell.textContent()) ?? '')).toBe(wanted)
    expect(wanted).toBeGreaterThan(0)

    const along = page.locator('.report-body').getByRole('slider')
    await along.focus()
    await page.keyboard.press('Home')
    const spoken = () => along.getAttribute('aria-valuetext')
    // the first days of the range may have nothing
    for (let day = 1; day < DAYS && !HAS_FIGURE.test((await spoken()) ?? ''); day += 1)
      await page.keyboard.press('ArrowRight')
    await expect.poll(spoken).toMatch(HAS_FIGURE)

    const values = await exported(page, column)
    if (row === undefined) {
      const isMoney = (await cell.textContent())?.startsWith('₹') === true
      const sum = values.reduce((all, value) => all + value, 0)
      expect(Math.round(sum * (isMoney ? 100 : 1))).toBe(wanted)
    } else expect(values.length).toBeGreaterThan(0)

    if (opens === undefined) {
      const said = (await cell.getAttribute('title')) ?? ''
      expect(REASONS.filter((reason) => said.includes(reason))).toHaveLength(1)
      return
    }
    await cell.getByRole('link').click()
    await page.waitForURL(new RegExp(opens))
    await page.getByText(new RegExp(`^1–\\d+ of ${wanted.toLocaleString('en-IN')}$`)).waitFor()
  })

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
  await refreshed()
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
    to: `/data_analysis/graphical_report/Lending_trends?dateFrom=${today}&dateTo=${today}`,
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
