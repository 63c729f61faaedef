import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeUnderTest, edgeUnderTest } from '#gateway/edge/testing/edge-under-test.ts'

let t: EdgeUnderTest
let dir: string
const HTML = { accept: 'text/html,application/xhtml+xml' }

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'client-'))
  mkdirSync(join(dir, 'assets'))
  writeFileSync(
    join(dir, 'index.html'),
    '<html><style nonce="__CSP_NONCE__"></style><meta name="nonce" content="__CSP_NONCE__"></html>',
  )
  writeFileSync(join(dir, 'wall.html'), '<html><title>wall</title></html>')
  writeFileSync(join(dir, 'assets', 'app-4f2a.js'), 'console.log(1)')
  writeFileSync(join(dir, 'assets', 'app-4f2a.js.br'), 'packed')
  writeFileSync(join(dir, 'favicon.svg'), '<svg/>')
  t = await edgeUnderTest({ staticDir: dir, secure: true })
})
afterAll(async () => {
  await t.close()
  rmSync(dir, { recursive: true })
})

test('the page is never stored and carries a fresh nonce each time', async () => {
  const nonces = new Set<string>()
  for (const path of ['/', '/index.html', '/']) {
    const answer = await fetch(t.url + path)
    const policy = answer.headers.get('content-security-policy') ?? ''
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    const html = await answer.text()
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(html.split(`"${nonce}"`)).toHaveLength(3)
    expect(html).not.toContain('__CSP_NONCE__')
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(3)
})

test('the page comes with the security headers', async () => {
  const { headers } = await fetch(t.url)
  expect(headers.get('content-security-policy')?.replace(/nonce-[^']+/, 'nonce-N')).toBe(
    "default-src 'self'; script-src 'self'; style-src 'self' 'nonce-N'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  expect(headers.get('strict-transport-security')).toContain('max-age=31536000')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
})

test('a wall screen has a page of its own, never stored, under a stricter policy', async () => {
  for (const path of ['/wall', '/wall.html', '/wall?profile=far']) {
    const answer = await fetch(t.url + path)
    expect([path, answer.status, answer.headers.get('cache-control'), await answer.text()]).toEqual(
      [path, 200, 'no-store', '<html><title>wall</title></html>'],
    )
    expect(answer.headers.get('content-security-policy')?.replace(/nonce-[^']+/, 'nonce-N')).toBe(
      "default-src 'none'; script-src 'self' 'nonce-N'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    )
  }
})

test('an unknown path gets the page when a page is asked for', async () => {
  const page = await fetch(`${t.url}/loaned_management/repay_plan?x=1`, { headers: HTML })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect((await fetch(`${t.url}/loaned_management/repay_plan`)).status).toBe(404)
})

test('no page is given below /assets, /api or /socket.io', async () => {
  for (const path of ['/assets/gone.js', '/api/other', '/api']) {
    const answer = await fetch(t.url + path, { headers: HTML })
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      404,
      'application/json; charset=utf-8',
    ])
  }
  expect(
    (await fetch(`${t.url}/socket.io/?EIO=4&transport=polling`, { headers: HTML })).status,
  ).toBe(400)
})

test('hashed files are kept for ever and sent packed', async () => {
  const answer = await fetch(`${t.url}/assets/app-4f2a.js`, {
    headers: { 'accept-encoding': 'identity' },
  })
  expect([answer.headers.get('cache-control'), await answer.text()]).toEqual([
    'public, max-age=31536000, immutable',
    'console.log(1)',
  ])
  const packed = await t.edge.fastify.inject({
    url: '/assets/app-4f2a.js',
    headers: { 'accept-encoding': 'br' },
  })
  expect([packed.headers['content-encoding'], packed.body]).toEqual(['br', 'packed'])
  expect((await fetch(`${t.url}/favicon.svg`)).headers.get('cache-control')).toBe('no-cache')
})

test('HSTS is sent only when clients come over TLS', async () => {
  const plain = await edgeUnderTest()
  const { headers } = await fetch(`${plain.url}/livez`)
  expect(headers.get('strict-transport-security')).toBeNull()
  await plain.close()
})

test('the page of the calls brings its own files and nothing else of their folder', async () => {
  const nonces = new Set<string>()
  for (let n = 0; n < 2; n += 1) {
    const page = await fetch(`${t.url}/docs`)
    const policy = page.headers.get('content-security-policy') ?? ''
    const nonce = /script-src 'nonce-([^']+)';/.exec(policy)?.[1] ?? ''
    const html = await page.text()
    expect(html.match(/<(?:script|link rel="stylesheet")[^>]*>/g)).toEqual([
      expect.stringContaining(`nonce="${nonce}" href="/docs/ui/swagger-ui.css"`),
      expect.stringContaining(`nonce="${nonce}" src="/docs/ui/swagger-ui-bundle.js"`),
      expect.stringContaining(`nonce="${nonce}" src="/docs/start.js"`),
    ])
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(2)
  const bundle = await fetch(`${t.url}/docs/ui/swagger-ui-bundle.js`)
  // read to its end: a connection with bytes left keeps the edge from closing
  expect([bundle.status, (await bundle.text()).length > 100_000]).toEqual([200, true])
  expect((await fetch(`${t.url}/docs/ui/index.html`)).status).toBe(404)
  expect(await (await fetch(`${t.url}/docs/start.js`)).text()).toContain('Authorization')
})
