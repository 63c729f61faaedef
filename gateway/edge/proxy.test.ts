import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeUnderTest, edgeUnderTest, until } from '#gateway/edge/testing/edge-under-test.ts'

let t: EdgeUnderTest

beforeAll(async () => {
  t = await edgeUnderTest({
    limits: { jsonBytes: 10_000, uploadBytes: 50_000, upstreamTimeoutMs: 300 },
  })
})
afterAll(() => t.close())

/** Sends bytes as they are and returns the first status line and body. */
function raw(text: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(t.port, '127.0.0.1', () => socket.write(text))
    let got = ''
    socket.on('data', (chunk) => {
      got += chunk.toString('latin1')
      if (/^HTTP\/1\.1 \d{3}/.test(got) && got.includes('\r\n\r\n')) socket.end()
    })
    socket.on('close', () => resolve({ status: Number(got.slice(9, 12)), text: got }))
    socket.on('error', reject)
  })
}

function last() {
  const request = t.manage.seen.at(-1)
  if (!request) throw new Error('manage saw nothing')
  return request
}

test('an answer passes with its headers, never to be stored', async () => {
  const answer = await fetch(`${t.url}/api/manage/echo?_r=1`, {
    headers: {
      authorization: 'tok',
      'accept-language': 'es',
      'idempotency-key': 'k',
      'x-client-id': 'tab',
    },
  })
  expect(await answer.json()).toEqual({ code: 200, msg: '', data: 'hello' })
  expect(answer.headers.get('x-seq')).toBe('7')
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(last().url).toBe('/api/manage/echo?_r=1')
  expect(last().headers).toMatchObject({
    authorization: 'tok',
    'accept-language': 'es',
    'idempotency-key': 'k',
    'x-client-id': 'tab',
  })
  expect(last().headers['x-request-id']).toBe(answer.headers.get('x-request-id'))
})

test('answers above 1 KB are compressed for a caller with a session who accepts it', async () => {
  const encodingOf = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(`${t.url}/api/manage/${path}`, { headers })
    return { text: await answer.text(), encoding: answer.headers.get('content-encoding') }
  }
  const session = { authorization: 'tok', 'accept-encoding': 'br, gzip' }
  const page = await encodingOf('page', session)
  expect(page).toEqual({
    text: JSON.stringify({ code: 200, data: 'x'.repeat(5_000) }),
    encoding: 'gzip',
  })
  const file = await encodingOf('file', session)
  expect([file.text.length, file.encoding]).toEqual([300_000, 'gzip'])
  expect((await encodingOf('echo', session)).encoding).toBeNull()
  for (const headers of [
    { ...session, 'accept-encoding': 'identity' },
    { ...session, 'accept-encoding': 'gzip;q=0' },
    { 'accept-encoding': 'gzip' },
  ])
    expect(await encodingOf('page', headers)).toEqual({ text: page.text, encoding: null })
})

test('headers by which a client claims an address or an identity do not reach manage', async () => {
  await raw(
    [
      'GET /api/manage/echo HTTP/1.1',
      'Host: console.example',
      'X-Forwarded-For: 6.6.6.6',
      'X-Forwarded-Host: evil',
      'X-Forwarded: yes',
      'Forwarded: for=6.6.6.6',
      'X-Real-IP: 6.6.6.6',
      'X-User-Id: admin',
      'X-Internal-Secret: guess',
      'X-Request-Id: mine',
      'X-Original-URL: /feed',
      'X-Named: secret',
      'Authorization: tok',
      'Connection: keep-alive, X-Named, Authorization',
      'TE: trailers',
      '',
      '',
    ].join('\r\n'),
  )
  const { headers } = last()
  expect(headers['x-forwarded-for']).toBe('127.0.0.1')
  expect(headers['x-request-id']).not.toBe('mine')
  expect(headers.host).toBe('console.example')
  for (const name of [
    'x-forwarded-host',
    'x-forwarded',
    'forwarded',
    'x-real-ip',
    'x-user-id',
    'x-internal-secret',
    'x-original-url',
    'x-named',
    'authorization',
    'te',
  ])
    expect([name, headers[name]]).toEqual([name, undefined])
})

test('bodies are streamed both ways', async () => {
  const json = JSON.stringify({ text: 'ü'.repeat(2_000) })
  await fetch(`${t.url}/api/manage/echo`, {
    method: 'POST',
    body: json,
    headers: { 'content-type': 'application/json' },
  })
  expect(last().body).toBe(json)
  const form = new FormData()
  form.append('file', new Blob(['y'.repeat(40_000)]), 'a.csv')
  await fetch(`${t.url}/api/manage/echo`, { method: 'PUT', body: form })
  expect(last().body).toContain('y'.repeat(40_000))
  const file = await fetch(`${t.url}/api/manage/file`)
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="a.csv"')
  expect((await file.text()).length).toBe(300_000)
  await fetch(`${t.url}/api/manage/echo`, { method: 'DELETE' })
  expect(last()).toMatchObject({ method: 'DELETE', body: '' })
})

test('a body over its limit is refused in the envelope, with and without a Content-Length', async () => {
  const withLength = await fetch(`${t.url}/api/manage/echo`, {
    method: 'POST',
    body: 'x'.repeat(10_001),
    headers: { 'content-type': 'application/json' },
  })
  expect([withLength.status, await withLength.json()]).toEqual([
    413,
    expect.objectContaining({
      code: 400,
      data: null,
      problem: { id: 'G-SIZE', params: { n: 10_000 / 1_048_576 } },
    }),
  ])
  const stream = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 20; i++) controller.enqueue(new TextEncoder().encode('x'.repeat(1_000)))
      controller.close()
    },
  })
  const withoutLength = await fetch(`${t.url}/api/manage/echo`, {
    method: 'POST',
    body: stream,
    headers: { 'content-type': 'application/json' },
    duplex: 'half',
  } as RequestInit)
  expect(withoutLength.status).toBe(413)
  const form = new FormData()
  form.append('file', new Blob(['y'.repeat(200_000)]), 'a.csv')
  expect((await fetch(`${t.url}/api/manage/echo`, { method: 'POST', body: form })).status).toBe(413)
})

test('a GET cannot carry a body to manage', async () => {
  await raw('GET /api/manage/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello')
  expect(last().headers['content-length']).toBeUndefined()
})

test('a manage that does not answer in time is 503, one that breaks off is 502', async () => {
  const late = await fetch(`${t.url}/api/manage/slow`)
  expect([late.status, await late.json()]).toEqual([
    503,
    {
      code: 400,
      msg: 'The service is not available, try again',
      data: null,
      problem: { id: 'G-DOWN', params: {} },
    },
  ])
  const broken = await fetch(`${t.url}/api/manage/broken`, { method: 'GET' })
  expect(broken.status).toBe(502)
})

test('a small answer that breaks off is 502 in the envelope, a large one is visibly cut', async () => {
  const small = await fetch(`${t.url}/api/manage/broken-off`)
  expect([small.status, ((await small.json()) as { problem: unknown }).problem]).toEqual([
    502,
    { id: 'G-DOWN', params: {} },
  ])
  const large = await fetch(`${t.url}/api/manage/cut`)
  expect(large.headers.get('content-length')).toBe('300000')
  await expect(large.text()).rejects.toThrow('terminated')
})

test('answers without a body stay without one', async () => {
  const head = await fetch(`${t.url}/api/manage/echo`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    '36',
    '',
  ])
  const unchanged = await fetch(`${t.url}/api/manage/empty`)
  expect([
    unchanged.status,
    unchanged.headers.get('content-length'),
    await unchanged.text(),
  ]).toEqual([304, null, ''])
})

test('an absent manage is 502 in the envelope', async () => {
  const alone = await edgeUnderTest({
    cores: [{ calls: 'http://127.0.0.1:1', internal: t.manage.feedUrl }],
  })
  const answer = await fetch(`${alone.url}/api/manage/echo`)
  expect([answer.status, ((await answer.json()) as { problem: unknown }).problem]).toEqual([
    502,
    { id: 'G-DOWN', params: {} },
  ])
  await alone.close()
})

test('no internal path of manage can be reached', async () => {
  const before = t.manage.seen.length
  for (const path of [
    '/feed',
    '/metrics',
    '/internal/x',
    '/feed/page?after=0',
    '/api/manage/feed',
    '/api/manage/feed/page',
    '/api/manage/metrics',
    '/api/manage/internal/x',
    '/api/manage/FEED',
    '/api/manage/%66eed',
  ])
    expect([path, (await raw(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`)).status]).toEqual([
      path,
      404,
    ])
  expect(t.manage.seen.length).toBe(before)
  expect((await raw('GET /api/manage/feedback/typeList HTTP/1.1\r\nHost: h\r\n\r\n')).status).toBe(
    200,
  )
})

const POST = 'POST /api/manage/echo HTTP/1.1\r\nHost: h\r\n'
const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`
test.each([
  ['both lengths', `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  [
    'both lengths, other order',
    `${POST}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
  ],
  ['two lengths', `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`],
  ['two lengths in one', `${POST}Content-Length: 5, 6\r\n\r\nhello!`],
  ['a signed length', `${POST}Content-Length: +5\r\n\r\nhello`],
  ['an unknown coding', `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  ['chunked not last', `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
  ['a bare line feed', `POST /api/manage/echo HTTP/1.1\nHost: h\nContent-Length: 0\n\n`],
  ['a bare line feed in the headers', `${POST}X-A: 1\nX-B: 2\r\n\r\n`],
  ['a folded header', `${POST}X-A: 1\r\n  2\r\nContent-Length: 0\r\n\r\n`],
  ['a space before the colon', `${POST}Content-Length : 5\r\n\r\nhello`],
  ['a bad chunk size', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`],
  ['no host', `GET /api/manage/echo HTTP/1.1\r\n\r\n`],
  ['two hosts', `GET /api/manage/echo HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`],
  ['an unknown method', `HACK /api/manage/echo HTTP/1.1\r\nHost: h\r\n\r\n`],
  ['dot segments', GET('/api/manage/../feed')],
  ['dot segments at the end', GET('/api/manage/..')],
  ['a single dot', GET('/api/manage/./echo')],
  ['encoded dots', GET('/api/manage/%2e%2e/feed')],
  ['half encoded dots', GET('/api/manage/.%2E/feed')],
  ['doubly encoded dots', GET('/api/manage/%252e%252e/feed')],
  ['dots with a parameter', GET('/api/manage/..;/feed')],
  ['dots with an encoded parameter', GET('/api/manage/..%3b/feed')],
  ['an encoded slash', GET('/api/manage/..%2ffeed')],
  ['an encoded slash in a name', GET('/api/manage/order%2Flist')],
  ['an encoded slash before the base', GET('/api%2fmanage/echo')],
  ['a backslash', GET('/api/manage/..\\feed')],
  ['an encoded backslash', GET('/api/manage/..%5cfeed')],
  ['a double slash', GET('/api/manage//echo')],
  ['an encoded line break', GET('/api/manage/echo%0d%0aX-A:1')],
  ['an encoded zero', GET('/api/manage/echo%00')],
  ['a broken escape', GET('/api/manage/%zz')],
  ['an absolute address', GET('http://evil/api/manage/echo')],
  ['dot segments outside the base', GET('/assets/../../package.json')],
  ['encoded dot segments outside the base', GET('/assets/%2e%2e/%2e%2e/package.json')],
])('%s is refused with 400 and does not reach manage', async (_what, text) => {
  const before = t.manage.seen.length
  const { status, text: answer } = await raw(text)
  expect([status, answer.includes('"code":400')]).toEqual([400, true])
  expect(t.manage.seen.length).toBe(before)
})

test('headers over the limit are 413 in the envelope', async () => {
  const { status, text } = await raw(
    `GET /api/manage/echo HTTP/1.1\r\nHost: h\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`,
  )
  expect([status, text.includes('G-SIZE')]).toEqual([413, true])
})

test('answers are counted by the code of their body, without ids in the names', async () => {
  await fetch(`${t.url}/api/manage/order/detail/123?x=1`)
  await t.edge.settle()
  const page = await t.edge.registry.metrics()
  expect(page).toContain(
    'edge_http_requests_total{method="GET",route="/order/detail/:id",code="400"} 1',
  )
})

test('a read whose caller leaves is ended at the core too', async () => {
  const before = t.lines.length
  const gone = new AbortController()
  const asked = fetch(`${t.url}/api/manage/slow`, { signal: gone.signal })
  await until(() => t.manage.slow.length > 0)
  gone.abort()
  await expect(asked).rejects.toThrow()
  await until(() => t.manage.slow.every((answer) => answer.destroyed))
  const lines = t.lines.slice(before)
  expect(lines.filter((line) => line.includes('manage gave no answer'))).toEqual([])
})
