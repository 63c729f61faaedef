/** A node from its condition to the converted customer, on the screens of two people. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { callTask, taskDetail } from '#shared/telemarketing/tele-api.ts'
import { makeTaker, makeUncertified, bindLine } from '#tests/factories/telemarketing.ts'
import { teleTasks } from '#gateway/manage/features/telemarketing/segments/task-follow-job.ts'
import { row, seriousFindings } from '#tests/support/browser.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { browserStage } from '#tests/support/stage.ts'

const CENTER = '/customer_management/marketing_center'
const stage = browserStage()
let clock: TestClock
let taskId = ''
let customerId = ''

beforeAll(async () => {
  const { stack } = stage
  clock = await testClock(stack.database)
  await clock.to('09:59')
  customerId = await makeUncertified(stack)
  await sql`
    update customer set city = 'Pune', registered_at = registered_at - interval '3 days'
    where id = ${customerId}`.execute(stack.database.kysely)
  await teleTasks.run(stack.context)
  const { rows } = await sql<{ id: string }>`
    select u.id from sys_user u where u.account = 'tele_uncertified'`.execute(stack.database.kysely)
  const userId = rows[0]?.id ?? ''
  await makeTaker(stack.database, userId, ['no_certified'])
  await bindLine(stack.database, userId)
})

test('a condition is written by keyboard, and the node gives the customer to a telemarketer', async () => {
  const { stack } = stage
  const { page } = await stage.signIn('manager', { to: `${CENTER}/marketing_stage` })
  await page.getByRole('button', { name: 'Add node' }).click()
  const form = page.getByRole('dialog', { name: 'Add node' })
  await form.getByLabel(/^Name/).fill('Pune')
  await form.getByLabel(/^Hold-out share/).fill('0')
  await form.getByRole('button', { name: 'Add condition' }).press('Enter')
  const editor = form.getByRole('group', { name: 'Condition', exact: true })
  // the new comparison has the focus: field, operator and value are reached by Tab
  await page.keyboard.press('c')
  await editor.getByLabel('Field').selectOption({ label: 'City' })
  await editor.getByLabel('Comparison').selectOption({ label: 'is' })
  await editor.getByLabel('Value', { exact: true }).fill('pune')
  const audience = form.getByRole('region', { name: 'Customers taken now' })
  await expect.poll(() => audience.textContent()).toMatch(/Match 1.*Will be contacted 1/)
  await page.keyboard.press('Control+z')
  await expect.poll(() => editor.getByLabel('Value', { exact: true }).inputValue()).toBe('')
  await page.keyboard.press('Control+y')
  await expect.poll(() => editor.getByLabel('Value', { exact: true }).inputValue()).toBe('pune')
  await page.keyboard.press('Control+d')
  await expect.poll(() => editor.getByLabel('Field').count()).toBe(2)
  await page.keyboard.press('Control+z')
  await expect.poll(() => editor.getByLabel('Field').count()).toBe(1)
  expect(await seriousFindings(page)).toEqual([])
  await form.getByRole('button', { name: /^Save/ }).click()
  await form.waitFor({ state: 'detached' })
  const node = row(page, 'Pune')
  await node.waitFor()
  await node.getByRole('button', { name: 'Actions of the row' }).click()
  await page.getByRole('menuitem', { name: 'Run now' }).click()
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .last()
    .getByRole('button', { name: /Run now/ })
    .click()
  await expect
    .poll(async () => {
      await stack.settle()
      const { rows } = await sql<{ id: string; state: string }>`
        select t.id, t.state from tele_task t where t.customer_id = ${customerId}`.execute(
        stack.database.kysely,
      )
      taskId = rows[0]?.id ?? ''
      return rows[0]?.state
    })
    .toBe('assigned')
})

test('a call at 09:59 is refused, at 10:00 taken, and the customer leaves both screens as converted', async () => {
  const { stack } = stage
  const list = `${CENTER}/no_certified`
  const caller = await stage.signIn('tele_uncertified', { to: `${list}?open=${taskId}` })
  const leader = await stage.signIn('manager', { to: list })
  await row(leader.page, taskId).waitFor()
  const call = caller.page.getByRole('button', { name: /^Call/ })
  const write = caller.page.getByRole('button', { name: 'WhatsApp' })
  for (const button of [call, write])
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
  // the server refuses what the button does not offer
  const person = await stack.signIn('tele_uncertified')
  const { token } = (await person.call(taskDetail, { taskId })).task
  const refused = await person.refused(callTask, { taskId, token, way: 'phone' })
  expect(refused.problem?.id).toBe('C-WIN')
  await clock.to('10:00')
  await caller.page.reload()
  await expect.poll(() => call.getAttribute('aria-disabled')).toBeNull()
  // the rest is done without a mouse: the call, the result by its code, the saving
  await expect.poll(() => call.evaluate((element) => element === document.activeElement)).toBe(true)
  // over the drawer the list of shortcuts names what works in it
  await caller.page.keyboard.press('Shift+Slash')
  const keys = caller.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('term')
  await keys.first().waitFor()
  const named = await keys.allTextContents()
  expect(named).toContain('Call')
  expect(named).not.toContain('Next row')
  await caller.page.keyboard.press('Escape')
  await keys.first().waitFor({ state: 'detached' })
  await caller.page.keyboard.press('c')
  const result = caller.page.getByRole('combobox', { name: /Result/ })
  await expect
    .poll(() => result.evaluate((element) => element === document.activeElement))
    .toBe(true)
  await caller.page.keyboard.type('22')
  expect(await result.inputValue()).toBe('22')
  await caller.page.keyboard.press('Control+Enter')
  await expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`
        select t.follow_count as n from tele_task t where t.id = ${taskId}`.execute(
        stack.database.kysely,
      )
      return rows[0]?.n
    })
    .toBe(1)
  await sql`update customer set certified = true where id = ${customerId}`.execute(
    stack.database.kysely,
  )
  await teleTasks.run(stack.context)
  await stack.settle()
  for (const { page } of [caller, leader])
    await expect.poll(() => row(page, taskId).textContent()).toMatch(/Converted/)
  // it leaves with the next reading
  for (const { page } of [caller, leader]) {
    await page.reload()
    await page.getByRole('grid').first().waitFor()
    await expect.poll(() => row(page, taskId).count()).toBe(0)
  }
})

test('a figure of the totals leads to the rows it counts', async () => {
  const { page } = await stage.signIn('manager', { to: `${CENTER}/marketing_total` })
  const sum = page.getByRole('row', { name: /^Sum/ })
  // assigned, follow-ups
  await sum.getByRole('link').nth(1).click()
  await row(page, customerId).getByText('App crash').waitFor()
  expect(await seriousFindings(page)).toEqual([])
})
