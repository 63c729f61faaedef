/**
 * Tickets in real browsers: live hand-overs, replies that are never lost, the reply deadline and
 * the permissions.
 */
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import {
  decideTransfers,
  replyTicket,
  ticketSteps,
  transferTickets,
} from '#shared/tickets/tickets-api.ts'
import { PNG } from '#tests/factories/files.ts'
import { makeClaimed, makeLoanedTicket, makeTicket } from '#tests/factories/tickets.ts'
import { makeCollector, makeUnit, type Unit } from '#tests/factories/units.ts'
import { atRest, CUT, row } from '#tests/support/browser.ts'
import type { Person } from '#tests/support/manage.ts'
import { browserStage } from '#tests/support/stage.ts'

const LIST = '/system/operation_ticket'

const stage = browserStage()

/** A user may have two sessions: one in the test, one in the browser. */
const asha = (): Promise<Person> => stage.stack.signIn('customer_service')
const ben = (): Promise<Person> => stage.stack.signIn('customer_service2')
/** A ticket Asha works on. */
const hers = async () => makeClaimed(stage.stack, await asha())
const detail = (feedbackId: string) => `/detail4?feedbackId=${feedbackId}&from=operation_ticket`
async function stored(
  feedbackId: string,
): Promise<{ progress: string; processor: string | null; follow: string; replies: number }> {
  const { rows } = await sql<{
    progress: string
    processor: string | null
    follow: string
    replies: number
  }>`
    select t.progress, u.account as processor, t.follow_state as follow, (select count(*)::int
      from feedback_step s where s.feedback_id = t.id and s.kind in ('reply', 'note')) as replies
    from feedback t left join sys_user u on u.id = t.processor_id where t.id = ${feedbackId}`.execute(
    stage.stack.database.kysely,
  )
  return rows[0] ?? { progress: 'missing', processor: null, follow: '', replies: 0 }
}
const replyBox = (page: Page) => page.getByLabel('Reply to the customer')
/** The top dialog; its fields and its last button. */
const ask = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog')).last()

test('a ticket handed over on one screen is accepted on the other, and both see it at once', async () => {
  const { feedbackId } = await hers()
  const giver = await stage.signIn('customer_service', { to: detail(feedbackId) })
  const taker = await stage.signIn('customer_service2', { to: `${LIST}?tab=handover` })
  await giver.page.getByRole('button', { name: /Hand over/ }).click()
  const form = ask(giver.page)
  const person = form.getByLabel(/Person/)
  await expect
    .poll(() => person.locator('option').allTextContents())
    .toContainEqual(expect.stringMatching(/^Customer service 2/))
  const label =
    (await person.locator('option').allTextContents()).find((text) =>
      text.startsWith('Customer service 2'),
    ) ?? ''
  await person.selectOption({ label })
  await form.getByLabel(/Reason/).fill('end of my shift')
  await giver.page.keyboard.press('Control+Enter')
  await giver.page
    .getByText(/Waiting for Customer service 2/)
    .first()
    .waitFor()
  expect(
    await giver.page.getByRole('button', { name: /End ticket/ }).getAttribute('aria-disabled'),
  ).toBe('true')

  await row(taker.page, feedbackId).waitFor()
  await row(taker.page, feedbackId).getByText(feedbackId).click()
  await taker.page
    .getByText('Customer service 1 offers you this ticket: end of my shift')
    .first()
    .waitFor()
  await taker.page
    .getByRole('button', { name: /Accept hand-over/ })
    .first()
    .click()
  await ask(taker.page)
    .getByRole('button', { name: /Accept hand-over/ })
    .click()
  await expect
    .poll(() => stored(feedbackId))
    .toMatchObject({ progress: 'followingUp', processor: 'customer_service2' })
  await giver.page.getByText('Customer service 2 has the ticket now.').first().waitFor()
  await replyBox(taker.page).waitFor()
  expect(await replyBox(giver.page).count()).toBe(0)
})

test('a reply that could not be sent survives the failure, another tab and a reload, and is sent once', async () => {
  const { feedbackId } = await hers()
  const { page, context, excuse } = await stage.signIn('customer_service', {
    to: detail(feedbackId),
  })
  excuse(CUT)
  excuse(/Failed to load resource/)
  await replyBox(page).fill('We have asked the bank and will call you today.')
  // The answer is lost on its way; the reply has arrived.
  await page.route('**/feedback/reply**', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.keyboard.press('Control+Enter')
  await page
    .getByText(/Your text is kept/)
    .first()
    .waitFor()
  expect(await replyBox(page).inputValue()).toBe('We have asked the bank and will call you today.')
  await page.unroute('**/feedback/reply**')
  await page.getByRole('button', { name: /Send again/ }).click()
  await page.getByText('Reply sent').first().waitFor()
  expect(await replyBox(page).inputValue()).toBe('')
  expect(await stored(feedbackId)).toMatchObject({ replies: 1, follow: 'following' })

  await replyBox(page).fill('One more thing: please send')
  await page
    .getByRole('link', { name: 'Home' })
    .or(page.getByRole('tab', { name: 'Home' }))
    .first()
    .click()
  await page.waitForURL(/home_page/)
  await page.goto(detail(feedbackId))
  await page.getByText('Your unsent text is here again.').waitFor()
  expect(await replyBox(page).inputValue()).toBe('One more thing: please send')
  await context.setOffline(true)
  await page
    .getByText(/^Offline/)
    .first()
    .waitFor()
  expect(await page.getByRole('button', { name: /Send reply/ }).getAttribute('aria-disabled')).toBe(
    'true',
  )
  await context.setOffline(false)
  // a form that is open meanwhile says itself why it is not sent
  await page.goto('/customer_management/user_feedback')
  await page.getByText('Live', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'New ticket' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('combobox', { name: /^Who calls/ }).waitFor()
  await context.setOffline(true)
  await page
    .getByText(/^Offline/)
    .first()
    .waitFor()
  await page.keyboard.press('Control+Enter')
  await form.getByRole('alert').getByText('Not possible while offline').waitFor()
  await context.setOffline(false)
  await form.getByRole('alert').waitFor({ state: 'detached' })
})

test('a picture is attached by keyboard and opened by a colleague; other files are refused', async () => {
  const { feedbackId } = await hers()
  const { page } = await stage.signIn('customer_service', { to: detail(feedbackId) })
  const chooser = page.locator('.reply input[type="file"]')
  await replyBox(page).fill('The bank shows this')
  await chooser.setInputFiles([
    { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html>not a picture</html>') },
    { name: 'bank.png', mimeType: 'image/png', buffer: PNG },
  ])
  await page.keyboard.press('Control+Enter')
  await page.getByText('Only JPG, PNG and plain PDF files').waitFor()
  expect(await stored(feedbackId)).toMatchObject({ replies: 0 })
  await page.getByRole('button', { name: 'Take out page.png' }).click()
  await page.getByText(/the message to the customer carries the words only/).waitFor()
  await replyBox(page).press('Control+Enter')
  await page.getByText('Reply sent').first().waitFor()
  expect(await page.getByText('bank.png').count()).toBe(0)

  const colleague = await stage.signIn('customer_service2', { to: detail(feedbackId) })
  const button = colleague.page.getByRole('log').getByRole('button', { name: 'Picture 1' })
  await button.press('Enter')
  const look = colleague.page.getByRole('dialog', { name: `Files of ticket ${feedbackId}` })
  await look.getByRole('img', { name: 'File 1 of 1' }).waitFor()
  await colleague.page.keyboard.press('Escape')
  await look.waitFor({ state: 'detached' })
  // The ticket is still open, and the focus has returned.
  await expect
    .poll(() => button.evaluate((element) => element === document.activeElement))
    .toBe(true)
})

test('when two agents claim one ticket, one gets it and the other sees who has it', async () => {
  const { feedbackId } = await makeTicket(stage.stack, {
    type: 2,
    content: 'The money has not come',
  })
  const one = await stage.signIn('customer_service', { to: detail(feedbackId) })
  const two = await stage.signIn('customer_service2', { to: detail(feedbackId) })
  await two.page.getByRole('button', { name: /^Claim/ }).waitFor()
  await one.page.getByRole('button', { name: /^Claim/ }).click()
  await expect.poll(() => stored(feedbackId)).toMatchObject({ processor: 'customer_service' })
  await two.page.getByText('Customer service 1 has the ticket now.').first().waitFor()
  await replyBox(one.page).waitFor()
  expect(await replyBox(two.page).count()).toBe(0)
})

test('a ticket is opened, claimed, answered and ended by keyboard alone', async () => {
  const { feedbackId } = await makeTicket(stage.stack, {
    type: 5,
    content: 'The agent called my office',
  })
  await sql`
    update feedback set reply_due_at = clock_timestamp() - interval '40 minutes' where id = ${feedbackId}`.execute(
    stage.stack.database.kysely,
  )
  const { page } = await stage.signIn('customer_service', { to: LIST })
  await row(page, feedbackId).waitFor()
  await page.keyboard.press('KeyN')
  await page.getByRole('heading', { name: new RegExp(feedbackId) }).waitFor()
  await page
    .getByText(/First reply: .+ late/)
    .first()
    .waitFor()
  await expect.poll(() => stored(feedbackId)).toMatchObject({ processor: 'customer_service' })
  await expect
    .poll(() => replyBox(page).evaluate((area) => area === document.activeElement))
    .toBe(true)
  await page.keyboard.type('We are sorry and have spoken to the agent.')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => stored(feedbackId)).toMatchObject({ replies: 1, follow: 'following' })
  await page.getByText('We are sorry and have spoken to the agent.').first().waitFor()
  // The event may arrive before the answer, which empties the field and brings the new version.
  await expect.poll(() => replyBox(page).inputValue()).toBe('')
  // the field is left, so single keys act
  await expect
    .poll(() => replyBox(page).evaluate((area) => area === document.activeElement))
    .toBe(false)
  await page.keyboard.press('KeyE')
  await ask(page)
    .getByLabel(/What was done/)
    .fill('Apology given')
  await ask(page)
    .getByRole('button', { name: /End ticket/ })
    .click()
  await expect
    .poll(() => stored(feedbackId))
    .toMatchObject({ progress: 'finished', follow: 'caseClosed' })
})

test("a colleague's reply and a leader's hand-over reach the open ticket, and the unsent text stays", async () => {
  const agent = await asha()
  const { feedbackId, version } = await makeClaimed(stage.stack, agent)
  await agent.call(replyTicket, { feedbackId, version, content: 'I am looking into it.' })
  const { page } = await stage.signIn('customer_service', { to: detail(feedbackId) })
  await replyBox(page).fill('half a sen')
  const [manager, colleague] = [await stage.stack.signIn('manager'), await ben()]
  await manager.call(transferTickets, {
    feedbackIds: [feedbackId],
    toUserId: colleague.userId,
    reason: 'Asha is on leave',
  })
  await page.getByText('Customer service 2 has the ticket now.').first().waitFor()
  expect(await replyBox(page).inputValue()).toBe('half a sen')
  expect(await page.getByRole('button', { name: /Send reply/ }).getAttribute('aria-disabled')).toBe(
    'true',
  )
  const { steps } = await colleague.call(ticketSteps, { feedbackId })
  expect(steps.map((step) => step.kind)).toContain('reply')
})

test('two users with a ticket open see each other, with the picture one of them chose', async () => {
  const { feedbackId } = await hers()
  const one = await stage.signIn('customer_service')
  await atRest(one.page)
  await one.page.locator('.account').click()
  await one.page.getByRole('menuitem', { name: 'My picture' }).click()
  await ask(one.page)
    .locator('input[type="file"]')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PNG })
  await ask(one.page).getByRole('button', { name: 'Save' }).click()
  await one.page.locator('.account img').waitFor()

  await one.page.goto(detail(feedbackId))
  await replyBox(one.page).fill('typing')
  const two = await stage.signIn('manager', { to: detail(feedbackId) })
  const present = two.page.getByRole('img', { name: /Customer service 1: editing/ })
  await present.waitFor()
  await present.locator('img').waitFor()
})

test('buttons follow the codes: an agent works, a director reads, a collector has no such page', async () => {
  const { feedbackId } = await makeTicket(stage.stack)
  const agent = await stage.signIn('customer_service', { to: LIST })
  await row(agent.page, feedbackId).waitFor()
  await row(agent.page, feedbackId).click({ button: 'right' })
  const menu = agent.page.getByRole('menu').last()
  await menu.getByRole('menuitem', { name: 'Claim', exact: true }).waitFor()
  expect(await menu.getByRole('menuitem', { name: 'Assign' }).count()).toBe(0)
  const director = await stage.signIn('director', { to: detail(feedbackId) })
  await director.page.getByText('The app closes when I open my loan').first().waitFor()
  for (const name of [/^Claim/, /Hand over/, /End ticket/, /To superior/])
    expect(await director.page.getByRole('button', { name }).count()).toBe(0)
  const unit: Unit = await makeUnit(stage.stack, { inHouse: true })
  const collector = await stage.signIn((await makeCollector(stage.stack, unit)).account, {
    to: '/system/loaned_ticket',
  })
  await collector.page.waitForURL(/\/401/)
})

test('a collector opens a ticket from a case, and the case is put on hold', async () => {
  const unit = await makeUnit(stage.stack, { inHouse: true })
  const { userId, account } = await makeCollector(stage.stack, unit)
  const { made, ticket } = await makeLoanedTicket(stage.stack, { collectorId: userId })
  expect(ticket.queue).toBe('loaned')
  const { page } = await stage.signIn(account, {
    to: `/detail3?caseId=${made.caseId}&from=pedding_list`,
  })
  await page.getByRole('button', { name: 'New ticket' }).click()
  const form = ask(page)
  await form.getByRole('radio', { name: /^5 / }).click()
  await form.getByLabel(/Came by/).selectOption({ value: 'phone' })
  await form.getByLabel(/What it is about/).fill('She says the agency called her brother')
  await form
    .getByText('The collection of this customer is on hold until the ticket ends.')
    .waitFor()
  await page.keyboard.press('Control+Enter')
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
    .toBe('held')
  await page
    .getByText(/Collection of this case is|stopped|held/i)
    .first()
    .waitFor()
})

test('a ringing phone becomes a ticket from the palette, with the person shown before it is saved', async () => {
  const { customerId } = await makeTicket(stage.stack).then(({ userId }) => ({
    customerId: userId,
  }))
  const phone = '9123456780'
  await sql`
    update customer c
    set phone_h = ${stage.stack.context.secrets.blindIndex('phone', phone)}, phone_last4 = '6780'
    where c.id = ${customerId}`.execute(stage.stack.database.kysely)
  const { page } = await stage.signIn('customer_service', { to: LIST })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await atRest(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).fill('+91 91234 56780')
  await page.getByRole('option', { name: /XXXXXX6780/ }).waitFor()
  await page.getByRole('option', { name: /^New ticket for/ }).click()
  const form = ask(page)
  const person = form.getByRole('group', { name: 'Who calls' })
  await person.getByText('XXXXXX6780').waitFor()
  await person.getByText('1 open ticket').waitFor()
  expect(page.url()).not.toContain(phone)
  expect(asked.filter((url) => url.includes('56780'))).toEqual([])
  await form.getByRole('radio', { name: /^1 / }).click()
  await form.getByLabel(/Came by/).selectOption({ value: 'phone' })
  await form.getByLabel(/What it is about/).fill('The app closes when she opens her loan')
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(
      async () =>
        (
          await sql`select from feedback t where t.customer_id = ${customerId}`.execute(
            stage.stack.database.kysely,
          )
        ).rows.length,
    )
    .toBe(2)
})

test('what is missing in a new ticket is named at once, and the first of it is written next', async () => {
  const { page } = await stage.signIn('customer_service', {
    to: '/customer_management/user_feedback',
  })
  await page.getByRole('grid').waitFor()
  await atRest(page)
  await page.keyboard.press('KeyT')
  const form = ask(page)
  await form.getByRole('combobox', { name: /^Who calls/ }).waitFor()
  await page.keyboard.press('Control+Enter')
  await form.getByText('Please check 3 fields').waitFor()
  const current = () => page.evaluate(() => document.activeElement?.getAttribute('role'))
  await expect.poll(current).toBe('combobox')
  await form.getByLabel(/What it is about/).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  // the files are one stop between the text and the buttons
  await form.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
})

test('one press gives each of two people the ticket that is due first for them', async () => {
  const [one, two] = await Promise.all(
    ['customer_service', 'customer_service2'].map((account) => stage.signIn(account, { to: LIST })),
  )
  const made = [await makeTicket(stage.stack), await makeTicket(stage.stack)]
  await sql`
    update feedback t set reply_due_at = '2020-01-01'
    where t.id = any(${made.map(({ feedbackId }) => feedbackId)}::text[])`.execute(
    stage.stack.database.kysely,
  )
  await Promise.all(
    [one, two].map(async (window) => {
      await window?.page.getByRole('button', { name: /^Next ticket/ }).click()
      await window?.page.waitForURL(/open=FB/)
    }),
  )
  const owners = await Promise.all(made.map(async ({ feedbackId }) => stored(feedbackId)))
  expect(owners.map(({ processor }) => processor).toSorted()).toEqual([
    'customer_service',
    'customer_service2',
  ])
})

test('a hand-over decided elsewhere leaves the tab while its row is in use', async () => {
  const [agent, colleague] = [await asha(), await ben()]
  const { feedbackId } = await makeClaimed(stage.stack, agent)
  await agent.call(transferTickets, {
    feedbackIds: [feedbackId],
    toUserId: colleague.userId,
    reason: 'speaks her language',
  })
  const { page } = await stage.signIn('customer_service', { to: `${LIST}?tab=handover` })
  await row(page, feedbackId).waitFor()
  const { rows } = await sql<{
    id: string
  }>`select h.id from feedback_handover h where h.feedback_id = ${feedbackId}`.execute(
    stage.stack.database.kysely,
  )
  await colleague.call(decideTransfers, {
    handoverIds: rows.map(({ id }) => id),
    result: 'rejected',
    reason: 'I am full today',
  })
  await page.getByText('Hand-over decided').first().waitFor()
})
