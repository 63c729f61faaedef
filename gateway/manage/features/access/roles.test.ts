import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Envelope } from '#shared/kernel/problem.ts'
import { KEPT_BY_ADMINISTRATORS, tickAll } from '#shared/access/permission-tree.ts'
import * as roles from '#shared/access/roles-api.ts'
import { listUsers, setUserStatus } from '#shared/access/users-api.ts'
import { remarkOrder } from '#shared/orders/orders-api.ts'
import { currentRole, sidebar } from '#shared/session/session-api.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { asInput, type RoleInput, roleOf } from '#tests/support/role-edits.ts'

let floor: Floor
let administrator: Person
beforeAll(async () => {
  floor = await testManage()
  administrator = await floor.signIn('administrator')
})
afterAll(() => floor.close())

const made = async (input: RoleInput) =>
  (await administrator.call(roles.saveRole, input)).roleId as string
const fresh = (more: Partial<RoleInput> = {}): RoleInput => ({
  name: 'Payments desk',
  uniqueMark: 'payments_desk',
  status: 'enabled',
  dataScope: 'all',
  menuIds: ['M_order_list'],
  buttons: { order_list: ['remark'] },
  ...more,
})

test('a new role has the checked permissions, the groups above its menus and a home page', async () => {
  const roleId = await made(fresh())
  const saved = await administrator.call(roles.roleDetail, { roleId })
  expect(saved).toMatchObject({
    name: 'Payments desk',
    userCount: 0,
    builtIn: false,
    version: 1,
    checkedButtons: { order_list: ['remark'] },
  })
  expect([...saved.checkedMenuIds].toSorted()).toEqual([
    'M_home_page',
    'M_order_list',
    'M_order_management',
  ])
  expect(await administrator.refused(roles.saveRole, fresh({ name: 'Again' }))).toMatchObject({
    problem: { id: 'R-DUP' },
  })
})

test('a button without its menu and unknown buttons and menus are refused', async () => {
  for (const wrong of [
    { menuIds: ['M_home_page'] },
    { buttons: { order_list: ['fly'] } },
    { menuIds: ['M_order_list', 'M_nothing'] },
  ])
    expect(
      await administrator.refused(roles.saveRole, fresh({ uniqueMark: 'wrong_one', ...wrong })),
    ).toMatchObject({ problem: { id: 'R-TREE' } })
  expect(
    await administrator.refused(roles.saveRole, fresh({ uniqueMark: 'wrong_one', menuIds: [] })),
  ).toMatchObject({ code: 400, data: { fields: { menuIds: 'minItems' } } })
})

test('a removed button is refused in open sessions, and their sockets check their rights again', async () => {
  const clerk = await floor.signIn('customer_service')
  expect(
    (await clerk.refused(remarkOrder, { orderId: 'L0', remark: 'Called back' })).code,
  ).not.toBe(403)
  const role = await roleOf(administrator, 'customer_service')
  await administrator.call(roles.saveRole, {
    ...asInput(role),
    buttons: { ...role.checkedButtons, order_list: ['cancel'] },
  })
  expect((await clerk.refused(remarkOrder, { orderId: 'L0', remark: 'Called back' })).code).toBe(
    403,
  )
  const menu = JSON.stringify((await clerk.call(sidebar, {})).menu)
  expect(menu).toContain('order_list:cancel')
  expect(menu).not.toContain('order_list:remark')
  expect((await floor.events()).findLast((event) => event.type === 'menu.changed')).toMatchObject({
    rooms: ['role:customer_service', 'menu:role'],
    data: { roleId: role.roleId },
    entity_version: role.version + 1,
  })
  const { rows } = await sql<{
    recheck: boolean
  }>`select e.recheck from outbox_event e where e.type = 'menu.changed' order by e.pos desc limit 1`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.recheck).toBe(true)
})

test('a wider or narrower data scope takes effect at once', async () => {
  const inspector = await floor.signIn('quality_inspector')
  await administrator.call(roles.saveRole, {
    ...asInput(await roleOf(administrator, 'quality_inspector')),
    dataScope: 'own',
  })
  expect(await inspector.call(currentRole, {})).toMatchObject({ dataScope: 'own' })
})

test("the second of two concurrent edits of a role is refused with the first editor's name", async () => {
  const role = await roleOf(administrator, 'salesman')
  await administrator.call(roles.saveRole, { ...asInput(role), name: 'Sales' })
  expect(
    await administrator.refused(roles.saveRole, { ...asInput(role), name: 'Selling' }),
  ).toMatchObject({
    code: 409,
    problem: { params: { userName: 'Administrator 1' } },
    data: { name: 'Sales', version: role.version + 1 },
  })
  expect(
    await administrator.refused(roles.saveRole, {
      ...asInput(await roleOf(administrator, 'salesman')),
      uniqueMark: 'seller',
    }),
  ).toMatchObject({ code: 400, data: { fields: { uniqueMark: 'access:fault.markFixed' } } })
})

test('administrators cannot lose the permissions needed to repair roles', async () => {
  const role = await roleOf(administrator, 'administrator')
  const without = (tick: string): RoleInput => {
    const [menu = '', code] = tick.split(':')
    if (code === undefined)
      return {
        ...asInput(role),
        menuIds: role.checkedMenuIds.filter((id) => id !== `M_${menu}`),
        buttons: Object.fromEntries(
          Object.entries(role.checkedButtons).filter(([name]) => name !== menu),
        ),
      }
    return {
      ...asInput(role),
      buttons: {
        ...role.checkedButtons,
        [menu]: (role.checkedButtons[menu] ?? []).filter((one) => one !== code),
      },
    }
  }
  const tree = tickAll((await administrator.call(roles.menuTreeOfRole, {})).tree)
  const kept = [...KEPT_BY_ADMINISTRATORS].filter((tick) => !['home_page', 'system'].includes(tick))
  expect(kept.filter((tick) => !tree.has(tick))).toEqual([])
  for (const tick of kept)
    expect(await administrator.refused(roles.saveRole, without(tick)), tick).toMatchObject({
      problem: { id: 'U-LAST' },
    })
  for (const change of [{ status: 'disabled' as const }, { dataScope: 'own' as const }])
    expect(
      await administrator.refused(roles.saveRole, { ...asInput(role), ...change }),
    ).toMatchObject({ problem: { id: 'U-LAST' } })
})

test('disabling a role ends its sessions and refuses its logins', async () => {
  const reviewer = await floor.signIn('reviewer')
  const role = await roleOf(administrator, 'reviewer')
  await administrator.call(roles.saveRole, { ...asInput(role), status: 'disabled' })
  expect((await reviewer.refused(currentRole, {})).code).toBe(401)
  await expect(floor.signIn('reviewer')).rejects.toThrow('Role is disabled')
  await administrator.call(roles.saveRole, {
    ...asInput(await roleOf(administrator, 'reviewer')),
    status: 'enabled',
  })
  await floor.signIn('reviewer')
})

test('adding, editing and switching a role need a code each', async () => {
  // a person who may only switch roles
  const roleId = await made(
    fresh({
      name: 'Watch',
      uniqueMark: 'watch_role',
      menuIds: ['M_role', 'M_user'],
      buttons: { role: ['status'] },
    }),
  )
  await sql`update sys_user set role_id = ${roleId} where account = 'director'`.execute(
    floor.database.kysely,
  )
  const watch = await floor.signIn('director')
  const target = await roleOf(administrator, 'tele_unborrowed')
  expect((await watch.refused(roles.saveRole, fresh({ uniqueMark: 'one_more' }))).code).toBe(403)
  expect(
    (await watch.refused(roles.saveRole, { ...asInput(target), name: 'Other name' })).code,
  ).toBe(403)
  expect(
    (
      await watch.refused(roles.saveRole, {
        ...asInput(target),
        status: 'disabled',
        menuIds: ['M_home_page', 'M_order_list', 'M_order_management'],
        buttons: {},
      })
    ).code,
  ).toBe(403)
  await watch.call(roles.saveRole, { ...asInput(target), status: 'disabled' })
  const [user] = (await watch.call(listUsers, { account: 'manager' })).rows
  expect(
    (
      await watch.send(setUserStatus, {
        userId: user?.userId as string,
        version: user?.version as number,
        status: 'disabled',
      })
    ).json<Envelope<null>>().code,
  ).toBe(403)
})

test("only an administrator can widen their own role or edit the administrators' role", async () => {
  const roleId = await made(
    fresh({
      name: 'Role keeper',
      uniqueMark: 'role_keeper',
      menuIds: ['M_role', 'M_role_edit'],
      buttons: { role: ['add', 'edit', 'status'] },
    }),
  )
  await sql`update sys_user set role_id = ${roleId} where account = 'manager2'`.execute(
    floor.database.kysely,
  )
  const keeper = await floor.signIn('manager2')
  const own = await keeper.call(roles.roleDetail, { roleId })
  expect(
    await keeper.refused(roles.saveRole, {
      ...asInput(own),
      menuIds: [...own.checkedMenuIds, 'M_user'],
      buttons: { ...own.checkedButtons, user: ['reset'] },
    }),
  ).toMatchObject({ problem: { id: 'U-SELF' } })
  expect(
    (
      await keeper.refused(roles.saveRole, {
        ...asInput(await roleOf(administrator, 'administrator')),
        name: 'Root',
      })
    ).code,
  ).toBe(403)
  await keeper.call(roles.saveRole, {
    ...asInput(await roleOf(administrator, 'tele_uncertified')),
    name: 'Tele one',
  })
})
