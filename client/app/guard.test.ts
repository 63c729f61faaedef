import { expect, test } from 'vitest'
import { decideRoute, type GuardInput } from './guard.ts'

const KNOWN = new Set(['/', '/home_page', '/order_management/review_list', '/404'])
const at = (path: string, session: GuardInput['session'], more: Partial<GuardInput> = {}) =>
  decideRoute({
    path,
    search: '',
    origin: 'https://c.example',
    session,
    remember: true,
    hasSignedIn: true,
    landing: '/order_management/review_list',
    knows: (p) => KNOWN.has(p),
    ...more,
  })

test('without a session every page redirects to the login page and back afterwards', () => {
  expect(at('/order_management/review_list', 'none', { search: '?state=3' })).toEqual({
    go: '/login?redirect=%2Forder_management%2Freview_list%3Fstate%3D3',
  })
  expect(at('/', 'none')).toEqual({ go: '/login?redirect=%2F' })
})

test('a user logout does not redirect back after the next login', () => {
  expect(at('/home_page', 'none', { remember: false })).toEqual({ go: '/login' })
})

test('a visit to login during a session goes to the root', () => {
  expect(at('/login', 'ready', { hasSignedIn: false })).toEqual({ go: '/' })
})

test('login, auth-redirect and the status pages are reachable without a session', () => {
  expect(at('/401', 'none')).toEqual({ show: '401' })
  expect(at('/404', 'none')).toEqual({ show: '404' })
  expect(at('/login', 'none')).toEqual({ show: 'login' })
  expect(at('/auth-redirect', 'none')).toEqual({ show: 'auth-redirect' })
})

test('a signed-in visit to login redirects to the requested page, or else to the start page of the role', () => {
  expect(at('/login', 'ready', { search: '?redirect=%2Fhome_page%3Fx%3D1' })).toEqual({
    go: '/home_page?x=1',
  })
  expect(at('/login', 'ready')).toEqual({ go: '/order_management/review_list' })
  expect(at('/login', 'ready', { search: '?redirect=//evil.example' })).toEqual({
    go: '/order_management/review_list',
  })
  expect(at('/login', 'ready', { landing: '/gone' })).toEqual({ go: '/home_page' })
})

test('the root leads to the home page', () => {
  expect(at('/', 'ready')).toEqual({ go: '/home_page' })
})

test('with a session, the frame is shown until the table of screens has loaded', () => {
  expect(at('/login', 'ready', { knows: null })).toEqual({ show: 'frame' })
  expect(at('/home_page', 'ready', { knows: null })).toEqual({ show: 'frame' })
  expect(at('/auth-redirect', 'ready', { knows: null })).toEqual({ show: 'auth-redirect' })
})

test('the login form stays visible while the session of a new token loads', () => {
  expect(at('/login', 'loading')).toEqual({ show: 'login' })
  expect(at('/home_page', 'loading')).toEqual({ show: 'loading' })
})
