/** Apps and the third parties that serve them: a new app gets its own, and lends with them. */
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  inboundApplication,
  inboundMachineReview,
  inboundPayout,
} from '#shared/orders/inbound-api.ts'
import { inboundApp } from '#shared/products/apps-api.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { row, seriousFindings } from '#tests/support/browser.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type PlayedVendor, playVendor } from '#tests/support/played-vendor.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
let vendor: PlayedVendor
beforeAll(async () => {
  vendor = await playVendor('P')
  await makeProduct(stage.stack)
})
afterAll(() => vendor.close())

const db = () => stage.stack.database.kysely
async function appNamed(name: string): Promise<{ id: string; force_update: boolean } | undefined> {
  const { rows } = await sql<{ id: string; force_update: boolean }>`
    select a.id, a.force_update from app a where a.name = ${name}`.execute(db())
  return rows[0]
}
async function save(page: Page): Promise<void> {
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: /^(Save|Copy)/ }).click()
  await form.waitFor({ state: 'detached' })
}

test('an app is added, and its installations hear a forced update at once', async () => {
  const { page } = await stage.signIn('administrator', { to: '/system/app_management' })
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'New group' }).click()
  await form.getByLabel(/^Group/).fill('Consumer apps')
  await save(page)
  await page.getByRole('button', { name: 'Add app' }).click()
  await form.getByLabel(/^App/).fill('SecondCash')
  await form.getByLabel(/^Code/).fill('secondcash')
  await form.getByLabel(/^Group/).selectOption({ label: 'Consumer apps' })
  await form.getByLabel(/^Merchant/).selectOption({ label: 'Own book' })
  await form.getByLabel(/^Package/).fill('in.secondcash.app')
  await form.getByLabel(/^Version/).fill('2.1')
  await form.getByLabel(/^Minimum version/).fill('2.0')
  await form.getByLabel(/^Store page/).fill('https://store.example.com/secondcash')
  await form.getByLabel(/^Privacy policy/).fill('https://secondcash.example.com/privacy')
  expect(await seriousFindings(page)).toEqual([])
  await save(page)
  await expect.poll(() => appNamed('SecondCash')).toMatchObject({ force_update: false })
  const appId = (await appNamed('SecondCash'))?.id ?? ''
  const app = await machineOf(stage.stack, ['application'])
  const update = async () => (await app.call(inboundApp, { appId, installed: '2.0' })).update
  expect(await update()).toBe('offered')

  const line = row(page, appId)
  await line.waitFor()
  await line.dblclick()
  await form.getByLabel(/^Force update/).check()
  await form.getByRole('button', { name: /^Save/ }).click()
  const question = page.getByRole('alertdialog', { name: 'Force the update of SecondCash?' })
  await question.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  expect(await update()).toBe('required')
})

test('a second app gets its own vendors by a copy, and a loan is paid out through them', async () => {
  const { page } = await stage.signIn('administrator', {
    to: '/system/three_config?tab=configurations',
  })
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'New third party' }).click()
  await form.getByLabel(/^Code/).fill('playedbank')
  await form.getByLabel(/^Name/).fill('Played Bank')
  await form.getByLabel(/^Kind/).selectOption({ label: 'Disbursement' })
  await save(page)
  await page.getByRole('button', { name: 'New configuration' }).click()
  await form.getByLabel(/^Third party/).selectOption({ label: 'Played Bank (Disbursement)' })
  await form.getByLabel(/^Configuration/).fill('Live')
  await form.getByLabel(/^Base address/).fill(vendor.baseUrl)
  await form.getByRole('button', { name: /^Save/ }).click()
  await form.getByText('Please fill this in').first().waitFor()
  await form.getByLabel(/^Key id/).fill('K-7')
  await form.getByLabel(/^Secret/).fill('the-secret-of-the-bank-2026')
  expect(await seriousFindings(page)).toEqual([])
  await save(page)
  // wide enough for every column
  await page.setViewportSize({ width: 2_600, height: 900 })
  await page.getByText('keyId: set, secret: set').first().waitFor()
  expect(await page.content()).not.toContain('the-secret-of-the-bank-2026')

  await page.getByRole('radio', { name: 'Services of apps' }).click()
  await page.getByRole('button', { name: 'Add service' }).click()
  await form.getByLabel(/^App/).selectOption({ label: 'RupeeOnce' })
  await form.getByLabel(/^Third party/).selectOption({ label: 'Played Bank (Disbursement)' })
  await expect.poll(() => form.getByLabel(/^Configuration/).inputValue()).toMatch(/^TC/)
  await save(page)
  await page.getByRole('button', { name: 'Copy to an app' }).click()
  await form.getByLabel(/^From app/).selectOption({ label: 'RupeeOnce (1)' })
  await form.getByLabel(/^To app/).selectOption({ label: 'SecondCash (0)' })
  await save(page)
  await page.getByText('Services copied: 1; kept as they were: 0').waitFor()
  // cells only: the filter offers the name, too
  const cells = page.getByRole('gridcell', { name: 'Played Bank', exact: true })
  await expect.poll(() => cells.count()).toBe(2)

  const appId = (await appNamed('SecondCash'))?.id ?? ''
  await sql`
    insert into product (id, app_id, name, min_amount, max_amount, tenure_days, periods, days_per_period,
      service_rate, daily_rate, penalty_rate, cooling_off_days, status, merchant_id)
    values ('PR2', ${appId}, 'Second 30', 100000, 20000000, 30, 1, 30, 250, 5, 10, 3, 'enabled',
      'MC001')`.execute(db())
  const application = makeApplication(2, { appId, productId: 'PR2' })
  const { orderId, reviewId } = await (
    await machineOf(stage.stack, ['application'])
  ).call(inboundApplication, application)
  await (
    await machineOf(stage.stack, ['machineReview'])
  ).call(inboundMachineReview, {
    reviewId,
    machineId: 'M1',
    result: 'passed',
    needManual: false,
    limit: 5_000_000,
    rules: [],
  })
  const number = `${orderId}-1`
  await expect.poll(() => vendor.received).toContain(number)
  const bank = await machineOf(stage.stack, ['payout'], 'playedbank')
  const result = { platformOrderNo: number, vendorOrderNo: `P-${number}`, utr: '412345678901' }
  await expect
    .poll(async () => (await bank.call(inboundPayout, { ...result, result: 'success' })).status)
    .toBe(30)

  await page.goto(`${new URL(page.url()).origin}/order_management/loan_list?tab=transfers`)
  const transfer = page.getByRole('row').filter({ hasText: number })
  await transfer.getByText('playedbank').first().waitFor()
  await page.goto(`${new URL(page.url()).origin}/system/three_config?tab=configurations`)
  await page.getByText('100.00 %').first().waitFor()
})

test('the last vendor of a kind cannot be switched off, and the console says why', async () => {
  const { page } = await stage.signIn('administrator', { to: '/system/three_config' })
  const line = page.getByRole('row').filter({ hasText: 'SecondCash' }).first()
  await line.waitFor()
  await line.click({ button: 'right' })
  const off = page.getByRole('menuitem', { name: /Switch off/ })
  await off.waitFor()
  expect(await off.getAttribute('aria-disabled')).toBe('true')
})
