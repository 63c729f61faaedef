/** A book with figures for every report, and one report in the console beside it. */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { beforeAll, expect } from 'vitest'
import texts from '#locales/en/reports.json' with { type: 'json' }
import { addDays } from '#shared/kernel/time.ts'
import { seedDemo } from '#gateway/manage/demo/seed-demo.ts'
import { seriousFindings } from './browser.ts'
import { testClock } from './clock.ts'
import { fillRollups } from './fill-rollups.ts'
import { type ReportCase, reportCases } from './report-cases.ts'
import { browserStage, type Stage } from './stage.ts'

/** So many that each figure has rows whatever day the book ends on. */
const CUSTOMERS = 90
const DAYS = 45

/** What each report is opened by; which there are does not depend on the days. */
export const REPORT_PATHS: readonly string[] = reportCases({ from: '', to: '' }).map(
  ({ path }) => path,
)

export interface ReportStage extends Stage {
  /** The IST day the book ends on. */
  readonly today: string
  /** Brings the reports up to date. */
  refresh(): Promise<void>
}

/** A stage with such a book: called at the top of a file. */
export function reportStage(): ReportStage {
  const stage = browserStage()
  let today = ''
  async function refresh(): Promise<void> {
    stage.stack.context.wakeSchedule('reportRefresh')
    await stage.stack.settle()
  }
  beforeAll(async () => {
    const clock = await testClock(stage.stack.database)
    await clock.to('11:00')
    await seedDemo(stage.stack.context, { customers: CUSTOMERS })
    await fillRollups(stage.stack.database)
    await refresh()
    const { rows } = await sql<{ today: string }>`
      select (clock_timestamp() at time zone 'Asia/Kolkata')::date::text as today`.execute(
      stage.stack.database.kysely,
    )
    today = rows[0]?.today ?? ''
  })
  return {
    visit: stage.visit,
    signIn: stage.signIn,
    refresh,
    get stack() {
      return stage.stack
    },
    get today() {
      return today
    },
  }
}

/** A figure as it is written; money in paise, shares in basis points. */
export function numberIn(text: string): number {
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

/**
 * The report shows what the book says, by pointer, by keys and as a file, and its figure opens the
 * rows it counts or says why it has none.
 */
export async function proveReport(stage: ReportStage, path: string): Promise<void> {
  const days = { from: addDays(stage.today, 1 - DAYS), to: stage.today }
  const one = reportCases(days).find((report) => report.path === path)
  if (one === undefined) throw new Error(`no report at ${path}`)
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
    const tooltip = (await cell.getAttribute('title')) ?? ''
    expect(REASONS.filter((reason) => tooltip.includes(reason))).toHaveLength(1)
    return
  }
  await cell.getByRole('link').click()
  await page.waitForURL(new RegExp(opens))
  await page.getByText(new RegExp(`^1–\\d+ of ${wanted.toLocaleString('en-IN')}$`)).waitFor()
}
