import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EdgeUnderTest, edgeUnderTest, until } from '#gateway/edge/testing/edge-under-test.ts'

let t: EdgeUnderTest
const WATCHABLE = { 'review:7': ['review:7'] }

beforeEach(async () => {
  t = await edgeUnderTest()
  for (const name of ['anu', 'bala'])
    t.manage.addSession(name, { userId: name, userName: name.toUpperCase(), watchable: WATCHABLE })
  t.manage.addSession('outsider')
})
afterEach(() => t.close())

async function watching(token: string) {
  const client = await t.connect(token).live()
  const answer = await client.send('watch', { kind: 'review', key: '7' })
  return { client, answer }
}

function members(presence: Record<string, unknown> | undefined) {
  return (
    presence?.members as { userId: string; state: string; editing: boolean }[] | undefined
  )?.map((member) => [member.userId, member.state, member.editing])
}

test('a person who opens a review sees who is there, with pictures, and those there see the newcomer', async () => {
  t.manage.addSession('bala', {
    userId: 'bala',
    userName: 'BALA',
    avatar: 'F1',
    watchable: WATCHABLE,
  })
  const anu = await watching('anu')
  const bala = await watching('bala')
  expect(members(bala.answer.data ?? undefined)).toEqual([
    ['anu', 'online', false],
    ['bala', 'online', false],
  ])
  await until(() => members(anu.client.named('presence').at(-1))?.length === 2)
  expect(anu.client.named('presence').at(-1)).toMatchObject({
    watch: 'review:7',
    more: 0,
    members: [
      { userId: 'anu', userName: 'ANU', since: expect.any(String) },
      { userId: 'bala', avatar: 'F1' },
    ],
  })
})

test('staff of an outside agency see only colleagues on a page, and everybody on a record of theirs', async () => {
  const watchable = { 'menu:pedding_list': ['menu:pedding_list'], 'case:9': ['case:9'] }
  t.manage.addSession('house', { userId: 'house', watchable })
  for (const [name, circle] of [
    ['meera', 'A102'],
    ['nitin', 'A102'],
    ['omkar', 'A103'],
  ] as const)
    t.manage.addSession(name, { userId: name, circle, watchable })
  const on = async (token: string, kind: string, key: string) => {
    const client = await t.connect(token).live()
    return {
      client,
      seen: members((await client.send('watch', { kind, key })).data ?? undefined)?.map(
        ([userId]) => userId,
      ),
    }
  }
  const page = async (token: string) => on(token, 'menu', 'pedding_list')
  expect((await page('house')).seen).toEqual(['house'])
  const meera = await page('meera')
  expect(meera.seen).toEqual(['meera'])
  expect((await page('omkar')).seen).toEqual(['omkar'])
  expect((await page('nitin')).seen?.toSorted()).toEqual(['meera', 'nitin'])
  expect((await page('house')).seen?.toSorted()).toEqual(['house', 'meera', 'nitin', 'omkar'])
  await until(() => members(meera.client.named('presence').at(-1))?.length === 2)
  await t.edge.settle()
  expect(JSON.stringify(meera.client.named('presence'))).not.toMatch(/omkar|house|A102/)
  await on('house', 'case', '9')
  expect((await on('meera', 'case', '9')).seen?.toSorted()).toEqual(['house', 'meera'])
})

test('state and editing are published', async () => {
  const anu = await watching('anu')
  const bala = await watching('bala')
  expect(
    (
      await bala.client.send('presence:set', {
        state: 'reviewing',
        watch: 'review:7',
        editing: true,
      })
    ).code,
  ).toBe(200)
  await until(
    () =>
      JSON.stringify(members(anu.client.named('presence').at(-1))?.[1]) ===
      '["bala","reviewing",true]',
  )
})

test('a closed tab leaves within five seconds; a second tab keeps its person present', async () => {
  const anu = await watching('anu')
  const one = await watching('bala')
  const two = await watching('bala')
  await until(() => members(anu.client.named('presence').at(-1))?.length === 2)
  one.client.socket.disconnect()
  await t.edge.settle()
  expect((await anu.client.send('watch', { kind: 'review', key: '7' })).data?.members).toHaveLength(
    2,
  )
  two.client.socket.disconnect()
  await until(() => members(anu.client.named('presence').at(-1))?.length === 1, 5_000)
})

test('a room is notified at most four times a second', async () => {
  const anu = await watching('anu')
  const bala = await watching('bala')
  const before = anu.client.named('presence').length
  const start = Date.now()
  for (let i = 0; i < 60; i++)
    await bala.client.send('presence:set', {
      state: i % 2 ? 'busy' : 'online',
      watch: 'review:7',
      editing: i % 3 === 0,
    })
  await t.edge.settle()
  expect(anu.client.named('presence').length - before).toBeLessThanOrEqual(
    Math.ceil((Date.now() - start) / 250) + 2,
  )
})

test('no more than fifty members are listed, the others counted', async () => {
  for (let i = 0; i < 53; i++)
    t.manage.addSession(`p${i}`, { userId: `p${i}`, watchable: WATCHABLE })
  const clients = await Promise.all(Array.from({ length: 53 }, (_, i) => watching(`p${i}`)))
  const shown = (await clients[0]?.client.send('watch', { kind: 'review', key: '7' }))?.data
  expect([(shown?.members as unknown[] | undefined)?.length, shown?.more]).toEqual([50, 3])
})

test('the list call answers callers who may join the room, and no others', async () => {
  await watching('anu')
  const ask = async (token: string | null, watch: string) =>
    (
      await fetch(
        `${t.url}/api/manage/presence/list?watch=${watch}&_r=1`,
        token ? { headers: { authorization: token } } : {},
      )
    ).json() as Promise<{ code: number; data: unknown }>
  expect(await ask('bala', 'review:7')).toEqual({
    code: 200,
    msg: '',
    data: [
      {
        userId: 'anu',
        userName: 'ANU',
        state: 'online',
        since: expect.any(String),
        editing: false,
      },
    ],
  })
  expect(await ask('outsider', 'review:7')).toMatchObject({ code: 403, data: null })
  expect(await ask('nobody', 'review:7')).toMatchObject({ code: 401 })
  expect(await ask(null, 'review:7')).toMatchObject({ code: 401 })
  expect(await ask('bala', 'scope:all,x')).toMatchObject({ code: 400 })
})

test('a right that is taken away ends the presence too', async () => {
  const anu = await watching('anu')
  const session = t.manage.sessions.get('bala')
  const bala = await watching('bala')
  await until(() => members(anu.client.named('presence').at(-1))?.length === 2)
  if (session) session.watchable = {}
  t.manage.append({ subject: 'user:bala', audience: ['user:u-bala', 'all'], recheck: true })
  await until(() => members(anu.client.named('presence').at(-1))?.length === 1)
  expect(bala.client.socket.connected).toBe(true)
})

test('a list receives the presence of its rows in scope and is not shown as present', async () => {
  const list = await t.connect('anu').live()
  const outside = await t.connect('outsider').live()
  for (const client of [list, outside])
    expect(await client.send('rows', { rows: ['review:7', 'review:8'] })).toMatchObject({
      code: 200,
      data: [],
    })
  const bala = await watching('bala')
  expect(members(bala.answer.data ?? undefined)).toEqual([['bala', 'online', false]])
  await until(() => members(list.named('presence').at(-1))?.length === 1)
  expect(list.named('presence').at(-1)).toMatchObject({
    watch: 'review:7',
    members: [{ userId: 'bala', userName: 'BALA' }],
  })
  expect((await list.send('rows', { rows: ['review:7'] })).data).toMatchObject([
    { watch: 'review:7', members: [{ userId: 'bala' }] },
  ])
  bala.client.socket.disconnect()
  await until(() => members(list.named('presence').at(-1))?.length === 0)
  await t.edge.settle()
  expect(outside.named('presence')).toEqual([])
})

test('a row that left the list or the scope sends nothing more', async () => {
  const list = await t.connect('anu').live()
  await list.send('rows', { rows: ['review:7'] })
  const bala = await watching('bala')
  await until(() => list.named('presence').length > 0)
  const session = t.manage.sessions.get('anu')
  if (session) session.watchable = {}
  const asked = t.manage.questions.length
  t.manage.append({ subject: 'user:anu', audience: ['all'], recheck: true })
  await until(() => t.manage.questions.length >= asked + 2)
  await t.edge.settle()
  const before = list.named('presence').length
  await bala.client.send('presence:set', { state: 'busy', watch: 'review:7', editing: true })
  bala.client.socket.disconnect()
  await t.edge.settle()
  expect(list.named('presence')).toHaveLength(before)
  expect((await list.send('rows', { rows: 'review:7' })).code).toBe(400)
  expect(
    (await list.send('rows', { rows: Array.from({ length: 101 }, (_, i) => `review:${i}`) })).code,
  ).toBe(400)
})
