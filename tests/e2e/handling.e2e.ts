/** Failed transfers and batch write-offs, handled by users in real browsers. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cancelDisbursement } from '#shared/orders/disbursement-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { moveTo, row, seriousFindings, untilQuiet } from '#tests/support/browser.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()

const statusOf = async (orderId: string) =>
  (
    await sql<{
      status: number
    }>`select o.status from loan_order o where o.id = ${orderId}`.execute(
      stage.stack.database.kysely,
    )
  ).rows[0]?.status

test("a failed transfer paid by hand becomes a loan and leaves a colleague's list", async () => {
  const order = await makeOrder(stage.stack, { status: 31, vendorCode: 'elsewhere' })
  const { page: colleague } = await stage.signIn('customer_service', {
    to: '/order_management/wait_relent',
  })
  await row(colleague, order.orderId).waitFor()
  const { page } = await stage.signIn('manager', { to: '/order_management/wait_relent' })
  await row(page, order.orderId)
    .getByRole('button', { name: /actions|More/i })
    .click()
  await page.getByRole('menuitem', { name: 'Handle transfer' }).click()
  const form = page.getByRole('dialog')
  // The failed vendor sends nothing any more.
  await form
    .getByText(/change the vendor/)
    .first()
    .waitFor()
  await form.getByLabel(/^What to do/).selectOption({ label: 'Was transferred by hand' })
  await form.getByText(/the loan runs from now on/).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await form.getByRole('button', { name: /^Confirm/ }).click()
  await form.getByText('Please fill this in').first().waitFor()
  await form.getByLabel(/^UTR/).fill('SBINN12026112299')
  await form.getByRole('button', { name: /^Confirm/ }).click()
  await page.getByText(`${order.orderId} is disbursed by hand`).waitFor()
  await row(colleague, order.orderId).waitFor({ state: 'detached' })
  expect(await statusOf(order.orderId)).toBe(30)
})

test('failed transfers are sent again with the selected vendor and type', async () => {
  const [one, two] = [
    await makeOrder(stage.stack, { status: 31, vendorCode: 'elsewhere' }),
    await makeOrder(stage.stack, { status: 31, vendorCode: 'elsewhere' }),
  ]
  const { page } = await stage.signIn('manager', {
    to: '/order_management/wait_relent?vendorCode=elsewhere',
  })
  await row(page, two.orderId).waitFor()
  await page.locator('.ag-header input[type="checkbox"]').check()
  await page.getByRole('button', { name: 'Send again' }).click()
  const question = page.getByRole('alertdialog')
  const vendor = question.getByLabel('Vendor')
  await vendor.getByRole('option', { name: 'sandbox', exact: true }).waitFor({ state: 'attached' })
  expect(await vendor.locator('option:checked').textContent()).toBe('By the services of the app')
  expect(
    await vendor.getByRole('option', { name: 'elsewhere (sends no transfers now)' }).isDisabled(),
  ).toBe(true)
  await question.getByLabel('Type').selectOption('NEFT')
  expect(await seriousFindings(page)).toEqual([])
  await question.getByRole('button', { name: 'Send again' }).click()
  const sent = () =>
    sql<{
      way: string
    }>`
      select t.vendor_code || ' ' || t.transfer_type as way from payout_transfer t
      where t.order_id = any(${[one.orderId, two.orderId]}) and t.attempt_no = 2`.execute(
      stage.stack.database.kysely,
    )
  await expect
    .poll(async () => (await sent()).rows.map(({ way }) => way))
    .toEqual(['sandbox NEFT', 'sandbox NEFT'])
})

test('an order page offers each way to handle a failed transfer only to users with its button code', async () => {
  const grant = (role: string, buttons: string[]) =>
    sql`
      update sys_role_menu rm set buttons = ${buttons} from sys_role g where g.id = rm.role_id
        and g.unique_mark = ${role} and rm.menu_id = 'M_wait_relent'`.execute(
      stage.stack.database.kysely,
    )
  await grant('customer_service', ['redisburse'])
  await grant('director', ['cancel'])
  const [again, over] = [
    await makeOrder(stage.stack, { status: 31, vendorCode: 'sandbox' }),
    await makeOrder(stage.stack, { status: 31, vendorCode: 'sandbox' }),
  ]
  const ways = ['Send again', 'Handle transfer', 'Cancel disbursement']
  const offered = async (account: string, { orderId }: { orderId: string }) => {
    const { page } = await stage.signIn(account, {
      to: `/detail?orderId=${orderId}&from=order_list&tab=transfers`,
    })
    await page.getByRole('columnheader', { name: 'Platform number' }).waitFor()
    const shown = await Promise.all(ways.map((name) => page.getByRole('button', { name }).count()))
    return { page, names: ways.filter((_, i) => shown[i] === 1) }
  }
  expect((await offered('manager', again)).names).toEqual(ways)
  const service = await offered('customer_service', again)
  expect(service.names).toEqual(['Send again'])
  await service.page.getByRole('button', { name: 'Send again' }).click()
  await service.page.getByRole('alertdialog').getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => statusOf(again.orderId)).not.toBe(31)
  const director = await offered('director', over)
  expect(director.names).toEqual(['Cancel disbursement'])
  await director.page.getByRole('button', { name: 'Cancel disbursement' }).click()
  await director.page
    .getByRole('alertdialog')
    .getByText(/its limit is free again/)
    .waitFor()
  await director.page
    .getByRole('alertdialog')
    .getByLabel(/^Reason/)
    .fill('The customer does not want it any more')
  await director.page
    .getByRole('alertdialog')
    .getByRole('button', { name: 'Cancel disbursement' })
    .click()
  await expect.poll(() => statusOf(over.orderId)).toBe(70)
})

test('an uploaded list of orders is checked row by row, requested once, approved and written off', async () => {
  const [one, two, running] = [
    await makeCase(stage.stack, { overdueDays: 12 }),
    await makeCase(stage.stack, { overdueDays: 20 }),
    await makeOrder(stage.stack, { status: 30 }),
  ]
  const { page } = await stage.signIn('manager', { to: '/order_management/flat_management' })
  await page.getByRole('button', { name: 'Batch write-off' }).click()
  const question = page.getByRole('alertdialog')
  const sheet = page.waitForEvent('download')
  await question.getByRole('button', { name: 'Template (CSV)' }).click()
  expect((await sheet).suggestedFilename()).toBe('batch-write-off.csv')
  await question.getByLabel('Choose a file').setInputFiles({
    name: 'overdue.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      ['Borrowing ID', one.orderId, two.orderId, one.orderId, running.orderId].join('\r\n'),
    ),
  })
  await question.getByText('overdue.csv').waitFor()
  await question.getByRole('button', { name: 'Check' }).click()
  await question.getByText('Left out: 2').waitFor()
  await question.getByText(/Neither overdue nor bad debt/).waitFor()
  // The reason field appears only now and has no error yet.
  expect(await question.getByText(/^Write \d+ to \d+ characters/).count()).toBe(0)
  expect(await seriousFindings(page)).toEqual([])
  await question.getByLabel(/^Reason/).fill('Yearly clearing')
  await question.getByRole('button', { name: 'Ask for approval' }).dblclick()
  await page.getByText(/2 orders wait for approval/).waitFor()
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from approval a where a.kind = 'batchWriteOff'`.execute(
    stage.stack.database.kysely,
  )
  expect(rows).toEqual([{ n: 1 }])

  const { page: director } = await stage.signIn('director', {
    to: '/order_management/flat_management?requests=1',
  })
  await director.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await director.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  await expect
    .poll(() => Promise.all([one, two, running].map(({ orderId }) => statusOf(orderId))), {
      timeout: 15_000,
    })
    .toEqual([110, 110, 30])
})

test('a change that overtakes the first answer of a list is shown', async () => {
  const { orderId } = await makeOrder(stage.stack, { status: 31 })
  const colleague = await stage.stack.signIn('manager2')
  const { page } = await stage.signIn('manager', { to: '/home_page' })
  const received = new Promise<void>((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes(orderId)) resolve()
      }),
    )
  })
  await page.reload()
  await untilQuiet(page)
  await page.route(
    '**/api/manage/order/list?**',
    async (route) => {
      const answer = await route.fetch()
      await colleague.call(cancelDisbursement, { orderIds: [orderId], reason: 'Asked for it' })
      await stage.stack.settle()
      await received
      await route.fulfill({ response: answer })
    },
    { times: 1 },
  )
  await moveTo(page, '/order_management/order_list')
  await row(page, orderId).getByText('Cancelled').waitFor()
})
