import { expect, test } from 'vitest'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import type { Preloads } from '#shared/kernel/preloads.ts'
import { preloadLinks } from './preloads.ts'

const of = <Value>(value: (language: string) => Value) =>
  Object.fromEntries(LANGUAGES.map((language) => [language, value(language)])) as Record<
    (typeof LANGUAGES)[number],
    Value
  >
const PRELOADS: Preloads = {
  first: of((language) => ({
    login: [`/login-${language}.js`],
    home: [`/frame-${language}.js`, '/home.js'],
    list: [`/frame-${language}.js`, '/grid.js'],
  })),
  screens: {
    '/orders/list': {
      files: ['/grid.js', '/orders.js'],
      texts: of((one) => [`/orders-${one}.js`]),
    },
  },
}
function filesOf(path: string, headers: { cookie?: string; 'accept-language'?: string }): string[] {
  return [...preloadLinks(PRELOADS, path, headers).matchAll(/href="([^"]+)"/g)].map(
    ([, file]) => file as string,
  )
}

test('without a session only the sign-in form is requested early, whatever the address', () => {
  for (const cookie of ['', 'Admin-Token=', 'language=en'])
    expect(filesOf('/orders/list', { cookie })).toEqual(['/login-en.js'])
  expect(filesOf('/login', { cookie: 'Admin-Token=x' })).toEqual(['/login-en.js'])
})

test('a session requests the frame with the screen of the address, each file once', () => {
  const cookie = 'a=b; Admin-Token=x'
  expect(filesOf('/home_page', { cookie })).toEqual(['/frame-en.js', '/home.js'])
  expect(filesOf('/', { cookie })).toEqual(['/frame-en.js', '/home.js'])
  expect(filesOf('/orders/list', { cookie })).toEqual([
    '/frame-en.js',
    '/grid.js',
    '/orders-en.js',
    '/orders.js',
  ])
  for (const path of ['/detail', '/constructor', '/__proto__'])
    expect(filesOf(path, { cookie })).toEqual(['/frame-en.js', '/grid.js'])
})

test('the language is that of the cookie, else of the browser, else English', () => {
  expect(filesOf('/', { cookie: 'language=th', 'accept-language': 'zh-CN,zh;q=0.9' })).toEqual([
    '/login-th.js',
  ])
  expect(filesOf('/', { 'accept-language': 'fr, zh;q=0.9' })).toEqual(['/login-zh.js'])
  expect(filesOf('/', { cookie: 'language=../x' })).toEqual(['/login-en.js'])
})

test('a build without a list has no links', () => {
  expect(preloadLinks(null, '/', { cookie: 'Admin-Token=x' })).toBe('')
})
