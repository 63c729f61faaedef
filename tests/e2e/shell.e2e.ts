/** The frame in a real browser: settings, search, tabs and messages, by role, label and text. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makeOrder } from '#tests/factories/orders.ts'
import { atRest, moveTo, row, seriousFindings, untilQuiet } from '#tests/support/browser.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
let orderId: string
let failed: string
beforeAll(async () => {
  ;({ orderId } = await makeOrder(stage.stack, { status: 30 }))
  ;({ orderId: failed } = await makeOrder(stage.stack, { status: 31 }))
})

test('preferences apply at once, survive a reload and follow the user to another computer', async () => {
  const { page } = await stage.signIn('director')
  await page.getByRole('button', { name: 'Settings' }).click()
  const drawer = page.getByRole('dialog', { name: 'Settings' })
  const saved = page.waitForResponse((answer) => answer.url().includes('/pref/save'))
  // said for a moment only
  const isCompiling = drawer.getByText('Compiling the theme').waitFor()
  await drawer.getByRole('radio', { name: 'Purple' }).click()
  await isCompiling
  await drawer.getByRole('radio', { name: 'Dark', exact: true }).click()
  await drawer.getByLabel('Logo above the menu').check({ force: true })
  await drawer.getByLabel('Tabs of open views').uncheck({ force: true })
  expect(await seriousFindings(page)).toEqual([])
  await saved
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => ({ ...document.documentElement.dataset }))).toMatchObject({
    preset: '6959cd',
    theme: 'dark',
  })
  await page.getByRole('link', { name: 'Lending Console' }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Open views' }).count()).toBe(0)
  await untilQuiet(page)
  await page.reload()
  await page.getByRole('link', { name: 'Lending Console' }).waitFor()

  const elsewhere = await stage.signIn('director')
  await elsewhere.page.getByRole('link', { name: 'Lending Console' }).waitFor()
  expect(await elsewhere.page.evaluate(() => document.documentElement.dataset.preset)).toBe(
    '6959cd',
  )
})

test('the palette opens screens and records and runs actions by keyboard alone', async () => {
  const { page } = await stage.signIn('manager')
  await atRest(page)
  const field = page.getByRole('combobox', { name: 'Command palette' })
  // The palette loads by itself before, so that typing on at once loses nothing.
  await page.waitForFunction(() =>
    ['/Palette-', '/search-'].every((file) =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes(file)),
    ),
  )
  await atRest(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('ordr lst')
  expect(await field.inputValue()).toBe('ordr lst')
  await page.getByRole('option', { name: /^Order list/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/order_management/order_list')

  await page.keyboard.press('Control+k')
  await field.fill(orderId)
  // the order whose number was typed, before the person it belongs to
  await page
    .getByRole('option', { name: new RegExp(`^Order ${orderId}`), selected: true })
    .waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/detail?orderId=${orderId}*`)

  await page.keyboard.press('Control+k')
  await page
    .getByRole('group', { name: 'Recent' })
    .getByRole('option', { name: 'Order list' })
    .waitFor()
  await field.fill('settings')
  await page.getByRole('option', { name: 'Settings' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Settings' }).waitFor()
})

test('the palette lists the buttons and row actions of a screen, disabled ones with a reason', async () => {
  const { page } = await stage.signIn('administrator')
  await atRest(page)
  const field = page.getByRole('combobox', { name: 'Command palette' })
  const actions = page.getByRole('group', { name: 'Actions' }).getByRole('option')
  for (const path of [
    '/system/user',
    '/system/dict',
    '/order_management/order_list',
    '/order_management/repay_record',
  ]) {
    await page.goto(path)
    const buttons = page.locator(
      '.view:visible .filters-actions .bp6-button, .view:visible .grid-bar .bp6-button',
    )
    await buttons.first().waitFor()
    await atRest(page)
    const shown = await buttons.evaluateAll((elements) =>
      elements.map(
        (button) =>
          button.getAttribute('aria-label') ??
          button.querySelector('.bp6-button-text')?.firstChild?.textContent ??
          '',
      ),
    )
    await page.keyboard.press('Control+k')
    await field.waitFor()
    await actions.first().waitFor()
    const offered = (await actions.allInnerTexts()).join('\n')
    expect({ path, missing: shown.filter((name) => !offered.includes(name)) }).toEqual({
      path,
      missing: [],
    })
    await page.keyboard.press('Escape')
  }
  // Enter presses the named button, not a report that is spelt alike
  await page.keyboard.press('Control+k')
  await field.fill('export')
  await page.getByRole('option', { name: 'Export', selected: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.goto('/system/user')
  await atRest(page)
  await page.locator('.ag-row', { hasText: 'director' }).locator('.ag-cell').nth(1).click()
  await page.keyboard.press('Control+k')
  await field.fill('director')
  expect(
    (await page.getByRole('option', { name: /^Open the row/ }).count()) +
      (await page.getByRole('option', { name: /^Edit/ }).count()),
  ).toBeGreaterThan(0)
  // of two actions with one name one is the row's and one the selection's
  await page.keyboard.press('Escape')
  await page.goto('/order_management/wait_relent')
  await row(page, failed).waitFor()
  await page.keyboard.press('KeyJ')
  await page.keyboard.press('Space')
  await page.getByText('1 selected').first().waitFor()
  await page.keyboard.press('Control+k')
  await field.fill('send again')
  await page.getByRole('option', { name: /^Send again.*1 selected/ }).waitFor()
  expect(await page.getByRole('option', { name: /^Send again/ }).count()).toBe(2)
  await field.fill('changes that wait')
  const waiting = page.getByRole('option', { name: /^Show the changes that wait/ })
  expect(await waiting.getAttribute('aria-disabled')).toBe('true')
  expect(await waiting.innerText()).toContain('No changes wait')
  expect(await seriousFindings(page)).toEqual([])

  await page.goto('/order_management/order_list')
  await page.getByRole('grid').waitFor()
  await atRest(page)
  await page.keyboard.press('Shift+Slash')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const what of [
    'Go to the quick filter',
    'Show the changes that wait',
    'Copy the cell',
    'Copy the selected rows',
    'Open the row',
  ])
    await list.getByText(what, { exact: true }).first().waitFor()

  // the list scrolls by keyboard at once, and closing it leads back to where one was
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  const menu = page.getByRole('button', { name: 'More filters' })
  await menu.focus()
  await page.keyboard.press('Shift+Slash')
  await list
    .getByRole('group', { name: 'Keyboard shortcuts' })
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.press('Escape')
  await menu.and(page.locator(':focus')).waitFor()
})

test('the header search finds a title by spelling, a Chinese one also by pinyin', async () => {
  const english = await stage.signIn('manager')
  await english.page.getByRole('button', { name: 'Search people and screens' }).click()
  await english.page.getByRole('combobox', { name: 'Search people and screens' }).fill('duty')
  await english.page.getByRole('option', { name: /^Duty table/ }).click()
  await english.page.waitForURL('**/urge_schedule')

  const { page } = await stage.signIn('manager', { language: 'zh' })
  await page.getByRole('button', { name: '搜索客户与页面' }).click()
  await page.getByRole('combobox', { name: '搜索客户与页面' }).fill('paiban')
  await page.getByRole('option', { name: /^排班表/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '搜索客户与页面' }).waitFor()
})

test('tabs close by middle click and by menu, except the first, and survive a reload', async () => {
  const { page } = await stage.signIn('manager', { to: '/order_management/order_list' })
  await atRest(page)
  const tabs = page.getByRole('navigation', { name: 'Open views' })
  for (const path of ['/order_management/review_list', `/detail?orderId=${orderId}`]) {
    await page.goto(path)
    await atRest(page)
  }
  await page.reload()
  await tabs.getByRole('link', { name: 'Review queue' }).waitFor()
  expect(await tabs.getByRole('link').count()).toBe(4)
  const order = async () => (await tabs.getByRole('link').allInnerTexts()).join(' | ')
  const home = await tabs.getByRole('link').first().innerText()
  await tabs
    .getByRole('link', { name: 'Review queue' })
    .dragTo(tabs.getByRole('link', { name: 'Order list' }), { targetPosition: { x: 4, y: 8 } })
  expect(await order()).toMatch(new RegExp(`^${home} \\| Review queue \\| Order list`))
  await tabs.getByRole('link', { name: 'Review queue' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move right' }).click()
  expect(await order()).toMatch(new RegExp(`^${home} \\| Order list \\| Review queue`))
  await tabs.getByRole('link', { name: 'Order list' }).click({ button: 'middle' })
  expect(await tabs.getByRole('link').count()).toBe(3)
  await tabs.getByRole('link', { name: 'Home' }).click({ button: 'right' })
  // The menu of the tab before may still be leaving: the one of the first tab cannot close it.
  const menu = page
    .getByRole('menu')
    .filter({ has: page.getByRole('menuitem', { name: 'Close', exact: true, disabled: true }) })
  await menu.waitFor()
  expect(((await menu.boundingBox())?.width ?? 0) >= 105).toBe(true)
  await menu.getByRole('menuitem', { name: 'Close all' }).click()
  await page.waitForURL('**/home_page')
  expect(await tabs.getByRole('link').count()).toBe(1)
})

test('the watermark shows account and sign-in time, is restored after removal, and catches no click', async () => {
  const { page } = await stage.signIn('manager')
  const mark = page.locator('.watermark')
  await mark.waitFor({ state: 'attached' })
  expect(
    await mark.evaluate((element) => [
      (element as HTMLElement).dataset.text,
      getComputedStyle(element).pointerEvents,
      element.getAttribute('aria-hidden'),
    ]),
  ).toEqual([expect.stringMatching(/^manager {2}\d{4}-\d\d-\d\d \d\d:\d\d$/), 'none', 'true'])
  await mark.evaluate((element) => element.remove())
  await page.waitForFunction(() => document.querySelector('.watermark') !== null, null, {
    timeout: 600,
  })
  await mark.evaluate((element) => (element as HTMLElement).style.setProperty('opacity', '0'))
  await page.waitForFunction(
    () => document.querySelector<HTMLElement>('.watermark')?.style.opacity === '',
    null,
    { timeout: 800 },
  )
})

test('a browser error is listed, and the list appears only then', async () => {
  const { page, excuse } = await stage.signIn('manager')
  await atRest(page)
  expect(await page.getByRole('button', { name: /^Error log/ }).count()).toBe(0)
  excuse(/made to fail/)
  await page.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error('made to fail')
      }),
  )
  await page.getByRole('button', { name: 'Error log: 1 error' }).click()
  await page.getByRole('main').getByText('made to fail').first().waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('1 error sent').waitFor()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByText('Nothing has gone wrong in this session.').waitFor()
  expect(await page.getByRole('button', { name: /^Error log/ }).count()).toBe(0)
})

test('a browser without full screen shows the prescribed message', async () => {
  const { page } = await stage.signIn('manager')
  await page.evaluate(() => Object.defineProperty(document, 'fullscreenEnabled', { value: false }))
  await page.getByRole('button', { name: 'Full screen' }).click()
  await page.getByRole('alert').getByText('you browser can not work').waitFor()
  await page.getByRole('button', { name: 'Size' }).click()
  await page.getByRole('option', { name: 'Mini' }).click()
  await page.getByText('Switch Size Success').waitFor()
})

test('notifications arrive live, are counted, and link to their record', async () => {
  const reviewer = await stage.signIn('reviewer')
  await atRest(reviewer.page)
  await reviewer.page.getByRole('button', { name: 'Notifications: 0 unread' }).waitFor()
  const { userId } = await stage.stack.signIn('reviewer')
  await sql`
    insert into notification (user_id, kind, title_key, params, route)
      values (${userId}, 'assigned', 'review:notification.assigned', '{"reviewId":"R1"}',
      '/order_management/review_list')`.execute(stage.stack.database.kysely)
  await reviewer.page.reload()
  await reviewer.page.getByRole('button', { name: 'Notifications: 1 unread' }).waitFor()
  await reviewer.page.keyboard.press('Alt+Shift+N')
  const tray = reviewer.page.getByRole('region', { name: /^Notifications/ })
  expect(await seriousFindings(reviewer.page)).toEqual([])
  await tray.getByRole('listitem').getByRole('button').click()
  await reviewer.page.waitForURL('**/review_list')
  await reviewer.page.getByRole('button', { name: 'Notifications: 0 unread' }).waitFor()

  await sql`
    insert into notification (user_id, kind, title_key, params, route, at, read_at)
    select ${userId}, 'taken', 'review:notification.assigned', jsonb_build_object('reviewId', 'R' || n),
      '/order_management/review_list', clock_timestamp() - make_interval(days => n), case
      when n > 3 then clock_timestamp() end
    from generate_series(1, 30) n`.execute(stage.stack.database.kysely)
  await reviewer.page.reload()
  await reviewer.page.getByRole('button', { name: 'Notifications: 3 unread' }).waitFor()
  await reviewer.page.keyboard.press('Alt+Shift+N')
  const items = tray.getByRole('listitem')
  await items.nth(19).waitFor()
  expect(await items.count()).toBe(20)
  await tray.getByRole('button', { name: 'Show older ones' }).click()
  await items.nth(30).waitFor()
  expect(await items.count()).toBe(31)
  expect(await tray.getByRole('button', { name: 'Show older ones' }).count()).toBe(0)
  await tray.getByLabel('Unread only').check({ force: true })
  await items.nth(3).waitFor({ state: 'detached' })
  expect(await items.count()).toBe(3)
  expect(await seriousFindings(reviewer.page)).toEqual([])
  await tray.getByRole('button', { name: 'Mark all read' }).click()
  await tray.getByText('Everything has been read.').waitFor()
})

test('pointing at a row of the menu fetches its screen before the click', async () => {
  const { page } = await stage.signIn('director', { width: 1600, to: '/home_page' })
  const hasCode = () =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/ReloanScreen-')),
    )
  await page.getByRole('button', { name: 'Reports' }).click()
  expect(await hasCode()).toBe(false)
  const link = page.getByRole('navigation').getByRole('link', { name: 'Re-loans' })
  await link.hover()
  await expect.poll(hasCode).toBe(true)
  await atRest(page)
  // waiting, even for what is there, would hold the screen back for 300 ms
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('.view-loading')) document.documentElement.dataset.waited = ''
    }).observe(document.body, { childList: true, subtree: true })
  })
  await link.click()
  await page.locator('.report-screen').waitFor()
  expect(await page.locator('html[data-waited]').count()).toBe(0)
})

test('one screen of each group of the menu is loaded while the first page stands idle', async () => {
  const { page } = await stage.signIn('director', { width: 1600, to: '/home_page' })
  await expect
    .poll(() =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .some(({ name }) => name.includes('/ChannelScreen-')),
      ),
    )
    .toBe(true)
})

test('Esc leaves the role editor for the roles, also while its code or its data are on their way', async () => {
  const { page } = await stage.signIn('director', { to: '/system/role' })
  await page.getByRole('grid').waitFor()
  const editor = '/system/role_edit'
  const leave = async () => {
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).pathname, { timeout: 20_000 }).toBe('/system/role')
  }
  for (const held of [/\/assets\/RoleEditScreen-/, /\/sysRole\/all\/menu/]) {
    let release = () => {}
    const waiting = new Promise<void>((go) => (release = go))
    await page.route(held, (route) => waiting.then(() => route.continue()), { times: 1 })
    const asked = page.waitForRequest(held)
    await moveTo(page, editor)
    await asked
    await leave()
    release()
  }
})

test('a list says that it has no rows only when it was told so', async () => {
  const { page } = await stage.signIn('director', { to: '/home_page' })
  let answer = (): void => undefined
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\/api\/manage\/order\/List/i, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/order_management/order_list')
  const footer = page.locator('.grid-footer')
  await footer.waitFor()
  expect(await footer.textContent()).not.toContain('No rows')
  answer()
  await footer.getByText(/^1–\d+ of \d+$/).waitFor()
})

test('the sidebar is collapsed below 1440 px, expanded above, and a drawer below 992 px', async () => {
  const { page } = await stage.signIn('manager', { width: 1440, height: 800 })
  const side = page.locator('aside.side')
  const width = async () => Math.round((await side.boundingBox())?.width ?? 0)
  expect(await width()).toBe(260)
  await page.setViewportSize({ width: 1366, height: 768 })
  await page.waitForFunction(
    () => document.querySelector('.frame')?.getAttribute('data-sidebar') === 'rail',
  )
  expect(await width()).toBe(56)
  await page.setViewportSize({ width: 991, height: 700 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page
    .getByRole('navigation', { name: 'Main menu' })
    .getByRole('link', { name: 'Home' })
    .waitFor()
  await page.keyboard.press('Escape')
  expect(await side.isVisible()).toBe(false)
  expect(await page.title()).toBe('India')
})

test('the count of pending work is shown beside the menu and disappears after the decision', async () => {
  await sql`
    insert into approval (id, kind, target_kind, target_id, payload, amount, count, reason, requested_by,
      requested_by_name, expires_at)
    select 'AP900', 'batchWriteOff', 'order', ${orderId}, ${JSON.stringify({ orderIds: [orderId] })}::jsonb,
      500000, 1, 'The shop has closed', u.id, u.user_name, clock_timestamp() + interval '1 hour'
    from sys_user u where u.account = 'manager'`.execute(stage.stack.database.kysely)
  const { page } = await stage.signIn('director', { to: '/home_page' })
  const count = page.getByRole('img', { name: '1 request to decide' })
  await count.waitFor()
  await page.getByRole('tab', { name: 'To decide' }).click()
  await page.getByText('The shop has closed').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Reject' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('textbox').fill('Visit it once more')
  await question.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('AP900 is rejected').waitFor()
  await count.waitFor({ state: 'detached' })
})

test('a drawer and a popover have the focus, and return it to the row', async () => {
  const { page } = await stage.signIn('manager', { to: '/order_management/order_list' })
  await row(page, orderId).waitFor()
  await atRest(page)
  await page.keyboard.press('ArrowDown')
  const cell = page.getByRole('gridcell').and(page.locator(':focus'))
  await cell.waitFor()

  await page.keyboard.press('Alt+Shift+KeyN')
  await page.locator('.tray').waitFor()
  await page.keyboard.press('Escape')
  await cell.waitFor()

  const field = page.getByRole('combobox', { name: 'Command palette' })
  await page.keyboard.press('Control+k')
  await field.fill('settings')
  await page.getByRole('option', { name: 'Settings', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Settings' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await cell.waitFor()

  await page.keyboard.press('Control+k')
  await field.fill('more filters')
  await page.getByRole('option', { name: 'More filters', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.filters-more :focus').waitFor()
  await page.keyboard.press('Escape')
  await cell.waitFor()
})

test('an error of the frame is shown with a way on, and not as a blank page', async () => {
  const { page, excuse } = await stage.signIn('manager', { to: '/order_management/order_list' })
  excuse(/broken frame/)
  await page.route(/\/assets\/ShortcutList-/, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: "export function ShortcutList() { throw new Error('broken frame') }",
    }),
  )
  await page.getByRole('grid').waitFor()
  await page.keyboard.press('Shift+Slash')
  const failed = page.getByRole('alert').filter({ hasText: 'broken frame' })
  await failed.waitFor({ state: 'attached' })
  await failed.getByRole('button', { name: 'Load again' }).click()
  await page.getByRole('grid').waitFor()
  expect(await failed.count()).toBe(0)
})
