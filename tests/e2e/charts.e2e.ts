/** A chart in the console is read by pointer, by keys and as a table, and kept as a file. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { saveThresholds } from '#shared/wall/wall-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { seriousFindings } from '#tests/support/browser.ts'
import { testClock } from '#tests/support/clock.ts'
import { browserStage } from '#tests/support/stage.ts'

const BOARD = '/loaned_management/loaned_board'
const stage = browserStage()

beforeAll(async () => {
  const clock = await testClock(stage.stack.database)
  await clock.to('11:00')
  await makeCase(stage.stack, { overdueDays: 5 })
  await makeCase(stage.stack, { overdueDays: 5 })
  await makeCase(stage.stack, { overdueDays: 40 })
  const manager = await stage.stack.signIn('manager')
  await manager.call(saveThresholds, {
    target: 10_000_000,
    ptpKept: null,
    unallocatedMinutes: null,
    reviewMinutes: null,
    disburseFailed: null,
  })
})

const day = (page: Page) => page.getByRole('figure', { name: 'Recovered through the day' })
const along = (page: Page) => day(page).getByRole('slider')

test('the arrow keys move along a chart, and its value describes the point', async () => {
  const { page } = await stage.signIn('manager', { to: BOARD })
  await along(page).focus()
  await page.keyboard.press('Home')
  await expect.poll(() => along(page).getAttribute('aria-valuetext')).toMatch(/^06:00–07:00: /)
  await page.keyboard.press('ArrowRight')
  await expect
    .poll(() => along(page).getAttribute('aria-valuetext'))
    .toBe('07:00–08:00: Recovered today ₹0.00, Yesterday ₹0.00')
  expect(await day(page).locator('.chart-tip').textContent()).toContain('07:00–08:00')
  await page.keyboard.press('End')
  await expect.poll(() => along(page).getAttribute('aria-valuetext')).toMatch(/^23:00–24:00: /)
  await page.keyboard.press('Escape')
  await day(page).locator('.chart-tip').waitFor({ state: 'detached' })
  expect(await seriousFindings(page)).toEqual([])
})

test('the running hour is marked as not complete, in the tooltip too', async () => {
  const { page } = await stage.signIn('manager', { to: BOARD })
  await along(page).focus()
  await page.keyboard.press('Home')
  for (let hour = 6; hour < 11; hour += 1) await page.keyboard.press('ArrowRight')
  await expect
    .poll(() => along(page).getAttribute('aria-valuetext'))
    .toMatch(/^11:00–11:\d\d: .*not complete yet/)
  await day(page).locator('.chart-dot.is-hollow').first().waitFor()
})

test('the tooltip of every point lies within a narrow chart', async () => {
  const { page } = await stage.signIn('manager', { to: BOARD, width: 720 })
  await along(page).focus()
  await page.keyboard.press('Home')
  const outside: number[] = []
  for (let hour = 6; hour < 24; hour += 1) {
    const [tip, own] = await Promise.all([
      day(page).locator('.chart-tip').boundingBox(),
      along(page).boundingBox(),
    ])
    if (tip === null || own === null) throw new Error('there is no tooltip')
    // in the middle neither side has room for it
    expect(tip.width).toBeGreaterThan(own.width / 2)
    if (tip.x < own.x || tip.x + tip.width > own.x + own.width) outside.push(hour)
    await page.keyboard.press('ArrowRight')
  }
  expect(outside).toEqual([])
})

test('a name in the legend hides what it names and shows it again', async () => {
  const { page } = await stage.signIn('manager', { to: BOARD })
  const dashed = day(page).locator('.chart-line.is-previous')
  await dashed.waitFor({ state: 'attached' })
  const yesterday = day(page).getByRole('button', { name: 'Yesterday' })
  await yesterday.click()
  await dashed.waitFor({ state: 'detached' })
  expect(await yesterday.getAttribute('aria-pressed')).toBe('false')
  await yesterday.click()
  await dashed.waitFor({ state: 'attached' })
})

test('the table says the same values as the picture, and takes its place when asked', async () => {
  const { page } = await stage.signIn('manager', { to: BOARD })
  const stages = page.getByRole('figure', { name: 'Cases by stage' })
  const table = stages.getByRole('table')
  const cases = async () =>
    Object.fromEntries(
      await Promise.all(
        (await table.locator('tbody tr').all()).map(async (row) => [
          await row.getByRole('rowheader').textContent(),
          await row.getByRole('cell').textContent(),
        ]),
      ),
    ) as Record<string, string>
  await expect
    .poll(async () =>
      Object.values(await cases())
        .map(Number)
        .filter(Boolean),
    )
    .toEqual(expect.arrayContaining([2, 1]))
  const bars = await stages.locator('.chart-label').allTextContents()
  expect(bars).toEqual(Object.values(await cases()))
  await stages.getByRole('button', { name: 'Table', exact: true }).click()
  await stages.getByRole('slider').waitFor({ state: 'detached' })
  await table.waitFor()
  await stages.getByRole('button', { name: 'Chart', exact: true }).click()
  await stages.getByRole('slider').waitFor()
})

test('the chart is saved as an SVG that needs no style sheet, and as a PNG', async () => {
  const { page } = await stage.signIn('manager', { to: BOARD })
  const save = async (kind: 'SVG' | 'PNG') => {
    const download = page.waitForEvent('download')
    await day(page).getByRole('button', { name: 'Download Recovered through the day' }).click()
    await page.getByRole('menuitem', { name: `Picture (${kind})` }).click()
    const file = await download
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
  }
  const svg = await save('SVG')
  const text = svg.content.toString()
  expect(svg.name).toBe('Recovered through the day.svg')
  expect(text).toContain('Target ₹1.00 L')
  expect(text).not.toMatch(/class=|var\(/)
  const png = await save('PNG')
  expect(png.content.subarray(1, 4).toString()).toBe('PNG')
})
