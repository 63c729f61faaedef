/**
 * The own account: password, sessions, two-factor login, and what must be settled before working.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  changePassword,
  endMySession,
  mySessions,
  twoFactorSecret,
  twoFactorState,
  twoFactorSwitch,
  verifyLogin,
} from '#shared/session/account-api.ts'
import {
  currentRole,
  liveRooms,
  login,
  logout,
  serverTime,
  userInfo,
} from '#shared/session/session-api.ts'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import { listJobs } from '#shared/jobs/jobs-api.ts'
import { type Floor, PASSWORD, type Person, request, testManage } from '#tests/support/manage.ts'
import { codeOfStep } from './two-factor/totp.ts'

const NEW = 'Brass#Lamp42'

let floor: Floor
beforeAll(async () => {
  floor = await testManage({ parts: () => ({ menus: SESSION_MENU }) })
})
afterAll(() => floor.close())

const open = (payload: object, headers: Record<string, string> = {}) =>
  request(floor.manage.app, login, payload, headers)
const verify = (challenge: string, code: string, headers: Record<string, string> = {}) =>
  request(floor.manage.app, verifyLogin, { challenge, code }, headers)
const run = (query: ReturnType<typeof sql>) => query.execute(floor.database.kysely)
/** The tests skip the delays after failed logins. */
const forgetTries = () => run(sql`delete from login_failure`)
const passwordChange = (account: string, more: object = {}) => ({
  username: account,
  oldPwd: PASSWORD,
  newPwd: NEW,
  confirmNewPwd: NEW,
  ...more,
})

async function stepNow(): Promise<number> {
  const { rows } = await sql<{
    step: number
  }>`select floor(extract(epoch from clock_timestamp()) / 30)::int as step`.execute(
    floor.database.kysely,
  )
  return rows[0]?.step ?? 0
}
/** Two-factor login was set up a minute ago, so the codes of this minute are unused. */
async function enrolled(
  account: string,
): Promise<{ person: Person; secret: string; recoveryCodes: string[] }> {
  const person = await floor.signIn(account)
  const { secret, recoveryCodes } = await person.call(twoFactorSecret, { userId: person.userId })
  await person.call(twoFactorSwitch, {
    userId: person.userId,
    switchVal: '1',
    validSecret: codeOfStep(secret, await stepNow()),
  })
  await run(
    sql`update sys_user set totp_last_step = totp_last_step - 2 where id = ${person.userId}`,
  )
  return { person, secret, recoveryCodes }
}
async function challengeOf(account: string): Promise<string> {
  const { data } = (await open({ username: account, password: PASSWORD })).json<{
    data: { challenge: string }
  }>()
  return data.challenge
}

test.each([
  [{ confirmNewPwd: 'Brass#Lamp43' }, 'P-DIFF', 'Passwords inconsistent'],
  [{ newPwd: PASSWORD, confirmNewPwd: PASSWORD }, 'P-SAME', 'Old password same as new'],
  [{ newPwd: 'short#1', confirmNewPwd: 'short#1' }, 'P-FMT', 'Password format is incorrect'],
  [
    { newPwd: 'Welcome@2026', confirmNewPwd: 'Welcome@2026' },
    'P-WEAK',
    'This password is too easy to guess; choose another',
  ],
  [{ oldPwd: 'Wrong#2026' }, 'P-OLD', 'Old password is incorrect'],
  [{ username: 'director' }, 'G403', 'You do not have permission for this operation'],
])('a password change with %j is refused as %s', async (more, id, msg) => {
  const person = await floor.signIn('manager')
  const answer = await person.send(changePassword, passwordChange('manager', more))
  expect(answer.json()).toMatchObject({ msg, success: false, problem: { id } })
  expect((await person.send(currentRole, {})).json().code).toBe(200)
})

test('a password change ends every session, and only the new password works', async () => {
  const [here, there] = [await floor.signIn('manager2'), await floor.signIn('manager2')]
  expect((await here.send(changePassword, passwordChange('Manager2'))).json()).toEqual({
    code: 200,
    msg: 'Operation successful',
    data: null,
    success: true,
  })
  for (const person of [here, there]) expect((await person.refused(currentRole, {})).code).toBe(401)
  expect((await open({ username: 'manager2', password: PASSWORD })).json()).toMatchObject({
    problem: { id: 'S-CRED' },
  })
  expect((await open({ username: 'manager2', password: NEW })).json().code).toBe(200)
  const emitted = (await floor.events()).filter(
    (event) => event.type === 'session.revoked' && event.rooms.includes(`user:${here.userId}`),
  )
  expect(emitted.map((event) => event.data.reason)).toEqual(['password', 'password'])
})

test('failed old passwords are limited without locking the login', async () => {
  const person = await floor.signIn('salesman')
  for (let n = 0; n < 5; n += 1) {
    expect(
      (
        await person.send(changePassword, passwordChange('salesman', { oldPwd: 'Wrong#2026' }))
      ).json(),
    ).toMatchObject({ problem: { id: 'P-OLD' } })
    await run(sql`update login_failure set at = at - interval '1 minute'`)
  }
  expect((await person.send(changePassword, passwordChange('salesman'))).json()).toMatchObject({
    problem: { id: 'S-TRY' },
  })
  expect((await open({ username: 'salesman', password: PASSWORD })).json().code).toBe(200)
})

test('no password is written to the operate log or to a stored answer', async () => {
  const person = await floor.signIn('director')
  await person.send(
    changePassword,
    passwordChange('director', {
      oldPwd: 'Canary#Old1',
      newPwd: 'Canary#New1',
      confirmNewPwd: 'Canary#New1',
    }),
  )
  await floor.settle()
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from operate_log l
      where to_jsonb(l)::text like '%Canary%')::int + (select count(*) from idempotency_key k
      where k.route like '%resetPwd%')::int as n`.execute(floor.database.kysely)
  expect(rows[0]?.n).toBe(0)
})

test('an account that must change its password can call nothing else before the change', async () => {
  await run(sql`update sys_user set must_change = true where account = 'quality_inspector'`)
  const person = await floor.signIn('quality_inspector')
  expect((await person.call(userInfo, {})).user).toMatchObject({
    mustChange: true,
    mustEnrol: false,
  })
  await person.call(serverTime, {})
  await person.call(liveRooms, {})
  expect(await person.refused(listJobs, {})).toMatchObject({
    code: 400,
    problem: { id: 'S-CHANGE' },
  })
  expect((await person.send(changePassword, passwordChange('quality_inspector'))).json().code).toBe(
    200,
  )
  const { token } = (await open({ username: 'quality_inspector', password: NEW })).json().data
  expect(
    (await request(floor.manage.app, listJobs, {}, { authorization: token })).json().code,
  ).toBe(200)
})

test('where two-factor login is required, staff must set it up first', async () => {
  await run(sql`update sys_config set value = 'true' where code = 'login.twoFactorRequired'`)
  floor.context.parameters.forget()
  const person = await floor.signIn('quality_inspector2')
  expect((await person.call(userInfo, {})).user.mustEnrol).toBe(true)
  expect(await person.refused(listJobs, {})).toMatchObject({ problem: { id: 'S-ENROL' } })
  const { secret } = await person.call(twoFactorSecret, { userId: person.userId })
  await person.call(twoFactorSwitch, {
    userId: person.userId,
    switchVal: '1',
    validSecret: codeOfStep(secret, await stepNow()),
  })
  await person.call(listJobs, {})
  expect((await person.call(userInfo, {})).user.mustEnrol).toBe(false)
  await run(sql`update sys_config set value = 'false' where code = 'login.twoFactorRequired'`)
  floor.context.parameters.forget()
})

test('a person lists their own sessions, with the current one marked, and ends another', async () => {
  const here = await floor.signIn('reviewer')
  const there = await floor.signIn('reviewer')
  await floor.signIn('reviewer2')
  const { rows } = await here.call(mySessions, {})
  expect(rows.map((row) => row.current)).toEqual([true, false])
  expect(rows[0]).toMatchObject({ ip: '127.0.0.1', agent: 'lightMyRequest' })
  expect(await here.call(endMySession, { sessionId: rows[1]?.sessionId })).toEqual({ ended: 1 })
  expect((await there.refused(currentRole, {})).code).toBe(401)
  expect((await here.call(mySessions, {})).rows).toHaveLength(1)
})

test("a colleague's session and the current session cannot be ended; all other sessions end together", async () => {
  const [asha, ben, more] = [
    await floor.signIn('reviewer3'),
    await floor.signIn('reviewer4'),
    await floor.signIn('reviewer3'),
  ]
  const hers = (await asha.call(mySessions, {})).rows.find((row) => row.current)
    ?.sessionId as string
  expect(await ben.refused(endMySession, { sessionId: hers })).toMatchObject({
    problem: { id: 'G404' },
  })
  expect(await asha.refused(endMySession, { sessionId: hers })).toMatchObject({
    problem: { id: 'G404' },
  })
  expect(await asha.call(endMySession, {})).toEqual({ ended: 1 })
  expect((await more.refused(currentRole, {})).code).toBe(401)
  await ben.call(currentRole, {})
})

test('with two-factor login the password alone opens no session; the code does and sets the bind cookie', async () => {
  const { secret } = await enrolled('team_leader')
  const browser = { 'sec-fetch-site': 'same-origin' }
  const first = (await open({ username: 'team_leader', password: PASSWORD }, browser)).json()
  expect(first).toMatchObject({ code: 200, data: { needCode: true } })
  expect(Object.keys(first.data).toSorted()).toEqual(['challenge', 'needCode'])
  expect((await verify(first.data.challenge, '000000')).json()).toMatchObject({
    code: 400,
    problem: { id: 'S-CODE' },
  })
  const answer = await verify(first.data.challenge, codeOfStep(secret, await stepNow()))
  const bind = answer.cookies.find((cookie) => cookie.name === 'bind')?.value ?? ''
  expect(
    (
      await request(floor.manage.app, currentRole, {}, { authorization: answer.json().data.token })
    ).json().code,
  ).toBe(401)
  expect(
    (
      await request(
        floor.manage.app,
        currentRole,
        {},
        { authorization: answer.json().data.token, cookie: `bind=${bind}` },
      )
    ).json().code,
  ).toBe(200)
})

test('a code works once, also when sent twenty times concurrently', async () => {
  const { secret } = await enrolled('collector')
  const challenges = [await challengeOf('collector'), await challengeOf('collector')]
  const code = codeOfStep(secret, await stepNow())
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => verify(challenges[0] as string, code)),
  )
  expect(answers.filter((answer) => answer.json().code === 200)).toHaveLength(1)
  await forgetTries()
  expect((await verify(challenges[1] as string, code)).json()).toMatchObject({
    problem: { id: 'S-CODE' },
  })
  expect((await verify(challenges[0] as string, code)).json()).toMatchObject({
    problem: { id: 'S-CHAL' },
  })
})

test('a recovery code works once in any notation, and nine remain', async () => {
  const { recoveryCodes } = await enrolled('collection_specialist')
  expect(new Set(recoveryCodes).size).toBe(10)
  const [code] = recoveryCodes as [string]
  const { token } = (
    await verify(await challengeOf('collection_specialist'), code.replace('-', ' ').toLowerCase())
  ).json().data
  expect(
    (await request(floor.manage.app, twoFactorState, {}, { authorization: token })).json().data,
  ).toEqual({ twoFactor: true, required: false, recoveryLeft: 9 })
  expect((await verify(await challengeOf('collection_specialist'), code)).json()).toMatchObject({
    problem: { id: 'S-CODE' },
  })
})

test('five wrong codes end the challenge and lock the second step for new challenges too', async () => {
  const { secret } = await enrolled('internal_supervisor')
  const challenge = await challengeOf('internal_supervisor')
  for (let n = 0; n < 5; n += 1) {
    await verify(challenge, '000000')
    await run(sql`update login_failure set at = at - interval '1 minute'`)
  }
  const right = codeOfStep(secret, await stepNow())
  expect((await verify(challenge, right)).json()).toMatchObject({ problem: { id: 'S-CHAL' } })
  expect((await verify(await challengeOf('internal_supervisor'), right)).json()).toMatchObject({
    problem: { id: 'S-TRY' },
  })
  await forgetTries()
  expect((await verify(await challengeOf('internal_supervisor'), right)).json().code).toBe(200)
})

test('a challenge lasts five minutes, and an account disabled in the meantime is refused', async () => {
  const { person, secret } = await enrolled('external_supervisor')
  const [late, closed] = [
    await challengeOf('external_supervisor'),
    await challengeOf('external_supervisor'),
  ]
  await run(
    sql`update login_challenge set expires_at = clock_timestamp() where id = sha256(${Buffer.from(late)})`,
  )
  expect((await verify(late, codeOfStep(secret, await stepNow()))).json()).toMatchObject({
    problem: { id: 'S-CHAL' },
  })
  await run(sql`update sys_user set status = 'disabled' where id = ${person.userId}`)
  expect((await verify(closed, codeOfStep(secret, await stepNow()))).json()).toMatchObject({
    problem: { id: 'S-DIS' },
  })
})

test('a code must confirm a secret within ten minutes; it is stored sealed, the recovery codes hashed', async () => {
  const person = await floor.signIn('customer_service')
  const { secret, recoveryCodes } = await person.call(twoFactorSecret, { userId: person.userId })
  const on = async () =>
    person.send(twoFactorSwitch, {
      userId: person.userId,
      switchVal: '1',
      validSecret: codeOfStep(secret, await stepNow()),
    })
  await run(
    sql`
      update sys_user set totp_pending_at = clock_timestamp() - interval '11 minutes'
        where id = ${person.userId}`,
  )
  expect((await on()).json()).toMatchObject({ problem: { id: 'S-CODE' } })
  await run(
    sql`update sys_user set totp_pending_at = clock_timestamp() where id = ${person.userId}`,
  )
  expect((await on()).json()).toMatchObject({ data: { twoFactor: true } })
  const { rows } = await sql<{ row: string; sealed: string }>`
    select to_jsonb(u)::text as row, encode(u.totp_secret, 'escape') as sealed
    from sys_user u
    where u.id = ${person.userId}`.execute(floor.database.kysely)
  for (const clear of [
    secret,
    ...recoveryCodes,
    ...recoveryCodes.map((code) => code.replace('-', '')),
  ])
    expect(rows[0]?.row.includes(clear) || rows[0]?.sealed.includes(clear)).toBe(false)
  const { rows: kept } = await sql<{
    n: number
  }>`select count(*)::int as n from idempotency_key k where k.response like ${`%${secret}%`}`.execute(
    floor.database.kysely,
  )
  expect(kept[0]?.n).toBe(0)
})

test("switching two-factor login off needs the caller's code, and user:twoFactor for another account", async () => {
  const { person, secret } = await enrolled('customer_service2')
  const off = (who: Person, userId: string, validSecret: string) =>
    who.send(twoFactorSwitch, { userId, switchVal: '0', validSecret })
  const stranger = await floor.signIn('tele_uncertified')
  expect((await off(stranger, person.userId, '123456')).json()).toMatchObject({
    code: 400,
    problem: { id: 'G404' },
  })
  expect(await stranger.refused(twoFactorSecret, { userId: person.userId })).toMatchObject({
    problem: { id: 'G404' },
  })

  const administrator = await floor.signIn('administrator')
  await run(sql`
    with m as (insert into sys_menu (id, path, component, visible, name, title, sort, buttons)
      values ('M_user', '/system/user', 'user', 0, 'user', 'x', 1, '{twoFactor}') on conflict (id) do update
      set sort = 1 returning id)
    insert into sys_role_menu (role_id, menu_id, buttons) select g.id, m.id, '{twoFactor}'
      from sys_role g, m where g.unique_mark = 'administrator'`)
  floor.context.forgetSessions(null)
  expect((await off(administrator, person.userId, '123456')).json()).toMatchObject({
    problem: { id: 'S-ENROL' },
  })
  const mine = await administrator.call(twoFactorSecret, { userId: administrator.userId })
  await administrator.call(twoFactorSwitch, {
    userId: administrator.userId,
    switchVal: '1',
    validSecret: codeOfStep(mine.secret, await stepNow()),
  })
  await run(
    sql`update sys_user set totp_last_step = totp_last_step - 2 where id = ${administrator.userId}`,
  )
  expect(
    (await off(administrator, person.userId, codeOfStep(secret, await stepNow()))).json(),
  ).toMatchObject({ problem: { id: 'S-CODE' } })
  expect(
    (await off(administrator, person.userId, codeOfStep(mine.secret, await stepNow()))).json(),
  ).toMatchObject({ data: { twoFactor: false } })
  expect(
    (await open({ username: 'customer_service2', password: PASSWORD })).json().data,
  ).toHaveProperty('token')
  const { rows } = await sql<{ action: string }>`
    select l.action
    from operate_log l
    where l.target_id = ${person.userId} and l.user_id = ${administrator.userId} and l.result = 'ok'`.execute(
    floor.database.kysely,
  )
  expect(rows.map((row) => row.action)).toEqual(['twoFactorOff'])
})

test('an account with something to settle can log out', async () => {
  await run(sql`update sys_user set must_change = true where account = 'tele_loanfailed'`)
  const person = await floor.signIn('tele_loanfailed')
  await person.call(logout, {})
  expect((await person.refused(serverTime, {})).code).toBe(401)
})
