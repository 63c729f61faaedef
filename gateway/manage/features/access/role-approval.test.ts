/** Role edits that need the approval of a second person. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import { decideApproval, listApprovals, withdrawApproval } from '#shared/approvals/approvals-api.ts'
import * as roles from '#shared/access/roles-api.ts'
import { listNotifications } from '#shared/announcements/notifications-api.ts'
import { findConfig, updateConfig } from '#shared/system/config-api.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { asInput, type RoleDetail, roleOf } from '#tests/support/role-edits.ts'

let floor: Floor
let administrator: Person
let director: Person
beforeAll(async () => {
  floor = await testManage()
  ;[administrator, director] = await Promise.all([
    floor.signIn('administrator'),
    floor.signIn('director'),
  ])
  // off by default: a new company has a single administrator
  expect(
    await administrator.call(roles.saveRole, {
      ...asInput(await roleOf(administrator, 'salesman')),
      name: 'Sales',
    }),
  ).toMatchObject({ approvalId: null })
  const kinds = await administrator.call(findConfig, { code: 'approval.kinds' })
  const set = (value: string) => ({
    configId: kinds.configId,
    version: kinds.version,
    name: kinds.name,
    value,
  })
  // money always needs approval; an unknown kind is ignored
  for (const value of ['roleEdit', `${kinds.value},fly`, `${kinds.value},roleEdit,roleEdit`])
    expect(await administrator.refused(updateConfig, set(value))).toMatchObject({
      problem: { id: 'K-VAL' },
    })
  await administrator.call(updateConfig, set(`${kinds.value},roleEdit`))
})
afterAll(() => floor.close())

/** Edits a role with the order list: a narrower scope and one button. */
async function ask(mark: string): Promise<{ before: RoleDetail; approvalId: string }> {
  const before = await roleOf(administrator, mark)
  const { approvalId } = await administrator.call(roles.saveRole, {
    ...asInput(before),
    dataScope: 'own',
    buttons: { ...before.checkedButtons, order_list: ['cancel'] },
  })
  return { before, approvalId: approvalId as string }
}
const decide = (person: Person, approvalId: string, result: 'approved' | 'rejected') =>
  person.call(decideApproval, {
    approvalId,
    version: 1,
    result,
    ...(result === 'rejected' ? { reason: 'Not this desk' } : {}),
  })

test('a role edit is pending, shows its effect, and takes effect when a second person approves', async () => {
  const { before, approvalId } = await ask('customer_service')
  expect(await roleOf(administrator, 'customer_service')).toEqual({
    ...before,
    approval: {
      approvalId,
      kind: 'roleEdit',
      requestById: administrator.userId,
      requestBy: 'Administrator 1',
      version: 1,
    },
  })
  expect(
    await administrator.refused(roles.saveRole, { ...asInput(before), name: 'Service' }),
  ).toMatchObject({ problem: { id: 'A-OPEN' } })
  const { approval, role, orders } = await director.call(approvalDetail, { approvalId })
  expect(approval).toMatchObject({
    kind: 'roleEdit',
    targetKind: 'role',
    targetId: before.roleId,
    amount: 0,
    mayDecide: true,
  })
  expect(orders).toEqual([])
  const removed = (before.checkedButtons.order_list ?? [])
    .filter((code) => code !== 'cancel')
    .map((action) => ({
      added: false,
      menu: 'order_list',
      title: 'orders:menu.order_list',
      action,
    }))
  expect(removed.length).toBeGreaterThan(0)
  expect(role).toMatchObject({
    before: { name: before.name, dataScope: 'all' },
    after: { name: before.name, dataScope: 'own' },
  })
  expect(role?.changes).toHaveLength(removed.length)
  expect(role?.changes).toEqual(expect.arrayContaining(removed))
  expect((await director.call(listNotifications, {})).rows[0]).toMatchObject({
    titleKey: 'approvals:notification.asked.roleEdit',
    route: '/home_page?tab=decide',
  })
  await decide(director, approvalId, 'approved')
  expect(await roleOf(administrator, 'customer_service')).toMatchObject({
    dataScope: 'own',
    version: before.version + 1,
    checkedButtons: { order_list: ['cancel'] },
  })
  expect((await floor.events()).findLast((event) => event.type === 'menu.changed')).toMatchObject({
    rooms: ['role:customer_service', 'menu:role'],
  })
})

test('a request cannot be decided by the requester, by a holder of the role or without the code', async () => {
  const { approvalId } = await ask('manager')
  expect(
    await administrator.refused(decideApproval, { approvalId, version: 1, result: 'approved' }),
  ).toMatchObject({ problem: { id: 'G-SELF' } })
  expect(
    await (
      await floor.signIn('customer_service')
    ).refused(decideApproval, { approvalId, version: 1, result: 'approved' }),
  ).toMatchObject({ problem: { id: 'G404' } })
  await administrator.call(withdrawApproval, { approvalId, version: 1 })
  const own = await ask('director')
  expect(
    await director.refused(decideApproval, {
      approvalId: own.approvalId,
      version: 1,
      result: 'approved',
    }),
  ).toMatchObject({ problem: { id: 'U-SELF' } })
  expect((await director.call(listApprovals, { kind: 'roleEdit', state: 'pending' })).total).toBe(1)
  await administrator.call(withdrawApproval, { approvalId: own.approvalId, version: 1 })
})

test('a rejected edit changes nothing, and an edit of a role that changed since cannot be approved', async () => {
  const first = await ask('reviewer')
  await decide(director, first.approvalId, 'rejected')
  expect(await roleOf(administrator, 'reviewer')).toEqual(first.before)
  const second = await ask('reviewer')
  // enabling and disabling alone need no approval
  expect(
    await administrator.call(roles.saveRole, { ...asInput(second.before), status: 'disabled' }),
  ).toEqual({ roleId: second.before.roleId, approvalId: null })
  expect(
    (
      await director.refused(decideApproval, {
        approvalId: second.approvalId,
        version: 1,
        result: 'approved',
      })
    ).code,
  ).toBe(409)
  expect((await roleOf(administrator, 'reviewer')).checkedButtons).toEqual(
    second.before.checkedButtons,
  )
})

test('a new role exists only after a second person approved it', async () => {
  const wanted = {
    name: 'Payments desk',
    uniqueMark: 'payments_desk',
    status: 'enabled',
    dataScope: 'all',
    menuIds: ['M_order_list'],
    buttons: { order_list: ['remark'] },
  } as const
  const input = { ...wanted, menuIds: [...wanted.menuIds], buttons: { order_list: ['remark'] } }
  const { roleId, approvalId } = await administrator.call(roles.saveRole, input)
  expect(roleId).toBeNull()
  const marks = async () =>
    (
      await sql<{
        n: number
      }>`select count(*)::int as n from sys_role g where g.unique_mark = 'payments_desk'`.execute(
        floor.database.kysely,
      )
    ).rows[0]?.n
  expect(await marks()).toBe(0)
  expect(await administrator.refused(roles.saveRole, input)).toMatchObject({
    problem: { id: 'A-OPEN' },
  })
  expect(
    (await director.call(approvalDetail, { approvalId: approvalId as string })).role,
  ).toMatchObject({
    before: null,
    changes: expect.arrayContaining([
      { added: true, menu: 'order_list', title: 'orders:menu.order_list', action: 'remark' },
    ]),
  })
  await decide(director, approvalId as string, 'approved')
  expect(await marks()).toBe(1)
})
