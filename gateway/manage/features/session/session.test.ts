import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changePassword } from '#shared/session/account-api.ts'
import {
  currentRole,
  liveRooms,
  login,
  logout,
  serverTime,
  sidebar,
  userInfo,
} from '#shared/session/session-api.ts'
import { ROLES } from '#shared/session/roles.ts'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import { BASE } from '#gateway/manage/core.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Floor, PASSWORD, request, testManage } from '#tests/support/manage.ts'
import { endSessions } from './end-sessions.ts'

let floor: Floor
beforeAll(async () => {
  floor = await testManage({ parts: () => ({ menus: SESSION_MENU }) })
})
afterAll(() => floor.close())

const signIn = (payload: object, headers: Record<string, string> = {}) =>
  floor.manage.app.inject({ method: 'POST', url: `${BASE}/login`, payload, headers })
const age = (token: string, set: string) =>
  sql`
    update sys_session set ${sql.raw(set)}
      where id = (select s.id from sys_session s where s.token_hash = sha256(${Buffer.from(token)}))`.execute(
    floor.database.kysely,
  )

test.each(ROLES.map((role) => role.mark))(
  '%s can log in and has a menu and a permitted landing page',
  async (mark) => {
    const person = await floor.signIn(mark)
    const info = await person.call(userInfo, {})
    expect(info.user.roles).toEqual([mark])
    expect(info.menu.map((node) => node.path)).toContain('/home_page')
    expect(info.user.landing).toBe('/home_page')
    expect((await person.call(sidebar, {})).menu).toEqual(info.menu)
    expect((await person.call(currentRole, {})).permissions).toContain('home_page:view')
    expect((await person.call(serverTime, {})).country).toBe('IN')
  },
)

test('an unknown account and a wrong password get the same answer', async () => {
  const wrong = (await signIn({ username: 'salesman', password: 'Wrong#2026' })).json()
  const unknown = (await signIn({ username: 'nobody', password: 'Wrong#2026' })).json()
  expect(wrong).toMatchObject({
    code: 400,
    problem: { id: 'S-CRED' },
    msg: 'Account or password is incorrect',
  })
  expect(unknown).toEqual(wrong)
})

test('a refused sign-in writes as much for an unknown account as for a known one', async () => {
  const written = async (username: string) => {
    const before = await countRows()
    await signIn({ username, password: 'Wrong#2026' })
    const after = await countRows()
    return { failures: after.failures - before.failures, entries: after.entries - before.entries }
  }
  expect(await written('collector')).toEqual({ failures: 1, entries: 1 })
  expect(await written('nobody at all')).toEqual({ failures: 1, entries: 1 })
})

async function countRows(): Promise<{ failures: number; entries: number }> {
  const { rows } = await sql<{ failures: number; entries: number }>`
    select (select count(*)::int from login_failure) as failures,
      (select count(*)::int from operate_log) as entries`.execute(floor.database.kysely)
  return rows[0] as { failures: number; entries: number }
}

test('the account name is trimmed and compared case-insensitively', async () => {
  expect((await signIn({ username: '  Salesman ', password: PASSWORD })).json()).toMatchObject({
    code: 200,
  })
})

test('five failed logins lock the account text, known or not, and the right password does not unlock it', async () => {
  for (const username of ['tele_loanfailed', 'ghost']) {
    for (let n = 0; n < 5; n += 1) {
      await signIn({ username, password: 'Wrong#2026' })
      await sql`update login_failure set at = at - interval '1 minute'`.execute(
        floor.database.kysely,
      )
    }
    expect((await signIn({ username, password: PASSWORD })).json()).toMatchObject({
      code: 400,
      problem: { id: 'S-TRY' },
    })
  }
  await sql`update login_failure set at = at - interval '31 minutes'`.execute(floor.database.kysely)
  expect((await signIn({ username: 'tele_loanfailed', password: PASSWORD })).json()).toMatchObject({
    code: 200,
  })
})

test.each([
  ['disabled', 'S-DIS'],
  ['frozen', 'S-FRZ'],
])('a %s account can neither log in nor use an open session', async (status, id) => {
  const person = await floor.signIn('manager2')
  await sql`update sys_user set status = ${status} where account = 'manager2'`.execute(
    floor.database.kysely,
  )
  floor.context.forgetSessions(null)
  expect((await signIn({ username: 'manager2', password: PASSWORD })).json()).toMatchObject({
    problem: { id },
  })
  expect(await person.refused(serverTime, {})).toMatchObject({ code: 400, problem: { id } })
  await sql`update sys_user set status = 'enabled' where account = 'manager2'`.execute(
    floor.database.kysely,
  )
})

test('disabling a role ends its sessions', async () => {
  const person = await floor.signIn('tele_uncertified')
  await sql`update sys_role set status = 'disabled' where unique_mark = 'tele_uncertified'`.execute(
    floor.database.kysely,
  )
  floor.context.forgetSessions(null)
  expect(await person.refused(serverTime, {})).toMatchObject({ problem: { id: 'S-ROLE' } })
  await sql`update sys_role set status = 'enabled' where unique_mark = 'tele_uncertified'`.execute(
    floor.database.kysely,
  )
})

test('calls without a token, with an invalid one or with a cookie alone are refused', async () => {
  const { token } = await floor.signIn('director')
  const tries: Record<string, string>[] = [
    {},
    { authorization: 'made-up' },
    { cookie: `Admin-Token=${token}` },
  ]
  for (const headers of tries) {
    expect((await request(floor.manage.app, userInfo, {}, headers)).json()).toMatchObject({
      code: 401,
      problem: { id: 'G401' },
      msg: 'Session expired, please log in again',
    })
  }
})

test('behind an edge that browsers reach by TLS the bind cookie is Secure and __Host-', async () => {
  const answer = await signIn(
    { username: 'director', password: PASSWORD },
    { 'sec-fetch-site': 'same-origin', 'x-forwarded-proto': 'https' },
  )
  expect(answer.cookies).toEqual([
    {
      name: '__Host-bind',
      value: expect.any(String),
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
      path: '/',
    },
  ])
})

test('a browser session does not work without its bind cookie', async () => {
  const answer = await signIn(
    { username: 'director', password: PASSWORD },
    { 'sec-fetch-site': 'same-origin' },
  )
  const { token } = answer.json().data
  const bind = answer.cookies.find((cookie) => cookie.name === 'bind')
  expect(bind).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
  expect(
    (await request(floor.manage.app, serverTime, {}, { authorization: token })).json().code,
  ).toBe(401)
  expect(
    (
      await request(
        floor.manage.app,
        serverTime,
        {},
        { authorization: token, cookie: 'bind=other' },
      )
    ).json().code,
  ).toBe(401)
  expect(
    (
      await request(
        floor.manage.app,
        serverTime,
        {},
        { authorization: token, cookie: `bind=${bind?.value}` },
      )
    ).json().code,
  ).toBe(200)
})

test('twenty concurrent calls at a renewal stay logged in, and the old token expires after its grace', async () => {
  const { token } = await floor.signIn('collector')
  await age(token, "rotated_at = clock_timestamp() - interval '11 minutes'")
  floor.context.forgetSessions(null)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      request(floor.manage.app, currentRole, {}, { authorization: token }),
    ),
  )
  expect(answers.map((answer) => answer.json().code)).toEqual(Array(20).fill(200))
  const renewed = answers.flatMap((answer) =>
    answer.headers.authorization ? [answer.headers.authorization] : [],
  )
  // every concurrent answer names the same new token
  expect(renewed).toHaveLength(20)
  expect(new Set(renewed).size).toBe(1)
  const [fresh] = renewed as [string]
  expect(
    (await request(floor.manage.app, currentRole, {}, { authorization: fresh })).json().code,
  ).toBe(200)
  await age(fresh, "rotated_at = clock_timestamp() - interval '61 seconds'")
  floor.context.forgetSessions(null)
  expect(
    (await request(floor.manage.app, currentRole, {}, { authorization: token })).json().code,
  ).toBe(401)
  // a copied token was used: the session ends for everybody who holds it
  expect(
    (await request(floor.manage.app, currentRole, {}, { authorization: fresh })).json().code,
  ).toBe(401)
})

test('after a lost answer the next one names the renewed token again', async () => {
  const { token } = await floor.signIn('collector')
  await age(token, "rotated_at = clock_timestamp() - interval '11 minutes'")
  floor.context.forgetSessions(null)
  const lost = await request(floor.manage.app, currentRole, {}, { authorization: token })
  await sql`
    update sys_session set rotated_at = rotated_at - interval '50 seconds'
      where token_hash = sha256(${Buffer.from(String(lost.headers.authorization))})`.execute(
    floor.database.kysely,
  )
  const again = await request(floor.manage.app, currentRole, {}, { authorization: token })
  expect(again.headers).toMatchObject({
    authorization: lost.headers.authorization,
    'x-token-rotation': '1',
  })
  expect(
    (
      await request(
        floor.manage.app,
        currentRole,
        {},
        { authorization: String(again.headers.authorization) },
      )
    ).json().code,
  ).toBe(200)
})

test('a refusal carries the renewed token like a success', async () => {
  const { token } = await floor.signIn('collector')
  await age(token, "rotated_at = clock_timestamp() - interval '11 minutes'")
  floor.context.forgetSessions(null)
  const refused = await request(
    floor.manage.app,
    changePassword,
    { username: 'collector' },
    { authorization: token },
  )
  expect(refused.json().code).toBe(400)
  expect(
    (
      await request(
        floor.manage.app,
        currentRole,
        {},
        { authorization: String(refused.headers.authorization) },
      )
    ).json().code,
  ).toBe(200)
})

test('a session ends after its idle time, and use extends it', async () => {
  const { token } = await floor.signIn('team_leader')
  await age(
    token,
    "last_seen_at = clock_timestamp() - interval '2 minutes', expires_at = clock_timestamp() + interval '1 minute'",
  )
  floor.context.forgetSessions(null)
  await request(floor.manage.app, currentRole, {}, { authorization: token })
  const { rows } = await sql<{ left: number }>`
    select extract(epoch from s.expires_at - clock_timestamp())::int as left from sys_session s
    where s.token_hash = sha256(${Buffer.from(token)})`.execute(floor.database.kysely)
  expect(rows[0]?.left).toBeGreaterThan(29 * 60)
  await age(token, 'expires_at = clock_timestamp()')
  floor.context.forgetSessions(null)
  expect(
    (await request(floor.manage.app, currentRole, {}, { authorization: token })).json().code,
  ).toBe(401)
})

test('background calls of an idle tab do not keep a session alive', async () => {
  const { token } = await floor.signIn('group_leader')
  await age(
    token,
    "last_seen_at = clock_timestamp() - interval '2 minutes', expires_at = clock_timestamp() + interval '1 minute'",
  )
  floor.context.forgetSessions(null)
  await request(floor.manage.app, serverTime, {}, { authorization: token })
  await request(floor.manage.app, liveRooms, {}, { authorization: token })
  const { rows } = await sql<{ left: number }>`
    select extract(epoch from s.expires_at - clock_timestamp())::int as left from sys_session s
    where s.token_hash = sha256(${Buffer.from(token)})`.execute(floor.database.kysely)
  expect(rows[0]?.left).toBeLessThanOrEqual(60)
})

test('a background call moves neither the idle limit nor the token, and gets a renewed token', async () => {
  const { token } = await floor.signIn('group_leader')
  const background = (given: string) =>
    request(floor.manage.app, currentRole, {}, { authorization: given, 'x-background': '1' })
  await age(
    token,
    `rotated_at = clock_timestamp() - interval '11 minutes',
      last_seen_at = clock_timestamp() - interval '11 minutes',
      expires_at = clock_timestamp() + interval '1 minute'`,
  )
  floor.context.forgetSessions(null)
  const asked = await background(token)
  expect(asked.json().code).toBe(200)
  expect(asked.headers.authorization).toBeUndefined()
  const { rows } = await sql<{ left: number }>`
    select extract(epoch from s.expires_at - clock_timestamp())::int as left from sys_session s
    where s.token_hash = sha256(${Buffer.from(token)})`.execute(floor.database.kysely)
  expect(rows[0]?.left).toBeLessThanOrEqual(60)
  const { authorization: fresh } = (
    await request(floor.manage.app, currentRole, {}, { authorization: token })
  ).headers
  expect((await background(token)).headers.authorization).toBe(fresh)
  await age(String(fresh), "rotated_at = clock_timestamp() - interval '61 seconds'")
  floor.context.forgetSessions(null)
  // calling itself background does not admit a copied token
  expect((await background(token)).json().code).toBe(401)
  expect((await background(String(fresh))).json().code).toBe(401)
})

test('a socket with the token before the renewal keeps the session and its rooms', async () => {
  const { token } = await floor.signIn('director')
  await age(token, "rotated_at = clock_timestamp() - interval '11 minutes'")
  floor.context.forgetSessions(null)
  const fresh = String(
    (await request(floor.manage.app, currentRole, {}, { authorization: token })).headers
      .authorization,
  )
  await age(fresh, "rotated_at = clock_timestamp() - interval '5 minutes'")
  floor.context.forgetSessions(null)
  expect(
    (await request(floor.manage.app, liveRooms, {}, { authorization: token })).json().code,
  ).toBe(200)
  expect(
    (await request(floor.manage.app, currentRole, {}, { authorization: fresh })).json().code,
  ).toBe(200)
})

test('a third login ends the oldest of two sessions and notifies its sockets', async () => {
  const [first, second, third] = [
    await floor.signIn('salesman'),
    await floor.signIn('salesman'),
    await floor.signIn('salesman'),
  ]
  expect((await first.refused(serverTime, {})).code).toBe(401)
  await second.call(serverTime, {})
  await third.call(serverTime, {})
  const emitted = (await floor.events()).filter(
    (event) => event.type === 'session.revoked' && event.rooms.includes(`user:${first.userId}`),
  )
  expect(emitted.at(-1)?.data).toMatchObject({ reason: 'newerLogin' })
})

test('an answer names the newest event published before it was read', async () => {
  const person = await floor.signIn('director')
  await floor.settle()
  const answer = await person.send(serverTime, {})
  expect(Number(answer.headers['x-seq'])).toBe((await floor.events()).at(-1)?.seq)
})

test('a logout ends the session at once', async () => {
  const person = await floor.signIn('internal_supervisor')
  await person.call(logout, {})
  expect((await person.refused(serverTime, {})).code).toBe(401)
})

test('a session ended by another process is closed here within a second', async () => {
  const person = await floor.signIn('external_supervisor')
  await person.call(serverTime, {})
  await runCommand(floor.context, { actor: systemActor('test'), audit: { action: 'kick' } }, (tx) =>
    endSessions(tx, person.userId, 'kick'),
  )
  expect((await person.refused(serverTime, {})).code).toBe(401)
})

test('rooms are named by the rights of now, not by a cached session', async () => {
  const person = await floor.signIn('external_supervisor')
  await person.call(serverTime, {})
  await age(person.token, 'revoked_at = clock_timestamp()')
  expect((await person.refused(liveRooms, {})).code).toBe(401)
})

test('the server names the rooms by scope, role and person, and ignores requests beyond the rights', async () => {
  const director = await floor.signIn('director')
  expect((await director.call(liveRooms, {})).rooms.toSorted()).toEqual([
    'all',
    'role:director',
    'scope:all',
    `user:${director.userId}`,
  ])
  const collector = await floor.signIn('collector')
  const rooms = await collector.call(liveRooms, {
    watch: 'menu:home_page,menu:review_list,order:L10000001,user:U1001,scope:all,nonsense',
  })
  expect(rooms.rooms).toContain('menu:home_page')
  expect(rooms.refused.toSorted()).toEqual([
    'menu:review_list',
    'nonsense',
    'order:L10000001',
    'scope:all',
    'user:U1001',
  ])
  expect(rooms.rooms).not.toContain('scope:all')
})

test.each([
  [{ username: '', password: 'x' }, 'username'],
  [{ username: 'a' }, 'password'],
  [{ username: 'a', password: 'b', role: 'administrator' }, 'role'],
  [{ username: 'x'.repeat(65), password: 'b' }, 'username'],
])('a login with %j marks its field', async (payload, field) => {
  const answer = (await signIn(payload)).json()
  expect(answer).toMatchObject({ code: 400, problem: { id: 'G-FIELD' } })
  expect(Object.keys(answer.data.fields)).toContain(field)
})

test('of twenty concurrent wrong passwords five are checked, and no login succeeds afterwards', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      signIn({ username: 'tele_unborrowed', password: 'Wrong#2026' }),
    ),
  )
  const ids = answers.map((answer) => answer.json().problem.id as string)
  expect(ids.filter((id) => id === 'S-CRED').length).toBeLessThanOrEqual(5)
  expect(new Set(ids)).toEqual(new Set(['S-CRED', 'S-TRY']))
})

test('a hundred failed logins from an address slow accounts new to it, and lock nobody out', async () => {
  await sql`
    insert into login_failure (account_hash, ip) select sha256(n::text::bytea), '203.0.113.9'
      from generate_series(1, 100) n`.execute(floor.database.kysely)
  const from = async (username: string, ip: string) => {
    const at = performance.now()
    const answer = await signIn({ username, password: PASSWORD }, { 'x-forwarded-for': ip })
    return { code: answer.json().code as number, isSlow: performance.now() - at >= 1_990 }
  }
  expect(await from('director', '203.0.113.9')).toEqual({ code: 200, isSlow: true })
  expect(await from('director', '203.0.113.9')).toEqual({ code: 200, isSlow: false })
  expect(await from('reviewer', '203.0.113.10')).toEqual({ code: 200, isSlow: false })
})

test('a password hash with older settings is replaced at the next login', async () => {
  const { hash } = await import('@node-rs/argon2')
  const old = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
  await sql`update sys_user set password_hash = ${old} where account = 'tele_unreborrowed'`.execute(
    floor.database.kysely,
  )
  await floor.signIn('tele_unreborrowed')
  const { rows } = await sql<{
    hash: string
  }>`select password_hash as hash from sys_user where account = 'tele_unreborrowed'`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect((await signIn({ username: 'tele_unreborrowed', password: PASSWORD })).json().code).toBe(
    200,
  )
})

test('a password is never written to the operate log', async () => {
  await request(floor.manage.app, login, { username: 'director', password: 'Canary#20265' }, {})
  await floor.settle()
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from operate_log l where to_jsonb(l)::text like '%Canary%'`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.n).toBe(0)
})
