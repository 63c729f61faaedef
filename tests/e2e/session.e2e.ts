/**
 * The session in real browsers: expiry and sign-in over the page, the end in all tabs at once, the
 * second factor, and session management.
 */
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { codeOfStep } from '#gateway/manage/features/session/two-factor/totp.ts'
import { endSessions } from '#gateway/manage/features/session/end-sessions.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { logIn, seriousFindings } from '#tests/support/browser.ts'
import { PASSWORD } from '#tests/support/manage.ts'
import { browserStage } from '#tests/support/stage.ts'

const AGENCIES = '/loaned_management/urge_agencies'
const NEW = 'Brass#Lamp42'

const stage = browserStage()

async function endAll(account: string): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`select u.id from sys_user u where u.account = ${account}`.execute(stage.stack.database.kysely)
  await runCommand(
    stage.stack.context,
    { actor: systemActor('test'), audit: { action: 'kick' } },
    (tx) => endSessions(tx, (rows[0] as { id: string }).id, 'kick'),
  )
}
const overlay = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })
async function fillAgency(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add agency' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/^Agency/)
    .fill(name)
}
const agencyName = (page: Page) =>
  page
    .getByRole('dialog', { name: 'Add agency' })
    .getByLabel(/^Agency/)
    .inputValue()
async function giveOverlay(page: Page, password: string): Promise<void> {
  await overlay(page).getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}
async function openAccount(page: Page, item: string): Promise<void> {
  await page.locator('.account').click()
  await page.getByRole('menuitem', { name: item }).click()
}
async function codeNow(secret: string): Promise<string> {
  const { rows } = await sql<{
    step: number
  }>`select floor(extract(epoch from clock_timestamp()) / 30)::int as step`.execute(
    stage.stack.database.kysely,
  )
  return codeOfStep(secret, rows[0]?.step ?? 0)
}

test('an expired session asks for the password in every tab, and the form is kept', async () => {
  const { page, tab, excuse } = await stage.signIn('manager', { to: AGENCIES })
  // The session may end while a tab is still opening its socket.
  excuse(/WebSocket is closed before the connection is established/)
  const other = await tab()
  await other.goto(AGENCIES)
  await fillAgency(page, 'Sunrise Recovery')
  await fillAgency(other, 'Monsoon Recovery')
  await endAll('manager')
  for (const one of [page, other]) await overlay(one).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await giveOverlay(page, 'Wrong#2026')
  await overlay(page).getByText('Account or password is incorrect').waitFor()
  expect(await overlay(page).getByLabel('Account').inputValue()).toBe('manager')
  await giveOverlay(page, PASSWORD)
  // After the sign-in here the other tab continues by itself.
  for (const one of [page, other]) await overlay(one).waitFor({ state: 'detached' })
  expect([await agencyName(page), await agencyName(other)]).toEqual([
    'Sunrise Recovery',
    'Monsoon Recovery',
  ])
  // the person is where they were
  await expect
    .poll(() =>
      page
        .getByRole('dialog', { name: 'Add agency' })
        .getByLabel(/^Agency/)
        .evaluate((field) => field === document.activeElement),
    )
    .toBe(true)
  await page.getByRole('dialog').getByLabel('Officer *').selectOption({ index: 1 })
  // Nothing is sent before the connection is back either.
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: /^Save/ }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Sunrise Recovery').first().waitFor()
})

test('another user starts afresh, and a logout ends every tab', async () => {
  const { page, tab } = await stage.signIn('manager2', { to: AGENCIES })
  await fillAgency(page, 'Left behind')
  await endAll('manager2')
  await overlay(page)
    .getByRole('button', { name: /Use another account/ })
    .click()
  await page.waitForURL(/\/login$/)
  await page.locator('input[autocomplete="username"]').fill('director')
  await page.locator('input[type="password"]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('main').waitFor()
  expect(await page.getByText('Left behind').count()).toBe(0)
  expect(await page.getByRole('tab', { name: /Agencies/ }).count()).toBe(0)
  const other = await tab()
  await other.goto('/home_page')
  await other.getByRole('main').waitFor()
  await openAccount(page, 'Log out')
  for (const one of [page, other]) await one.waitForURL(/\/login/)
  expect(await overlay(other).count()).toBe(0)
})

test('a token renewed while three tabs load at once logs nobody out', async () => {
  const { page, context, tab } = await stage.signIn('internal_supervisor', { to: AGENCIES })
  const token = async () =>
    (await context.cookies()).find((cookie) => cookie.name === 'Admin-Token')?.value ?? ''
  const before = await token()
  const tabs = [page, await tab(), await tab()]
  await sql`
    update sys_session set rotated_at = clock_timestamp() - interval '11 minutes'
      where token_hash = sha256(${Buffer.from(before)})`.execute(stage.stack.database.kysely)
  stage.stack.context.forgetSessions(null)
  await Promise.all(tabs.map((one) => one.goto(AGENCIES)))
  for (const one of tabs) await one.getByRole('main').waitFor()
  await expect.poll(token).not.toBe(before)
  // After the grace period only the new token is valid; every tab has it.
  await sql`
    update sys_session set rotated_at = clock_timestamp() - interval '61 seconds'
      where token_hash = sha256(${Buffer.from(await token())})`.execute(stage.stack.database.kysely)
  stage.stack.context.forgetSessions(null)
  await Promise.all(tabs.map((one) => one.reload()))
  for (const one of tabs) {
    await one.getByRole('main').waitFor()
    expect(new URL(one.url()).pathname).toBe(AGENCIES)
  }
})

test('a user who must change the password does it first; the rules are shown and the new password works', async () => {
  await sql`update sys_user set must_change = true where account = 'salesman'`.execute(
    stage.stack.database.kysely,
  )
  const { page } = await stage.visit()
  await logIn(page, 'salesman')
  await page.getByRole('heading', { name: 'Choose a password of your own' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  const fill = async (oldPwd: string, newPwd: string, again: string): Promise<void> => {
    // An error may be shown before its attempt has ended, and keys pressed in between are ignored.
    await page.locator('button[type="submit"]:not(.bp6-loading)').waitFor()
    await page.getByLabel(/^Old password/).fill(oldPwd)
    await page.getByLabel(/^New password/).fill(newPwd)
    await page.getByLabel(/^Confirm new password/).fill(again)
    await page.keyboard.press('Control+Enter')
  }
  await fill(PASSWORD, PASSWORD, PASSWORD)
  await page.getByText('Old password same as new').waitFor()
  await fill(PASSWORD, 'NoSpecial123', 'Brass#Lamp43')
  await page.getByText('Password format is incorrect').waitFor()
  const differs = page.getByText('Passwords inconsistent')
  await differs.waitFor()
  await page.getByLabel(/^New password/).fill('Brass#Lamp43')
  await differs.waitFor({ state: 'detached' })
  await fill('Wrong#2026', NEW, NEW)
  await page.getByText('Old password is incorrect').waitFor()
  await fill(PASSWORD, NEW, NEW)
  await page.waitForURL(/\/login/)
  await page.locator('input[autocomplete="username"]').fill('salesman')
  await page.locator('input[type="password"]').fill(NEW)
  await page.keyboard.press('Enter')
  await page.locator('.account').waitFor()
})

test('a second factor is set up and required, and another session is ended from the list', async () => {
  const { page, context } = await stage.signIn('reviewer')
  await context.grantPermissions(['clipboard-write'])
  await openAccount(page, 'Two-factor sign-in')
  const dialog = page.getByRole('dialog', { name: 'Two-factor sign-in' })
  await dialog.getByRole('button', { name: 'Set up' }).click()
  const secret = (await dialog.locator('.two-factor-secret').innerText()).replace(/\s/g, '')
  expect(
    await dialog
      .getByRole('listitem')
      .filter({ hasText: /^[A-Z2-7]{5}-[A-Z2-7]{5}$/ })
      .count(),
  ).toBe(10)
  expect(await seriousFindings(page)).toEqual([])
  await dialog.getByLabel('I have kept the codes in a safe place').check()
  await dialog.getByLabel('Enter the 6 digits the app shows').fill(await codeNow(secret))
  await page.keyboard.press('Enter')
  await dialog.getByText('10 recovery codes left').waitFor()

  await sql`update sys_user set totp_last_step = totp_last_step - 2 where account = 'reviewer'`.execute(
    stage.stack.database.kysely,
  )
  const second = await stage.visit()
  await second.page.goto('/login')
  await second.page.locator('input[autocomplete="username"]').fill('reviewer')
  await second.page.locator('input[type="password"]').fill(PASSWORD)
  await second.page.keyboard.press('Enter')
  await second.page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await second.page.keyboard.press('Enter')
  await second.page.getByText('Verification code is incorrect').waitFor()
  await second.page.getByRole('textbox', { name: 'Code' }).fill(await codeNow(secret))
  await second.page.keyboard.press('Enter')
  await second.page.locator('.account').waitFor()

  await openAccount(second.page, 'My sessions')
  const list = second.page.getByRole('dialog', { name: 'My sessions' })
  await list.getByText('this one').waitFor()
  await list.getByRole('button', { name: 'End', exact: true }).click()
  await list.getByText('You are signed in only here.').waitFor()
  // nothing unsent is open there: the login page says why, and returns to the page
  await page.waitForURL(/\/login\?redirect=/)
  await page.getByText('You ended this session from another place.').first().waitFor()
  expect(await overlay(page).count()).toBe(0)
})
