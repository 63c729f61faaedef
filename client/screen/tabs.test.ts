import { expect, test } from 'vitest'
import { closeAll, closeOthers, shiftTab } from '#client/shell/tab-changes.ts'
import {
  AFFIXED,
  ALIVE_LIMIT,
  aliveKeys,
  besideTab,
  closeTab,
  moveTab,
  nextAfterClose,
  opener,
  readTabs,
  refreshTab,
  startTabs,
  type Tabs,
  visitTab,
} from './tabs.ts'

const open = (...paths: string[]): Tabs =>
  paths.reduce((tabs, path) => visitTab(tabs, { key: path, path, search: '' }), startTabs())
const keys = (tabs: Tabs) => tabs.map((tab) => tab.key)

test('home is the first tab and cannot be closed', () => {
  const tabs = open('/a', '/b')
  expect(keys(tabs)).toEqual([AFFIXED, '/a', '/b'])
  expect(closeTab(tabs, AFFIXED)).toBe(tabs)
  expect(keys(closeAll(tabs))).toEqual([AFFIXED])
  expect(keys(closeOthers(tabs, '/b'))).toEqual([AFFIXED, '/b'])
})

test('reopening a tab keeps its position and updates its address', () => {
  const tabs = visitTab(open('/a', '/b'), { key: '/a', path: '/a', search: '?status=30' })
  expect(keys(tabs)).toEqual([AFFIXED, '/a', '/b'])
  expect(tabs[1]?.search).toBe('?status=30')
})

test('repeating the same visit changes nothing', () => {
  const tabs = open('/a')
  expect(visitTab(tabs, { key: '/a', path: '/a', search: '' })).toBe(tabs)
})

const detail = (id: string, more = '') => ({
  key: `/detail3?caseId=${id}`,
  path: '/detail3',
  search: `?caseId=${id}${more}`,
})
const menu = (path: string) => ({ key: path, path, search: '' })
const visits = (...seen: Parameters<typeof visitTab>[1][]): Tabs =>
  seen.reduce<Tabs>((tabs, one) => visitTab(tabs, one, one.search !== ''), startTabs())
const openerKey = (tabs: Tabs, key: string) => {
  const tab = tabs.find((one) => one.key === key)
  return tab && opener(tabs, tab)?.key
}

test('a record knows the screen it was opened from, and so does the next one of its kind', () => {
  const tabs = visits(menu('/bills'), detail('1'), detail('2'))
  expect(openerKey(tabs, detail('1').key)).toBe('/bills')
  expect(openerKey(tabs, detail('2').key)).toBe('/bills')
  expect(openerKey(closeTab(tabs, '/bills'), detail('2').key)).toBeUndefined()
})

test('who returns to a record by its tab still leaves it for the screen it was opened from', () => {
  const tabs = visits(menu('/bills'), detail('1'), menu('/other'), detail('1'))
  expect(openerKey(tabs, detail('1').key)).toBe('/bills')
  const again = visits(menu('/bills'), detail('1'), menu('/other'), detail('1', '&from=other'))
  expect(openerKey(again, detail('1').key)).toBe('/other')
})

test('a page of one path that shows another record is left for where that was opened', () => {
  const customer = (id: string) => ({ key: '/info', path: '/info', search: `?userId=${id}` })
  const tabs = visits(menu('/stops'), customer('1'), menu('/orders'), customer('2'))
  expect(openerKey(tabs, '/info')).toBe('/orders')
})

test('records that lead to each other can be left', () => {
  const order = { key: '/detail?orderId=9', path: '/detail', search: '?orderId=9' }
  const tabs = visits(
    menu('/bills'),
    detail('1'),
    order,
    detail('2'),
    detail('1', '&from=order'),
    detail('2', '&from=order'),
    { ...order, search: '?orderId=9&from=cases' },
  )
  const left = (key: string | undefined): (string | undefined)[] =>
    key === undefined ? [] : [key, ...left(openerKey(tabs, key))]
  expect(left(order.key)).toEqual([order.key, detail('2').key, '/bills'])
  expect(left(detail('1').key)).toEqual([detail('1').key, '/bills'])
})

test('a tab can be moved anywhere after home, and a reload keeps its position', () => {
  const tabs = open('/a', '/b', '/c')
  expect(keys(moveTab(tabs, '/c', '/a'))).toEqual([AFFIXED, '/c', '/a', '/b'])
  expect(keys(moveTab(tabs, '/a', null))).toEqual([AFFIXED, '/b', '/c', '/a'])
  expect(keys(moveTab(tabs, '/b', AFFIXED))).toEqual([AFFIXED, '/b', '/a', '/c'])
  for (const [key, before] of [
    [AFFIXED, '/c'],
    ['/a', '/b'],
    ['/a', '/a'],
    ['/gone', '/a'],
  ] as const)
    expect(moveTab(tabs, key, before)).toBe(tabs)
  expect(keys(readTabs(JSON.stringify(moveTab(tabs, '/c', '/a'))))).toEqual([
    AFFIXED,
    '/c',
    '/a',
    '/b',
  ])
})

test('moving a tab sideways moves it by one position and stops at the ends', () => {
  const tabs = open('/a', '/b')
  expect(keys(shiftTab(tabs, '/b', -1))).toEqual([AFFIXED, '/b', '/a'])
  expect(keys(shiftTab(tabs, '/a', 1))).toEqual([AFFIXED, '/b', '/a'])
  for (const [key, step] of [
    ['/a', -1],
    ['/b', 1],
    [AFFIXED, 1],
  ] as const)
    expect(shiftTab(tabs, key, step)).toBe(tabs)
})

test('two records of one route have two tabs', () => {
  const tabs = visitTab(
    visitTab(startTabs(), {
      key: '/detail?orderId=1',
      path: '/detail',
      search: '?orderId=1&from=x',
    }),
    { key: '/detail?orderId=2', path: '/detail', search: '?orderId=2' },
  )
  expect(keys(tabs)).toEqual([AFFIXED, '/detail?orderId=1', '/detail?orderId=2'])
})

test('closing the active tab activates the one visited before it', () => {
  const tabs = visitTab(open('/a', '/b', '/c'), { key: '/a', path: '/a', search: '' })
  expect(nextAfterClose(closeTab(tabs, '/a')).key).toBe('/c')
  expect(nextAfterClose(closeAll(tabs)).key).toBe(AFFIXED)
})

test('the next and the previous tab wrap around', () => {
  const tabs = open('/a', '/b')
  expect(besideTab(tabs, '/b', 1)?.key).toBe(AFFIXED)
  expect(besideTab(tabs, AFFIXED, -1)?.key).toBe('/b')
  expect(besideTab(tabs, '/gone', 1)?.key).toBe(AFFIXED)
})

test('a refresh increases the generation of its tab only', () => {
  const tabs = refreshTab(open('/a', '/b'), '/a')
  expect(tabs.map((tab) => tab.generation)).toEqual([0, 1, 0])
})

test('the last eight visited views stay mounted, the active one first, noCache views only while active', () => {
  const tabs = open(...Array.from({ length: 12 }, (_, i) => `/p${i}`))
  expect(aliveKeys(tabs, '/p3', () => true)).toEqual([
    '/p3',
    '/p11',
    '/p10',
    '/p9',
    '/p8',
    '/p7',
    '/p6',
    '/p5',
  ])
  expect(aliveKeys(tabs, '/p3', () => true)).toHaveLength(ALIVE_LIMIT)
  expect(aliveKeys(tabs, '/p3', (key) => key !== '/p11')).not.toContain('/p11')
})

test('after a reload the tabs are restored but no view is mounted', () => {
  const tabs = readTabs(JSON.stringify(refreshTab(open('/a', '/b'), '/a')))
  expect(keys(tabs)).toEqual([AFFIXED, '/a', '/b'])
  expect(aliveKeys(tabs, '/a', () => true)).toEqual(['/a'])
  const visited = visitTab(tabs, { key: '/a', path: '/a', search: '' })
  expect(aliveKeys(visited, '/b', () => true)).toEqual(['/b', '/a'])
})

test('a malformed stored list is replaced by a new one', () => {
  for (const kept of [
    null,
    '',
    'x',
    '{}',
    '[1,null]',
    '[{"key":"k","path":"https://evil.example","search":""}]',
  ])
    expect(keys(readTabs(kept)), String(kept)).toEqual([AFFIXED])
})
