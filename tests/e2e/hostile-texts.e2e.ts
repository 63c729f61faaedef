/**
 * Hostile texts entered through the normal calls and viewed where they are shown: no script runs,
 * no element is created, the layout stays intact.
 */
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { addStop } from '#shared/collection/stops-api.ts'
import { addToBlacklist } from '#shared/customers/customer-list-api.ts'
import { reportError } from '#shared/errors/errors-api.ts'
import { addAnnouncement } from '#shared/announcements/announcements-api.ts'
import { remarkOrder } from '#shared/orders/orders-api.ts'
import { saveRole } from '#shared/access/roles-api.ts'
import { addDict, addDictDetail } from '#shared/system/dict-api.ts'
import { addTicket, claimTicket, replyTicket, ticketDetail } from '#shared/tickets/tickets-api.ts'
import { saveView } from '#shared/views/views-api.ts'
import { bySystem } from '#tests/factories/tickets.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { atRest, moveTo, untilQuiet } from '#tests/support/browser.ts'
import { HOSTILE_TEXTS, hostileTexts } from '#tests/support/hostile-texts.ts'
import { browserStage } from '#tests/support/stage.ts'
import { WebPerson } from '#tests/support/web-person.ts'

const stage = browserStage()
/** The texts entered, by the screen that shows them. */
const shown: [account: string, path: string, text: string][] = []
let orderId: string
let managerId: string
beforeAll(async () => {
  const text = hostileTexts()
  const [manager, clerk, administrator] = (await Promise.all(
    ['manager', 'customer_service', 'administrator'].map((account) =>
      WebPerson.signIn(stage.stack.url, account),
    ),
  )) as [WebPerson, WebPerson, WebPerson]
  const name = text(64)
  const order = await makeOrder(stage.stack, { status: 30, name })
  orderId = order.orderId
  managerId = (await stage.stack.signIn('manager')).userId
  const rest = [
    await makeOrder(stage.stack, { status: 31, name: text(64) }),
    await makeCase(stage.stack, { overdueDays: 12, name: text(64) }),
    await makeReview(stage.stack, { name: text(64) }),
  ]
  shown.push(
    ['manager', '/order_management/order_list', name],
    ['manager', '/customer_management/customer_list', name],
    ['manager', '/order_management/review_list', rest[2]?.name ?? ''],
    ['manager', '/loaned_management/pedding_list?tab=toAllocate', rest[1]?.name ?? ''],
  )
  const remark = text(500)
  await manager.call(remarkOrder, { orderId, remark })
  shown.push(['manager', `/detail?orderId=${orderId}&tab=remarks`, remark])
  const content = text(1_000)
  const { feedbackId } = await clerk.call(addTicket, {
    userId: order.customerId,
    type: 1,
    content,
    contactWay: 'phone',
  })
  const claimed = await clerk.call(claimTicket, {
    feedbackId,
    version: (await clerk.call(ticketDetail, { feedbackId })).ticket.version,
  })
  const reply = text(1_000)
  await clerk.call(replyTicket, {
    feedbackId,
    version: claimed.version,
    content: reply,
    internal: true,
  })
  shown.push(
    ['customer_service', `/detail4?feedbackId=${feedbackId}`, reply],
    ['customer_service', '/system/operation_ticket?tab=mine', content.slice(0, 20)],
  )
  const stop = text(500)
  await manager.call(addStop, { userId: order.customerId, reason: 'legal', remark: stop })
  shown.push(['manager', '/loaned_management/stop_collection', stop.slice(0, 20)])
  const black = text(200)
  await manager.call(addToBlacklist, { userIds: [rest[0]?.customerId ?? ''], reason: black })
  shown.push(['manager', '/customer_management/customer_list?tab=blacklist', black.slice(0, 20)])
  const title = text(100)
  const announcement = { title, status: 'published', popCondition: 'none' } as const
  // A javascript: link is refused; other texts may contain links.
  expect(
    await manager.send(addAnnouncement, { ...announcement, content: 'Read javascript:xss()' }),
  ).toMatchObject({ code: 400 })
  const harmlessLinks = HOSTILE_TEXTS.filter((one) => !/(?:javascript|vbscript|data):/i.test(one))
  await manager.call(addAnnouncement, {
    ...announcement,
    content: `${harmlessLinks.join(' ')} https://floor.example/<b>"onclick=xss()`,
  })
  shown.push(['manager', '/home_page', title], ['manager', '/system/notice_list', title])
  await manager.call(saveView, {
    menu: 'order_list',
    name: text(40),
    filters: {},
    shared: false,
    isDefault: false,
  })
  const role = text(40)
  await administrator.call(saveRole, {
    name: role,
    uniqueMark: 'hostile',
    status: 'enabled',
    dataScope: 'own',
    menuIds: ['M_home_page', 'M_order_management', 'M_order_list'],
    buttons: {},
  })
  const type = text(50)
  const { dictId } = await administrator.call(addDict, { typeName: type, code: 'hostile' })
  await administrator.call(addDictDetail, {
    parentId: dictId,
    code: 'one',
    labels: { en: text(200), zh: text(200) },
  })
  const message = text(1_900)
  await administrator.call(reportError, {
    message,
    stack: text(4_000),
    url: '/"><img src=x onerror=xss()>',
    version: text(60),
  })
  shown.push(
    ['administrator', '/system/role', role],
    ['administrator', '/system/dict', type],
    ['administrator', '/system/operate_record?tab=errors', message.slice(0, 20)],
  )
})

/** Installed before any script of the page. */
async function listenForRuns(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const ran: string[] = []
    Object.assign(window, { ran })
    for (const name of ['xss', 'alert', 'confirm', 'prompt'])
      Object.assign(window, { [name]: () => void ran.push(`${name} was called`) })
    document.addEventListener(
      'securitypolicyviolation',
      ({ violatedDirective, blockedURI }) => void ran.push(`${violatedDirective} ${blockedURI}`),
    )
  })
}

/**
 * Executed scripts, elements created from a text, and whether the page is wider than its window.
 */
function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const made = document.querySelectorAll(
      `[data-xss], [onerror], [onload], [onfocus], [ontoggle], [onbegin], [onstart], [onmouseover],
      iframe, object, embed, base, marquee, math, [srcdoc],
      [href^="javascript:" i], [src^="javascript:" i], [href^="data:text" i]`,
    )
    // `//evil.example` inside an address of the console is text.
    const away = [
      ...document.querySelectorAll<HTMLAnchorElement & HTMLImageElement>('[href], [src]'),
    ].filter((element) =>
      new URL(element.src ?? element.href, location.href).hostname.endsWith('evil.example'),
    )
    const { scrollWidth, clientWidth } = document.documentElement
    return [
      ...(Reflect.get(window, 'ran') as string[]),
      ...[...made, ...away].map((element) => element.outerHTML.slice(0, 120)),
      ...(scrollWidth > clientWidth + 1 ? [`${scrollWidth} px wide in ${clientWidth}`] : []),
    ]
  })
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
/** Values of fields count as shown. */
const textOf = (page: Page) =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')]
    return `${document.body.innerText} ${fields.map((field) => field.value).join(' ')}`
  })

test('texts written by users are shown literally and do nothing', async () => {
  for (const account of new Set(shown.map(([who]) => who))) {
    const { page } = await stage.signIn(account)
    await listenForRuns(page)
    for (const [n, [, path, text]] of shown.filter(([who]) => who === account).entries()) {
      if (n === 0) await page.goto(path)
      else await moveTo(page, path)
      await atRest(page)
      await expect
        .poll(async () => plain(await textOf(page)), { message: path })
        .toContain(plain(text))
      expect(await faultsOf(page), path).toEqual([])
    }
  }
})

test('names in a notification are plain text in the tray and in the toast', async () => {
  const { page } = await stage.signIn('manager', { to: '/home_page' })
  await listenForRuns(page)
  await page.reload()
  await atRest(page)
  const userName = HOSTILE_TEXTS[5] as string
  await bySystem(stage.stack, async (tx) =>
    tx.notify({
      userId: managerId,
      kind: 'approval',
      titleKey: 'approvals:notification.asked.batchWriteOff',
      params: { approvalId: 'AP1', userName: `${userName} $t(session:home.role)`, count: 3 },
      route: '/order_management/flat_management?requests=1',
    }),
  )
  await stage.stack.settle()
  await page.getByText(userName).first().waitFor()
  await page.getByText('$t(session:home.role)').first().waitFor()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByText(userName).nth(1).waitFor()
  expect(await faultsOf(page)).toEqual([])
})

test('filters, ids and titles in an address stay plain text', async () => {
  const { page } = await stage.signIn('manager', { to: '/home_page' })
  await listenForRuns(page)
  await page.goto('/home_page')
  await atRest(page)
  for (const [n, text] of HOSTILE_TEXTS.entries()) {
    const asked = encodeURIComponent(text)
    const path = [
      `/order_management/order_list?userName=${asked}&status=${asked}&sort=${asked}`,
      `/detail?orderId=${asked}&from=${asked}&tab=${asked}`,
      `/order_management/review_list?tab=${asked}&reviewId=${asked}`,
      `/redirect/${asked}`,
    ][n % 4] as string
    await moveTo(page, path)
    // A view in the background keeps its skeletons, so waiting for the network is enough.
    if (n % 8 === 0) await untilQuiet(page)
    expect(await faultsOf(page), path).toEqual([])
  }
  await untilQuiet(page)
  expect(await faultsOf(page)).toEqual([])
})
