/**
 * Collectors in real browsers: payments and contact stops reach the open case, and written text is
 * never lost.
 */
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allocateCases, callBorrower } from '#shared/collection/cases-api.ts'
import { addAnnouncement, deleteAnnouncement } from '#shared/announcements/announcements-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { addConfiguration, addService, addThirdParty } from '#shared/vendors/vendors-api.ts'
import { inboundCallRecord } from '#shared/voice-calls/voice-calls-api.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { CUT, logIn, row, seriousFindings } from '#tests/support/browser.ts'
import {
  CASE_LIST,
  type CollectionFloor,
  openCollectionFloor,
  panel,
} from '#tests/support/collection-floor.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type PlayedExchange, playExchange } from '#tests/support/played-exchange.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
let clock: CollectionFloor['clock']
let asha: CollectionFloor['asha']
let bina: CollectionFloor['bina']
let leader: CollectionFloor['leader']
let channel: Machine
let exchange: PlayedExchange

beforeAll(async () => {
  ;({ clock, asha, bina, leader } = await openCollectionFloor(stage.stack))
  channel = await machineOf(stage.stack, ['payment'])
  exchange = await playExchange('R')
  await addExchange()
})
afterAll(() => exchange.stop())

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
async function numberOf(what: 'follow_up' | 'call_log', caseId: string): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from ${sql.table(what)} x where x.case_id = ${caseId}`.execute(
    stage.stack.database.kysely,
  )
  return rows[0]?.n ?? 0
}
/** The app of the cases gets an exchange that is not in use, and Asha an extension. */
async function addExchange(): Promise<void> {
  const { kysely } = stage.stack.database
  await sql`update collector set seat_number = '2001' where user_id = ${asha.userId}`.execute(
    kysely,
  )
  const admin = await stage.stack.signIn('administrator')
  const { thirdPartyId } = await admin.call(addThirdParty, {
    code: 'ringdesk',
    name: 'RingDesk',
    kind: 'voice',
  })
  const { cfgId } = await admin.call(addConfiguration, {
    thirdPartyId,
    name: 'Main',
    baseUrl: exchange.baseUrl,
    values: { keyId: 'K', secret: 's'.repeat(32) },
  })
  await makeCase(stage.stack)
  await admin.call(addService, { appId: 'A1', thirdPartyId, cfgId, priority: 1 })
  await switchExchange('disabled')
}
async function switchExchange(status: 'enabled' | 'disabled'): Promise<void> {
  await sql`update tp_app_cfg set status = ${status} where kind = 'voice'`.execute(
    stage.stack.database.kysely,
  )
}
const isRefused = (button: Locator) =>
  button.evaluate((element) => element.getAttribute('aria-disabled') === 'true')
async function openCase(account: string, made: MadeCase): Promise<Page> {
  const { page } = await stage.signIn(account, { to: `${CASE_LIST}?open=${made.caseId}` })
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
  await expect.poll(() => isRefused(save(page))).toBe(true)
  expect(await isRefused(panel(page).getByRole('button', { name: /^Call/ }))).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => isRefused(save(page))).toBe(false)
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
  await expect.poll(() => isRefused(save(page))).toBe(true)
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
    await expect.poll(() => isRefused(panel(page).getByRole('button', { name }))).toBe(true)
  await expect
    .poll(() =>
      panel(page)
        .getByLabel(/^Remark/)
        .isDisabled(),
    )
    .toBe(true)
  await led.page.goto('/loaned_management/stop_collection')
  await row(led.page, 'Irfan Shaikh').click({ button: 'right' })
  await led.page.getByRole('menuitem', { name: 'Resume collection' }).click()
  const ask = led.page.getByRole('alertdialog')
  await ask.getByRole('textbox').fill('The court closed it')
  await ask.getByRole('button', { name: 'Resume collection' }).click()
  for (const name of [/^Call/, /^WhatsApp/])
    await expect.poll(() => isRefused(panel(page).getByRole('button', { name }))).toBe(false)
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
    await logIn(page, asha.account, `${CASE_LIST}?open=${made.caseId}`)
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
  await expect.poll(() => isRefused(save(page))).toBe(true)
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
  await expect.poll(() => numberOf('follow_up', made.caseId)).toBe(1)
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
    to: `${CASE_LIST}?open=${made.caseId}`,
  })
  excuse(CUT)
  await panel(page).getByRole('button', { name: /^Call/ }).waitFor()
  await fillContact(page, 'Shop closed for the festival')
  await context.setOffline(true)
  await page
    .getByText(/^Offline/)
    .first()
    .waitFor()
  await expect.poll(() => isRefused(save(page))).toBe(true)
  await panel(page)
    .getByLabel(/^Remark/)
    .fill('Shop closed for the festival, opens on Friday')
  await context.setOffline(false)
  await page.getByText('Live', { exact: true }).first().waitFor()
  await expect.poll(() => isRefused(save(page))).toBe(false)
  expect(
    await panel(page)
      .getByLabel(/^Remark/)
      .inputValue(),
  ).toBe('Shop closed for the festival, opens on Friday')
  await save(page).dblclick()
  await expect.poll(() => numberOf('follow_up', made.caseId)).toBe(1)
  await panel(page).getByText('Shop closed for the festival, opens on Friday').waitFor()
  expect(await numberOf('follow_up', made.caseId)).toBe(1)
})

test('the row menu starts a contact in its case and sends a payment link', async () => {
  const made = await makeCase(stage.stack, {
    name: 'Kavita Bhosale',
    overdueDays: 4,
    collectorId: asha.userId,
  })
  const { page } = await stage.signIn(asha.account, { to: CASE_LIST })
  const press = async (name: string) => {
    await row(page, 'Kavita Bhosale').click({ button: 'right' })
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await press('Record a contact')
  await expect
    .poll(() =>
      panel(page)
        .getByRole('radio', { name: '1 Self answered' })
        .evaluate((field) => field === document.activeElement),
    )
    .toBe(true)
  await switchExchange('enabled')
  const rung = exchange.handed.length
  await press('Call')
  await panel(page).getByText('The exchange is ringing your seat').waitFor()
  expect(await numberOf('call_log', made.caseId)).toBe(1)
  await expect.poll(() => exchange.handed.length).toBe(rung + 1)
  const { callId = '' } = exchange.handed.at(-1) ?? {}
  const vendor = await machineOf(stage.stack, ['callRecord'], 'ringdesk')
  await vendor.call(inboundCallRecord, { callId, state: 'answered' })
  await panel(page)
    .getByText(/^Answered \d\d:\d\d$/)
    .waitFor()
  await vendor.call(inboundCallRecord, { callId, state: 'ended', endCause: 'busy', durationSec: 0 })
  await panel(page).getByText('Call ended: Busy').waitFor()
  // it is offered, and nothing is chosen for the collector
  expect(await panel(page).getByRole('radio', { name: '4 Busy' }).isChecked()).toBe(false)
  await panel(page).getByRole('button', { name: 'Use “Busy”' }).click()
  expect(await panel(page).getByRole('radio', { name: '4 Busy' }).isChecked()).toBe(true)
  await switchExchange('disabled')
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
  await expect.poll(() => panel(page).count()).toBe(0)
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
  await expect.poll(() => ask.count()).toBe(0)
  // call, result, willingness, promise, remark, save: the call was the first of six steps
  await page.keyboard.press('KeyF')
  await page.keyboard.press('Digit1')
  await panel(page).getByRole('radio', { name: '1 Willing and able' }).waitFor()
  await expect.poll(() => focusedText(page)).toBe('1 Willing and able')
  await page.keyboard.press('Digit1')
  await expect.poll(() => focusedText(page)).toBe('All by tomorrow 18:00')
  await page.keyboard.press('Enter')
  await expect.poll(() => focusedText(page)).toBe('')
  await page.keyboard.type('Pays all of it tomorrow')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => numberOf('follow_up', made.caseId)).toBe(1)
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

test('the next case passes over a borrower who was just called, and says until when it waits', async () => {
  const unit = await makeUnit(stage.stack, { weight: 1, inHouse: true })
  const { userId, account } = await makeCollector(stage.stack, unit)
  const [called, other] = [
    await makeCase(stage.stack, { name: 'Called Already', collectorId: userId, amount: 900_000 }),
    await makeCase(stage.stack, { name: 'Not Called', collectorId: userId }),
  ]
  const person = await stage.stack.signIn(account)
  await person.call(callBorrower, {
    caseId: called.caseId,
    contactId: called.customerId,
    way: 'phone',
  })
  const { page } = await stage.signIn(account, { to: '/home_page' })
  const next = page.getByRole('button', { name: /^Next case/ })
  await next.waitFor()
  await page.keyboard.press('KeyN')
  await page.waitForURL(new RegExp(`open=${other.caseId}`))
  await page.goBack()
  await next.waitFor()
  await page.goForward()
  await panel(page).getByRole('button', { name: /^Call/ }).waitFor()
  await page.keyboard.press('KeyN')
  await page.getByText(/^One due case waits for the time between two contacts, until /).waitFor()
  expect(await seriousFindings(page)).toEqual([])
})

test.each([
  ['by due time', ''],
  ['by amount', '&sort=outstanding:desc'],
])('next offers each due case of all pages once, the late one first (%s)', async (_, sort) => {
  const unit = await makeUnit(stage.stack, { weight: 1, inHouse: true })
  const { userId, account } = await makeCollector(stage.stack, unit)
  const made = [
    await makeCase(stage.stack, {
      collectorId: userId,
      nextFollowTime: '2026-01-05T06:00:00.000Z',
      amount: 400_000,
    }),
  ]
  for (let n = 0; n < 21; n += 1)
    made.push(await makeCase(stage.stack, { collectorId: userId, amount: 900_000 }))
  const { page } = await stage.signIn(account, { to: `${CASE_LIST}?size=20${sort}` })
  await page.getByText('1–20 of 22').waitFor()
  const offered: string[] = []
  const openCaseId = (url: URL) => url.searchParams.get('open') ?? ''
  for (const _ of made) {
    await page.keyboard.press('KeyN')
    await page.waitForURL((url) => openCaseId(url) !== '' && !offered.includes(openCaseId(url)))
    offered.push(openCaseId(new URL(page.url())))
    await panel(page).getByRole('button', { name: /^Call/ }).waitFor()
  }
  expect(offered[0]).toBe(made[0]?.caseId)
  expect(offered.toSorted()).toEqual(made.map(({ caseId }) => caseId).toSorted())
})

test('Esc leaves a case page whose answer has not come, and the focus is on its row', async () => {
  const made = await makeCase(stage.stack, { name: 'Slow Answer' })
  const { page } = await stage.signIn('manager', {
    to: `${CASE_LIST}?tab=toAllocate&caseId=${made.caseId}`,
  })
  await row(page, 'Slow Answer').waitFor()
  await page.route('**/api/manage/collection/case/detail?*', () => {})
  await page.keyboard.press('KeyJ')
  await page.keyboard.press('Enter')
  await page.locator('.case-panel[aria-busy=true]').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/tab=toAllocate/)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('.ag-row') !== null))
    .toBe(true)
})

test('an announcement that opens during a call leaves an untouched result unmarked', async () => {
  const made = await makeCase(stage.stack, {
    name: 'Asha Interrupted',
    overdueDays: 4,
    collectorId: asha.userId,
  })
  const page = await openCase(asha.account, made)
  await page.keyboard.press('KeyF')
  await expect.poll(() => focusedText(page)).toMatch(/^1 /)
  const admin = await stage.stack.signIn('administrator')
  const { noticeId } = await admin.call(addAnnouncement, {
    title: 'Lines are back',
    content: 'You may call again.',
    status: 'published',
    popCondition: 'once',
  })
  const shown = page.getByRole('dialog', { name: 'Lines are back' })
  await shown.getByRole('button', { name: 'Understood' }).click()
  await shown.waitFor({ state: 'detached' })
  // it would open in the windows of the next tests
  await admin.call(deleteAnnouncement, { noticeId, version: 1 })
  expect(await panel(page).getByText('Please fill this in').count()).toBe(0)
  // left for good it is checked as before
  await panel(page).getByRole('radio').first().focus()
  await page.keyboard.press('Tab')
  await panel(page).getByText('Please fill this in').first().waitFor()
})

test('the list shows who has a case open, and its shortcuts move through it', async () => {
  const made = await makeCase(stage.stack, {
    name: 'Nirmala Pawar',
    overdueDays: 4,
    collectorId: asha.userId,
  })
  const { page: list } = await stage.signIn(leader.account, {
    to: `${CASE_LIST}?caseId=${made.caseId}`,
  })
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
  await expect.poll(() => panel(list).count()).toBe(0)
  await list.keyboard.press('KeyM')
  await list.getByRole('menuitem', { name: 'Take back' }).waitFor()
  await list.keyboard.press('Escape')
  await expect.poll(() => list.getByRole('menuitem', { name: 'Take back' }).count()).toBe(0)
  await list.keyboard.press('KeyX')
  await list.getByText('1 selected').first().waitFor()
  await list.keyboard.press('KeyM')
  await expect
    .poll(() => list.evaluate(() => document.activeElement?.textContent))
    .toMatch(/^Give to/)
})
