import { expect, test } from 'vitest'
import { indexMenu } from '#client/session/menu.ts'
import type { MenuTreeNode } from '#shared/session/session-api.ts'
import { knowsPath, type RouteTable, viewOf } from './routes.ts'

const leaf = (path: string, component = path.slice(1)): MenuTreeNode => ({
  id: path,
  path,
  component,
  visible: 0,
  redirect: null,
  name: path.slice(path.lastIndexOf('/') + 1),
  meta: { title: 't', icon: null, noCache: false, btnPermissions: [`${path.slice(1)}:x`] },
  children: [],
})
const load = async () => ({ Screen: () => null })
const table: RouteTable = {
  index: indexMenu([
    leaf('/home_page'),
    {
      ...leaf('/orders', 'Layout'),
      children: [leaf('/orders/order_list'), leaf('/orders/unbuilt')],
    },
  ]),
  screens: { home_page: load, 'orders/order_list': load, 'orders/secret': load },
  details: {
    '/detail': { load, idParam: 'orderId', title: 'orders:detail.title', menus: ['order_list'] },
  },
  constants: { '/error_log': { load, title: 'shell:errors.title' } },
}

test('a menu path shows its screen in a tab of that path', () => {
  expect(viewOf(table, '/orders/order_list', '?status=30')).toMatchObject({
    kind: 'menu',
    tab: '/orders/order_list',
  })
})

test('a group redirects to its first page', () => {
  expect(viewOf(table, '/orders', '')).toEqual({ kind: 'go', to: '/orders/order_list', tab: null })
})

test('a detail page has one tab per record and takes the button codes of its menu', () => {
  expect(viewOf(table, '/detail', '?orderId=7&from=order_list')).toMatchObject({
    kind: 'detail',
    id: '7',
    menu: 'order_list',
    btnPermissions: ['orders/order_list:x'],
    tab: '/detail?orderId=7',
  })
  expect(viewOf(table, '/detail', '?orderId=7&from=elsewhere')).toMatchObject({
    kind: 'detail',
    menu: null,
    btnPermissions: ['orders/order_list:x'],
  })
  expect(viewOf(table, '/detail', '')).toEqual({ kind: 'not-found', tab: null })
})

test('a constant page has its own tab and no menu', () => {
  expect(viewOf(table, '/error_log', '')).toMatchObject({ kind: 'constant', tab: '/error_log' })
  expect(knowsPath(table, '/error_log')).toBe(true)
})

test('an unknown path is not found, a screen outside the menu is not permitted', () => {
  expect(viewOf(table, '/nowhere', '')).toEqual({ kind: 'go', to: '/404', tab: null })
  expect(viewOf(table, '/orders/secret', '')).toEqual({
    kind: 'go',
    to: '/401?code=secret:view',
    tab: null,
  })
  expect(viewOf(table, '/constructor', '')).toEqual({ kind: 'go', to: '/404', tab: null })
})

test('a menu whose component this build does not have is not found inside the frame', () => {
  expect(viewOf(table, '/orders/unbuilt', '')).toMatchObject({ kind: 'unbuilt' })
})

test('redirect mounts a known view again and ignores unknown ones', () => {
  expect(viewOf(table, '/redirect/orders/order_list', '?a=1')).toEqual({
    kind: 'refresh',
    to: '/orders/order_list?a=1',
    tab: null,
  })
  expect(knowsPath(table, '/redirect/orders/order_list')).toBe(true)
  expect(knowsPath(table, '/redirect//evil.example')).toBe(false)
  expect(knowsPath(table, '/redirect/nowhere')).toBe(false)
})
