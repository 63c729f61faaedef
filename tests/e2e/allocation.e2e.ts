/** Leaders in real browsers: cases are given out and moved, and the duty of a week is planned. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { saveSchedule } from '#shared/collection/setup-api.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { row, seriousFindings } from '#tests/support/browser.ts'
import {
  CASE_LIST,
  type CollectionFloor,
  openCollectionFloor,
  panel,
} from '#tests/support/collection-floor.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
let unit: CollectionFloor['unit']
let asha: CollectionFloor['asha']
let bina: CollectionFloor['bina']
let leader: CollectionFloor['leader']

beforeAll(async () => {
  ;({ unit, asha, bina, leader } = await openCollectionFloor(stage.stack))
})

/** A case of the unit without a holder. */
async function waiting(name: string): Promise<MadeCase> {
  const made = await makeCase(stage.stack, { name, overdueDays: 5, agencyId: unit.agencyId })
  await sql`
    update collection_case set department_id = ${unit.departmentId} where id = ${made.caseId}`.execute(
    stage.stack.database.kysely,
  )
  await sql`
    update case_allocation set to_agency_id = ${unit.agencyId} where case_id = ${made.caseId}`.execute(
    stage.stack.database.kysely,
  )
  return made
}

test('an allocation run adds a case to the open list of each collector, a move removes it again', async () => {
  const [first, second] = [await waiting('Farida Contractor'), await waiting('Ganesh Iyer')]
  const [one, two] = [
    await stage.signIn(asha.account, { to: CASE_LIST }),
    await stage.signIn(bina.account, { to: CASE_LIST }),
  ]
  const desk = await stage.signIn(leader.account, { to: `${CASE_LIST}?tab=desk` })
  await desk.page.getByText('Unallocated pool: 2').waitFor()
  // covered by the list of keys, the desk does not take them
  await desk.page.keyboard.press('Shift+Slash')
  await desk.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await desk.page.keyboard.press('KeyV')
  await desk.page.keyboard.press('Escape')
  await desk.page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await desk.page.getByText(/ placed$/).count()).toBe(0)
  await desk.page.keyboard.press('KeyV')
  await desk.page.getByText('2 of 2 placed').waitFor()
  // Releasing the keys after the dialog has opened does not answer it.
  await desk.page.keyboard.down('Control')
  await desk.page.keyboard.down('Enter')
  const question = desk.page.getByRole('alertdialog')
  const cancel = question.getByRole('button', { name: 'Cancel' })
  await expect.poll(() => cancel.evaluate((button) => button === document.activeElement)).toBe(true)
  await cancel.evaluate((button) =>
    button.addEventListener('click', () => button.toggleAttribute('data-clicked', true)),
  )
  await desk.page.keyboard.up('Enter')
  await desk.page.keyboard.up('Control')
  expect(await cancel.getAttribute('data-clicked')).toBeNull()
  await question.getByRole('button', { name: 'Run allocation' }).click()
  for (const { page } of [one, two]) {
    await page.getByText('New cases for you: 1').click()
    await page
      .locator('[role="row"]', { hasText: /Farida Contractor|Ganesh Iyer/ })
      .first()
      .waitFor()
  }
  await desk.page
    .getByText(/done 2\/2/)
    .first()
    .waitFor()
  // the feed names who got them
  await expect
    .poll(() =>
      desk.page
        .locator('.alloc-feed li')
        .filter({ hasText: /\S \+1$/ })
        .count(),
    )
    .toBe(2)
  expect(await desk.page.locator('.alloc-feed').getByText(/pool/i).count()).toBe(0)
  // with nothing in the pool the desk says so, and what is allocated can be allocated again
  await desk.page.getByText('Unallocated pool: 0').waitFor()
  const preview = desk.page.getByRole('button', { name: /^Preview/ })
  await expect.poll(() => preview.getAttribute('aria-disabled')).toBe('true')
  await desk.page.getByText('Nothing to allocate.').first().waitFor()
  await desk.page.getByRole('switch', { name: 'Allocated cases too' }).press('Space')
  // once the desk has read that the run is over
  await expect.poll(() => preview.getAttribute('aria-disabled')).not.toBe('true')
  await desk.page.keyboard.press('KeyV')
  await desk.page.getByText('2 of 2 placed').waitFor()
  const given = (await one.page.getByText('Farida Contractor').count()) > 0 ? first : second
  // The case list of the leader: the case is moved back from there.
  await desk.page.goto('/order_management/change_case')
  await desk.page.getByRole('button', { name: 'Move cases' }).click()
  const form = desk.page.getByRole('dialog')
  await form.getByLabel(/^From/).selectOption(asha.userId)
  expect(await form.getByLabel(/^To/).getAttribute('aria-required')).toBe('true')
  await form.getByLabel(/^To/).selectOption(bina.userId)
  await form.getByLabel(/^Reason/).fill('Speaks the language of this borrower')
  await form.getByRole('button', { name: 'Move cases' }).click()
  const asks = desk.page.getByRole('alertdialog')
  await asks.getByText('They move at once.').waitFor()
  await asks.getByRole('button', { name: 'Move cases' }).click()
  await one.page
    .getByText(/^taken back: leader's decision/)
    .first()
    .waitFor()
  await two.page.getByText('New cases for you: 1').click()
  await row(two.page, given === first ? 'Farida Contractor' : 'Ganesh Iyer').waitFor()
  await expect
    .poll(
      async () =>
        (
          await sql<{
            holder: string
          }>`select c.collector_id as holder from collection_case c where c.id = ${given.caseId}`.execute(
            stage.stack.database.kysely,
          )
        ).rows[0]?.holder,
    )
    .toBe(bina.userId)
  // The list is open on the screen that moved it; under the pointer the change waits behind the
  // pill.
  await desk.page.mouse.move(0, 0)
  await row(desk.page, 'Speaks the language').locator('.staff-cell .dot-online').first().waitFor()
  // The log finds this move by giver, receiver and company.
  await desk.page.goto('/order_management/change_case?tab=log')
  const moves = desk.page.locator('.ag-row')
  await expect.poll(() => moves.count()).toBeGreaterThan(1)
  await desk.page.getByRole('button', { name: 'More filters' }).click()
  await desk.page.getByLabel('From', { exact: true }).selectOption(asha.userId)
  await desk.page.getByLabel('To', { exact: true }).selectOption(bina.userId)
  await desk.page.getByLabel('Agency', { exact: true }).selectOption(unit.agencyId)
  await expect.poll(() => moves.count()).toBe(1)
  await moves.locator('.tag').getByText('Moved', { exact: true }).waitFor()
})

test('selected cases of the pool are planned for the named collectors; Enter opens a case on its page', async () => {
  const made = await waiting('Leela Bose')
  const { page } = await stage.signIn(leader.account, { to: `${CASE_LIST}?tab=toAllocate` })
  await row(page, 'Leela Bose').locator('[col-id="outstanding"]').click()
  await page.keyboard.press('KeyX')
  await page.keyboard.press('KeyA')
  const form = page.getByRole('dialog')
  await form.getByText('Chosen cases: 1 (S1)').waitFor()
  await form.getByLabel(/^Collector/).selectOption(asha.userId)
  await form.getByRole('button', { name: /^Preview/ }).click()
  await page.getByText('1 of 1 placed').waitFor()
  await page.goto(`${CASE_LIST}?tab=toAllocate`)
  await row(page, 'Leela Bose').locator('[col-id="outstanding"]').click()
  await page.keyboard.press('Enter')
  await page.waitForURL(/detail3/)
  await panel(page).getByRole('heading', { name: 'Leela Bose' }).waitFor()
  await sql`
    update collection_case set state = 'held', hold_reason = 'dispute' where id = ${made.caseId}`.execute(
    stage.stack.database.kysely,
  )
})

test('a leader allocates one stage from the list of stages', async () => {
  const made = await waiting('Lata Deshmukh')
  const led = await stage.signIn(leader.account, { to: '/loaned_management/overdue_stage' })
  const { rows } = await sql<{
    stage: string
  }>`select c.stage_id as stage from collection_case c where c.id = ${made.caseId}`.execute(
    stage.stack.database.kysely,
  )
  await row(led.page, rows[0]?.stage as string).click({ button: 'right' })
  await led.page.getByRole('menuitem', { name: 'Run allocation' }).click()
  await led.page.getByRole('alertdialog').getByRole('button', { name: 'Run allocation' }).click()
  await expect
    .poll(
      async () =>
        (
          await sql<{
            state: string
          }>`select c.state from collection_case c where c.id = ${made.caseId}`.execute(
            stage.stack.database.kysely,
          )
        ).rows[0]?.state,
    )
    .toBe('allocated')
})

test('a leader selects a week by any of its days and can import a downloaded week', async () => {
  const { page } = await stage.signIn(leader.account, {
    to: '/loaned_management/urge_schedule?week=2026-11-19',
  })
  const week = page.getByRole('button', { name: /^Choose a week: / })
  await week.getByText('16 Nov 2026 – 22 Nov 2026').waitFor()
  await week.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('16')
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/week=2026-11-23/)
  await page.locator('.week-calendar').waitFor({ state: 'detached' })
  await expect.poll(() => week.evaluate((button) => document.activeElement === button)).toBe(true)
  await week.click()
  await page.getByRole('button', { name: 'Month after' }).click()
  await page.getByRole('gridcell', { name: '27', exact: true }).click()
  await page.waitForURL(/week=2026-12-21/)
  await page.getByText('21 Dec 2026 – 27 Dec 2026').waitFor()

  await stage.stack.signIn(leader.account).then((person) =>
    person.call(
      saveSchedule,
      {
        weekStart: '2026-12-21',
        rows: [
          {
            userId: asha.userId,
            days: ['day', 'morning', 'evening', 'leave', 'off', 'off', 'off'],
            version: 0,
          },
        ],
      },
      { 'idempotency-key': crypto.randomUUID() },
    ),
  )
  const weeks = () =>
    sql`select s.user_id, s.days, s.version from duty_schedule s where s.week_start = '2026-12-21' order by 1`
      .execute(stage.stack.database.kysely)
      .then(({ rows }) => rows)
  const before = await weeks()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const coming = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'This week as it is' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toBe('duty-2026-12-21.csv')
  await dialog.getByLabel('CSV file').setInputFiles(await file.path())
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText(/^Imported: \d+, refused: 0$/).waitFor()
  expect(await weeks()).toEqual(before)
})

test('a week is painted and saved by keyboard, and the table stays where it is', async () => {
  const week = '2027-01-04'
  const { page } = await stage.signIn(leader.account, {
    to: `/loaned_management/urge_schedule?week=${week}`,
  })
  const table = page.locator('.duty-table')
  await table
    .getByText(/^Collector /)
    .first()
    .waitFor()
  const top = (await table.boundingBox())?.y
  for (const key of ['ArrowDown', 'ArrowRight', 'KeyL']) await page.keyboard.press(key)
  await page.getByRole('button', { name: /^Save changes \(1\)/ }).waitFor()
  expect((await table.boundingBox())?.y).toBe(top)
  await page.keyboard.press('Control+Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  const { rows } = await sql<{ days: string[] }>`
    select s.days from duty_schedule s where s.week_start = ${week}`.execute(
    stage.stack.database.kysely,
  )
  expect(rows.map(({ days }) => days.indexOf('leave'))).toEqual([1])
})
