/**
 * A rule in real browsers: written, held back by its test case, mended, approved by a second person
 * on the home page, and then it judges an application; another is tried before anybody approves it.
 * A decision table the same way.
 */
import { expect, test } from 'vitest'
import { inboundApplication } from '#shared/orders/inbound-api.ts'
import { machineReview } from '#gateway/manage/features/review/machine/machine-review-job.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { addRule, listRules, setRuleStatus } from '#shared/rules/rule-api.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { row, seriousFindings } from '#tests/support/browser.ts'
import { machineOf } from '#tests/support/machine.ts'
import { browserStage } from '#tests/support/stage.ts'

const stage = browserStage()
const LIST = '/system/rule_engine'
const NAME = 'Loan of more than was agreed'

test('a rule is written, corrected until its test case passes, approved by another person, and applied', async () => {
  await makeProduct(stage.stack)
  const app = await machineOf(stage.stack, ['application', 'machineReview'])
  const { page } = await stage.signIn('administrator', { to: LIST })
  const { page: director } = await stage.signIn('director', { to: LIST })
  await row(director, 'Age outside 21 to 58').waitFor()

  await page.getByRole('button', { name: 'New rule' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Name/).fill(NAME)
  await form.getByLabel(/^Action/).selectOption('REJECT')
  await form.getByLabel(/^Refusal code/).fill('BIG01')
  await form.getByRole('button', { name: 'Add condition' }).click()
  await form.getByLabel('Field').selectOption('amount')
  await form.getByLabel('Comparison').selectOption('moreThan')
  await form.getByLabel('Value', { exact: true }).fill('900000')
  expect(await seriousFindings(page)).toEqual([])
  await form.getByRole('button', { name: /^Save/ }).click()
  await row(page, NAME).getByText('Draft').waitFor()
  await row(director, NAME).getByText('Draft').waitFor()

  await row(page, NAME).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Versions and test' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'New test case' }).click()
  await drawer.getByRole('textbox', { name: 'Name' }).fill('a loan of 5,000')
  await drawer.getByLabel('Amount applied for').fill('5000')
  await drawer.getByRole('button', { name: 'Save test case' }).click()
  await drawer.getByText('Fails').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })

  const ask = async () => {
    await row(page, NAME).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Enable', exact: true }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('textbox').fill('agreed in the risk meeting')
    await question.getByRole('button', { name: 'Enable' }).click()
    return question
  }
  const refused = await ask()
  await page.getByText('Test cases fail: 1').first().waitFor()
  await refused.getByRole('button', { name: 'Cancel' }).click()

  await row(page, NAME).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('dialog')
  await edit.getByText('Saving makes version 2').waitFor()
  await edit.getByLabel('Value', { exact: true }).fill('1000')
  await edit.getByRole('button', { name: /^Save/ }).click()
  await edit.waitFor({ state: 'detached' })
  // asking with the version before it would be a conflict
  await row(page, NAME).getByText('v2').waitFor()
  await ask()
  await page.getByText('Sent for approval').waitFor()

  await director.goto(`${new URL(director.url()).origin}/home_page?tab=decide`)
  await director.getByText('Enabling of a rule').first().waitFor()
  await director.getByRole('button', { name: 'Approve' }).first().click()
  const decision = director.getByRole('alertdialog')
  await decision.getByText('Amount applied for more than').waitFor()
  expect(await seriousFindings(director)).toEqual([])
  await decision.getByRole('button', { name: 'Approve' }).click()
  await row(page, NAME).getByText('Enabled').waitFor()

  const { orderId } = await app.call(inboundApplication, makeApplication(61))
  await machineReview.run(stage.stack.context)
  await stage.stack.settle()
  const administrator = await stage.stack.signIn('administrator')
  const { order } = await administrator.call(orderDetail, { orderId })
  expect(order.status).toBe(21)

  await row(page, NAME).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Versions and test' }).click()
  const tested = page.getByRole('dialog')
  await tested.getByLabel('Order or customer').fill(orderId)
  await tested.getByRole('button', { name: 'Test', exact: true }).click()
  await tested.getByText('Hit', { exact: true }).first().waitFor()
  expect(await seriousFindings(page)).toEqual([])
})

test('a draft is tried on past applications and put into the shadow by keyboard', async () => {
  await makeProduct(stage.stack)
  const app = await machineOf(stage.stack, ['application', 'machineReview'])
  const administrator = await stage.stack.signIn('administrator')
  // the one above refuses everybody
  for (const rule of (await administrator.call(listRules, { name: NAME, status: 'enabled' })).rows)
    await administrator.call(setRuleStatus, {
      ruleId: rule.ruleId,
      version: rule.version,
      status: 'disabled',
      reason: 'another test',
    })
  const { ruleId } = await administrator.call(addRule, {
    name: 'Too much at once',
    type: 'limit',
    groupId: 'LIMIT',
    priority: 900,
    mode: 'parallel',
    expression: { kind: 'all', of: [{ field: 'amount', operator: 'moreThan', value: 100 }] },
    actionId: 'REJECT',
    refusalCode: 'BIG03',
  })
  const judge = async (n: number) => {
    const { orderId } = await app.call(inboundApplication, makeApplication(n))
    await machineReview.run(stage.stack.context)
    await stage.stack.settle()
    return orderId
  }
  const past = await judge(62)
  const { page } = await stage.signIn('administrator', { to: `${LIST}?ruleId=${ruleId}` })
  const { keyboard } = page
  await row(page, 'Too much at once').click()
  await keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Back-test and trial' }).press('Enter')
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Days back').fill('30')
  await keyboard.press('Enter')
  await stage.stack.settle()
  const turned = drawer.getByRole('button', { name: 'To people, would be refused: 1' })
  await turned.press('Enter')
  await drawer.getByRole('link', { name: past }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await drawer.getByRole('button', { name: 'Close', exact: true }).last().press('Enter')
  expect(await turned.evaluate((cell) => cell === document.activeElement)).toBe(true)

  await drawer.getByRole('radio', { name: 'Back-test' }).press('ArrowRight')
  await drawer.getByLabel('Reason').fill('what would it refuse')
  await keyboard.press('Enter')
  await drawer.getByText('Shadow of version 1').waitFor()
  await judge(63)
  await drawer.getByText('Judged: 1. Different: 1.').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await drawer.getByRole('button', { name: 'Stop' }).press('Enter')
  const question = page.getByRole('alertdialog')
  await question.getByRole('textbox').fill('seen enough')
  await question.getByRole('button', { name: 'Stop' }).press('Enter')
  await drawer.getByText('Ended', { exact: true }).waitFor()
})

test('a table is written by keyboard, its unreachable row refused, and its change undone by a new draft', async () => {
  const { page } = await stage.signIn('administrator', { to: `${LIST}?tab=tables` })
  const { page: director } = await stage.signIn('director', { to: `${LIST}?tab=tables` })
  const name = 'Limit by income and loans'
  await row(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog')
  const cell = (n: number, column: string) => form.getByLabel(`Row ${n}, ${column}`)
  await cell(1, 'Number of the loan').focus()
  await page.keyboard.press('Control+Enter')
  await page.keyboard.type('old')
  await page.keyboard.press('Tab')
  await page.keyboard.type('>= 5')
  await page.keyboard.press('Tab')
  await page.keyboard.type('250')
  await form.getByText('Row 2: Earlier rows take all of its applications').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Alt+ArrowUp')
  await form.getByText('Row 2: Earlier rows').waitFor({ state: 'detached' })
  expect(await cell(1, 'Number of the loan').inputValue()).toBe('>= 5')
  await form.getByRole('button', { name: /^Save/ }).press('Enter')
  await form.waitFor({ state: 'detached' })
  await row(director, name).getByText('draft v2').waitFor()

  await row(page, name).click()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Versions and test' }).press('Enter')
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'New test case' }).press('Enter')
  await drawer.getByRole('textbox', { name: 'Name' }).fill('a fifth loan')
  await drawer.getByLabel('Customer class').selectOption('old')
  await drawer.getByLabel('Number of the loan').last().fill('5')
  await drawer.getByLabel('Limit as a share of monthly income (%)').last().fill('250')
  await page.keyboard.press('Enter')
  await drawer.getByText('As expected').waitFor()
  await drawer.getByText('Hit: Limit as a share of monthly income 250').first().waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })

  await row(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Enable', exact: true }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('textbox').fill('agreed in the risk meeting')
  await question.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('Sent for approval').waitFor()
  await director.goto(`${new URL(director.url()).origin}/home_page?tab=decide`)
  await director.getByText('Enabling of a decision table').first().waitFor()
  await director.getByRole('button', { name: 'Approve' }).first().click()
  const decision = director.getByRole('alertdialog')
  await decision.getByText('250').waitFor()
  expect(await seriousFindings(director)).toEqual([])
  await decision.getByRole('button', { name: 'Approve' }).click()
  await row(page, name).getByText('v2', { exact: true }).waitFor()

  await page.goto(`${new URL(page.url()).origin}/system/operate_record?tab=changes`)
  const change = row(page, 'Table version enabled')
  await change.getByText('Director').waitFor()
  await change.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Undo by a new change' }).click()
  const undo = page.getByRole('dialog')
  await undo.getByText('Saving makes version 3').waitFor()
  expect(await undo.getByLabel('Row 1, Number of the loan').inputValue()).toBe('≥ 3')
  expect(await seriousFindings(page)).toEqual([])
})
