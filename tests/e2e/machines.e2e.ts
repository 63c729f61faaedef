/**
 * Screens that govern what runs by itself, by keyboard: the schedule, batch runs, the calling robot and
 * the rules of collection.
 */
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { addAiConfig, createAiTasks, inboundAiCall } from '#shared/ai-calls/ai-calls-api.ts'
import { caseDetail } from '#shared/collection/cases-api.ts'
import { collectionRules } from '#shared/collection/rules-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { LIVE_PATH } from '#shared/kernel/live.ts'
import { listTaskRecords, runTask } from '#shared/scheduling/scheduling-api.ts'
import { addLine } from '#shared/system/lines-api.ts'
import { aiCalls } from '#gateway/manage/features/ai-calls/ai-call-job.ts'
import type { AiCallOrder, AiCallVendor } from '#gateway/manage/vendors/ai-call-vendor.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { row, seriousFindings, untilQuiet } from '#tests/support/browser.ts'
import { machineOf } from '#tests/support/machine.ts'
import { onlyVendor } from '#tests/support/only-vendor.ts'
import { testClock } from '#tests/support/clock.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()

beforeAll(async () => {
  const clock = await testClock(stage.stack.database)
  await clock.to('11:00')
})

/** Opens the menu of a row and chooses, as with the menu key. */
async function choose(page: Page, id: string, item: string): Promise<void> {
  await row(page, id).click()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: item, exact: true }).press('Enter')
}

test('a scheduled task is run by hand, switched off, and its run is listed with who asked', async () => {
  await sql`
    insert into file_object (id, purpose, name, mime, size, sha256, content, expires_at)
      values ('F-OLD', 'export', 'old.csv', 'text/csv', 1, '\\x00', '\\x00', clock_timestamp())`.execute(
    stage.stack.database.kysely,
  )
  const { page } = await stage.signIn('administrator', { to: '/system/timed_task' })
  const name = 'Clean-up of expired files'
  await choose(page, name, 'Run now')
  await page.getByRole('alertdialog').getByText('It begins within a second').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('alertdialog').getByRole('button', { name: 'Run now' }).press('Enter')
  await page.getByText('It begins within a second', { exact: true }).waitFor()
  await stage.stack.settle()
  await page.goto(`${new URL(page.url()).origin}/system/timed_task?tab=runs`)
  await row(page, name).getByText('Succeeded').waitFor()
  await row(page, name).getByText('Administrator').waitFor()
  await row(page, name).getByText('Removed: 1').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.goto(`${new URL(page.url()).origin}/system/timed_task`)
  await choose(page, name, 'Change the cycle')
  const form = page.getByRole('dialog')
  await form.getByRole('textbox').fill('99 9 * * *')
  await form.getByRole('status').getByText('Cycle expression is not valid').waitFor()
  await form.getByRole('textbox').fill('30 9,14 * * *')
  await form.getByText(/09:30/).first().waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await form.waitFor({ state: 'detached' })
  await row(page, name)
    .getByText(/09:30|14:30/)
    .first()
    .waitFor()
  const { page: manager } = await stage.signIn('manager', { to: '/system/timed_task' })
  await row(manager, name).click()
  await manager.keyboard.press('Shift+F10')
  await manager.getByRole('menuitem', { name: 'Runs' }).waitFor()
  expect(await manager.getByRole('menuitem', { name: 'Run now' }).count()).toBe(0)
})

test('a run that ends after the page was read and before its socket is there is shown', async () => {
  const { page } = await stage.signIn('administrator', { to: '/home_page' })
  const administrator = await stage.stack.signIn('administrator')
  let connect = () => {}
  const mayConnect = new Promise<void>((resolve) => {
    connect = resolve
  })
  await page.routeWebSocket(new RegExp(LIVE_PATH), async (socket) => {
    await mayConnect
    socket.connectToServer()
  })
  await page.goto(`${stage.stack.url}/system/timed_task?tab=runs`)
  await untilQuiet(page)
  const taskId = 'K-outboxClean'
  const runs = async () => (await administrator.call(listTaskRecords, { taskId })).total
  const before = await runs()
  await administrator.call(runTask, { taskId })
  await expect.poll(runs).toBe(before + 1)
  await stage.stack.settle()
  connect()
  const shown = page.locator('.ag-row').filter({ hasText: 'Clean-up of old events' })
  await expect.poll(() => shown.filter({ hasText: 'Succeeded' }).count()).toBe(before + 1)
})

test('a batch is previewed and started with its reason, and its rows show the outcome of each', async () => {
  const { orderId } = await makeReview(stage.stack, { state: 'abnormal', retryCount: 3 })
  const { page } = await stage.signIn('manager', { to: '/system/batch_run' })
  const { keyboard } = page
  await page.getByRole('button', { name: 'New batch' }).press('Enter')
  const form = page.getByRole('alertdialog')
  await form.getByLabel('What is done').selectOption('manualReview')
  await form.getByRole('radio', { name: 'By days' }).focus()
  await keyboard.press('ArrowRight')
  await form.getByRole('textbox').first().fill(`${orderId}\nL1`)
  await form.getByRole('button', { name: 'Preview' }).press('Enter')
  await form.getByText(orderId).last().waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await form.getByRole('textbox').last().fill('the vendor was away')
  await form.getByRole('button', { name: 'Start' }).press('Enter')
  await stage.stack.settle()
  await row(page, 'the vendor was away').getByText('Done', { exact: true }).waitFor()
  await page.getByRole('radio', { name: 'Orders' }).press('Space')
  await page.getByText('Choose a batch in the list of batches').waitFor()
  await page.getByRole('radio', { name: 'Batches' }).press('Space')
  await choose(page, 'the vendor was away', 'Orders of the batch')
  await row(page, orderId).getByText('Done').first().waitFor()
  expect(await seriousFindings(page)).toEqual([])
})

const CONFIG: Omit<
  InputOf<typeof addAiConfig>,
  'minOverdueDays' | 'maxOverdueDays' | 'robotName'
> = {
  productId: 'PRC',
  startTime: '10:00',
  endTime: '17:00',
  robotId: 'R1',
  repeatIntervalMin: 120,
  repeatFrequency: 1,
  redialIntervalMin: 60,
  redialMax: 0,
  ignoreLabels: [],
  status: 'enabled',
}

test('the robot is configured, gets a task, and the task is paused, resumed and cancelled', async () => {
  const made: MadeCase = await makeCase(stage.stack, { state: 'unallocated', overdueDays: 4 })
  const manager = await stage.stack.signIn('manager')
  await manager.call(addAiConfig, {
    ...CONFIG,
    minOverdueDays: 1,
    maxOverdueDays: 9,
    robotName: 'Early days',
  })
  const { page } = await stage.signIn('manager', { to: '/loaned_management/ai_call_config' })
  const { keyboard } = page
  await choose(page, 'Early days (R1)', 'Edit')
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Until/).fill('20:00')
  await keyboard.press('Control+Enter')
  await form
    .getByText(/Must be|must lie|hours/i)
    .first()
    .waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await form.getByLabel(/^Until/).fill('18:00')
  await keyboard.press('Control+Enter')
  await form.waitFor({ state: 'detached' })
  await row(page, 'Early days (R1)').getByText('10:00 – 18:00').waitFor()

  await page.goto(`${new URL(page.url()).origin}/loaned_management/ai_call_config?tab=tasks`)
  await page.getByRole('button', { name: 'Create tasks' }).press('Enter')
  const create = page.getByRole('alertdialog')
  await create.getByLabel('Order numbers, one a line').fill(made.orderId)
  await create.getByRole('button', { name: 'Create tasks' }).press('Enter')
  await create.waitFor({ state: 'detached' })
  await row(page, made.orderId).getByText('Waiting').waitFor()
  for (const [item, state] of [
    ['Pause', 'Paused'],
    ['Resume', 'Waiting'],
    ['Cancel', 'Cancelled'],
  ] as const) {
    await choose(page, made.orderId, item)
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: item }).last().press('Enter')
    await question.waitFor({ state: 'detached' })
    await row(page, made.orderId).getByText(state).first().waitFor()
  }
  expect(await seriousFindings(page)).toEqual([])
})

test('a case shows its robot task live with what was said, and a contact by its holder cancels one', async () => {
  const { stack } = stage
  const unit = await makeUnit(stack, { weight: 100, inHouse: true })
  const { userId, account } = await makeCollector(stack, unit)
  const owed = { overdueDays: 24, collectorId: userId }
  const called = await makeCase(stack, owed)
  const [manager, admin] = await Promise.all([
    stack.signIn('manager'),
    stack.signIn('administrator'),
  ])
  await admin.call(addLine, {
    number: '1600110092',
    kind: 'ai',
    vendorCode: 'test',
    concurrency: 2,
    dailyCap: 50,
    status: 'enabled',
  })
  const { configId } = await manager.call(addAiConfig, {
    ...CONFIG,
    minOverdueDays: 20,
    maxOverdueDays: 29,
    robotName: 'Later days',
  })
  // the test runs the robot, not the schedule
  await sql`update scheduled_task set status = 'disabled' where class = 'aiCallPlan'`.execute(
    stack.database.kysely,
  )
  const handed: AiCallOrder[] = []
  const runs = aiCalls(onlyVendor(playedRobot(handed)))
  await manager.call(createAiTasks, { configId, orderIds: [called.orderId] })
  const { page } = await stage.signIn(account, {
    to: `/loaned_management/pedding_list?open=${called.caseId}`,
  })
  const robotTab = page.getByRole('radio', { name: /^AI calls/ })
  const tasks = page.getByRole('listitem', { name: /^AI call task / })
  await robotTab.press('Space')
  await tasks.getByText('Waiting').waitFor()
  await runs.run(stack.context)
  await tasks.getByText('Calling').first().waitFor()
  const vendor = await machineOf(stack, ['aiCall'])
  await vendor.call(inboundAiCall, {
    callId: handed[0]?.callId ?? '',
    result: 'h',
    durationSec: 40,
    transcript: [{ by: 'borrower', text: 'I lost my job last week' }],
  })
  await tasks.getByText('I lost my job last week').waitFor()
  await tasks.getByText('Finished').waitFor()
  expect(await seriousFindings(page)).toEqual([])

  const visited = await makeCase(stack, owed)
  await manager.call(createAiTasks, { configId, orderIds: [visited.orderId] })
  const { page: leader } = await stage.signIn('manager', {
    to: `/detail3?caseId=${visited.caseId}`,
  })
  await leader.getByRole('radio', { name: /^AI calls/ }).press('Space')
  const watched = leader.getByRole('listitem', { name: /^AI call task / })
  await watched.getByText('Waiting').waitFor()
  await page.goto(
    `${new URL(page.url()).origin}/loaned_management/pedding_list?open=${visited.caseId}`,
  )
  const desk = page.getByRole('region', { name: /^Case of / })
  await desk.getByLabel(/^Contact way/).selectOption({ label: 'Visit' })
  await desk.getByRole('radio', { name: '3 No answer' }).press('Space')
  await desk.getByLabel(/^Remark/).fill('Nobody at home')
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(async () => (await manager.call(caseDetail, { caseId: visited.caseId })).follows.length)
    .toBe(1)
  await runs.run(stack.context)
  await watched.getByText('Cancelled').waitFor()
  await watched.getByText('A person contacted the borrower').waitFor()
  expect(handed).toHaveLength(1)
})

/** Takes calls; the test says how they end. */
function playedRobot(handed: AiCallOrder[]): AiCallVendor {
  return {
    code: 'test',
    start(order) {
      handed.push(order)
      return Promise.resolve({ accepted: true, vendorCallId: `V${order.callId}` })
    },
    query: (callId) => Promise.resolve({ state: 'calling', vendorCallId: `V${callId}` }),
    settle: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

test('rules of collection are saved after old and new were shown, and hold for others at once', async () => {
  const { page: director } = await stage.signIn('director', {
    to: '/loaned_management/collect_config',
  })
  const { page } = await stage.signIn('manager', { to: '/loaned_management/collect_config' })
  const field = 'Contacts per customer and day'
  await director.getByLabel(field).waitFor()
  await page.getByLabel(field).fill('2')
  await page.keyboard.press('Control+Enter')
  const question = page.getByRole('alertdialog')
  const line = question.getByRole('row', { name: field })
  await line.waitFor()
  expect(await line.getByRole('cell').allInnerTexts()).toEqual(expect.arrayContaining(['3', '2']))
  expect(await seriousFindings(page)).toEqual([])
  await question.getByRole('button', { name: 'Save rules' }).press('Enter')
  await page.getByText('The rules were saved').waitFor()
  await expect.poll(() => director.getByLabel(field).inputValue()).toBe('2')
  await director.getByText(/Last saved by Manager/).waitFor()
  const person = await stage.stack.signIn('manager')
  expect((await person.call(collectionRules, {})).maxContactsPerDay).toBe(2)
})
