/** All screens, and visits to them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { beforeAll, expect } from 'vitest'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { LANGUAGE_NAMES } from '#shared/kernel/languages.ts'
import { ROLES } from '#shared/session/roles.ts'
import { userInfo } from '#shared/session/session-api.ts'
import { makeStaffedFloor } from '#tests/factories/staffed-floor.ts'
import { moveTo, seriousFindings, untilQuiet, type VisitorGiven } from './browser.ts'
import type { Stack } from './stack.ts'
import { browserStage, type Stage } from './stage.ts'
import { WebPerson } from './web-person.ts'

interface Shown {
  account: string
  path: string
}

export interface Screens {
  /** Paths of the screens in each role's menu. */
  menus: ReadonlyMap<string, readonly string[]>
  /** Every screen once, visited by a user with most of its buttons. */
  every: readonly Shown[]
}

export interface ScreenStage extends Stage {
  readonly screens: Screens
}

/** A stage with all screens: called at the top of a file. */
export function screenStage(): ScreenStage {
  const stage = browserStage()
  let screens: Screens
  beforeAll(async () => {
    screens = await readScreens(stage.stack)
  })
  return {
    visit: stage.visit,
    signIn: stage.signIn,
    get stack() {
      return stage.stack
    },
    get screens() {
      return screens
    },
  }
}

/** Fills the database and reads each role's menu from the server. */
async function readScreens(stack: Stack): Promise<Screens> {
  const { reviewId, orderId, caseId } = await makeStaffedFloor(stack)
  const userId = await customerOf(stack, orderId)
  const menus = new Map<string, string[]>()
  for (const { mark } of ROLES)
    menus.set(
      mark,
      leavesOf((await (await WebPerson.signIn(stack.url, mark)).call(userInfo, {})).menu),
    )
  const seenBy = new Map(
    [...menus].flatMap(([mark, paths]) =>
      paths.map((path) => [path, menus.get('manager')?.includes(path) ? 'manager' : mark] as const),
    ),
  )
  return {
    menus,
    every: [
      ...[...seenBy].map(([path, account]) => ({ account, path })),
      // Pages outside of every menu, and second views of pages in them.
      { account: 'manager', path: `/detail2?reviewId=${reviewId}` },
      { account: 'manager', path: `/detail?orderId=${orderId}` },
      { account: 'manager', path: `/detail3?caseId=${caseId}` },
      { account: 'manager', path: `/customer_management/info?userId=${userId}` },
      { account: 'manager', path: `/customerInfo?userId=${userId}` },
      { account: 'manager', path: '/loaned_management/pedding_list?tab=toAllocate' },
      { account: 'manager', path: '/loaned_management/pedding_list?tab=desk' },
      { account: 'manager', path: '/loaned_management/peded_list?tab=follows' },
      { account: 'administrator', path: '/system/role_edit' },
      { account: 'collector', path: `/loaned_management/pedding_list?open=${caseId}` },
      { account: 'collector', path: `/detail3?caseId=${caseId}` },
      { account: 'reviewer', path: '/order_management/review_list?tab=mine' },
    ],
  }
}

type Menu = DataOf<typeof userInfo>['menu']
function leavesOf(nodes: Menu): string[] {
  return nodes.flatMap((node) =>
    node.component === 'Layout' ? leavesOf(node.children) : node.visible === 0 ? [node.path] : [],
  )
}

/**
 * Layout and translation errors of the page in this language: English text, cut headings and
 * buttons.
 */
export async function textFaults(
  page: Page,
  english: ReadonlySet<string>,
  part = 'body',
): Promise<string[]> {
  const within = page.locator(part)
  const lines = (await within.allInnerTexts())
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
  const cut = await within
    .locator('button, [role="tab"], h1, h2, .ag-header-cell-text')
    .evaluateAll((nodes) =>
      nodes
        .filter(
          (node) =>
            node.scrollWidth > node.clientWidth + 1 &&
            getComputedStyle(node).overflow === 'hidden' &&
            node.clientWidth > 2 &&
            !node.closest('[title]'),
        )
        .map((node) => node.textContent ?? ''),
    )
  return [
    ...lines.filter((line) => english.has(line)).map((line) => `English: ${line}`),
    ...cut.map((text) => `cut: ${text}`),
  ]
}

/** The same with the findings of axe, which take longer than all the rest of a visit. */
export async function languageFaults(
  page: Page,
  english: ReadonlySet<string>,
  part = 'body',
): Promise<string[]> {
  return [...(await textFaults(page, english, part)), ...(await seriousFindings(page, part))]
}

/** Where menus, dialogs and drawers are drawn. */
const OVERLAYS = '.bp6-portal'
const PANEL = '[role="dialog"], [role="alertdialog"], .bp6-drawer'
const CREATE = '.bp6-icon-plus, .bp6-icon-add'
const EDIT = '.bp6-icon-edit'
/** A form may ask whether it may close. */
const MOST_ESCAPES = 4
const OPENS_MS = 10_000

/**
 * The same of what opens above the page: the form of its create button, the menu of its first row,
 * and the form of that row.
 */
export async function overlayFaults(page: Page, english: ReadonlySet<string>): Promise<string[]> {
  const faults: string[] = []
  const panel = page.locator(OVERLAYS).locator(PANEL).filter({ visible: true })
  const menu = page.locator(OVERLAYS).getByRole('menu').filter({ visible: true })
  const from = page.url()
  async function look(what: string): Promise<void> {
    await untilQuiet(page)
    const found = await languageFaults(page, english, OVERLAYS)
    faults.push(...found.map((fault) => `${what}: ${fault}`))
  }
  async function close(): Promise<void> {
    for (let i = 0; i < MOST_ESCAPES && (await panel.or(menu).count()) > 0; i += 1) {
      await page.keyboard.press('Escape')
      await untilQuiet(page)
    }
    await expect.poll(() => panel.or(menu).count()).toBe(0)
  }
  /** @returns whether a form opened above the page, and not beside the list or as another page */
  async function opens(): Promise<boolean> {
    await expect
      .poll(
        async () =>
          (await panel.count()) > 0 ||
          page.url() !== from ||
          (await page.evaluate(() => document.activeElement?.matches('input, textarea, select'))),
        { timeout: OPENS_MS, message: `${from} opens a form` },
      )
      .toBe(true)
    return (await panel.count()) > 0
  }

  const create = page
    .getByRole('main')
    .locator('.bp6-intent-primary:not([aria-disabled="true"], :disabled)')
    .filter({ visible: true, has: page.locator(CREATE) })
  if ((await create.count()) > 0) {
    await create.first().click()
    if (!(await opens())) return faults
    await look('create')
    await close()
  }
  const cell = page
    .getByRole('main')
    .locator('.ag-row .ag-cell:not([col-id^="ag-Grid"])')
    .filter({ visible: true })
  if ((await cell.count()) === 0) return faults
  await cell.first().click({ button: 'right' })
  if ((await menu.count()) === 0) return faults
  await look('menu')
  const edit = menu
    .getByRole('menuitem')
    .and(page.locator(':not([aria-disabled="true"])'))
    .filter({ has: page.locator(EDIT) })
  if ((await edit.count()) > 0) {
    await edit.first().click()
    if (await opens()) await look('edit')
  }
  await close()
  return faults
}

const LOCALES = join(import.meta.dirname, '..', '..', 'locales')

/**
 * Texts that differ from those of `language`, without words used in several languages: names,
 * codes, units and the English content of the demo book.
 */
export function englishTexts(language: string): ReadonlySet<string> {
  const texts = new Set<string>()
  // A word that both languages share (ticket in Spanish) is not untranslated.
  const own = new Set<string>()
  const walk = (english: Record<string, unknown>, translated: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(english)) {
      const other = translated[key]
      if (typeof other === 'string') own.add(other)
      if (
        typeof value === 'string' &&
        typeof other === 'string' &&
        value !== other &&
        /[a-z]{3}/.test(value) &&
        !value.includes('{{')
      )
        texts.add(value)
      else if (
        typeof value === 'object' &&
        value !== null &&
        typeof other === 'object' &&
        other !== null
      )
        walk(value as Record<string, unknown>, other as Record<string, unknown>)
    }
  }
  const read = (at: string, file: string) =>
    JSON.parse(readFileSync(join(LOCALES, at, file), 'utf8')) as Record<string, unknown>
  for (const file of readdirSync(join(LOCALES, 'en'))) walk(read('en', file), read(language, file))
  for (const text of own) texts.delete(text)
  // Columns and options name each language in itself.
  for (const name of Object.values(LANGUAGE_NAMES)) texts.delete(name)
  return texts
}

/** Tabs in which an account visits screens at once; most of a visit is waiting. */
const TABS = 3
/** A tab loads the console once more, which takes as long as a few screens. */
const SCREENS_A_TAB = 4
/** Visiting all screens takes time on a busy machine. */
export const WALK_MS = 900_000

/** Opens screens by address, each account in its own window, without a reload: as a link does. */
export async function walkByAddress(
  stage: Stage,
  screens: readonly Shown[],
  given: VisitorGiven,
  look: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  for (const account of new Set(screens.map((screen) => screen.account))) {
    const paths = screens
      .filter((screen) => screen.account === account)
      .map((screen) => screen.path)
    const tabs = Math.min(TABS, Math.ceil(paths.length / SCREENS_A_TAB))
    const visitor = await stage.signIn(account, { ...given, to: paths[0] })
    await Promise.all(
      Array.from({ length: tabs }, async (_, tab) => {
        const page = tab === 0 ? visitor.page : await visitor.tab()
        for (const [n, path] of paths.filter((_path, at) => at % tabs === tab).entries()) {
          if (n > 0) await moveTo(page, path)
          else if (tab > 0) await page.goto(path)
          await expectShown(page, path, account)
          await look(page, path)
        }
      }),
    )
  }
}

/**
 * A role's menu is the server's; each of `paths` opens through the menu; a screen of another role
 * does not open.
 */
export async function walkByMenu(
  stage: ScreenStage,
  mark: string,
  paths: readonly string[],
): Promise<void> {
  const { menus } = stage.screens
  const leaves = menus.get(mark) ?? []
  const { page } = await stage.signIn(mark, { width: 1920, height: 1080 })
  await settled(page)
  await openGroups(page)
  const links = await page
    .getByRole('navigation')
    .first()
    .getByRole('link')
    .evaluateAll((anchors) =>
      anchors.map((anchor) => new URL((anchor as HTMLAnchorElement).href).pathname),
    )
  expect([...new Set(links)].toSorted()).toEqual([...leaves].toSorted())
  for (const path of paths) {
    // The menu keeps only the group of the current page open.
    await openGroups(page)
    await page.getByRole('navigation').first().locator(`a[href="${path}"]`).click()
    await expectShown(page, path, mark)
  }
  const foreign = [...menus.values()].flat().find((path) => !leaves.includes(path))
  if (foreign === undefined) return
  await moveTo(page, foreign)
  await page.waitForURL(/\/401|\/404/)
}

async function openGroups(page: Page): Promise<void> {
  // An opened group leaves the set, so the first one is always next.
  const shut = page.getByRole('navigation').first().locator('button[aria-expanded="false"]')
  for (;;) {
    const [button] = await shut.elementHandles()
    if (button === undefined) return
    await button.click()
    // seen shut a second time, it would be shut again
    await page.waitForFunction(
      (one) => !(one as Element).isConnected || (one as Element).ariaExpanded === 'true',
      button,
    )
  }
}

async function expectShown(page: Page, path: string, account: string): Promise<void> {
  await settled(page)
  expect(new URL(page.url()).pathname, `${account} was sent away from ${path}`).toBe(
    path.split('?')[0],
  )
  expect(
    await page.locator('.pane-note-bad').count(),
    `${path} could not be read by ${account}`,
  ).toBe(0)
}

/** The screen's code and its data have loaded. */
export async function settled(page: Page): Promise<void> {
  await untilQuiet(page)
  await expect.poll(() => page.locator('.app-loading').count(), { timeout: 30_000 }).toBe(0)
  await page.getByRole('main').waitFor()
  await untilQuiet(page)
}

async function customerOf({ database }: Stack, orderId: string): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`select o.customer_id as id from loan_order o where o.id = ${orderId}`.execute(database.kysely)
  return (rows[0] as { id: string }).id
}
