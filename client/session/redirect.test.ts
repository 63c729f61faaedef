import { expect, test } from 'vitest'
import { loginPath, safeRedirect } from './redirect.ts'

const ORIGIN = 'https://console.example'
const KNOWN = new Set(['/home_page', '/order_management/order_list', '/detail', '/login'])
const knows = (path: string) => KNOWN.has(path)

const HOSTILE: (string | null)[] = [
  null,
  '',
  ' ',
  '//evil.example',
  '///evil.example',
  '////evil.example/home_page',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  'https://evil.example',
  'https://evil.example/home_page',
  'http:evil.example',
  'https:/home_page',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://console.example/x',
  'file:///etc/passwd',
  '/\tevil',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\nhome_page',
  ' /home_page',
  '\u0000/home_page',
  '/home_page\u0000',
  '/%2fevil.example',
  '/%2Fevil.example',
  '/%5cevil.example',
  '/%2e%2e/home_page',
  '/home_page/../../x',
  '/.//evil.example',
  '/./\\evil.example',
  '@evil.example',
  '/login',
  '/login?redirect=/home_page',
  '/unknown',
  '/home_page/',
  'home_page',
  '//console.example@evil.example/home_page',
  '/;@evil.example',
  '?redirect=/home_page',
  '#/home_page',
  '/HOME_PAGE',
  '/\u2028home_page',
]

test('no hostile redirect survives a sign-in', () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(40)
  for (const wanted of HOSTILE)
    expect(safeRedirect(wanted, ORIGIN, knows), JSON.stringify(wanted)).toBe('/')
})

test('a known path returns with its query and fragment', () => {
  expect(safeRedirect('/order_management/order_list?status=30&pageNum=2#row', ORIGIN, knows)).toBe(
    '/order_management/order_list?status=30&pageNum=2#row',
  )
  expect(safeRedirect('/detail?orderId=a%2Fb', ORIGIN, knows)).toBe('/detail?orderId=a%2Fb')
})

test('the result always stays on the origin', () => {
  for (const wanted of [...HOSTILE, '/detail?orderId=1', '/home_page']) {
    const target = new URL(
      safeRedirect(wanted, ORIGIN, () => true),
      ORIGIN,
    )
    expect(target.origin, JSON.stringify(wanted)).toBe(ORIGIN)
    expect(target.pathname.startsWith('//')).toBe(false)
  }
})

test('the login address contains the page where the session ended, but never itself', () => {
  expect(loginPath('/detail?orderId=1&from=order_list')).toBe(
    '/login?redirect=%2Fdetail%3ForderId%3D1%26from%3Dorder_list',
  )
  expect(loginPath('/')).toBe('/login?redirect=%2F')
  expect(loginPath('/login?redirect=%2Fhome_page')).toBe('/login')
})
