/**
 * Customers in real browsers: search by a phone number that does not appear in the address, fields
 * revealed one by one, blacklisting shown live.
 */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { cancelOrder } from '#shared/orders/orders-api.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { claimReviews } from '#shared/review/review-api.ts'
import { makeFullApplication, storeCustomer } from '#tests/factories/customers.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { moveTo, row, seriousFindings } from '#tests/support/browser.ts'
import { browserStage } from '#tests/support/stage.ts'
import { WebPerson } from '#tests/support/web-person.ts'

const application = makeFullApplication(71)
const { customer } = application

const stage = browserStage()
let userId: string
let orderId: string
beforeAll(async () => {
  userId = (await storeCustomer(stage.stack, application)).customerId
  orderId = (await makeOrder(stage.stack, { customerId: userId, status: 22 })).orderId
})

test('a customer is found by phone, revealed with a reason, and blacklisted on every open page', async () => {
  const manager = await stage.signIn('manager', { to: '/customer_management/customer_list' })
  const watcher = await stage.signIn('customer_service', {
    to: `/customer_management/info?userId=${userId}`,
  })
  await watcher.page.getByRole('heading', { name: customer.name }).waitFor()
  const { page } = manager
  await page.getByPlaceholder('Phone, all 10 digits').fill(`+91 ${customer.phone}`)
  await row(page, userId).waitFor()
  expect(page.url()).not.toContain(customer.phone)
  await row(page, userId).getByText(userId).click()

  await page.getByRole('heading', { name: customer.name }).waitFor()
  expect(await page.getByText(customer.phone).count()).toBe(0)
  await page.getByRole('button', { name: 'Show Phone', exact: true }).click()
  await page.getByLabel(/Why do you need to see it/).fill('asked for a call')
  await page.keyboard.press('Enter')
  await page.getByText(customer.phone).waitFor()
  const { rows } = await sql<{
    after: unknown
  }>`select l.after from operate_log l where l.action = 'reveal' and l.target_id = ${userId}`.execute(
    stage.stack.database.kysely,
  )
  expect(rows).toEqual([{ after: { field: 'phone', reason: 'asked for a call' } }])

  await page.getByRole('button', { name: /^Blacklist/ }).click()
  await page
    .getByRole('alertdialog')
    .getByLabel(/Reason/)
    .fill('forged salary slip')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Blacklist' }).click()
  await page.getByText(`1 open order stays: ${orderId}`).first().waitFor()
  await watcher.page.getByText('Blacklisted', { exact: true }).first().waitFor()
  await page.getByRole('tab', { name: 'Blacklist' }).click()
  await page.getByRole('cell', { name: 'forged salary slip' }).waitFor()
})

test('do-not-contact times are entered by keyboard and refused in the wrong order', async () => {
  const { page } = await stage.signIn('manager', {
    to: `/customer_management/info?userId=${userId}`,
  })
  await page.getByRole('heading', { name: customer.name }).waitFor()
  await page.keyboard.press('KeyE')
  const form = page.getByRole('dialog', { name: `Correct the contact of ${customer.name}` })
  await form.getByRole('button', { name: 'Add a time' }).click()
  // The start of the new entry has the focus.
  await page.keyboard.type('14:00')
  await form.getByLabel('Time 1, until').fill('12:30')
  await form.getByRole('group', { name: 'Days of time 1' }).getByLabel('Fri').uncheck()
  await form.getByLabel(/^How do you know/).fill('asked on the phone')
  await page.keyboard.press('Control+Enter')
  await form
    .getByText('A time must end after it begins; write one over midnight as two')
    .first()
    .waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await form.getByLabel('Time 1, until').fill('15:30')
  await form.getByLabel(/^Phone/).fill('6123450000')
  await page.keyboard.press('Control+Enter')
  const question = page.getByRole('alertdialog', {
    name: `Correct the contact of ${customer.name}?`,
  })
  await question
    .getByRole('row', { name: `Phone XXXXXX${customer.phone.slice(-4)} 6123450000` })
    .waitFor()
  await question
    .getByRole('row', { name: /^No contact at — Mon, Tue, Wed, Thu · 14:00–15:30$/ })
    .waitFor()
  expect(await question.getByRole('row').count()).toBe(3)
  expect(await seriousFindings(page)).toEqual([])
  await question.getByRole('button', { name: 'Save the correction' }).click()
  await form.waitFor({ state: 'detached' })
  await page
    .getByText(/14:00.+15:30/)
    .first()
    .waitFor()
  const { rows } = await sql<{
    slots: unknown
  }>`select c.no_contact as slots from customer c where c.id = ${userId}`.execute(
    stage.stack.database.kysely,
  )
  expect(rows).toEqual([{ slots: [{ days: [1, 2, 3, 4], from: '14:00', to: '15:30' }] }])
})

test('when two users correct a contact, the later one resolves the conflict by field', async () => {
  const { page } = await stage.signIn('manager', {
    to: `/customer_management/info?userId=${userId}`,
  })
  await page.getByRole('heading', { name: customer.name }).waitFor()
  await page.keyboard.press('KeyE')
  const form = page.getByRole('dialog', { name: `Correct the contact of ${customer.name}` })
  await form.getByLabel(/^E-mail/).fill('mine@mailbox.example')
  await form.getByLabel(/^Residential address/).fill('9 Lake Road')
  await form.getByLabel(/^How do you know/).fill('wrote to us')
  await form.getByRole('button', { name: 'Save the correction' }).click()
  await form.getByText('A new address needs its city and PIN code').first().waitFor()
  await form.getByLabel(/^City/).fill('Kochi')
  await form.getByLabel(/^PIN code/).fill('682001')
  await sql`
    update customer set email_masked = 't***@elsewhere.example', city = 'Nagpur', postcode = '440001',
      dnd = true, version = version + 1 where id = ${userId}`.execute(stage.stack.database.kysely)
  await form.getByRole('button', { name: 'Save the correction' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save the correction' }).click()
  await form.getByLabel('mine@mailbox.example').waitFor()
  await form.getByLabel('9 Lake Road, Kochi, 682001').waitFor()
  await form.getByLabel('Nagpur, 440001').check()
  expect(await seriousFindings(page)).toEqual([])
  await form.getByRole('button', { name: 'Save on top of the new version' }).click()
  await form.waitFor({ state: 'detached' })
  const { rows } = await sql<{
    email_masked: string
    city: string
    dnd: boolean
    fields: string[]
  }>`
    select c.email_masked, c.city, c.dnd, (select l.after -> 'fields' from operate_log l
      where l.action = 'editContact' and l.target_id = c.id and l.result = 'ok' order by l.id desc
      limit 1) as fields
    from customer c where c.id = ${userId}`.execute(stage.stack.database.kysely)
  expect(rows).toEqual([
    { email_masked: 'm***@mailbox.example', city: 'Nagpur', dnd: true, fields: ['email'] },
  ])
})

test('a customer page shows the review being claimed, and the reviewer loses access when the order ends', async () => {
  const {
    reviewId,
    customerId,
    orderId: reviewed,
  } = await makeReview(stage.stack, { state: 'unclaimed' })
  const page = (account: string, tab: string) =>
    stage
      .signIn(account, { to: `/customer_management/info?userId=${customerId}&tab=${tab}` })
      .then((visitor) => visitor.page)
  const [service, reviewer] = [
    await page('customer_service', 'review'),
    await page('reviewer', 'orders'),
  ]
  await service.getByRole('row', { name: new RegExp(`${reviewId}.*Unclaimed`) }).waitFor()
  await reviewer
    .getByRole('row', { name: new RegExp(`${reviewed}.*Awaiting manual review`) })
    .waitFor()
  const url = stage.stack.urls[0] as string
  await (await WebPerson.signIn(url, 'reviewer')).call(claimReviews, { reviewIds: [reviewId] })
  await service.getByRole('row', { name: new RegExp(`${reviewId}.*To audit`) }).waitFor()
  const manager = await WebPerson.signIn(url, 'manager')
  await manager.call(cancelOrder, {
    orderId: reviewed,
    version: (await manager.call(orderDetail, { orderId: reviewed })).order.version,
    reason: 'the customer withdrew',
  })
  await reviewer
    .getByRole('heading', { name: 'Customer not found or outside your scope' })
    .waitFor({ state: 'attached' })
})

test('a ticket created on a customer page names the order it is about', async () => {
  const { page } = await stage.signIn('customer_service', {
    to: `/customer_management/info?userId=${userId}&tab=tickets`,
  })
  await page.getByRole('button', { name: 'New ticket' }).click()
  const form = page.getByRole('dialog', { name: 'New ticket' })
  await form.getByLabel('Order').selectOption({ label: `${orderId} · Awaiting manual review` })
  await form.getByRole('radio', { name: /^1 / }).click()
  await form.getByLabel(/Came by/).selectOption({ value: 'phone' })
  await form.getByLabel(/What it is about/).fill('He asks when the money comes')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('row', { name: new RegExp(`FB\\d+ .*${orderId}`) }).waitFor()
})

test('an order opens its customer in a window without the frame, with the tabs of the role', async () => {
  const { page } = await stage.signIn('customer_service', { to: `/detail?orderId=${orderId}` })
  const popup = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Open in a window' }).click()
  const beside = await popup
  await beside.getByRole('heading', { name: customer.name }).waitFor()
  expect(await beside.getByRole('navigation').count()).toBe(0)
  expect(await beside.getByRole('tab').allTextContents()).toEqual([
    'Profile',
    'Photos',
    'Orders',
    'Repayments',
    'Reviews',
    'Coupons',
    'Collection',
    'Tickets',
    'Blacklist',
    'Messages',
    'Timeline',
  ])
  // Customer service has phone and e-mail contacts, and sees no declared contacts.
  expect(
    await beside
      .getByRole('button', { name: /^Show / })
      .evaluateAll((eyes) => eyes.map((eye) => eye.getAttribute('aria-label'))),
  ).toEqual(['Show Phone', 'Show E-mail'])
  expect(await seriousFindings(beside)).toEqual([])
  await beside.getByRole('tab', { name: 'Messages' }).click()
  await beside.getByText('No message has been sent to this customer').waitFor()
  await sql`
    insert into message_log (customer_id, way, template, state)
      values (${userId}, 'sms', 'paymentLink', 'sent')`.execute(stage.stack.database.kysely)
  await beside.reload()
  await beside
    .getByRole('row', { name: new RegExp(`Payment link SMS XXXXXX\\d{4} Sent$`) })
    .waitFor()
  expect(await seriousFindings(beside)).toEqual([])
  await beside.getByRole('tab', { name: 'Orders' }).click()
  await beside.getByRole('link', { name: orderId }).waitFor()
})

test("users who check or take over reviews open the customer's photos from the review", async () => {
  const { page } = await stage.signIn('manager', {
    to: `/customerInfo?userId=${userId}&from=review_list&tab=photos`,
  })
  await page.getByText('Each opening is recorded and marked with your account.').waitFor()
})

test('Esc returns from a customer to the list, also while the code or the data are on their way', async () => {
  const { page } = await stage.signIn('manager', { to: '/customer_management/customer_list' })
  await row(page, userId).waitFor()
  let release = () => {}
  const held = new Promise<void>((go) => (release = go))
  const info = `/customer_management/info?userId=${userId}`
  const isOnList = () => new URL(page.url()).pathname === '/customer_management/customer_list'
  const leave = async () => {
    await page.keyboard.press('Escape')
    await expect.poll(isOnList).toBe(true)
    await row(page, userId).waitFor()
  }
  await page.route(/\/assets\/CustomerScreen-/, (route) => held.then(() => route.continue()), {
    times: 1,
  })
  // the page may have loaded the screen ahead; loaded again, it meets the held route
  await page.reload()
  await row(page, userId).waitFor()
  await moveTo(page, info)
  await page.locator('.view-loading').waitFor()
  await leave()
  let answer = () => {}
  const waiting = new Promise<void>((go) => (answer = go))
  // before the code is there: a page in the background asks for its data as soon as it has it
  await page.route('**/userInfo/detail', (route) => waiting.then(() => route.continue()), {
    times: 1,
  })
  release()
  await moveTo(page, info)
  await page.locator('.grid-skeleton').filter({ visible: true }).waitFor()
  await leave()
  answer()
  await moveTo(page, info)
  await page.getByRole('heading', { name: customer.name }).waitFor()
  await leave()
})

test('an order opened from a customer is left for the customer, and the customer for the list', async () => {
  const { page } = await stage.signIn('manager', { to: '/customer_management/customer_list' })
  const path = () => new URL(page.url()).pathname
  await row(page, userId).waitFor()
  await moveTo(page, `/customer_management/info?userId=${userId}&tab=orders`)
  await page.getByRole('link', { name: orderId, exact: true }).click()
  await expect.poll(path).toBe('/detail')
  await page.keyboard.press('Escape')
  await expect.poll(path).toBe('/customer_management/info')
  await page.getByRole('link', { name: orderId, exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(path).toBe('/customer_management/customer_list')
})
