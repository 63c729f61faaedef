/**
 * `call` against a server that renews tokens, refuses and recovers; the browser's cookie and
 * storage are simulated.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import Type from 'typebox'
import { endpoint, Nothing } from '#shared/kernel/endpoint.ts'
import { watchInput } from './activity.ts'
import { call } from './call.ts'
import { fetchFile } from './file.ts'
import { endInterruption, interrupt, isInterrupted } from './interruption.ts'
import { onSessionEnd } from './session-end.ts'
import { readToken, setIdleMinutes, storeToken } from './token.ts'

const read = endpoint({
  method: 'GET',
  path: '/read',
  access: 'any',
  input: Type.Object({}),
  data: Type.Unknown(),
  summary: '',
})
const change = endpoint({
  method: 'POST',
  path: '/change',
  access: 'any',
  input: Type.Object({}),
  data: Nothing(),
  audit: 'change',
  summary: '',
})

/** One entry per request, in order. */
const asBackground: boolean[] = []
let cookie = ''
/** The cookie as last written by the page, with its lifetime. */
let written = ''
let answer: (token: string | null) => { code: number; renewed?: [string, number]; type?: string }
const ends: unknown[] = []
onSessionEnd((end) => {
  ends.push(end)
  interrupt()
})

vi.stubGlobal('window', new EventTarget())
let inputs = 0
watchInput(() => (inputs += 1))
/** A call made by a user. */
const input = (type: string): Event =>
  Object.defineProperty(new Event(type), 'isTrusted', { value: true })
afterEach(() => vi.useRealTimers())

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('document', {
    documentElement: { lang: 'en' },
    get cookie() {
      return cookie
    },
    set cookie(text: string) {
      written = text
      cookie = /Max-Age=0/.test(text) ? '' : (text.split(';')[0] as string)
    },
  })
  vi.stubGlobal('location', { protocol: 'https:' })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    const sent = headers.Authorization ?? null
    asBackground.push(headers['X-Background'] === '1')
    // The answers arrive in any order.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
    const { code, renewed, type = 'application/json' } = answer(sent)
    return new Response(JSON.stringify({ code, msg: '', data: null }), {
      headers: {
        'content-type': type,
        ...(renewed ? { authorization: renewed[0], 'x-token-rotation': String(renewed[1]) } : {}),
      },
    })
  })
  endInterruption(true)
  ends.length = 0
  asBackground.length = 0
  vi.useFakeTimers({ toFake: ['Date'] })
  window.dispatchEvent(input('keydown'))
  storeToken('t0', 'sign-in')
})

test('twenty parallel calls during three renewals end no session and keep the newest token', async () => {
  let rotation = 0
  answer = (token) => {
    if (token === null || Number(token.slice(1)) < rotation - 1) return { code: 401 }
    if (rotation < 3 && token === `t${rotation}`) rotation += 1
    return { code: 200, renewed: [`t${rotation}`, rotation] }
  }
  for (let round = 0; round < 3; round += 1)
    await Promise.all(Array.from({ length: 20 }, () => call(read, {})))
  expect(ends).toEqual([])
  expect(readToken()).toBe('t3')
})

test('a refused call also brings a renewed token', async () => {
  answer = () => ({ code: 400, renewed: ['t1', 1] })
  await expect(call(change, {}, { quiet: true })).rejects.toMatchObject({ code: 400 })
  expect(readToken()).toBe('t1')
})

test('a file and its refusal also bring a renewed token', async () => {
  answer = () => ({ code: 200, renewed: ['t1', 1], type: 'text/csv' })
  expect((await fetchFile(read, {})).blob.size).toBeGreaterThan(0)
  expect(readToken()).toBe('t1')
  answer = () => ({ code: 404, renewed: ['t2', 2] })
  await expect(fetchFile(read, {})).rejects.toMatchObject({ code: 404 })
  expect(readToken()).toBe('t2')
})

test('a call the tab makes by itself is sent as background and does not extend the cookie', async () => {
  answer = () => ({ code: 200, type: 'text/plain' })
  await call(read, {})
  vi.setSystemTime(Date.now() + 20_000)
  written = ''
  await call(read, {})
  await fetchFile(read, {})
  expect(asBackground).toEqual([false, true, true])
  expect(written).toBe('')
  window.dispatchEvent(new Event('keydown'))
  await call(read, {})
  window.dispatchEvent(input('keydown'))
  await call(read, {})
  expect(asBackground.slice(3)).toEqual([true, false])
  expect(written).toContain('Max-Age')
})

test('input without a call is reported every two minutes, no input is not reported', async () => {
  answer = () => ({ code: 200 })
  await call(read, {})
  inputs = 0
  for (let minute = 0; minute < 10; minute += 1) {
    vi.setSystemTime(Date.now() + 60_000)
    window.dispatchEvent(input('input'))
  }
  expect(inputs).toBe(5)
  vi.setSystemTime(Date.now() + 600_000)
  expect(inputs).toBe(5)
})

test('the cookie expires with the session and is extended by every answer', async () => {
  answer = () => ({ code: 200 })
  expect(written).toContain('Max-Age=1800')
  setIdleMinutes(15)
  expect(written).toContain('Max-Age=900')
  written = ''
  await call(read, {})
  expect(written).toContain('Max-Age=900')
})

test('a call refused with a token that was replaced meanwhile is repeated, also when there was none', async () => {
  answer = (token) => {
    if (token !== 't0' && token !== null) return { code: 200 }
    storeToken('t9', 'other sign-in')
    return { code: 401 }
  }
  await call(read, {})
  cookie = ''
  await call(read, {})
  expect(ends).toEqual([])
})

test('with an expired session reads wait and changes are refused; reads continue with the session', async () => {
  answer = (token) => ({ code: token === 't1' ? 200 : 401 })
  let done = 0
  const reads = Array.from({ length: 5 }, () => call(read, {}).then(() => (done += 1)))
  await expect(call(change, {})).rejects.toMatchObject({ code: 401 })
  expect(isInterrupted()).toBe(true)
  const late = call(read, {}).then(() => (done += 1))
  await expect(call(change, {})).rejects.toMatchObject({ code: 401 })
  expect({ done, ends: ends.length }).toEqual({ done: 0, ends: 1 })
  storeToken('t1', 'again')
  endInterruption(true)
  await Promise.all([...reads, late])
  expect(done).toBe(6)
})

test('when another user signs in, waiting calls are refused', async () => {
  answer = () => ({ code: 401 })
  const waiting = call(read, {})
  await vi.waitFor(() => expect(isInterrupted()).toBe(true))
  endInterruption(false)
  await expect(waiting).rejects.toMatchObject({ code: 401 })
})

test('a cancelled read stops waiting', async () => {
  interrupt()
  const stop = new AbortController()
  const waiting = call(read, {}, { signal: stop.signal })
  stop.abort()
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
})
