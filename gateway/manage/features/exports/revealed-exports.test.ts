/** Files with unmasked phones: who may export them, for which reason, and what is logged. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import { downloadExport, startExport } from '#shared/exports/exports-api.ts'
import type { Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { makeOrder, type MadeOrder } from '#tests/factories/orders.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { jobRunnerOf } from '#gateway/manage/jobs/runner.ts'
import { exportJob } from './export-job.ts'

let floor: Floor
let manager: Person
let order: MadeOrder
beforeAll(async () => {
  floor = await testManage()
  manager = await floor.signIn('manager')
  order = await makeOrder(floor, { status: 30 })
})
afterAll(() => floor.close())

const asked = (more: Partial<InputOf<typeof startExport>> = {}): InputOf<typeof startExport> => ({
  list: '/order/list',
  filters: {},
  columns: [
    { field: ['orderId'], title: 'Order', kind: 'text' },
    { field: ['phone'], title: 'Phone', kind: 'text' },
  ],
  format: 'csv',
  title: 'Orders',
  reveal: true,
  reason: 'Court order 12',
  ...more,
})
const direct = () =>
  floor.manage.endpoints.find((e) => e.path === '/export/list/orderExport') as Endpoint
const problem = async (person: Person, endpoint: Endpoint, input: unknown) =>
  (await person.refused(endpoint, input)).problem?.id
const revealLog = async () =>
  (
    await sql<{
      menu: string
      after: unknown
    }>`select l.menu, l.after from operate_log l where l.action = 'reveal' order by l.id desc limit 1`.execute(
      floor.database.kysely,
    )
  ).rows[0]

test('unmasked phones need a logged reason and are nowhere stored while the file is made', async () => {
  const { jobId = '' } = await manager.call(startExport, asked())
  // the runner stops between the lines and the file
  const dying = jobRunnerOf(floor.context, [
    { ...exportJob, ended: () => Promise.reject(new Error('killed')) },
  ])
  await dying.settle().catch(() => undefined)
  await dying.stop()
  const { rows } = await sql<{
    text: string
  }>`select p::text as text from export_part p where p.job_id = ${jobId}`.execute(
    floor.database.kysely,
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.text).not.toContain(order.phone)
  await sql`update job set held_until = null, held_by = null where id = ${jobId}`.execute(
    floor.database.kysely,
  )
  await floor.settle()
  expect((await manager.send(downloadExport, { jobId })).body).toContain(order.phone)
  expect(await revealLog()).toEqual({
    menu: 'order_list',
    after: { field: 'phone', rows: 1, reason: 'Court order 12' },
  })
  // masked by default
  const { jobId: masked = '' } = await manager.call(startExport, asked({ reveal: false }))
  await floor.settle()
  expect((await manager.send(downloadExport, { jobId: masked })).body).not.toContain(order.phone)
  expect(
    (await manager.send(direct(), { format: 'csv', reveal: true, revealReason: 'Court order 13' }))
      .body,
  ).toContain(order.phone)
  expect(await revealLog()).toEqual({
    menu: 'order_list',
    after: { field: 'phone', rows: 1, reason: 'Court order 13' },
  })
  expect((await manager.send(direct(), { format: 'csv' })).body).not.toContain(order.phone)
})

test('unmasked phones need a reason, the reveal code of the menu and a list with phones', async () => {
  const { reason: _, ...silent } = asked()
  expect(await manager.refused(startExport, silent)).toMatchObject({
    problem: { id: 'G-FIELD' },
    data: { fields: { reason: 'required' } },
  })
  expect(await manager.refused(direct(), { reveal: true })).toMatchObject({
    problem: { id: 'G-FIELD' },
    data: { fields: { revealReason: 'required' } },
  })
  const director = await floor.signIn('director')
  expect(await problem(director, startExport, asked())).toBe('G403')
  expect(await problem(director, direct(), { reveal: true, revealReason: 'Because' })).toBe('G403')
  // the instalments have phones, but no role may reveal them there
  expect(await problem(manager, startExport, asked({ list: '/repay/plan/list' }))).toBe('G403')
  expect(await problem(manager, startExport, asked({ list: '/flat/list' }))).toBe('G403')
})

test('an approver sees that phones are unmasked, and a requester who lost the right gets no file', async () => {
  await sql`update sys_config set value = '0' where code = 'export.approveAbove'`.execute(
    floor.database.kysely,
  )
  floor.context.parameters.forget()
  const { approvalId = '' } = await manager.call(startExport, asked())
  expect(
    (await (await floor.signIn('director')).call(approvalDetail, { approvalId })).file,
  ).toMatchObject({ reveal: true })
  await sql`update sys_config set value = '10000' where code = 'export.approveAbove'`.execute(
    floor.database.kysely,
  )
  floor.context.parameters.forget()
  const { jobId = '' } = await manager.call(startExport, asked())
  await floor.settle()
  await sql`
    update sys_role_menu set buttons = array_remove(buttons, 'reveal') where menu_id = 'M_order_list'`.execute(
    floor.database.kysely,
  )
  floor.context.forgetSessions(null)
  expect(await problem(manager, downloadExport, { jobId })).toBe('G403')
})
