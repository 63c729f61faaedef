/** Reviews in real browsers: users see each other's work live. */
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { inboundApplication, inboundMachineReview } from '#shared/orders/inbound-api.ts'
import { openReview } from '#shared/review/review-api.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeReview, runOut } from '#tests/factories/reviews.ts'
import { atRest, CUT, moveTo, row } from '#tests/support/browser.ts'
import { machineOf } from '#tests/support/machine.ts'
import { browserStage } from '#tests/support/stage.ts'

const QUEUE = '/order_management/review_list'

const stage = browserStage()

async function stateOf(reviewId: string): Promise<{ state: string; reviewer: string | null }> {
  const { rows } = await sql<{
    state: string
    reviewer: string | null
  }>`
    select r.state, u.account as reviewer from review r left join sys_user u on u.id = r.reviewer_id
    where r.id = ${reviewId}`.execute(stage.stack.database.kysely)
  return rows[0] ?? { state: 'missing', reviewer: null }
}
async function undoFor(seconds: number): Promise<void> {
  await sql`
    update sys_config set value = ${String(seconds)} where code = 'review.undoSeconds'`.execute(
    stage.stack.database.kysely,
  )
}
async function userId(account: string): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`select u.id from sys_user u where u.account = ${account}`.execute(stage.stack.database.kysely)
  return rows[0]?.id ?? ''
}

test('when two reviewers claim one row, one gets it and the other sees who has it', async () => {
  const { reviewId } = await makeReview(stage.stack, { state: 'unclaimed', waitedMinutes: 7 })
  const one = await stage.signIn('reviewer', { to: QUEUE })
  const two = await stage.signIn('reviewer2', { to: QUEUE })
  await row(one.page, reviewId).waitFor()
  await row(two.page, reviewId).waitFor()
  await two.page.locator('.ag-row', { hasText: reviewId }).first().hover()
  await row(one.page, reviewId).click({ button: 'right' })
  await one.page.getByRole('menuitem', { name: 'Claim', exact: true }).click()
  await two.page.getByText('Claimed by Reviewer 1').first().waitFor()
  await expect.poll(() => stateOf(reviewId)).toMatchObject({ reviewer: 'reviewer' })
})

test('a review is decided from login to decision by keyboard alone', async () => {
  const { reviewId } = await makeReview(stage.stack, { state: 'unclaimed', priority: 90 })
  const { page } = await stage.signIn('reviewer3', { to: QUEUE })
  await row(page, reviewId).waitFor()
  await page.keyboard.press('KeyG')
  await page.waitForURL(/\/detail2/)
  await expect.poll(async () => (await stateOf(reviewId)).state).toBe('underReview')
  await page.getByRole('main').getByText('Machine review').first().waitFor()
  await page.keyboard.press('KeyR')
  await page.keyboard.type('A05')
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => (await stateOf(reviewId)).state).toBe('failed')
})

test('a decision committed while the review opens is sent when it is open', async () => {
  const { reviewId } = await makeReview(stage.stack, {
    state: 'toAudit',
    reviewerId: await userId('reviewer5'),
  })
  const { page } = await stage.signIn('reviewer5', { to: '/order_management/review_list' })
  let open = () => {}
  const waiting = new Promise<void>((go) => (open = go))
  await page.route(`**${openReview.path}*`, (route) => waiting.then(() => route.continue()))
  await moveTo(page, `/detail2?reviewId=${reviewId}`)
  await page.locator('.desk[data-place=opening]').waitFor()
  await page.getByLabel('Remark').waitFor()
  await page.keyboard.press('KeyR')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Choose a reject reason').waitFor()
  await page.keyboard.type('A05')
  await page.keyboard.press('Control+Enter')
  await page.locator('.desk-commit.bp6-loading').waitFor()
  open()
  await expect.poll(async () => (await stateOf(reviewId)).state).toBe('failed')
})

test('an inspector checks a decision and opens the next by keyboard alone', async () => {
  const decided = { state: 'passed', reviewerId: await userId('reviewer') } as const
  const { reviewId } = await makeReview(stage.stack, decided)
  await makeReview(stage.stack, decided)
  const { page } = await stage.signIn('quality_inspector', { to: `/detail2?reviewId=${reviewId}` })
  await page.getByRole('button', { name: /^Open the check/ }).waitFor()
  await page.keyboard.press('KeyQ')
  await page.getByRole('button', { name: /^Fail/ }).waitFor()
  await page.keyboard.press('KeyP')
  await page.getByRole('dialog').getByLabel('Quality reason').selectOption('A101')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('KeyN')
  await page.waitForURL((url) => url.searchParams.get('reviewId') !== reviewId)
  await page.getByRole('button', { name: /^Open the check/ }).waitFor()
})

test('a decision is shown with its reason and undone by one key, while another viewer has it open', async () => {
  await undoFor(60)
  onTestFinished(() => undoFor(0))
  const { reviewId } = await makeReview(stage.stack, {
    state: 'underReview',
    reviewerId: await userId('reviewer6'),
  })
  const { page } = await stage.signIn('reviewer6', { to: `/detail2?reviewId=${reviewId}` })
  const viewer = await stage.signIn('manager', { to: `/detail2?reviewId=${reviewId}` })
  await viewer.page.getByText('Reviewer 6 holds this item. You can only read it.').first().waitFor()
  await page.getByRole('main').getByText('Machine review').first().waitFor()
  await page.keyboard.press('KeyR')
  await page.keyboard.type('B03')
  await page.keyboard.press('Control+Enter')
  await page.getByText(`${reviewId} rejected B03`).first().waitFor()
  await expect.poll(async () => (await stateOf(reviewId)).state).toBe('audited')
  await page.keyboard.press('Control+z')
  await expect
    .poll(() => stateOf(reviewId))
    .toEqual({ state: 'underReview', reviewer: 'reviewer6' })
  await page.locator('.desk[data-place=deciding]').waitFor()
  // a reader is told what is open now
  await page.getByRole('heading', { name: reviewId }).and(page.locator(':focus')).waitFor()
})

test('an expired lease freezes the panes, keeps the notes and frees the item for others', async () => {
  const { reviewId } = await makeReview(stage.stack, {
    state: 'underReview',
    reviewerId: await userId('reviewer4'),
  })
  const { page } = await stage.signIn('reviewer4', { to: `/detail2?reviewId=${reviewId}` })
  await page.getByLabel('Remark').fill('the photo may be of another person')
  await runOut(stage.stack, reviewId)
  await stage.stack.settle()
  await page.getByText('Your claim ended after too long without activity.').first().waitFor()
  await page.getByText('Your notes are kept.').first().waitFor()
  expect(await stateOf(reviewId)).toEqual({ state: 'unclaimed', reviewer: null })
  const other = await stage.signIn('reviewer5', { to: QUEUE })
  await row(other.page, reviewId).waitFor()
})

test('a hand-over is offered on any page, and taking it there changes the holder', async () => {
  const { reviewId } = await makeReview(stage.stack, {
    state: 'underReview',
    reviewerId: await userId('reviewer'),
  })
  const giver = await stage.signIn('reviewer', { to: `/detail2?reviewId=${reviewId}` })
  const taker = await stage.signIn('reviewer2', { to: '/home_page' })
  // an offer is shown to those who are there; it is listed for who comes later
  await atRest(taker.page)
  await giver.page.getByRole('button', { name: /Hand over/ }).click()
  const dialog = giver.page.getByRole('dialog')
  await dialog.getByLabel(/Reviewer/).selectOption({ index: 1 })
  const options = await dialog
    .getByLabel(/Reviewer/)
    .locator('option')
    .allTextContents()
  await dialog
    .getByLabel(/Reviewer/)
    .selectOption({ label: options.find((text) => text.startsWith('Reviewer 2')) ?? '' })
  await dialog.getByLabel(/Reason/).fill('knows this customer')
  await giver.page.keyboard.press('Control+Enter')
  const offer = taker.page.getByRole('alert').filter({ hasText: `offers you ${reviewId}` })
  await offer.getByRole('button', { name: 'Not now' }).waitFor()
  await offer.getByRole('button', { name: 'Take' }).click()
  await expect.poll(async () => (await stateOf(reviewId)).reviewer).toBe('reviewer2')
  await taker.page.waitForURL(/\/detail2\?reviewId=/)
  await giver.page.getByText('Taken by Reviewer 2.').first().waitFor()
})

test('a passed review is paid out, and an open third screen shows every step', async () => {
  const { reviewId, orderId } = await makeReview(stage.stack, {
    state: 'underReview',
    reviewerId: await userId('reviewer6'),
  })
  const manager = await stage.signIn('manager', { to: `/detail?orderId=${orderId}` })
  await manager.page.getByText('Awaiting manual review').first().waitFor()
  const reviewer = await stage.signIn('reviewer6', { to: `/detail2?reviewId=${reviewId}` })
  await reviewer.page.getByLabel('Remark').waitFor()
  await reviewer.page.keyboard.press('KeyP')
  await reviewer.page.getByRole('button', { name: /^Decide: pass/, disabled: false }).waitFor()
  await reviewer.page.keyboard.press('Control+Enter')
  await expect.poll(async () => (await stateOf(reviewId)).state).toMatch(/audited|passed/)
  for (let n = 0; n < 3; n += 1) await stage.stack.settle()
  const { rows } = await sql<{
    status: number
  }>`select o.status from loan_order o where o.id = ${orderId}`.execute(stage.stack.database.kysely)
  const shown = rows[0]?.status === 30 ? 'Awaiting repayment' : 'Disbursement failed'
  expect([30, 31]).toContain(rows[0]?.status)
  await manager.page.getByText(shown).first().waitFor()
})

test('when a leader takes an item over, its holder sees it at once', async () => {
  const { reviewId } = await makeReview(stage.stack, {
    state: 'underReview',
    reviewerId: await userId('reviewer5'),
  })
  const holder = await stage.signIn('reviewer5', { to: `/detail2?reviewId=${reviewId}` })
  await holder.page.getByLabel('Remark').waitFor()
  const leader = await stage.signIn('manager', { to: `/detail2?reviewId=${reviewId}` })
  await leader.page
    .getByRole('button', { name: /Take over/ })
    .first()
    .click()
  const dialog = leader.page.getByRole('dialog').or(leader.page.getByRole('alertdialog')).first()
  await dialog.getByLabel(/Reason/).fill('reviewer was called away')
  await dialog.getByRole('button', { name: /Take over/ }).click()
  await holder.page.getByText('Taken by Manager 1.').first().waitFor()
  expect((await stateOf(reviewId)).reviewer).toBe('manager')
})

test('offline, claiming is disabled with a reason, and missed changes appear afterwards', async () => {
  const machine = await machineOf(stage.stack, ['application', 'machineReview'])
  const { reviewId } = await makeReview(stage.stack, { state: 'unclaimed' })
  const { page, context, excuse } = await stage.signIn('reviewer4', { to: QUEUE })
  excuse(CUT)
  await row(page, reviewId).waitFor()
  const claim = page.getByRole('button', { name: /^Claim next/ }).first()
  expect(await claim.isEnabled()).toBe(true)
  await context.setOffline(true)
  await page
    .getByText(/^Offline/)
    .first()
    .waitFor()
  await expect
    .poll(() =>
      claim.evaluate(
        (button) =>
          button.getAttribute('aria-disabled') ?? String((button as HTMLButtonElement).disabled),
      ),
    )
    .toBe('true')
  const { reviewId: late } = await machine.call(inboundApplication, makeApplication(910_001))
  await machine.call(inboundMachineReview, {
    reviewId: late,
    machineId: 'M-late',
    result: 'undecided',
    needManual: true,
    rules: [],
  })
  await stage.stack.settle()
  await context.setOffline(false)
  await page.getByText('Live', { exact: true }).first().waitFor()
  const seen = row(page, late)
    .or(page.getByText(/\d+ new/))
    .first()
  await seen.waitFor()
})
