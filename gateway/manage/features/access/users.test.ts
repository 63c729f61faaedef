import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import * as users from '#shared/access/users-api.ts'
import { listRoles } from '#shared/access/roles-api.ts'
import { currentRole, sidebar, userInfo } from '#shared/session/session-api.ts'
import { BASE } from '#gateway/manage/core.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeCollector, makeUnit, type Unit } from '#tests/factories/units.ts'
import { type Floor, PASSWORD, type Person, testManage } from '#tests/support/manage.ts'

const FIRST = 'Teal#Otter91'
const SECOND = 'Copper?Kite58'

let floor: Floor
let administrator: Person
let unit: Unit
const roles = new Map<string, string>()
beforeAll(async () => {
  floor = await testManage()
  administrator = await floor.signIn('administrator')
  for (const role of (await administrator.call(listRoles, { pageSize: 200 })).rows)
    roles.set(role.uniqueMark, role.roleId)
  unit = await makeUnit(floor, { weight: 100 })
})
afterAll(() => floor.close())

let made = 0
const fields = (
  mark: string,
  more: Partial<InputOf<typeof users.addUser>> = {},
): InputOf<typeof users.addUser> => {
  made += 1
  return {
    account: `staff.${made}`,
    password: FIRST,
    nickname: `Staff ${made}`,
    roleId: roles.get(mark) as string,
    language: 'en',
    status: 'enabled',
    allocationFlag: true,
    ...unit,
    ...more,
  }
}
async function add(
  mark: string,
  more: Partial<InputOf<typeof users.addUser>> = {},
): Promise<
  DataOf<typeof users.userDetail> & {
    signIn: (password?: string) => Promise<Envelope<{ token: string }>>
  }
> {
  const input = fields(mark, more)
  const { userId } = await administrator.call(users.addUser, input)
  return {
    ...(await administrator.call(users.userDetail, { userId })),
    signIn: (password = FIRST) => signIn(input.account, password),
  }
}
async function signIn(username: string, password: string): Promise<Envelope<{ token: string }>> {
  return (
    await floor.manage.app.inject({
      method: 'POST',
      url: `${BASE}/login`,
      payload: { username, password },
    })
  ).json()
}
const ask = async (token: string, path: string) =>
  (
    await floor.manage.app.inject({
      method: 'GET',
      url: BASE + path,
      headers: { authorization: token },
    })
  ).json<Envelope<Record<string, unknown>>>()
const edited = ({
  userId,
  version,
  nickname,
  roleId,
  language,
  allocationFlag,
  agencyId,
  departmentId,
  groupId,
}: DataOf<typeof users.editUser>) => ({
  userId,
  version,
  nickname,
  roleId,
  language,
  allocationFlag,
  agencyId: agencyId as string,
  departmentId: departmentId as string,
  groupId: groupId as string,
})

test('a new account logs in with its first password and must change it', async () => {
  const user = await add('customer_service', { jobNumber: 'E-100', email: 'asha@lender.example' })
  expect(user).toMatchObject({
    userName: user.nickname,
    status: 'enabled',
    jobNumber: 'E-100',
    agencyId: unit.agencyId,
    online: false,
    lastLoginTime: null,
    lockedUntil: null,
  })
  const { data } = await user.signIn()
  expect((await ask(data.token, userInfo.path)).data).toMatchObject({
    user: { account: user.account, mustChange: true },
  })
  const [row] = (await administrator.call(users.listUsers, { account: user.account, online: true }))
    .rows
  expect(row).toMatchObject({
    userId: user.userId,
    online: true,
    lastLoginTime: expect.any(String),
  })
  expect(
    (await floor.events()).filter(
      (event) => event.type === 'user.changed' && event.subject === `user:${user.userId}`,
    )[0],
  ).toMatchObject({
    rooms: [`user:${user.userId}`, 'menu:user'],
    data: { userId: user.userId, status: 'enabled' },
  })
})

test('an account with a collection role is a collector, without work until certified', async () => {
  const user = await add('collector')
  expect(user.status).toBe('normal')
  const { rows } = await sql<{
    stages: number
    cert_no: string | null
  }>`select cardinality(k.stage_ids) as stages, k.cert_no from collector k where k.user_id = ${user.userId}`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ stages: 8, cert_no: null }])
  expect(
    (await floor.events()).some(
      (event) => event.type === 'collector.changed' && event.subject === `collector:${user.userId}`,
    ),
  ).toBe(true)
})

test('duplicate accounts and job numbers, weak passwords and unknown units are refused', async () => {
  const user = await add('salesman', { jobNumber: 'E-200' })
  expect(
    await administrator.refused(users.addUser, fields('salesman', { account: user.account })),
  ).toMatchObject({ problem: { id: 'U-DUP' } })
  expect(
    await administrator.refused(users.addUser, fields('salesman', { jobNumber: 'E-200' })),
  ).toMatchObject({ problem: { id: 'U-JOB' } })
  expect(
    await administrator.refused(users.addUser, fields('salesman', { password: 'onlyletters' })),
  ).toMatchObject({ problem: { id: 'P-FMT' }, data: { fields: { password: expect.any(String) } } })
  expect(
    await administrator.refused(
      users.addUser,
      fields('salesman', { agencyId: undefined, departmentId: undefined, groupId: undefined }),
    ),
  ).toMatchObject({ code: 400, data: { fields: { agencyId: 'required' } } })
  expect(
    await administrator.refused(users.addUser, fields('team_leader', { groupId: undefined })),
  ).toMatchObject({ code: 400, data: { fields: { groupId: 'required' } } })
  const other = await makeUnit(floor)
  expect(
    await administrator.refused(
      users.addUser,
      fields('salesman', { departmentId: other.departmentId }),
    ),
  ).toMatchObject({ code: 400, data: { fields: { departmentId: 'unknown', groupId: 'unknown' } } })
  expect(
    await administrator.refused(users.addUser, fields('salesman', { account: 'Upper Case' })),
  ).toMatchObject({ code: 400, data: { fields: { account: 'pattern' } } })
})

test("the second of two concurrent edits of an account is refused with the first editor's name", async () => {
  const user = await add('customer_service')
  const after = await administrator.call(users.editUser, { ...edited(user), nickname: 'Asha' })
  expect(after).toMatchObject({ nickname: 'Asha', version: user.version + 1 })
  const refused = await administrator.refused(users.editUser, { ...edited(user), nickname: 'Usha' })
  expect(refused).toMatchObject({
    code: 409,
    problem: { id: 'G409', params: { userName: 'Administrator 1' } },
    data: { nickname: 'Asha', version: after.version },
  })
  expect(
    await administrator.refused(users.setUserStatus, {
      userId: user.userId,
      version: user.version,
      status: 'disabled',
    }),
  ).toMatchObject({ problem: { id: 'G409' } })
})

test('a new role takes effect in open sessions: menu, buttons, rooms, and claims are released', async () => {
  const user = await add('reviewer')
  const { token } = (await user.signIn()).data
  const { reviewId } = await makeReview(floor, { state: 'toAudit', reviewerId: user.userId })
  const menuOf = async () => JSON.stringify((await ask(token, sidebar.path)).data)
  expect(await menuOf()).toContain('review_list')
  await administrator.call(users.editUser, {
    ...edited(user),
    roleId: roles.get('customer_service') as string,
  })
  expect(await menuOf()).not.toContain('review_list')
  expect((await ask(token, currentRole.path)).data).toMatchObject({
    uniqueMark: 'customer_service',
    dataScope: 'all',
  })
  expect((await floor.events()).findLast((event) => event.type === 'menu.changed')).toMatchObject({
    rooms: [`user:${user.userId}`],
    data: { roleId: roles.get('customer_service') },
  })
  const { rows } = await sql<{
    recheck: boolean
  }>`select e.recheck from outbox_event e where e.type = 'menu.changed' order by e.pos desc limit 1`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.recheck).toBe(true)
  expect(
    (
      await sql<{ state: string }>`select r.state from review r where r.id = ${reviewId}`.execute(
        floor.database.kysely,
      )
    ).rows[0]?.state,
  ).toBe('unclaimed')
})

test('an account that leaves collection returns its cases and is no longer a collector', async () => {
  const { userId } = await makeCollector(floor, unit)
  const { caseId } = await makeCase(floor, {
    state: 'allocated',
    overdueDays: 12,
    collectorId: userId,
  })
  const user = await administrator.call(users.userDetail, { userId })
  expect(
    await administrator.call(users.editUser, {
      ...edited(user),
      roleId: roles.get('customer_service') as string,
    }),
  ).toMatchObject({ status: 'enabled', roleMark: 'customer_service' })
  const { rows } = await sql<{ state: string; collectors: number }>`
    select c.state, (select count(*)::int from collector k where k.user_id = ${userId}) as collectors
    from collection_case c
    where c.id = ${caseId}`.execute(floor.database.kysely)
  expect(rows).toEqual([{ state: 'unallocated', collectors: 0 }])
})

test('disabling an account logs it out at once, and enabling lets it log in again', async () => {
  const { userId, account } = await makeCollector(floor, unit)
  const { caseId } = await makeCase(floor, {
    state: 'allocated',
    overdueDays: 12,
    collectorId: userId,
  })
  const { token } = (await signIn(account, PASSWORD)).data
  expect((await ask(token, currentRole.path)).code).toBe(200)
  const { version } = await administrator.call(users.userDetail, { userId })
  await administrator.call(users.setUserStatus, { userId, version, status: 'disabled' })
  expect((await ask(token, currentRole.path)).code).toBe(401)
  expect(await signIn(account, PASSWORD)).toMatchObject({ problem: { id: 'S-DIS' } })
  expect(
    (await floor.events()).findLast((event) => event.type === 'session.revoked'),
  ).toMatchObject({ rooms: [`user:${userId}`], data: { reason: 'status' } })
  const { rows } = await sql<{
    state: string
    collector_id: string | null
  }>`select c.state, c.collector_id from collection_case c where c.id = ${caseId}`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ state: 'unallocated', collector_id: null }])
  const off = await administrator.call(users.userDetail, { userId })
  expect(off).toMatchObject({ status: 'disabled', allocationFlag: false, sessions: [] })
  await administrator.call(users.setUserStatus, { userId, version: off.version, status: 'enabled' })
  expect(await administrator.call(users.userDetail, { userId })).toMatchObject({ status: 'normal' })
  expect((await signIn(account, PASSWORD)).code).toBe(200)
})

test('people cannot disable themselves or change their own role, and one administrator remains', async () => {
  const me = await administrator.call(users.userDetail, { userId: administrator.userId })
  expect(
    await administrator.refused(users.setUserStatus, {
      userId: me.userId,
      version: me.version,
      status: 'disabled',
    }),
  ).toMatchObject({ problem: { id: 'U-SELF' } })
  expect(
    await administrator.refused(users.editUser, {
      ...edited({ ...me, ...unit }),
      roleId: roles.get('manager') as string,
    }),
  ).toMatchObject({ problem: { id: 'U-SELF' } })
  const second = await add('administrator')
  const { token } = (await second.signIn()).data
  const other = { authorization: token }
  // two administrators disable each other concurrently: one remains enabled
  const answers = await Promise.all([
    administrator.send(users.setUserStatus, {
      userId: second.userId,
      version: second.version,
      status: 'disabled',
    }),
    administrator.send(
      users.setUserStatus,
      { userId: me.userId, version: me.version, status: 'disabled' },
      other,
    ),
  ])
  expect(
    answers.map((answer) => answer.json<Envelope<null>>().code).filter((code) => code === 200),
  ).toHaveLength(1)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n
    from sys_user u
    join sys_role g on g.id = u.role_id
    where g.unique_mark = 'administrator' and u.status = 'enabled'`.execute(floor.database.kysely)
  expect(rows[0]?.n).toBe(1)
  await sql`update sys_user set status = 'enabled' where role_id = ${roles.get('administrator')}`.execute(
    floor.database.kysely,
  )
  administrator = await floor.signIn('administrator')
})

test('failed logins lock an account until it is unlocked', async () => {
  const user = await add('salesman')
  await sql`
    insert into login_failure (account_hash, ip)
      select sha256(convert_to(${user.account}, 'UTF8')), '10.0.0.1' from generate_series(1, 5)`.execute(
    floor.database.kysely,
  )
  expect(await user.signIn()).toMatchObject({ problem: { id: 'S-TRY' } })
  expect((await administrator.call(users.userDetail, { userId: user.userId })).lockedUntil).toEqual(
    expect.any(String),
  )
  await administrator.call(users.unlockUser, { userId: user.userId })
  expect(
    (await administrator.call(users.userDetail, { userId: user.userId })).lockedUntil,
  ).toBeNull()
  expect((await user.signIn()).code).toBe(200)
})

test('a reset password ends the sessions and must be changed', async () => {
  const user = await add('salesman')
  const { token } = (await user.signIn()).data
  await sql`update sys_user set must_change = false where id = ${user.userId}`.execute(
    floor.database.kysely,
  )
  expect(
    await administrator.refused(users.resetUserPassword, {
      userId: user.userId,
      newPwd: SECOND,
      confirmNewPwd: FIRST,
    }),
  ).toMatchObject({ problem: { id: 'P-DIFF' } })
  expect(
    await administrator.refused(users.resetUserPassword, {
      userId: user.userId,
      newPwd: 'short',
      confirmNewPwd: 'short',
    }),
  ).toMatchObject({ problem: { id: 'P-FMT' } })
  expect(
    await administrator.refused(users.resetUserPassword, {
      userId: administrator.userId,
      newPwd: SECOND,
      confirmNewPwd: SECOND,
    }),
  ).toMatchObject({ problem: { id: 'U-SELF' } })
  await administrator.call(users.resetUserPassword, {
    userId: user.userId,
    newPwd: SECOND,
    confirmNewPwd: SECOND,
  })
  expect((await ask(token, currentRole.path)).code).toBe(401)
  expect((await user.signIn()).problem?.id).toBe('S-CRED')
  const again = (await user.signIn(SECOND)).data.token
  expect((await ask(again, userInfo.path)).data).toMatchObject({ user: { mustChange: true } })
  const { rows } = await sql<{ after: unknown; before: unknown }>`
    select l.before, l.after
    from operate_log l
    where l.target_id = ${user.userId} and l.action = 'reset' and l.result = 'ok'`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ before: null, after: null }])
})

test('ending one session keeps the others', async () => {
  const user = await add('salesman')
  const [one, two] = [(await user.signIn()).data.token, (await user.signIn()).data.token]
  const { sessions } = await administrator.call(users.userDetail, { userId: user.userId })
  expect(sessions).toHaveLength(2)
  await administrator.call(users.kickUser, {
    userId: user.userId,
    sessionId: sessions.at(-1)?.sessionId,
  })
  expect(
    [(await ask(one, currentRole.path)).code, (await ask(two, currentRole.path)).code].toSorted(),
  ).toEqual([200, 401])
  expect(
    await administrator.refused(users.kickUser, {
      userId: user.userId,
      sessionId: sessions.at(-1)?.sessionId,
    }),
  ).toMatchObject({ problem: { id: 'G404' } })
  await administrator.call(users.kickUser, { userId: user.userId })
  expect((await administrator.call(users.userDetail, { userId: user.userId })).sessions).toEqual([])
})

test('only administrators can create, edit and disable administrators', async () => {
  const manager = await floor.signIn('manager')
  const other = await add('administrator')
  const reviewer = await add('reviewer')
  const roleId = roles.get('administrator') as string
  const before = await administrator.call(users.userDetail, { userId: other.userId })
  for (const refusal of [
    await manager.refused(users.addUser, fields('administrator')),
    await manager.refused(users.editUser, { ...edited(reviewer), roleId }),
    await manager.refused(users.editUser, { ...edited(other), nickname: 'Mine' }),
    await manager.refused(users.setUserStatus, {
      userId: other.userId,
      version: other.version,
      status: 'disabled',
    }),
    await manager.refused(users.resetUserPassword, {
      userId: other.userId,
      newPwd: SECOND,
      confirmNewPwd: SECOND,
    }),
    await manager.refused(users.unlockUser, { userId: other.userId }),
  ])
    expect(refusal.code).toBe(403)
  expect(await administrator.call(users.userDetail, { userId: other.userId })).toEqual(before)
  expect((await other.signIn()).code).toBe(200)
})

test('an easily guessed first password is refused for new accounts and resets', async () => {
  expect(
    await administrator.refused(users.addUser, fields('reviewer', { password: 'Password#1' })),
  ).toMatchObject({ problem: { id: 'P-WEAK' } })
  const user = await add('reviewer')
  expect(
    await administrator.refused(users.resetUserPassword, {
      userId: user.userId,
      newPwd: 'Welcome@123',
      confirmNewPwd: 'Welcome@123',
    }),
  ).toMatchObject({ problem: { id: 'P-WEAK' } })
})
