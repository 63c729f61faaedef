import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeUnderTest, edgeUnderTest, until } from '#gateway/edge/testing/edge-under-test.ts'

let t: EdgeUnderTest

beforeAll(async () => {
  t = await edgeUnderTest()
})
afterAll(() => t.close())

test('a fresh client starts at the head and receives what comes after', async () => {
  t.manage.addSession('fresh')
  t.manage.append({ subject: 'order:1', audience: ['all'] })
  await t.settle()
  const client = await t.connect('fresh').live()
  expect(client.frames[0]).toEqual({ upTo: t.manage.head(), events: [] })
  const seq = t.manage.append({
    subject: 'order:1',
    audience: ['all'],
    type: 'order.updated',
    data: { orderId: '1' },
    actorid: 'u9',
    clientid: 'tab9',
    entityversion: 4,
  })
  await client.reaches(seq)
  expect(client.events).toEqual([
    {
      seq,
      id: `e${seq}`,
      type: 'order.updated',
      subject: 'order:1',
      time: expect.any(String),
      actor: { userId: 'u9', userName: '' },
      clientId: 'tab9',
      version: 4,
      data: { orderId: '1' },
    },
  ])
})

test('a socket receives the events of the rooms manage names, once each, and no others', async () => {
  t.manage.addSession('a', { rooms: ['all', 'scope:agency:1', 'user:a'] })
  t.manage.addSession('b', { rooms: ['all', 'scope:agency:2'] })
  const a = await t.connect('a').live()
  const b = await t.connect('b').live()
  const one = t.manage.append({ subject: 'case:1', audience: ['scope:agency:1', 'user:a'] })
  const two = t.manage.append({ subject: 'case:2', audience: ['scope:agency:2'] })
  const three = t.manage.append({ subject: 'case:3', audience: ['nobody'] })
  await t.settle()
  await a.reaches(one)
  await b.reaches(two)
  expect(a.seqs).toEqual([one])
  expect(b.seqs).toEqual([two])
  expect(three).toBe(t.edge.cursor())
})

test('an unknown token is refused with the code and message of manage', async () => {
  const client = t.connect('nobody')
  await client.receives('connect_error')
  expect(client.named('connect_error')[0]).toMatchObject({
    code: 401,
    msg: 'Session expired, please log in again',
  })
})

test('a missing token is refused without asking manage', async () => {
  const before = t.manage.questions.length
  const client = t.connect('')
  await client.receives('connect_error')
  expect(client.named('connect_error')[0]).toMatchObject({ code: 401 })
  expect(t.manage.questions.length).toBe(before)
})

test('watching an order joins its room, unwatching leaves it', async () => {
  t.manage.addSession('w', { watchable: { 'order:5': ['order:5'] } })
  const client = await t.connect('w').live()
  expect(await client.send('watch', { kind: 'order', key: '5' })).toMatchObject({
    code: 200,
    data: { watch: 'order:5', members: [{ userId: 'u-w' }], more: 0, upTo: t.edge.cursor() },
  })
  const received = t.manage.append({ subject: 'order:5', audience: ['order:5'] })
  await client.reaches(received)
  expect((await client.send('unwatch', { kind: 'order', key: '5' })).code).toBe(200)
  t.manage.append({ subject: 'order:5', audience: ['order:5'] })
  const last = t.manage.append({ subject: 'x:1', audience: ['all'] })
  await client.reaches(last)
  expect(client.seqs).toEqual([received, last])
})

test('a watch that manage refuses joins nothing', async () => {
  t.manage.addSession('r')
  const client = await t.connect('r').live()
  expect(await client.send('watch', { kind: 'order', key: '77' })).toMatchObject({
    code: 403,
    problem: { id: 'G403' },
  })
  t.manage.append({ subject: 'order:77', audience: ['order:77'] })
  const last = t.manage.append({ subject: 'x:1', audience: ['all'] })
  await client.reaches(last)
  expect(client.seqs).toEqual([last])
})

test('a client cannot join a room that manage did not name', async () => {
  t.manage.addSession('evil')
  const client = await t.connect('evil').live()
  const messages: [string, unknown][] = [
    ['watch', { kind: 'scope', key: 'all' }],
    ['watch', { kind: 'order', key: '1,scope:all' }],
    ['watch', { kind: 'order', key: { toString: 'x' } }],
    ['watch', { kind: '__proto__', key: 'x' }],
    ['watch', null],
    ['join', { room: 'scope:all' }],
    ['__proto__', { room: 'scope:all' }],
    ['constructor', {}],
    ['presence:set', { state: 'online', watch: 'order:1' }],
    ['presence:set', { state: 'root' }],
  ]
  for (const [name, input] of messages)
    expect([name, input, (await client.send(name, input)).code]).toEqual([name, input, 400])
  t.manage.append({ subject: 'order:1', audience: ['scope:all', 'order:1'] })
  const last = t.manage.append({ subject: 'x:1', audience: ['all'] })
  await client.reaches(last)
  expect(client.seqs).toEqual([last])
})

test('a socket has at most 20 watches', async () => {
  const watchable = Object.fromEntries(
    Array.from({ length: 21 }, (_, i) => [`order:${i}`, [`order:${i}`]]),
  )
  t.manage.addSession('many', { watchable })
  const client = await t.connect('many').live()
  const answers = []
  for (let i = 0; i < 21; i++)
    answers.push((await client.send('watch', { kind: 'order', key: String(i) })).code)
  expect(answers).toEqual([...Array.from({ length: 20 }, () => 200), 400])
})

test('a revoked session is kicked with the reason within a second', async () => {
  t.manage.addSession('gone')
  const client = await t.connect('gone').live()
  t.manage.sessions.delete('gone')
  const at = Date.now()
  t.manage.append({
    subject: 'session:1',
    audience: ['user:u-gone'],
    type: 'session.revoked',
    recheck: true,
    data: { reason: 'password' },
  })
  await client.receives('disconnect')
  expect(Date.now() - at).toBeLessThan(1_000)
  expect(client.named('kick')).toEqual([{ reason: 'password' }])
})

test('a core that still answers from before the change is asked again after a second', async () => {
  const session = t.manage.addSession('stale')
  const client = await t.connect('stale').live()
  t.manage.append({ subject: 'session:3', audience: ['user:u-stale'], recheck: true })
  const asked = t.manage.questions.length
  await until(() => t.manage.questions.length > asked)
  await t.settle()
  expect(t.manage.sessions.get('stale')).toBe(session)
  t.manage.sessions.delete('stale')
  await client.receives('disconnect')
  expect(client.named('kick')).toEqual([{ reason: 'rights' }])
})

test('events that the stream lost are read from the log before the next one', async () => {
  t.manage.addSession('hole')
  const client = await t.connect('hole').live()
  const first = t.manage.append({ subject: 'h:1', audience: ['all'] })
  t.manage.append({ subject: 'h:2', audience: ['all'], isLost: true })
  t.manage.append({ subject: 'h:3', audience: ['all'], isLost: true })
  t.manage.append({ subject: 'h:4', audience: ['all'] })
  const last = t.manage.append({ subject: 'h:5', audience: ['all'] })
  await client.reaches(last)
  expect(client.seqs).toEqual([first, first + 1, first + 2, first + 3, last])
})

test('a gap that the log can no longer fill makes clients read again', async () => {
  t.manage.addSession('cut')
  const client = await t.connect('cut').live()
  const lost = t.manage.append({ subject: 'c:1', audience: ['all'], isLost: true })
  t.manage.prune(lost)
  const last = t.manage.append({ subject: 'c:2', audience: ['all'] })
  await client.receives('resync')
  await t.settle()
  expect(t.edge.cursor()).toBe(last)
})

test('a change of role changes the rooms within a second, without a new connection', async () => {
  const session = t.manage.addSession('role', { rooms: ['user:u-role', 'role:collector'] })
  const client = await t.connect('role').live()
  session.rooms = ['user:u-role', 'role:leader']
  t.manage.append({
    subject: 'user:role',
    audience: ['role:collector'],
    type: 'menu.changed',
    recheck: true,
  })
  await t.settle()
  t.manage.append({ subject: 'x:1', audience: ['role:collector'] })
  const last = t.manage.append({ subject: 'x:2', audience: ['role:leader'] })
  await client.reaches(last)
  expect(client.events.map((event) => event.subject)).toEqual(['user:role', 'x:2'])
})

test('a session revoked while its socket is being authenticated does not get in', async () => {
  t.manage.addSession('race')
  let open = () => {}
  t.manage.roomsGate = new Promise((resolve) => (open = resolve))
  const client = t.connect('race')
  const asked = t.manage.questions.length
  await until(() => t.manage.questions.length > asked)
  t.manage.sessions.delete('race')
  const seq = t.manage.append({
    subject: 'session:2',
    audience: ['user:u-race'],
    type: 'session.revoked',
    recheck: true,
  })
  await until(() => t.edge.cursor() >= seq)
  t.manage.roomsGate = null
  open()
  await client.receives('connect_error')
  expect(client.frames).toEqual([])
})

test('a token renewed through another edge is taken from the tab, if it is of the same session', async () => {
  t.manage.addSession('old-one', { rooms: ['all'], userId: 'moved' })
  const client = await t.connect('old-one').live()
  t.manage.addSession('new-one', { rooms: ['all', 'moved:room'], userId: 'moved' })
  t.manage.addSession('foreign', { rooms: ['all', 'foreign:room'], userId: 'somebody' })
  expect(await client.send('renew', { token: 'foreign' })).toMatchObject({ code: 403 })
  expect(await client.send('renew', { token: '' })).toMatchObject({ code: 400 })
  expect(await client.send('renew', { token: 'new-one' })).toMatchObject({ code: 200 })
  t.manage.sessions.delete('old-one')
  t.manage.append({ subject: 'y:1', audience: ['all'], recheck: true })
  await t.settle()
  await client.reaches(t.manage.append({ subject: 'y:2', audience: ['moved:room'] }))
  expect(client.named('kick')).toEqual([])
})

test('a token renewed through the proxy is the one asked with from then on', async () => {
  t.manage.addSession('before', { rooms: ['all'], userId: 'same' })
  const client = await t.connect('before').live()
  t.manage.addSession('renewed-token', { rooms: ['all', 'fresh:room'], userId: 'same' })
  const answer = await fetch(`${t.url}/api/manage/renew`, { headers: { authorization: 'before' } })
  expect(answer.headers.get('authorization')).toBe('renewed-token')
  t.manage.sessions.delete('before')
  t.manage.append({ subject: 'x:1', audience: ['all'], recheck: true })
  await t.settle()
  const last = t.manage.append({ subject: 'x:2', audience: ['fresh:room'] })
  await client.reaches(last)
  expect(client.named('kick')).toEqual([])
})
