import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type EdgeUnderTest, edgeUnderTest, until } from '#gateway/edge/testing/edge-under-test.ts'

const CANARY = 'C4nary#pass+word'
let t: EdgeUnderTest

beforeAll(async () => {
  t = await edgeUnderTest()
})
afterAll(() => t.close())
beforeEach(() => void t.manage.seen.splice(0))

function login(path: string, init: RequestInit = {}) {
  return fetch(`${t.url}${path}`, { method: 'POST', ...init })
}

test('credentials in the query arrive in the body and nowhere else', async () => {
  const query = new URLSearchParams({ username: ' reviewer ', password: CANARY, _t: '1' })
  expect(await (await login(`/api/manage/login?${query}`)).json()).toEqual({
    code: 200,
    msg: '',
    data: { token: 't' },
  })
  const [request] = t.manage.seen
  expect(request?.url).toBe('/api/manage/login?_t=1')
  expect(JSON.parse(request?.body ?? '')).toEqual({ username: ' reviewer ', password: CANARY })
  expect(request?.headers['content-type']).toBe('application/json')
})

test('credentials in the body pass', async () => {
  await login('/api/manage/login', {
    body: JSON.stringify({ username: 'a', password: CANARY, code: '123456' }),
    headers: { 'content-type': 'application/json' },
  })
  expect(JSON.parse(t.manage.seen[0]?.body ?? '')).toEqual({
    username: 'a',
    password: CANARY,
    code: '123456',
  })
})

test('an encoded path does not let credentials pass in the query', async () => {
  for (const path of ['/api/manage/login/', '/api/manage/%6Cogin', '/api/manage/LOGIN']) {
    await login(`${path}?username=a&password=${encodeURIComponent(CANARY)}`)
    expect(t.manage.seen.at(-1)?.url).toBe('/api/manage/login')
  }
})

test('other calls keep their query', async () => {
  await login('/api/manage/sysUser/list?username=a')
  expect(t.manage.seen[0]?.url).toBe('/api/manage/sysUser/list?username=a')
})

test('a password is in no line of the log, whatever happens to the request', async () => {
  const password = encodeURIComponent(CANARY)
  await login(`/api/manage/login?username=a&password=${password}`)
  await login(`/api/manage/login?username=a&password=${password}`, {
    body: '{broken',
    headers: { 'content-type': 'application/json' },
  })
  await login(`/api/manage/login?username=a&password=${password}`, {
    body: 'x',
    headers: { 'content-type': 'no such type' },
  })
  await login(`/api/manage/../login?username=a&password=${password}`)
  await fetch(`${t.url}/api/manage/login?username=a&password=${password}`)
  await fetch(`${t.url}/api/manage/nowhere?password=${password}`)
  await fetch(`${t.url}/api/manage/code/valid/save/u1/1/${password}`)
  await until(() => t.lines.filter((line) => line.includes('answered')).length >= 7)
  const log = t.lines.join('\n')
  for (const form of [CANARY, password, 'C4nary']) expect(log).not.toContain(form)
  expect(await t.edge.registry.metrics()).not.toContain('C4nary')
})

test('the access log holds method, path, status, code, time, bytes and request id, and no query', async () => {
  const answer = await fetch(`${t.url}/api/manage/echo?phone=9876543210`)
  await answer.text()
  const id = answer.headers.get('x-request-id') ?? ''
  await until(() => t.lines.some((one) => one.includes(id)))
  const line = JSON.parse(t.lines.find((one) => one.includes(id)) ?? '') as Record<string, unknown>
  expect(line).toMatchObject({
    method: 'GET',
    path: '/api/manage/echo',
    status: 200,
    code: 200,
    bytes: 36,
    reqId: id,
  })
  expect(t.lines.join('\n')).not.toContain('9876543210')
})

test('a body that is no object is refused', async () => {
  const answer = await login('/api/manage/login', {
    body: '[1]',
    headers: { 'content-type': 'application/json' },
  })
  expect(await answer.json()).toMatchObject({ code: 400, problem: { id: 'G400' } })
  expect(t.manage.seen).toEqual([])
})
