/**
 * Curing a bad debt takes two people: requested from the list, approved with its parts visible, and
 * shown live where the order is open.
 */
import { expect, test } from 'vitest'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { makeBadDebt } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { row, seriousFindings } from '#tests/support/browser.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()

test('a cure requested by a manager and approved by a director ends the bad debt on every screen', async () => {
  const made = await makeBadDebt(stage.stack)
  const { page: onlooker } = await stage.signIn('manager2', {
    to: `/detail?orderId=${made.orderId}&from=order_list`,
  })
  await onlooker.locator('.detail-title').getByTitle('Bad debt').waitFor()
  const { page: manager } = await stage.signIn('manager', { to: '/order_management/order_list' })
  await row(manager, made.orderId)
    .getByRole('button', { name: /actions|More/i })
    .click()
  await manager.getByRole('menuitem', { name: 'Cure bad debt' }).click()
  const form = manager.getByRole('dialog')
  // 10,000.00, 150.00 interest and 95 days of 10.00, in one part until it is split.
  await form.getByText('All of it is spread').waitFor()
  const amount = (n: number) => form.getByLabel(`Amount · Part ${n}`)
  const dueDay = (n: number) => form.getByLabel(`Due date · Part ${n}`)
  expect(await amount(1).inputValue()).toBe('11,100')
  expect(await form.locator('[aria-invalid="true"]').count()).toBe(0)
  await amount(1).fill('4000')
  await form.getByText('Still to spread ₹7,100.00').waitFor()
  await form.getByRole('button', { name: 'Add a part' }).press('Enter')
  await form.getByText('All of it is spread').waitFor()
  // Adding a part moves the focus into it.
  expect(await dueDay(2).evaluate((input) => input === document.activeElement)).toBe(true)
  await form.getByRole('button', { name: 'Remove part 1' }).press('Enter')
  expect(await amount(1).inputValue()).toBe('7,100')
  await form.getByRole('button', { name: 'Add a part' }).click()
  await form.getByRole('button', { name: 'Split evenly' }).click()
  expect([await amount(1).inputValue(), await amount(2).inputValue()]).toEqual(['5,550', '5,550'])
  const today = istDay(Date.now())
  await dueDay(2).fill(addDays(today, 3))
  await form.getByRole('button', { name: /^Ask for approval/ }).click()
  await form.getByText('Please fill this in').first().waitFor()
  await form.getByLabel(/^Reason/).fill('Salary comes on the tenth')
  await dueDay(1).fill(addDays(today, 10))
  await form.getByRole('button', { name: /^Ask for approval/ }).click()
  await form.getByText('Each part falls due after the one before').first().waitFor()
  expect(await seriousFindings(manager)).toEqual([])
  await dueDay(2).fill(addDays(today, 40))
  await form.getByRole('button', { name: /^Ask for approval/ }).click()
  const question = manager.getByRole('alertdialog')
  await question.getByText('₹11,100.00').first().waitFor()
  await question.getByRole('button', { name: 'Ask for approval' }).click()
  await manager
    .getByText(/waits for another person/)
    .first()
    .waitFor()

  const { page: director } = await stage.signIn('director', {
    to: '/order_management/order_list?requests=1',
  })
  const requests = director.getByRole('dialog')
  const agreed = requests.getByRole('table', { name: 'Settlement plan' }).getByText('₹5,550.00')
  await agreed.first().waitFor()
  expect(await agreed.count()).toBe(2)
  expect(await seriousFindings(director)).toEqual([])
  await requests.getByRole('button', { name: 'Approve' }).click()
  await director.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  await director
    .getByText(/is approved/)
    .first()
    .waitFor()

  await onlooker.locator('.detail-title').getByTitle('Overdue').first().waitFor()
  await onlooker.getByRole('tab', { name: /^Settlement plan/ }).click()
  await onlooker.getByText('Running', { exact: true }).waitFor()
  await onlooker.getByText('Next', { exact: true }).waitFor()
  expect(await seriousFindings(onlooker)).toEqual([])
  const { order, settlement } = await (
    await stage.stack.signIn('manager')
  ).call(orderDetail, { orderId: made.orderId })
  expect(order).toMatchObject({
    status: 50,
    overdueDays: 0,
    rbiClass: 'npa',
    outstanding: 1_110_000,
  })
  expect(settlement).toMatchObject({
    state: 'current',
    rows: [
      { dueTime: addDays(today, 10), amount: 555_000 },
      { dueTime: addDays(today, 40), amount: 555_000 },
    ],
  })
})

test('a fresh loan is returned from the list, and rows that cannot be returned say why', async () => {
  const { orderId } = await makeOrder(stage.stack, { status: 30, amount: 1_000_000 })
  const { page } = await stage.signIn('manager', { to: '/order_management/order_list' })
  await row(page, orderId)
    .getByRole('button', { name: /actions|More/i })
    .click()
  await page
    .getByRole('menuitem', { name: /^Cure bad debt/ })
    .getByText('Only a bad debt is cured')
    .waitFor()
  await page.getByRole('menuitem', { name: 'Cooling-off exit' }).click()
  const form = page.getByRole('dialog')
  await form.getByText('₹10,000.00').first().waitFor()
  expect(await form.getByRole('radio', { name: 'Cooling-off exit' }).isChecked()).toBe(true)
  // Missing fields are marked before the confirmation.
  await form.getByRole('button', { name: /^Book the payment/ }).click()
  await form.getByLabel(/^UTR/).fill('940000000001')
  await form.getByLabel(/^Channel/).selectOption({ label: 'Bank transfer' })
  await form.getByLabel(/^Bank code/).fill('HDFC')
  expect(await page.getByRole('alertdialog').count()).toBe(0)
  await form.getByRole('button', { name: /^Book the payment/ }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('What this payment changes').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await question.getByRole('button', { name: 'Book the payment' }).click()
  await page
    .getByText(/is booked and waits for confirmation/)
    .first()
    .waitFor()
  const { order } = await (await stage.stack.signIn('manager')).call(orderDetail, { orderId })
  // Pending until a second person has confirmed the money.
  expect(order).toMatchObject({ status: 30, outstanding: 1_045_000 })
})
