/**
 * How many steps the tasks take that people do all day: a step is a key, a typed text or a choice.
 * From the list on which they work to the stored result, by keyboard.
 */
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { makeCase } from '#tests/factories/cases.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeTicket } from '#tests/factories/tickets.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { atRest, row } from '#tests/support/browser.ts'
import { testClock } from '#tests/support/clock.ts'
import { browserStage } from '#tests/support/stage.ts'

const SOON = { timeout: 20_000 }

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
    .poll(
      () =>
        page
          .getByLabel(label)
          .first()
          .evaluate((field) => field.contains(document.activeElement)),
      SOON,
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
  await row(page, reviewId).waitFor(SOON)
  const steps = stepsOn(page)
  await steps.press('KeyG')
  await page.waitForURL(/\/detail2/)
  await page.getByRole('main').getByText('Machine review').first().waitFor(SOON)
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
      SOON,
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
    await page.waitForURL(/[?&]open=/, SOON)
    await page
      .getByRole('region', { name: /^Case of / })
      .getByRole('button', { name: /^Call/ })
      .waitFor(SOON)
    await atRest(page)
    return new URL(page.url()).searchParams.get('open') ?? ''
  }
  const call = async (): Promise<void> => {
    await steps.press('KeyC')
    await page.getByText('The call has begun: record what comes of it.').waitFor(SOON)
    await focused(page, /^Result/)
  }
  // the home page leads to the first case
  await page.getByRole('button', { name: /^Next case/ }).waitFor(SOON)
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
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-field')), SOON)
    .toBe('promiseAll')
  await steps.press('Enter')
  await focused(page, /^Remark/)
  await steps.type('Pays all of it tomorrow evening')
  await steps.press('Control+Enter')
  await expect.poll(() => numberOf('case_promise', 'case_id', first), SOON).toBe(1)
  expect(steps.count()).toBeLessThanOrEqual(6)

  const second = cases.find((caseId) => caseId !== first) ?? ''
  await page.waitForURL(new RegExp(`open=${second}`), SOON)
  expect(await open()).toBe(second)
  steps = stepsOn(page)
  await call()
  await steps.press('Digit3')
  await focused(page, /^Remark/)
  await steps.type('Rings, nobody answers')
  await steps.press('Control+Enter')
  await expect.poll(() => numberOf('follow_up', 'case_id', second), SOON).toBe(1)
  expect(steps.count()).toBeLessThanOrEqual(4)
  // both have their next contact later: nothing is due, and one key opens what comes first
  await page.getByText('No case is due now').first().waitFor(SOON)
  expect(new URL(page.url()).searchParams.has('open')).toBe(false)
  await atRest(page)
  await page.keyboard.press('KeyN')
  // a moment after it was left: as it is now
  const opened = await open()
  expect(cases).toContain(opened)
  await expect.poll(() => page.getByText('Never contacted').count(), SOON).toBe(0)
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
  await page.getByRole('button', { name: /^New ticket/ }).waitFor(SOON)
  await atRest(page)
  const steps = stepsOn(page)
  await steps.press('KeyT')
  const form = page.getByRole('dialog')
  await focused(page, /^Who calls/)
  await steps.type(phone)
  await form.getByRole('group', { name: 'Who calls' }).getByText('XXXXXX6781').waitFor(SOON)
  await focused(page, /^Type/)
  await steps.press('Digit1')
  await focused(page, /^What it is about/)
  await steps.type('The app closes when she opens her loan')
  await steps.press('Control+Enter')
  await expect.poll(() => numberOf('feedback', 'customer_id', userId), SOON).toBe(2)
  expect(steps.count()).toBeLessThanOrEqual(5)

  // the clerk goes on: the next ticket, a first answer, and the hand-over to a colleague
  await expect.poll(() => form.count(), SOON).toBe(0)
  const onwards = stepsOn(page)
  await onwards.press('KeyN')
  const reply = page.getByLabel('Reply to the customer')
  await reply.waitFor(SOON)
  await atRest(page)
  await onwards.press('KeyR')
  await focused(page, /^Reply to the customer/)
  await onwards.type('We look into it and call back today')
  await onwards.press('Control+Enter')
  await expect.poll(() => reply.inputValue(), SOON).toBe('')
  await onwards.press('KeyH')
  await page.getByRole('dialog', { name: /^Hand over/ }).waitFor(SOON)
  expect(onwards.count()).toBeLessThanOrEqual(5)
})
