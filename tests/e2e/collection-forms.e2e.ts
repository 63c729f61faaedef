/** Double clicks and invalid input on the collection screens. */
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { makeCase } from '#tests/factories/cases.ts'
import { makeStaffedFloor, type StaffedFloor } from '#tests/factories/staffed-floor.ts'
import { atRest } from '#tests/support/browser.ts'
import { testClock } from '#tests/support/clock.ts'
import { browserStage } from '#tests/support/stage.ts'

const RUBBISH = `<img src=x onerror=alert(1)> '; drop table agency; -- \u202e💥\u0000 ${'ab'.repeat(300)}`

const stage = browserStage()
let floor: StaffedFloor
let holderId: string

beforeAll(async () => {
  const clock = await testClock(stage.stack.database)
  await clock.to('11:00')
  await sql`update sys_config set value = '' where code = 'collection.allocationTimes'`.execute(
    stage.stack.database.kysely,
  )
  floor = await makeStaffedFloor(stage.stack)
  holderId = (await stage.stack.signIn('collector')).userId
})

async function count(table: string): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from ${sql.table(table)}`.execute(stage.stack.database.kysely)
  return rows[0]?.n ?? 0
}
async function formOf(page: Page, button: string | RegExp): Promise<Locator> {
  await page.getByRole('button', { name: button }).first().click()
  const form = page.getByRole('dialog')
  await form.locator('button[type="submit"]').waitFor()
  return form
}
/** Selects the first option of every empty list. */
async function chooseAll(form: Locator): Promise<void> {
  for (const list of await form.locator('select').all())
    if ((await list.inputValue()) === '') await list.selectOption({ index: 1 })
}
const submitOf = (form: Locator): Locator => form.locator('button[type="submit"]')

interface Hasty {
  name: string
  path: string
  button: string | RegExp
  table: string
  /** Asks for a confirmation before it is sent. */
  asks?: true
  fill: (form: Locator) => Promise<void>
}
const HASTY: Hasty[] = [
  {
    name: 'an agency',
    path: '/loaned_management/urge_agencies',
    button: 'Add agency',
    table: 'agency',
    fill: (form) => form.getByLabel(/^Agency/).fill('Nirmal Recoveries'),
  },
  {
    name: 'a department',
    path: '/loaned_management/urge_agencies?tab=departments',
    button: 'Add department',
    table: 'department',
    fill: (form) => form.getByLabel(/^Name/).fill('Night desk'),
  },
  {
    name: 'a group',
    path: '/loaned_management/urge_agencies?tab=groups',
    button: 'Add group',
    table: 'team_group',
    fill: (form) => form.getByLabel(/^Name/).fill('Night 1'),
  },
  {
    name: 'a contact stop',
    path: '/loaned_management/stop_collection',
    button: 'Stop collection',
    table: 'stop_collection',
    async fill(form) {
      const { customerId } = await makeCase(stage.stack, { collectorId: holderId, overdueDays: 4 })
      await form.getByLabel(/^Customer ID/).fill(customerId)
      await form.getByLabel(/^Remark/).fill('Asked in writing for a week')
    },
  },
  {
    name: 'a move',
    path: '/order_management/change_case',
    button: 'Move cases',
    table: 'case_change',
    asks: true,
    async fill(form) {
      await form.getByLabel(/^From/).selectOption(holderId)
      await form
        .getByLabel(/^To/)
        .selectOption((await stage.stack.signIn('collection_specialist')).userId)
      await form.getByLabel(/^Reason/).fill('Leaves early today')
    },
  },
]

test.each(HASTY)(
  '$name, submitted by a double click, is created once',
  async ({ path, button, table, fill, asks }) => {
    const before = await count(table)
    const { page } = await stage.signIn('manager', { to: path })
    await atRest(page)
    const form = await formOf(page, button)
    await fill(form)
    await chooseAll(form)
    await submitOf(form).dblclick()
    if (asks) await page.getByRole('alertdialog').locator('button[type="submit"]').dblclick()
    await form.waitFor({ state: 'hidden' })
    await atRest(page)
    expect(await count(table)).toBe(before + 1)
  },
)

test('a double click starts one call, and one allocation run', async () => {
  const made = await makeCase(stage.stack, { collectorId: holderId, overdueDays: 4 })
  const collector = await stage.signIn('collector', {
    to: `/loaned_management/pedding_list?open=${made.caseId}`,
  })
  const calls = await count('call_log')
  await collector.page
    .getByRole('region', { name: /^Case of / })
    .getByRole('button', { name: /^Call/ })
    .dblclick()
  await collector.page.getByText('The call has begun: record what comes of it.').waitFor()
  await atRest(collector.page)
  expect(await count('call_log')).toBe(calls + 1)
  const manager = await stage.signIn('manager', { to: '/loaned_management/pedding_list?tab=desk' })
  await atRest(manager.page)
  await manager.page.getByRole('button', { name: /^Preview/ }).dblclick()
  await manager.page.getByText(/\d+ of \d+ placed/).waitFor()
  const runs = await count('allocation_run')
  await manager.page.getByRole('button', { name: /^Run allocation/ }).dblclick()
  await manager.page.getByRole('alertdialog').locator('button[type="submit"]').dblclick()
  await expect.poll(() => count('allocation_run')).toBe(runs + 1)
  await atRest(manager.page)
  expect(await count('allocation_run')).toBe(runs + 1)
})

const CARELESS = [
  { path: '/loaned_management/overdue_stage', button: 'Add stage', table: 'stage' },
  { path: '/loaned_management/urge_agencies', button: 'Add agency', table: 'agency' },
  { path: '/loaned_management/urge_person', button: 'Add collector', table: 'sys_user' },
  {
    path: '/loaned_management/stop_collection',
    button: 'Stop collection',
    table: 'stop_collection',
  },
  { path: '/order_management/change_case', button: 'Move cases', table: 'case_change' },
]

test.each(CARELESS)(
  'invalid input in the form of $button is reported at its fields and not sent',
  async ({ path, button, table }) => {
    const before = await count(table)
    const { page } = await stage.signIn('manager', { to: path })
    await atRest(page)
    const form = await formOf(page, button)
    await submitOf(form).click()
    await form.locator('[aria-invalid="true"]').first().waitFor()
    for (const field of await form
      .locator(
        `input:not([type="checkbox"], [type="file"], [type="number"], [type="date"],
        [type="datetime-local"]), textarea`,
      )
      .all())
      await field.fill(RUBBISH)
    for (const field of await form.locator('input[type="number"]').all())
      await field.fill('-99999999999')
    await chooseAll(form)
    await submitOf(form).click()
    // Either the page or the server finds it; both show it at the field.
    await expect.poll(() => form.locator('[aria-invalid="true"]').count()).toBeGreaterThan(0)
    for (const field of await form.locator('[aria-invalid="true"]').all())
      expect(
        (
          await form
            .locator(`[id="${(await field.getAttribute('aria-describedby'))?.split(' ')[0]}"]`)
            .innerText()
        ).trim(),
      ).not.toBe('')
    expect(await count(table)).toBe(before)
  },
)

test('invalid input in a contact is reported at its fields and not sent', async () => {
  const { page } = await stage.signIn('collector', {
    to: `/loaned_management/pedding_list?open=${floor.caseId}`,
  })
  const panel = page.getByRole('region', { name: /^Case of / })
  const save = panel.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await panel
    .getByLabel(/^Result/)
    .and(page.locator('[aria-invalid="true"]'))
    .waitFor()
  await panel.getByLabel(/^Contact way/).selectOption({ label: 'Visit' })
  await panel.getByRole('radio', { name: '1 Self answered' }).click()
  await panel.getByRole('radio', { name: '1 Willing and able' }).click()
  await panel.getByLabel(/^Promised amount/).fill('twelve crore')
  await panel.getByLabel(/^Promised for/).fill('2020-01-01T10:00')
  await panel.getByLabel(/^Next contact/).fill('2020-01-01T10:00')
  await panel.getByLabel(/^Remark/).fill('   ')
  await save.click()
  const wrong = page.locator('[aria-invalid="true"]')
  for (const label of [/^Promised amount/, /^Remark/])
    await panel.getByLabel(label).and(wrong).waitFor()
  await panel.getByLabel(/^Promised amount/).fill('99,99,99,999')
  await panel.getByLabel(/^Remark/).fill('Promises a lot')
  await save.click()
  for (const label of [/^Promised amount/, /^Promised for/, /^Next contact/])
    await panel.getByLabel(label).and(wrong).waitFor()
  await panel.getByText('is more than the outstanding amount').waitFor()
  expect(await count('follow_up')).toBe(0)
})
