/**
 * How many steps the tasks take that people do all day: a step is a key, a typed text or a choice.
 * From the list on which they work to the stored result, by keyboard.
 */
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { teleTasks } from '#gateway/manage/features/telemarketing/segments/task-follow-job.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeTicket } from '#tests/factories/tickets.ts'
import { bindLine, makeTaker, makeUncertified } from '#tests/factories/telemarketing.ts'
import { makeCollector, makeLeader, makeUnit } from '#tests/factories/units.ts'
import { atRest, row } from '#tests/support/browser.ts'
import { testClock } from '#tests/support/clock.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
beforeAll(async () => {
  await (await testClock(stage.stack.database)).to('11:00')
})

/** Counts the steps of one person. */
function stepsOn(page: Page) {
  let count = 0
  return {
    count: () => count,
    async press(key: string): Promise<void> {
      count += 1
      await page.keyboard.press(key)
    },
    async type(text: string): Promise<void> {
      count += 1
      await page.keyboard.type(text)
    },
  }
}
const focused = (page: Page, label: RegExp) =>
  expect
    .poll(() =>
      page
        .getByLabel(label)
        .first()
        .evaluate((field) => field.contains(document.activeElement)),
    )
    .toBe(true)
const numberOf = async (what: string, of: string, id: string): Promise<number> =>
  (
    await sql`select from ${sql.table(what)} x where ${sql.ref(`x.${of}`)} = ${id}`.execute(
      stage.stack.database.kysely,
    )
  ).rows.length

test('a reviewer claims and decides the next review in four steps', async () => {
  const { reviewId } = await makeReview(stage.stack, { state: 'unclaimed', priority: 90 })
  const { page } = await stage.signIn('reviewer3', { to: '/order_management/review_list' })
  await row(page, reviewId).waitFor()
  const steps = stepsOn(page)
  await steps.press('KeyG')
  await page.waitForURL(/\/detail2/)
  await page.getByRole('main').getByText('Machine review').first().waitFor()
  await page.getByLabel('Remark').waitFor()
  await steps.press('KeyR')
  await steps.type('A05')
  await steps.press('Control+Enter')
  await expect
    .poll(
      async () =>
        (
          await sql<{
            state: string
          }>`select r.state from review r where r.id = ${reviewId}`.execute(
            stage.stack.database.kysely,
          )
        ).rows[0]?.state,
    )
    .toBe('failed')
  expect(steps.count()).toBeLessThanOrEqual(4)
})

test('a collector records a promise in six steps and an unanswered call of the next case in four', async () => {
  const unit = await makeUnit(stage.stack, { weight: 100, inHouse: true })
  const { userId, account } = await makeCollector(stage.stack, unit)
  const cases = [
    await makeCase(stage.stack, { overdueDays: 4, collectorId: userId }),
    await makeCase(stage.stack, { overdueDays: 4, collectorId: userId }),
  ].map(({ caseId }) => caseId)
  const { page } = await stage.signIn(account)
  const open = async (): Promise<string> => {
    await page.waitForURL(/[?&]open=/)
    await page
      .getByRole('region', { name: /^Case of / })
      .getByRole('button', { name: /^Call/ })
      .waitFor()
    await atRest(page)
    return new URL(page.url()).searchParams.get('open') ?? ''
  }
  const call = async (): Promise<void> => {
    await steps.press('KeyC')
    await page.getByText('The call has begun: record what comes of it.').waitFor()
    await focused(page, /^Result/)
  }
  // the home page leads to the first case
  await page.getByRole('button', { name: /^Next case/ }).waitFor()
  await atRest(page)
  await page.keyboard.press('KeyN')
  const first = await open()
  expect(cases).toContain(first)
  let steps = stepsOn(page)
  await call()
  await steps.press('Digit1')
  await focused(page, /^Willingness/)
  await steps.press('Digit1')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-field')))
    .toBe('promiseAll')
  await steps.press('Enter')
  await focused(page, /^Remark/)
  await steps.type('Pays all of it tomorrow evening')
  await steps.press('Control+Enter')
  await expect.poll(() => numberOf('case_promise', 'case_id', first)).toBe(1)
  // who promised for tomorrow is not called again today
  const { rows: planned } = await sql<{ atTen: boolean }>`
    select c.next_follow_at at time zone 'Asia/Kolkata'
      = (c.ptp_at at time zone 'Asia/Kolkata')::date + time '10:00' as "atTen"
    from collection_case c where c.id = ${first}`.execute(stage.stack.database.kysely)
  expect(planned).toEqual([{ atTen: true }])
  expect(steps.count()).toBeLessThanOrEqual(6)

  const second = cases.find((caseId) => caseId !== first) ?? ''
  await page.waitForURL(new RegExp(`open=${second}`))
  expect(await open()).toBe(second)
  steps = stepsOn(page)
  await call()
  await steps.press('Digit3')
  await focused(page, /^Remark/)
  await steps.type('Rings, nobody answers')
  await steps.press('Control+Enter')
  await expect.poll(() => numberOf('follow_up', 'case_id', second)).toBe(1)
  expect(steps.count()).toBeLessThanOrEqual(4)
  // both have their next contact later: nothing is due, and one key opens what comes first
  await page.getByText('No case is due now').first().waitFor()
  expect(new URL(page.url()).searchParams.has('open')).toBe(false)
  await atRest(page)
  await page.keyboard.press('KeyN')
  // a moment after it was left: as it is now
  const opened = await open()
  expect(cases).toContain(opened)
  await expect.poll(() => page.getByText('Never contacted').count()).toBe(0)
})

test('customer service opens a ticket for a ringing phone in five steps', async () => {
  const { userId } = await makeTicket(stage.stack)
  const phone = '9123456781'
  await sql`
    update customer c
    set phone_h = ${stage.stack.context.secrets.blindIndex('phone', phone)}, phone_last4 = '6781'
    where c.id = ${userId}`.execute(stage.stack.database.kysely)
  const { page } = await stage.signIn('customer_service', {
    to: '/customer_management/user_feedback',
  })
  await page.getByRole('button', { name: /^New ticket/ }).waitFor()
  await atRest(page)
  const steps = stepsOn(page)
  await steps.press('KeyT')
  const form = page.getByRole('dialog')
  await focused(page, /^Who calls/)
  await steps.type(phone)
  await form.getByRole('group', { name: 'Who calls' }).getByText('XXXXXX6781').waitFor()
  await focused(page, /^Type/)
  await steps.press('Digit1')
  await focused(page, /^What it is about/)
  await steps.type('The app closes when she opens her loan')
  await steps.press('Control+Enter')
  await expect.poll(() => numberOf('feedback', 'customer_id', userId)).toBe(2)
  expect(steps.count()).toBeLessThanOrEqual(5)

  // the clerk goes on: the next ticket, a first answer, and the hand-over to a colleague
  await expect.poll(() => form.count()).toBe(0)
  const onwards = stepsOn(page)
  await onwards.press('KeyN')
  const reply = page.getByLabel('Reply to the customer')
  await reply.waitFor()
  await atRest(page)
  await onwards.press('KeyR')
  await focused(page, /^Reply to the customer/)
  await onwards.type('We look into it and call back today')
  await onwards.press('Control+Enter')
  await expect.poll(() => reply.inputValue()).toBe('')
  await onwards.press('KeyH')
  await page.getByRole('dialog', { name: /^Hand over/ }).waitFor()
  expect(onwards.count()).toBeLessThanOrEqual(5)
})

test('a supervisor gives out the cases of the pool in three steps', async () => {
  const { stack } = stage
  // the test allocates, not the schedule
  await sql`update sys_config set value = '' where code = 'collection.allocationTimes'`.execute(
    stack.database.kysely,
  )
  const unit = await makeUnit(stack, { weight: 100, inHouse: true })
  await makeCollector(stack, unit)
  const leader = await makeLeader(stack, unit, 'internal_supervisor')
  const { caseId } = await makeCase(stack, { overdueDays: 5, agencyId: unit.agencyId })
  await sql`
    update collection_case set department_id = ${unit.departmentId} where id = ${caseId}`.execute(
    stack.database.kysely,
  )
  await sql`
    update case_allocation set to_agency_id = ${unit.agencyId} where case_id = ${caseId}`.execute(
    stack.database.kysely,
  )
  const { page } = await stage.signIn(leader.account, {
    to: '/loaned_management/pedding_list?tab=desk',
  })
  await page.getByText('Unallocated pool: 1').waitFor()
  await atRest(page)
  const steps = stepsOn(page)
  await steps.press('KeyV')
  await page.getByText('1 of 1 placed').waitFor()
  await steps.press('Control+Enter')
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Run allocation' }).waitFor()
  await steps.press('Control+Enter')
  await question.waitFor({ state: 'detached' })
  await expect
    .poll(
      async () =>
        (
          await sql<{
            state: string
          }>`select c.state from collection_case c where c.id = ${caseId}`.execute(
            stack.database.kysely,
          )
        ).rows[0]?.state,
    )
    .toBe('allocated')
  expect(steps.count()).toBeLessThanOrEqual(3)
})

test('a telemarketer takes the next customer, calls and records the result in four steps', async () => {
  const { stack } = stage
  const customerId = await makeUncertified(stack)
  await teleTasks.run(stack.context)
  const { rows } = await sql<{ id: string }>`
    select u.id from sys_user u where u.account = 'tele_uncertified'`.execute(stack.database.kysely)
  const userId = rows[0]?.id ?? ''
  await makeTaker(stack.database, userId, ['no_certified'])
  await bindLine(stack.database, userId)
  const { page } = await stage.signIn('tele_uncertified', {
    to: '/customer_management/marketing_center/no_certified',
  })
  await page.getByRole('button', { name: /^Next/ }).first().waitFor()
  await atRest(page)
  const steps = stepsOn(page)
  await steps.press('KeyN')
  await page.waitForURL(/[?&]open=/)
  const call = page.getByRole('button', { name: /^Call/ })
  await expect.poll(() => call.evaluate((button) => button === document.activeElement)).toBe(true)
  await steps.press('KeyC')
  const result = page.getByRole('combobox', { name: /Result/ })
  await expect.poll(() => result.evaluate((field) => field === document.activeElement)).toBe(true)
  await steps.type('22')
  await steps.press('Control+Enter')
  await expect
    .poll(async () => {
      const { rows: tasks } = await sql<{ n: number }>`
        select t.follow_count as n from tele_task t where t.customer_id = ${customerId}`.execute(
        stack.database.kysely,
      )
      return tasks[0]?.n
    })
    .toBe(1)
  expect(steps.count()).toBeLessThanOrEqual(4)
})
