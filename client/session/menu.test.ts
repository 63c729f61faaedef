import { expect, test } from 'vitest'
import type { MenuTreeNode } from '#shared/session/session-api.ts'
import { detailPermissions, indexMenu, permits } from './menu.ts'

function node(
  path: string,
  more: Partial<MenuTreeNode> & { btn?: string[]; noCache?: boolean } = {},
): MenuTreeNode {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return {
    id: name,
    path,
    component: path.replace(/^\//, ''),
    visible: 0,
    redirect: null,
    name,
    meta: {
      title: `x:menu.${name}`,
      icon: null,
      noCache: more.noCache ?? false,
      btnPermissions: more.btn ?? [],
    },
    children: [],
    ...more,
  }
}

const MENU = [
  node('/home_page'),
  node('/order_management', {
    component: 'Layout',
    children: [
      node('info', { visible: 1 }),
      node('order_list', { btn: ['order_list:cancel', 'order_list:export'] }),
      node('/order_management/review_list', { btn: ['review_list:claim'] }),
    ],
  }),
  node('/empty', { component: 'Layout' }),
  node('/system', {
    component: 'Layout',
    redirect: 'role',
    children: [node('user'), node('role')],
  }),
]

test('relative segments and absolute paths of children give the same routes', () => {
  expect([...indexMenu(MENU).pages.keys()]).toEqual([
    '/home_page',
    '/order_management/info',
    '/order_management/order_list',
    '/order_management/review_list',
    '/system/user',
    '/system/role',
  ])
})

test('a group redirects as configured, else to its first visible page', () => {
  const { redirects } = indexMenu(MENU)
  expect(redirects.get('/order_management')).toBe('/order_management/order_list')
  expect(redirects.get('/system')).toBe('/system/role')
  expect(redirects.has('/empty')).toBe(false)
})

test('a detail page takes the button codes of the menu it was opened from', () => {
  const index = indexMenu(MENU)
  expect(detailPermissions(index, 'review_list', ['order_list'])).toEqual(['review_list:claim'])
  expect(detailPermissions(index, null, ['order_list', 'review_list', 'gone'])).toEqual([
    'order_list:cancel',
    'order_list:export',
    'review_list:claim',
  ])
  expect(detailPermissions(index, 'not_mine', ['review_list'])).toEqual(['review_list:claim'])
})

test('one matching code grants permission, an empty list grants none', () => {
  expect(permits(['a', 'order_list:cancel'], ['order_list:cancel'])).toBe(true)
  expect(permits(['a'], ['order_list:cancel'])).toBe(false)
  expect(permits([], ['order_list:cancel'])).toBe(false)
})

test('a value that is not an array throws the specified text', () => {
  expect(() => permits('order_list:cancel', ['order_list:cancel'])).toThrow('need roles!')
  expect(() => permits(undefined, [])).toThrow('need roles!')
})
