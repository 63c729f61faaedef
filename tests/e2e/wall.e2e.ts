/**
 * A wall screen: paired by code, live, shows the age of old data, recovers, ended by its
 * supervisor.
 */
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { approvePairing, saveThresholds } from '#shared/wall/wall-api.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import { CUT, seriousFindings, type Visitor, type VisitorGiven } from '#tests/support/browser.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import type { Person } from '#tests/support/manage.ts'
import { browserStage } from '#tests/support/stage.ts'

const BOARD = '/loaned_management/loaned_board'
const WALL = { width: 1920, height: 1080 }

const stage = browserStage()
let clock: TestClock
let unit: Unit
let channel: Machine
let manager: Person
let leader: { userId: string; account: string }
let made: MadeCase

beforeAll(async () => {
  clock = await testClock(stage.stack.database)
  await clock.to('11:00')
  await sql`update sys_config set value = '' where code = 'collection.allocationTimes'`.execute(
    stage.stack.database.kysely,
  )
  unit = await makeUnit(stage.stack, { weight: 100, inHouse: true, name: 'North desk' })
  const collector = await makeCollector(stage.stack, unit)
  leader = await makeLeader(stage.stack, unit, 'internal_supervisor')
  manager = await stage.stack.signIn('manager')
  channel = await machineOf(stage.stack, ['payment'])
  made = await makeCase(stage.stack, { overdueDays: 5, collectorId: collector.userId })
  await makeCase(stage.stack, { overdueDays: 12 })
  await manager.call(saveThresholds, {
    target: 10_000_000,
    ptpKept: 7_000,
    unallocatedMinutes: 30,
    reviewMinutes: 10,
    disburseFailed: 10,
  })
})

let payments = 0
async function pay(amount: number): Promise<void> {
  payments += 1
  await channel.call(inboundPayment, {
    vendorOrderNo: `V${payments}`,
    orderId: made.orderId,
    amount,
    channel: 1,
    result: 'success',
    utr: String(500_000_000_000 + payments),
  })
  // The schedule uses the same clock, which is before its next run.
  stage.stack.context.wakeSchedule('boardTick')
}
const codeOf = async (page: Page): Promise<string> => {
  await page.locator('.pair-qr').waitFor()
  return ((await page.locator('.pair-code').textContent()) ?? '').trim()
}
/** A screen that shows the company's board. */
async function pairedScreen(
  query = '?rotate=600',
  { shows, ...given }: VisitorGiven & { shows?: string } = {},
): Promise<Visitor & { boardId: string }> {
  const visitor = await stage.visit({ ...WALL, ...given })
  // before the page starts its timers, so that all of them are of one clock
  if (given.ownClock) await visitor.page.clock.install(shows ? { time: shows } : {})
  await visitor.page.goto(`/wall${query}`)
  const { boardId } = await manager.call(approvePairing, {
    code: await codeOf(visitor.page),
    name: 'Test wall',
    profile: 'mid',
  })
  await visitor.page.locator('.board').waitFor()
  return { ...visitor, boardId }
}
const tile = (page: Page, label: string) => page.locator('.tile', { hasText: label })

test('a supervisor pairs a screen; it shows their unit, follows settings and stops when ended', async () => {
  const screen = await stage.visit(WALL)
  await screen.page.goto('/wall?rotate=600')
  const code = await codeOf(screen.page)
  const desk = await stage.signIn(leader.account, { to: BOARD })
  await desk.page.getByRole('button', { name: 'Pair a screen' }).click()
  const form = desk.page.getByRole('dialog')
  await form
    .getByLabel(/^Code on the screen/)
    .fill(`${code.slice(0, 3).toLowerCase()} ${code.slice(3)}`)
  await form.getByLabel(/^Name of the screen/).fill('Door of the north desk')
  await form.getByRole('button', { name: 'Pair', exact: true }).click()
  await screen.page.getByRole('heading', { name: 'North desk, department · Today' }).waitFor()
  await tile(screen.page, 'Unallocated').getByText('0', { exact: true }).waitFor()

  const line = desk.page.locator('[role="row"]', { hasText: 'Door of the north desk' }).first()
  await line.dblclick()
  const settings = desk.page.getByRole('dialog')
  await settings.getByLabel('Today', { exact: true }).uncheck()
  await settings.getByLabel(/^Theme/).selectOption('light')
  await settings.getByRole('button', { name: 'Save', exact: true }).click()
  await screen.page.getByRole('heading', { name: 'North desk, department · Teams' }).waitFor()
  await expect
    .poll(() => screen.page.evaluate(() => document.documentElement.dataset.theme))
    .toBe('light')

  await desk.page
    .getByRole('row', { name: /Door of the north desk/ })
    .first()
    .click({ button: 'right' })
  await desk.page.getByRole('menuitem', { name: 'Revoke' }).click()
  const started = Date.now()
  await desk.page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await screen.page.getByText('This screen is no longer paired').waitFor()
  expect(Date.now() - started).toBeLessThan(5_000)
  expect(await codeOf(screen.page)).not.toBe(code)
})

test('payments appear without input; every text is legible at five metres and nothing is cut off', async () => {
  const { page } = await pairedScreen()
  const collected = tile(page, 'Recovered').locator('.tile-value')
  const before = await collected.textContent()
  await pay(123_400)
  await expect.poll(() => collected.textContent()).not.toBe(before)
  await page.keyboard.press('ArrowRight')
  await page.getByRole('heading', { name: 'Collections · Teams' }).waitFor()
  await page.getByText('North desk', { exact: true }).waitFor()
  for (const scene of ['Contacts', 'Queues', 'Today']) {
    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { name: `Collections · ${scene}` }).waitFor()
    expect(await page.evaluate(faultsOfPicture)).toEqual([])
  }
  await page.keyboard.press('Space')
  await page.locator('.held').waitFor()
  expect(await seriousFindings(page)).toEqual([])
})

test.each([
  ['es', 'near'],
  ['vi', 'mid'],
  ['th', 'mid'],
  ['ja', 'far'],
] as const)('%s, read from %s: every scene fits and is legible', async (language, profile) => {
  const { page } = await pairedScreen(`?rotate=600&lang=${language}&profile=${profile}`)
  for (let n = 0; n < 4; n += 1) {
    expect(await page.evaluate(faultsOfPicture)).toEqual([])
    await page.keyboard.press('ArrowRight')
  }
})

test('offline the screen keeps its figures and shows their age; online it is live again without input', async () => {
  const screen = await pairedScreen(undefined, { ownClock: true })
  const { page, context } = screen
  screen.excuse(CUT)
  await page.locator('.fresh.is-live').waitFor()
  await context.setOffline(true)
  await page.evaluate(() => window.dispatchEvent(new Event('offline')))
  // The socket's clock is the server's; the ages shown here use the page's clock.
  stage.stack.edges[0]?.io.of('/ops').local.disconnectSockets(true)
  await page.clock.fastForward(20_000)
  await page.locator('.fresh.is-amber').waitFor()
  await page.clock.fastForward(60_000)
  await page.getByText(/^DATA 1 min OLD/).waitFor()
  expect(
    await page.locator('.scene').evaluate((scene) => getComputedStyle(scene).filter),
  ).toContain('grayscale')
  expect(await page.locator('.tile').count()).toBe(3)
  await pay(55_000)
  await context.setOffline(false)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await page.clock.runFor(10_000)
  await page.locator('.fresh.is-live').waitFor()
  await expect.poll(() => page.getByText(/^DATA/).count()).toBe(0)
})

test('after a server restart and after a reload the screen is still paired', async () => {
  const screen = await pairedScreen()
  screen.excuse(CUT)
  const { page } = screen
  await page.reload()
  await page.locator('.board').waitFor()
  stage.stack.edges[0]?.io.of('/ops').local.disconnectSockets(true)
  const before = await tile(page, 'Recovered').locator('.tile-value').textContent()
  await pay(77_000)
  await expect
    .poll(() => tile(page, 'Recovered').locator('.tile-value').textContent())
    .not.toBe(before)
})

test('a screen whose files could not load starts as soon as they can', async () => {
  const screen = await stage.visit(WALL)
  screen.excuse(/50[03]|ERR_FAILED|Failed to load/)
  let broken = true
  await screen.page.route('**/assets/wall-*.js', (route) =>
    broken ? route.abort() : route.continue(),
  )
  await screen.page.goto('/wall')
  await screen.page.locator('.wall-start').waitFor()
  broken = false
  await screen.page.locator('.pair-code').waitFor()
})

test('the token of a screen is in no address and grants nothing else; the sign-in page links to the wall', async () => {
  const { page } = await pairedScreen()
  const answer = await page.evaluate(async () => {
    const token = localStorage.getItem('wall-token') ?? ''
    const code = async (path: string) =>
      (
        (await (
          await fetch(`/api/manage${path}`, { headers: { authorization: token } })
        ).json()) as { code: number }
      ).code
    return {
      inAddress: location.href.includes(token),
      board: await code('/collection/board'),
      info: await code('/get/info'),
      cases: await code('/collection/case/list?tab=toFollow'),
    }
  })
  expect(answer).toEqual({ inAddress: false, board: 200, info: 403, cases: 403 })
  const other = await stage.visit()
  await other.page.goto(`${BOARD}?profile=far`)
  await other.page.getByRole('link', { name: 'Use as a wall screen' }).click()
  await other.page.waitForURL(/\/wall\?profile=far$/)
  await other.page.locator('.pair-code').waitFor()
})

test('a screen is dim at night in India, whatever the clock of the television shows', async () => {
  for (const [india, television, isDim] of [
    // three in the morning, and noon
    ['12:00', '2026-03-01T21:30:00Z', false],
    ['21:00', '2026-03-01T06:30:00Z', true],
  ] as const) {
    await clock.to(india)
    manager = await stage.stack.signIn('manager')
    const { page } = await pairedScreen(undefined, { ownClock: true, shows: television })
    // the first picture with figures
    expect(await page.locator('.wall.is-night').count()).toBe(isDim ? 1 : 0)
    expect(await page.locator('.board-clock').textContent()).toBe(india)
  }
})

test('the clock shows when the business day ends, and midnight in India starts a new one', async () => {
  await clock.to('23:59:30')
  manager = await stage.stack.signIn('manager')
  const { page } = await pairedScreen(undefined, { ownClock: true })
  const place = async () => (await page.locator('.board-clock').boundingBox())?.x
  const cutOff = () => page.locator('.board-cut-off').textContent()
  await expect.poll(cutOff).toBe('day ends in 1 min')
  const before = await place()
  await page.clock.fastForward(40_000)
  await expect.poll(cutOff).toBe('day ends in 24 h')
  expect(await page.locator('.board-clock').textContent()).toBe('00:00')
  await page.locator('.fresh.is-live').waitFor()
  expect(await place()).toBe(before)
})

/** Layout errors: a page that scrolls, text below the size of its profile, text that is cut off. */
function faultsOfPicture(): string[] {
  const faults: string[] = []
  const { scrollHeight, scrollWidth } = document.documentElement
  if (scrollHeight > innerHeight || scrollWidth > innerWidth) faults.push('the page scrolls')
  const board = document.querySelector<HTMLElement>('.board')
  const smallest = Number.parseFloat(getComputedStyle(board as HTMLElement).fontSize)
  for (const element of document.querySelectorAll<HTMLElement>('.board *')) {
    const text = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent?.trim() ?? '')
      .join('')
    if (text === '') continue
    const size = Number.parseFloat(getComputedStyle(element).fontSize)
    if (size < smallest - 0.5) faults.push(`${text}: ${size} px`)
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
      faults.push(`${text} is cut`)
  }
  return faults
}
