/**
 * Collection in real browsers: cases move, payments and contact stops reach the open case, and
 * written text is never lost.
 */
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { allocateCases, callBorrower } from '#shared/collection/cases-api.ts'
import { saveSchedule } from '#shared/collection/setup-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import { CUT, logIn, row, seriousFindings } from '#tests/support/browser.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { browserStage } from '#tests/support/stage.ts'

const LIST = '/loaned_management/pedding_list'
/** Machines that run tests are busy. */
const SOON = { timeout: 20_000 }

const stage = browserStage()
let clock: TestClock
let unit: Unit
let channel: Machine
let asha: { userId: string; account: string }
let bina: { userId: string; account: string }
let leader: { userId: string; account: string }

beforeAll(async () => {
  clock = await testClock(stage.stack.database)
  await clock.to('11:00')
  // The test allocates, not the schedule.
  await sql`update sys_config set value = '' where code = 'collection.allocationTimes'`.execute(
    stage.stack.database.kysely,
  )
  unit = await makeUnit(stage.stack, { weight: 100, inHouse: true })
  asha = await makeCollector(stage.stack, unit)
  bina = await makeCollector(stage.stack, unit)
  leader = await makeLeader(stage.stack, unit, 'internal_supervisor')
  channel = await machineOf(stage.stack, ['payment'])
})

let payments = 0
async function pay(made: MadeCase, amount: number): Promise<void> {
  payments += 1
  await channel.call(inboundPayment, {
    vendorOrderNo: `W${payments}`,
    orderId: made.orderId,
    amount,
    channel: 1,
    result: 'success',
    utr: String(300_000_000_000 + payments),
  })
}
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
async function numberOf(what: 'follow_up' | 'call_log', caseId: string): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from ${sql.table(what)} x where x.case_id = ${caseId}`.execute(
    stage.stack.database.kysely,
  )
  return rows[0]?.n ?? 0
}
const panel = (page: Page): Locator => page.getByRole('region', { name: /^Case of / })
const isRefused = (button: Locator) =>
  button.evaluate((element) => element.getAttribute('aria-disabled') === 'true')
async function openCase(account: string, made: MadeCase): Promise<Page> {
  const { page } = await stage.signIn(account, { to: `${LIST}?open=${made.caseId}` })
  await panel(page).getByRole('button', { name: /^Call/ }).waitFor()
  return page
}
/** A contact by visit: it needs no call before. */
async function fillContact(page: Page, remark: string): Promise<void> {
  await panel(page)
    .getByLabel(/^Contact way/)
    .selectOption({ label: 'Visit' })
  await panel(page).getByRole('radio', { name: '3 No answer' }).click()
  await panel(page)
    .getByLabel(/^Remark/)
    .fill(remark)
}
const save = (page: Page): Locator => panel(page).getByRole('button', { name: 'Save', exact: true })

test('an allocation run adds a case to the open list of each collector, a move removes it again', async () => {
  const [first, second] = [await waiting('Farida Contractor'), await waiting('Ganesh Iyer')]
  const [one, two] = [
    await stage.signIn(asha.account, { to: LIST }),
    await stage.signIn(bina.account, { to: LIST }),
  ]
  const desk = await stage.signIn(leader.account, { to: `${LIST}?tab=desk` })
  await desk.page.getByText('Unallocated pool: 2').waitFor()
  await desk.page.keyboard.press('KeyV')
  await desk.page.getByText('2 of 2 placed').waitFor()
  // Releasing the keys after the dialog has opened does not answer it.
  await desk.page.keyboard.down('Control')
  await desk.page.keyboard.down('Enter')
  const question = desk.page.getByRole('alertdialog')
  const cancel = question.getByRole('button', { name: 'Cancel' })
  await expect
    .poll(() => cancel.evaluate((button) => button === document.activeElement), SOON)
    .toBe(true)
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
      SOON,
    )
    .toBe(bina.userId)
  // The list is open on the screen that moved it; under the pointer the change waits behind the
  // pill.
  await desk.page.mouse.move(0, 0)
  await row(desk.page, 'Speaks the language').locator('.staff-cell .dot-online').first().waitFor()
  // The log finds this move by giver, receiver and company.
  await desk.page.goto('/order_management/change_case?tab=log')
  const moves = desk.page.locator('.ag-row')
  await expect.poll(() => moves.count(), SOON).toBeGreaterThan(1)
  await desk.page.getByRole('button', { name: 'More filters' }).click()
  await desk.page.getByLabel('From', { exact: true }).selectOption(asha.userId)
  await desk.page.getByLabel('To', { exact: true }).selectOption(bina.userId)
  await desk.page.getByLabel('Agency', { exact: true }).selectOption(unit.agencyId)
  await expect.poll(() => moves.count(), SOON).toBe(1)
  await moves.locator('.tag').getByText('Moved', { exact: true }).waitFor()
})

test('selected cases of the pool are planned for the named collectors; Enter opens a case on its page', async () => {
  const made = await waiting('Leela Bose')
  const { page } = await stage.signIn(leader.account, { to: `${LIST}?tab=toAllocate` })
  await row(page, 'Leela Bose').locator('[col-id="outstanding"]').click()
  await page.keyboard.press('KeyX')
  await page.keyboard.press('KeyA')
  const form = page.getByRole('dialog')
  await form.getByText('Chosen cases: 1 (S1)').waitFor()
  await form.getByLabel(/^Collector/).selectOption(asha.userId)
  await form.getByRole('button', { name: /^Preview/ }).click()
  await page.getByText('1 of 1 placed').waitFor()
  await page.goto(`${LIST}?tab=toAllocate`)
  await row(page, 'Leela Bose').locator('[col-id="outstanding"]').click()
  await page.keyboard.press('Enter')
  await page.waitForURL(/detail3/)
  await panel(page).getByRole('heading', { name: 'Leela Bose' }).waitFor()
  await sql`
    update collection_case set state = 'held', hold_reason = 'dispute' where id = ${made.caseId}`.execute(
    stage.stack.database.kysely,
  )
})

test('a payment reaches the open case: a partial one changes the figures, a full one ends the work', async () => {
  const made = await makeCase(stage.stack, {
    name: 'Hema Pillai',
    overdueDays: 4,
    collectorId: asha.userId,
  })
  const page = await openCase(asha.account, made)
  await fillContact(page, 'Rang the bell, nobody opened')
  await pay(made, 100_000)
  await panel(page).getByText('Paid ₹1,000.00 just now. Check before you call.').waitFor()
  await row(page, 'Hema Pillai').getByText('₹1,000.00').waitFor()
  // The page is blocked until the message was read; the written text stays.
  await expect.poll(() => isRefused(save(page)), SOON).toBe(true)
  expect(await isRefused(panel(page).getByRole('button', { name: /^Call/ }))).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => isRefused(save(page)), SOON).toBe(false)
  expect(
    await panel(page)
      .getByLabel(/^Remark/)
      .inputValue(),
  ).toBe('Rang the bell, nobody opened')
  const { rows } = await sql<{
    outstanding: number
  }>`select c.outstanding from collection_case c where c.id = ${made.caseId}`.execute(
    stage.stack.database.kysely,
  )
  await pay(made, rows[0]?.outstanding as number)
  await panel(page)
    .getByText(/stop calling/)
    .waitFor()
  await expect.poll(() => isRefused(save(page)), SOON).toBe(true)
  expect(await isRefused(panel(page).getByRole('button', { name: /^Call/ }))).toBe(true)
  expect(
    await panel(page)
      .getByLabel(/^Remark/)
      .inputValue(),
  ).toBe('Rang the bell, nobody opened')
  expect(await numberOf('follow_up', made.caseId)).toBe(0)
})

test('a contact stop disables contact on the open case, and its end enables it again', async () => {
  const made = await makeCase(stage.stack, {
    name: 'Irfan Shaikh',
    overdueDays: 4,
    collectorId: asha.userId,
  })
  const page = await openCase(asha.account, made)
  const led = await stage.signIn(leader.account, { to: `/detail3?caseId=${made.caseId}` })
  await panel(led.page).getByRole('button', { name: 'Stop' }).click()
  const form = led.page.getByRole('dialog')
  await form.getByLabel(/^Reason/).selectOption({ label: 'Legal stay' })
  await form.getByLabel(/^Remark/).fill('A court has the case')
  await form.getByRole('button', { name: 'Ask to stop' }).click()
  await panel(page).getByText('Collection was stopped: Legal stay.').waitFor()
  for (const name of [/^Call/, /^WhatsApp/])
    await expect.poll(() => isRefused(panel(page).getByRole('button', { name })), SOON).toBe(true)
  await expect
    .poll(
      () =>
        panel(page)
          .getByLabel(/^Remark/)
          .isDisabled(),
      SOON,
    )
    .toBe(true)
  await led.page.goto('/loaned_management/stop_collection')
  await row(led.page, 'Irfan Shaikh').click({ button: 'right' })
  await led.page.getByRole('menuitem', { name: 'Resume collection' }).click()
  const ask = led.page.getByRole('alertdialog')
  await ask.getByRole('textbox').fill('The court closed it')
  await ask.getByRole('button', { name: 'Resume collection' }).click()
  for (const name of [/^Call/, /^WhatsApp/])
    await expect.poll(() => isRefused(panel(page).getByRole('button', { name })), SOON).toBe(false)
})

test('after calling hours contact is refused with the hour, on the open case and by the server', async () => {
  const made = await makeCase(stage.stack, {
    name: 'Jaya Menon',
    overdueDays: 4,
    collectorId: asha.userId,
  })
  await clock.to('18:50')
  try {
    const { page } = await stage.visit({ ownClock: true })
    await page.clock.install()
    await logIn(page, asha.account, `${LIST}?open=${made.caseId}`)
    const dial = panel(page).getByRole('button', { name: /^Call/ })
    await dial.waitFor()
    expect(await isRefused(dial)).toBe(false)
    // Time passes on both sides without any input.
    await clock.to('19:01')
    await page.clock.fastForward('11:00')
    await panel(page)
      .getByText(/Outside calling hours 08:00 to 19:00 IST · possible again .*08:00/)
      .first()
      .waitFor()
    expect(await isRefused(dial)).toBe(true)
    const collector = await stage.stack.signIn(asha.account)
    expect(
      await collector.refused(callBorrower, {
        caseId: made.caseId,
        contactId: made.customerId,
        way: 'phone',
      }),
    ).toMatchObject({ problem: { id: 'C-WIN', params: { from: '08:00', to: '19:00' } } })
    expect(await numberOf('call_log', made.caseId)).toBe(0)
  } finally {
    await clock.to('11:00')
  }
})

test('written text stays when the case moves away', async () => {
  const made = await makeCase(stage.stack, {
    name: 'Kabir Sethi',
    overdueDays: 4,
    collectorId: asha.userId,
  })
  const page = await openCase(asha.account, made)
  await fillContact(page, 'Neighbour says: back on Monday')
  await (
    await stage.stack.signIn(leader.account)
  ).call(allocateCases, {
    caseIds: [made.caseId],
    collectorId: bina.userId,
    reason: 'Her borrower before',
  })
  await panel(page)
    .getByText(/The case was moved to Collector/)
    .waitFor()
  await expect.poll(() => isRefused(save(page)), SOON).toBe(true)
  expect(await isRefused(panel(page).getByRole('button', { name: /^Call/ }))).toBe(true)
  expect(
    await panel(page)
      .getByLabel(/^Remark/)
      .inputValue(),
  ).toBe('Neighbour says: back on Monday')
})

test("written text stays after a colleague's contact and after a reload", async () => {
  const made = await makeCase(stage.stack, {
    name: 'Lata Joshi',
    overdueDays: 4,
    collectorId: asha.userId,
  })
  const page = await openCase(asha.account, made)
  await fillContact(page, 'Locked gate, left a card')
  const other = await openCase(leader.account, made)
  await fillContact(other, 'Met her at the branch')
  await save(other).click()
  await expect.poll(() => numberOf('follow_up', made.caseId), SOON).toBe(1)
  await panel(page).getByText('Met her at the branch').waitFor()
  expect(
    await panel(page)
      .getByLabel(/^Remark/)
      .inputValue(),
  ).toBe('Locked gate, left a card')
  // Two contacts must be two hours apart.
  await panel(page)
    .getByText(/The next contact is possible at 13:0\d IST/)
    .first()
    .waitFor()
  expect(await isRefused(save(page))).toBe(true)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await panel(page).getByText('Your notes from before were restored.').waitFor()
  expect(
    await panel(page)
      .getByLabel(/^Remark/)
      .inputValue(),
  ).toBe('Locked gate, left a card')
  expect(await numberOf('follow_up', made.caseId)).toBe(1)
})

test('written text stays while the connection is down, and is saved once afterwards', async () => {
  const made = await makeCase(stage.stack, {
    name: 'Manoj Das',
    overdueDays: 4,
    collectorId: asha.userId,
  })
  const { page, context, excuse } = await stage.signIn(asha.account, {
    to: `${LIST}?open=${made.caseId}`,
  })
  excuse(CUT)
  await panel(page).getByRole('button', { name: /^Call/ }).waitFor()
  await fillContact(page, 'Shop closed for the festival')
  await context.setOffline(true)
  await page
    .getByText(/^Offline/)
    .first()
    .waitFor()
  await expect.poll(() => isRefused(save(page)), SOON).toBe(true)
  await panel(page)
    .getByLabel(/^Remark/)
    .fill('Shop closed for the festival, opens on Friday')
  await context.setOffline(false)
  await page.getByText('Live', { exact: true }).first().waitFor({ timeout: 20_000 })
  await expect.poll(() => isRefused(save(page)), SOON).toBe(false)
  expect(
    await panel(page)
      .getByLabel(/^Remark/)
      .inputValue(),
  ).toBe('Shop closed for the festival, opens on Friday')
  await save(page).dblclick()
  await expect.poll(() => numberOf('follow_up', made.caseId), SOON).toBe(1)
  await panel(page).getByText('Shop closed for the festival, opens on Friday').waitFor()
  expect(await numberOf('follow_up', made.caseId)).toBe(1)
})

test('the row menu starts a contact in its case and sends a payment link', async () => {
  const made = await makeCase(stage.stack, {
    name: 'Kavita Bhosale',
    overdueDays: 4,
    collectorId: asha.userId,
  })
  const { page } = await stage.signIn(asha.account, { to: LIST })
  const press = async (name: string) => {
    await row(page, 'Kavita Bhosale').click({ button: 'right' })
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await press('Record a contact')
  await expect
    .poll(
      () =>
        panel(page)
          .getByRole('radio', { name: '1 Self answered' })
          .evaluate((field) => field === document.activeElement),
      SOON,
    )
    .toBe(true)
  await press('Call')
  await panel(page).getByText('The call has begun: record what comes of it.').waitFor()
  expect(await numberOf('call_log', made.caseId)).toBe(1)
  await press('Send payment link')
  const form = page.getByRole('dialog')
  await form.getByLabel(/^By/).selectOption({ label: 'WhatsApp' })
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText(/^Payment link PL\d+ is on its way$/).waitFor()
  await panel(page)
    .getByRole('radio', { name: /^Payments/ })
    .click()
  await panel(page).getByText('Sent', { exact: true }).waitFor()
  expect(await numberOf('call_log', made.caseId)).toBe(1)
})

test('a call closed with Esc stays open on its case, and the next case asks for its result first', async () => {
  const made = await makeCase(stage.stack, {
    name: 'Nalini Rao',
    overdueDays: 4,
    collectorId: asha.userId,
  })
  const page = await openCase(asha.account, made)
  await page.keyboard.press('KeyC')
  await panel(page)
    .getByText(/^The call has begun/)
    .waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => panel(page).count(), SOON).toBe(0)
  await page.reload()
  await row(page, 'Nalini Rao').dblclick()
  await panel(page)
    .getByText(/^The call has begun/)
    .waitFor()
  await page.keyboard.press('KeyN')
  const ask = page.getByRole('alertdialog')
  await ask.getByText('Leave this call without a result?').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => ask.count(), SOON).toBe(0)
  // call, result, willingness, promise, remark, save: the call was the first of six steps
  await page.keyboard.press('KeyF')
  await page.keyboard.press('Digit1')
  await panel(page).getByRole('radio', { name: '1 Willing and able' }).waitFor()
  await expect.poll(() => focusedText(page), SOON).toBe('1 Willing and able')
  await page.keyboard.press('Digit1')
  await expect.poll(() => focusedText(page), SOON).toBe('All by tomorrow 18:00')
  await page.keyboard.press('Enter')
  await expect.poll(() => focusedText(page), SOON).toBe('')
  await page.keyboard.type('Pays all of it tomorrow')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => numberOf('follow_up', made.caseId), SOON).toBe(1)
  expect(
    (
      await sql<{ promised: boolean }>`
        select c.ptp_state = 'open' as promised from collection_case c where c.id = ${made.caseId}`.execute(
        stage.stack.database.kysely,
      )
    ).rows[0]?.promised,
  ).toBe(true)
})
const focusedText = (page: Page) =>
  page.evaluate(() =>
    (document.activeElement as HTMLElement | null)?.innerText.replace(/\s+/g, ' ').trim(),
  )

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
      SOON,
    )
    .toBe('allocated')
})

test('the list shows who has a case open, and its shortcuts move through it', async () => {
  const made = await makeCase(stage.stack, {
    name: 'Nirmala Pawar',
    overdueDays: 4,
    collectorId: asha.userId,
  })
  const { page: list } = await stage.signIn(leader.account, { to: `${LIST}?caseId=${made.caseId}` })
  await row(list, 'Nirmala Pawar').waitFor()
  const page = await openCase(asha.account, made)
  await list.getByRole('img', { name: /: online$/ }).waitFor()
  await panel(page)
    .getByLabel(/^Remark/)
    .fill('Asks for a day')
  await list.getByRole('img', { name: /: editing$/ }).waitFor()
  await list.keyboard.press('KeyJ')
  await list.keyboard.press('Space')
  await panel(list).getByText('Nirmala Pawar').waitFor()
  expect(await list.getByText('1 selected').count()).toBe(0)
  await list.keyboard.press('Space')
  await expect.poll(() => panel(list).count(), SOON).toBe(0)
  await list.keyboard.press('KeyX')
  await list.getByText('1 selected').first().waitFor()
  await list.keyboard.press('KeyM')
  await list.getByRole('menuitem', { name: 'Take back' }).waitFor()
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
