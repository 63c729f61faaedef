import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { liveRooms, serverTime } from '#shared/session/session-api.ts'
import {
  approvePairing,
  editBoard,
  listBoards,
  pollPairing,
  readBoard,
  revokeBoards,
  startPairing,
} from '#shared/wall/wall-api.ts'
import type { Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { makeLeader, makeThreeAgencies, type ThreeAgencies } from '#tests/factories/units.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Floor, type Person, request, testManage } from '#tests/support/manage.ts'

let floor: Floor
let clock: TestClock
let three: ThreeAgencies
let manager: Person
let inside: Person
let outside: Person
beforeAll(async () => {
  floor = await testManage()
  clock = await testClock(floor.database)
  await clock.to('11:00')
  three = await makeThreeAgencies(floor)
  manager = await floor.signIn('manager')
  inside = await floor.signIn(three.people[0]?.[2]?.account ?? '')
  outside = await floor.signIn(three.people[1]?.[2]?.account ?? '')
})
afterAll(() => floor.close())

async function send<E extends Endpoint>(
  e: E,
  input: InputOf<E>,
  headers: Record<string, string> = {},
): Promise<{ body: Envelope<Record<string, unknown>>; headers: Record<string, unknown> }> {
  const answer = await request(floor.manage.app, e, input, headers)
  return { body: answer.json(), headers: answer.headers }
}
async function start(
  headers: Record<string, string> = {},
): Promise<{ code: string; pollSecret: string }> {
  const { body } = await send(startPairing, { profile: 'mid', appVersion: 'b1' }, headers)
  return body.data as { code: string; pollSecret: string }
}
async function paired(
  by: Person,
  more: Partial<InputOf<typeof approvePairing>> = {},
): Promise<{ boardId: string; token: string; pollSecret: string }> {
  const { code, pollSecret } = await start()
  const { boardId } = await by.call(approvePairing, {
    code,
    name: 'Floor screen',
    profile: 'mid',
    ...more,
  })
  const { body } = await send(pollPairing, { pollSecret })
  return { boardId, token: body.data.token as string, pollSecret }
}

test('a screen shows a code, a supervisor enters it, and the screen reads the board of their unit', async () => {
  const { code, pollSecret } = await start()
  expect(code).toMatch(/^[A-HJ-NP-RT-Z2-46-9]{6}$/)
  expect((await send(pollPairing, { pollSecret })).body.data).toEqual({ state: 'waiting' })
  const { boardId } = await manager.call(approvePairing, {
    code,
    name: 'North wall',
    profile: 'far',
    language: 'th',
  })
  const { body } = await send(pollPairing, { pollSecret })
  expect(body.data).toMatchObject({
    state: 'active',
    token: expect.stringMatching(/^wb_[\w-]{43}$/),
  })
  const board = (
    await send(readBoard, { appVersion: 'b2' }, { authorization: body.data.token as string })
  ).body.data
  expect(board).toMatchObject({
    scope: { unit: 'all', stageId: null },
    screen: {
      boardId,
      name: 'North wall',
      settings: { profile: 'far', language: 'th', rotateSec: 20 },
    },
  })
  const row = (await manager.call(listBoards, {})).rows.find((one) => one.boardId === boardId)
  expect(row).toMatchObject({
    name: 'North wall',
    unit: 'all',
    state: 'active',
    appVersion: 'b2',
    pairedBy: 'Manager 1',
  })
  expect(Date.parse(row?.lastSeen ?? '')).toBeGreaterThan(0)
})

test('tokens, codes and secrets cannot be read from the database', async () => {
  const { token, pollSecret, boardId } = await paired(manager)
  const { code } = await start()
  const { rows } = await sql<{
    text: string
  }>`
    select string_agg(d::text, ' ') || (select string_agg(l::text, ' ') from operate_log l) as text
    from board_device d`.execute(floor.database.kysely)
  for (const secret of [token, token.slice(3), pollSecret, code])
    expect(rows[0]?.text).not.toContain(secret)
  expect(rows[0]?.text).toContain(boardId)
})

test('a code is valid once and for its time, and has no look-alike letters', async () => {
  const { code } = await start()
  await manager.call(approvePairing, { code, name: 'One', profile: 'mid' })
  expect(
    (await manager.refused(approvePairing, { code, name: 'Two', profile: 'mid' })).problem?.id,
  ).toBe('B-CODE')
  expect(
    (await manager.refused(approvePairing, { code: 'AAAAAA', name: 'Two', profile: 'mid' })).problem
      ?.id,
  ).toBe('B-CODE')
  expect(
    (await manager.refused(approvePairing, { code: 'O0I1S5', name: 'Two', profile: 'mid' })).code,
  ).toBe(400)
  const late = await start()
  await clock.to('11:11')
  expect((await send(pollPairing, { pollSecret: late.pollSecret })).body.data).toEqual({
    state: 'expired',
  })
  expect(
    (await manager.refused(approvePairing, { code: late.code, name: 'Late', profile: 'mid' }))
      .problem?.id,
  ).toBe('B-CODE')
  expect(
    (await send(pollPairing, { pollSecret: 'nobody-was-given-this-secret' })).body.problem?.id,
  ).toBe('B-CODE')
})

test('a screen that lost its first token gets another until one is used; then the secret is void', async () => {
  const { token: lost, pollSecret } = await paired(manager)
  const again = (await send(pollPairing, { pollSecret })).body.data.token as string
  expect((await send(readBoard, {}, { authorization: lost })).body.code).toBe(401)
  expect((await send(readBoard, {}, { authorization: again })).body.code).toBe(200)
  expect((await send(pollPairing, { pollSecret })).body.problem?.id).toBe('B-CODE')
  expect((await send(readBoard, {}, { authorization: again })).body.code).toBe(200)
})

test('the token opens the board, the clock and its rooms, and no other call', async () => {
  const { token, boardId } = await paired(manager)
  const open: string[] = []
  const wrong: string[] = []
  for (const e of floor.manage.endpoints) {
    if (e.access === 'none' || (typeof e.access === 'object' && 'machine' in e.access)) continue
    const { code } = (await request(floor.manage.app, e, {}, { authorization: token })).json<
      Envelope<unknown>
    >()
    if (code === 200) open.push(`${e.method} ${e.path}`)
    else if (code !== 403) wrong.push(`${e.method} ${e.path} ${code}`)
  }
  expect(open.toSorted()).toEqual(['GET /collection/board', 'GET /get/time', 'GET /live/rooms'])
  expect(wrong).toEqual([])
  expect((await send(serverTime, {}, { authorization: token })).body.data.country).toBe('IN')
  const rooms = (
    await send(
      liveRooms,
      { watch: 'menu:loaned_board,board:all,case:CA10000001' },
      { authorization: token },
    )
  ).body.data
  expect(rooms).toMatchObject({
    userId: boardId,
    rooms: ['board:all', `board:screen:${boardId}`],
    refused: ['menu:loaned_board', 'board:all', 'case:CA10000001'],
  })
})

test('a token of a browser is refused without its cookie', async () => {
  const { code, pollSecret } = await start()
  await manager.call(approvePairing, { code, name: 'Bound', profile: 'mid' })
  const polled = await send(pollPairing, { pollSecret }, { 'sec-fetch-site': 'same-origin' })
  const token = polled.body.data.token as string
  const cookie = String(polled.headers['set-cookie'])
  expect(cookie).toMatch(/^bind-wall=[\w-]{43};.*HttpOnly/)
  expect((await send(readBoard, {}, { authorization: token })).body.code).toBe(401)
  expect(
    (await send(readBoard, {}, { authorization: token, cookie: 'bind-wall=other' })).body.code,
  ).toBe(401)
  expect(
    (await send(readBoard, {}, { authorization: token, cookie: cookie.split(';')[0] ?? '' })).body
      .code,
  ).toBe(200)
})

test('each supervisor pairs screens for their own unit and sees, edits and revokes only those', async () => {
  const own = await paired(inside)
  const theirs = await paired(outside)
  const boards = async (by: Person) =>
    (await by.call(listBoards, {})).rows.map((row) => row.boardId)
  expect(await boards(inside)).toContain(own.boardId)
  expect(await boards(inside)).not.toContain(theirs.boardId)
  expect(await boards(outside)).toEqual([theirs.boardId])
  expect(await boards(manager)).toEqual(expect.arrayContaining([own.boardId, theirs.boardId]))
  const [first, second] = three.units
  expect((await send(readBoard, {}, { authorization: own.token })).body.data.scope).toMatchObject({
    unit: 'department',
    id: first?.departmentId,
  })
  expect(
    (await send(readBoard, { agencyId: second?.agencyId ?? '' }, { authorization: own.token })).body
      .data.scope,
  ).toMatchObject({ unit: 'department', id: first?.departmentId })
  expect((await send(readBoard, {}, { authorization: theirs.token })).body.data).toMatchObject({
    scope: { unit: 'agency', id: second?.agencyId },
    queues: null,
  })
  const { code } = await start()
  expect(
    (
      await outside.refused(approvePairing, {
        code,
        name: 'Spy',
        profile: 'mid',
        agencyId: first?.agencyId ?? '',
      })
    ).problem?.id,
  ).toBe('G404')
  expect((await outside.call(revokeBoards, { boardIds: [own.boardId] })).failed).toMatchObject([
    { id: own.boardId, problem: 'G404' },
  ])
  expect((await send(readBoard, {}, { authorization: own.token })).body.code).toBe(200)
  const settings = {
    profile: 'mid' as const,
    scenes: ['today' as const],
    rotateSec: 30,
    theme: 'dark' as const,
    people: false,
    language: null,
  }
  expect(
    (
      await outside.refused(editBoard, {
        boardId: own.boardId,
        version: 2,
        name: 'Mine now',
        ...settings,
      })
    ).problem?.id,
  ).toBe('G404')
  expect((await outside.refused(readBoard, { agencyId: first?.agencyId })).problem?.id).toBe('G404')
})

test('a screen is renamed and configured, and a concurrent edit returns the newer row', async () => {
  const { boardId, token } = await paired(manager)
  const settings = {
    profile: 'near' as const,
    scenes: ['teams' as const, 'today' as const],
    rotateSec: 10,
    theme: 'light' as const,
    people: false,
    language: 'ja' as const,
    sleepFrom: '21:00',
    sleepTo: '07:30',
  }
  const row = await manager.call(editBoard, { boardId, version: 2, name: 'Door', ...settings })
  expect(row).toMatchObject({ name: 'Door', settings, version: 3 })
  expect((await send(readBoard, {}, { authorization: token })).body.data.screen).toEqual({
    boardId,
    name: 'Door',
    settings,
  })
  for (const sleep of [{ sleepTo: undefined }, { sleepTo: '21:00' }])
    expect(
      (
        await manager.refused(editBoard, {
          boardId,
          version: 3,
          name: 'Door',
          ...settings,
          ...sleep,
        })
      ).data,
    ).toMatchObject({ fields: { sleepTo: expect.any(String) } })
  expect(
    await manager.refused(editBoard, { boardId, version: 2, name: 'Window', ...settings }),
  ).toMatchObject({
    code: 409,
    problem: { id: 'G409', params: { userName: 'Manager 1' } },
    data: { name: 'Door' },
  })
  expect((await floor.events()).findLast((event) => event.type === 'board.changed')).toMatchObject({
    rooms: ['menu:loaned_board', `board:screen:${boardId}`],
    data: { boardId, state: 'active' },
    entity_version: 3,
  })
})

test('a revoked screen is refused at its next call, and cannot be revoked twice', async () => {
  const { boardId, token } = await paired(manager)
  expect((await send(readBoard, {}, { authorization: token })).body.code).toBe(200)
  expect((await manager.call(revokeBoards, { boardIds: [boardId] })).ok).toEqual([boardId])
  for (const e of [readBoard, serverTime, liveRooms, collectionTree])
    expect((await send(e, {}, { authorization: token })).body.code).toBe(401)
  expect((await manager.call(revokeBoards, { boardIds: [boardId] })).failed).toHaveLength(1)
  expect(
    (await floor.events()).findLast((event) => event.type === 'session.revoked'),
  ).toMatchObject({
    rooms: [`board:screen:${boardId}`],
    data: { sessionId: boardId, reason: 'revoked' },
  })
})

test('over thirty days the token is renewed each day, and a lost answer does no harm', async () => {
  const { token: first } = await paired(manager)
  let token = first
  let renewals = 0
  for (let day = 1; day <= 30; day += 1) {
    await clock.to('09:00', new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10))
    const { headers, body } = await send(readBoard, {}, { authorization: token })
    expect(body.code).toBe(200)
    const renewed = headers.authorization as string | undefined
    if (renewed === undefined) continue
    renewals += 1
    if (day % 5 === 0) {
      // the screen lost power before it stored the new token: it returns with the old one and gets
      // another a minute later
      expect(
        (await send(readBoard, {}, { authorization: token })).headers.authorization,
      ).toBeUndefined()
      await clock.to('09:02', new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10))
      const again = (await send(readBoard, {}, { authorization: token })).headers
        .authorization as string
      expect((await send(readBoard, {}, { authorization: renewed })).body.code).toBe(401)
      token = again
    } else token = renewed
    await send(readBoard, {}, { authorization: token })
  }
  expect(renewals).toBeGreaterThan(25)
  expect((await send(readBoard, {}, { authorization: first })).body.code).toBe(401)
  await clock.to('09:00', new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10))
  expect((await send(readBoard, {}, { authorization: token })).body.code).toBe(401)
  floor.context.wakeSchedule('boardSweep')
  await floor.settle()
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from board_device d where d.state = 'active'`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.n).toBe(0)
  await clock.to('11:00')
})

test('an address can hold a limited number of codes', async () => {
  const from = { 'x-forwarded-for': '10.9.8.7' }
  for (let n = 0; n < 40; n += 1) expect((await start(from)).code).toHaveLength(6)
  const { body, headers } = await send(startPairing, { profile: 'mid', appVersion: 'b1' }, from)
  expect([body.problem?.id, headers['retry-after']]).toEqual(['G-RATE', undefined])
  expect((await start({ 'x-forwarded-for': '10.9.8.6' })).code).toHaveLength(6)
})

test('a user who leads no department or agency cannot pair', async () => {
  const { account } = await makeLeader(
    floor,
    three.units[0] as ThreeAgencies['units'][number],
    'team_leader',
  )
  const leader = await floor.signIn(account)
  const { code } = await start()
  expect((await leader.refused(approvePairing, { code, name: 'Group', profile: 'mid' })).code).toBe(
    403,
  )
})
