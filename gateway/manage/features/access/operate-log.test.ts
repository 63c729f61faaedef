import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listChanges } from '#shared/access/changes-api.ts'
import { findConfig, refreshConfig, updateConfig } from '#shared/system/config-api.ts'
import { listRoles, roleDetail, saveRole } from '#shared/access/roles-api.ts'
import {
  listClientErrors,
  listOperateLog,
  operateLogSelectors,
  verifyOperateLog,
} from '#shared/access/operate-log-api.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let administrator: Person
let roleId: string
const DAY_MS = 86_400_000
const lastDay = {
  timeFrom: new Date(Date.now() - DAY_MS).toISOString(),
  timeTo: new Date(Date.now() + DAY_MS).toISOString(),
}

/** Renames a role, which writes an entry. */
async function rename(name: string): Promise<void> {
  const {
    version,
    uniqueMark,
    status,
    dataScope,
    checkedMenuIds: menuIds,
    checkedButtons: buttons,
  } = await administrator.call(roleDetail, { roleId })
  await administrator.call(saveRole, {
    roleId,
    version,
    name,
    uniqueMark,
    status,
    dataScope,
    menuIds,
    buttons,
  })
}
async function verify(): Promise<{
  brokenAt: number | null
  total: number
  checked: number
  waiting: number
}> {
  for (let after = 0; ;) {
    const part = await administrator.call(verifyOperateLog, { after })
    if (part.next === null) return part
    after = part.next
  }
}

beforeAll(async () => {
  floor = await testManage()
  administrator = await floor.signIn('administrator')
  roleId = (await administrator.call(listRoles, { uniqueMark: 'salesman' })).rows[0]
    ?.roleId as string
})
afterAll(() => floor.close())

test('an entry names actor, action and target, with the values before and after', async () => {
  await rename('Sales')
  const { rows, total } = await administrator.call(listOperateLog, { target: `role:${roleId}` })
  expect(total).toBe(1)
  expect(rows[0]).toMatchObject({
    operatorName: 'Administrator 1',
    roleMark: 'administrator',
    menu: 'role',
    menuTitle: 'access:menu.role',
    action: 'edit',
    targetKind: 'role',
    targetId: roleId,
    result: 'ok',
    before: { name: 'Salesman' },
    after: { name: 'Sales' },
  })
})

test('a change of a parameter is listed with its old and new value, and what only looks at it is not', async () => {
  const parameter = async () => administrator.call(findConfig, { code: 'export.keepHours' })
  const { configId, name, value } = await parameter()
  for (const next of ['30', value])
    await administrator.call(updateConfig, {
      configId,
      version: (await parameter()).version,
      name,
      value: next,
    })
  await administrator.call(refreshConfig, {})
  const { rows, total } = await administrator.call(listChanges, { kind: 'config' })
  expect(total).toBe(2)
  expect(rows).toMatchObject([
    { name: 'export.keepHours', before: { value: '30' }, after: { value }, by: 'Administrator 1' },
    { before: { value }, after: { value: '30' }, approvedBy: null },
  ])
  expect((await administrator.call(listChanges, { what: 'keephours' })).total).toBe(2)
  expect((await administrator.call(listChanges, { what: 'nobody' })).total).toBe(0)
})

test('without a target a time range is required', async () => {
  expect(await administrator.refused(listOperateLog, {})).toMatchObject({
    code: 400,
    data: { fields: { timeFrom: 'required', timeTo: 'required' } },
  })
  expect((await administrator.call(listOperateLog, lastDay)).total).toBeGreaterThan(0)
  expect(
    (
      await administrator.call(listOperateLog, {
        timeFrom: '2020-01-01T00:00:00Z',
        timeTo: '2020-01-02T00:00:00Z',
      })
    ).total,
  ).toBe(0)
})

test('every filter narrows the list, newest first', async () => {
  await administrator.refused(saveRole, {
    roleId,
    version: 1,
    name: 'Too late',
    uniqueMark: 'salesman',
    status: 'enabled',
    dataScope: 'own',
    menuIds: ['M_home_page'],
    buttons: {},
  })
  const { rows } = await administrator.call(listOperateLog, { ...lastDay, pageSize: 200 })
  expect(rows.map((row) => Number(row.logId))).toEqual(
    rows.map((row) => Number(row.logId)).toSorted((a, b) => b - a),
  )
  for (const [filter, fits] of [
    [
      { operatorId: administrator.userId },
      (row: (typeof rows)[number]) => row.operatorId === administrator.userId,
    ],
    [{ menu: 'role' }, (row: (typeof rows)[number]) => row.menu === 'role'],
    [{ action: 'login' }, (row: (typeof rows)[number]) => row.action === 'login'],
    [
      { result: 'refused' as const },
      (row: (typeof rows)[number]) => row.result.startsWith('refused:'),
    ],
    [{ result: 'ok' as const }, (row: (typeof rows)[number]) => row.result === 'ok'],
    [{ target: roleId }, (row: (typeof rows)[number]) => row.targetId === roleId],
  ] as const) {
    const found = await administrator.call(listOperateLog, { ...lastDay, ...filter, pageSize: 200 })
    expect(found.total, JSON.stringify(filter)).toBeGreaterThan(0)
    expect(found.rows.every(fits), JSON.stringify(filter)).toBe(true)
  }
  const selectors = await administrator.call(operateLogSelectors, {})
  expect(selectors.actions).toEqual(expect.arrayContaining(['login', 'edit']))
  expect(selectors.operators).toContainEqual({
    userId: administrator.userId,
    userName: 'Administrator 1',
    account: 'administrator',
  })
  expect(selectors.menus).toContainEqual({ name: 'role', title: 'access:menu.role' })
})

test('the chain is verified in parts, and the first broken entry is reported', async () => {
  await sql`
    insert into operate_log (user_name, action, result) select 'test', 'test', 'ok'
      from generate_series(1, 2100)`.execute(floor.database.kysely)
  await floor.settle()
  const whole = await verify()
  expect(whole).toMatchObject({ brokenAt: null, checked: whole.total, waiting: 0 })
  expect(whole.total).toBeGreaterThan(2_100)
  const tamper = async (change: ReturnType<typeof sql>) => {
    await sql`alter table operate_log disable trigger operate_log_append_only`.execute(
      floor.database.kysely,
    )
    await change.execute(floor.database.kysely)
    await sql`alter table operate_log enable trigger operate_log_append_only`.execute(
      floor.database.kysely,
    )
  }
  expect(
    await administrator.call(verifyOperateLog, { after: Number.MAX_SAFE_INTEGER }),
  ).toMatchObject({ brokenAt: null, next: null })
  // each in turn, from the end forward: the first broken number is reported
  await tamper(sql`delete from operate_log where chain_no = ${whole.total}`)
  expect((await verify()).brokenAt).toBe(whole.total)
  await tamper(sql`delete from operate_log where chain_no = 2060`)
  expect((await verify()).brokenAt).toBe(2_061)
  await tamper(sql`update operate_log set user_name = 'somebody else' where chain_no = 2001`)
  expect((await verify()).brokenAt).toBe(2_001)
  await tamper(sql`update operate_log set hash = sha256('x') where chain_no = 2000`)
  expect((await verify()).brokenAt).toBe(2_000)
})

test('repeated browser errors are one row with a count', async () => {
  await sql`
    insert into client_error (user_id, session_id, message, url, version)
      select ${administrator.userId}, 'S1', m.message, '/home_page', '1.0.0'
    from (values ('x is undefined'), ('x is undefined'), ('y is undefined')) m (message)`.execute(
    floor.database.kysely,
  )
  const { rows, total } = await administrator.call(listClientErrors, { message: 'UNDEFINED' })
  expect(total).toBe(2)
  expect(rows.find((row) => row.message === 'x is undefined')).toMatchObject({
    count: 2,
    userName: 'Administrator 1',
    url: '/home_page',
    version: '1.0.0',
  })
})

test('a number beyond the end of the chain is answered', async () => {
  for (const after of [2_147_483_648, Number.MAX_SAFE_INTEGER])
    expect(await administrator.call(verifyOperateLog, { after })).toMatchObject({ next: null })
})
