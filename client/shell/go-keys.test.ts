import { expect, test } from 'vitest'
import type { MenuPage } from '#client/session/menu.ts'
import texts from '#locales/en/shell.json' with { type: 'json' }
import { jumpsOf } from './go-keys.ts'

const page = (name: string, btnPermissions: string[] = []): [string, MenuPage] => [
  name,
  {
    id: name,
    name,
    path: `/x/${name}`,
    component: name,
    title: `x:menu.${name}`,
    icon: null,
    hidden: false,
    noCache: false,
    btnPermissions,
    trail: [],
  },
]
const addressesFor = (landing: string, ...pages: [string, MenuPage][]) =>
  Object.fromEntries(
    jumpsOf({ byName: new Map(pages) }, landing).map(({ key, address }) => [key, address]),
  )
const addresses = (...pages: [string, MenuPage][]) => addressesFor('', ...pages)

test('G then A opens the allocation screen for users who allocate', () => {
  expect(addresses(page('pedding_list', ['pedding_list:allocate']))).toEqual({
    KeyW: '/x/pedding_list',
    KeyA: '/x/pedding_list?tab=desk',
  })
  expect(addresses(page('pedding_list', ['pedding_list:follow']), page('urge_person'))).toEqual({
    KeyW: '/x/pedding_list',
  })
})

test("G then T opens the role's own list, else the one that is in the user's menu", () => {
  expect(addressesFor('/x/user_feedback', page('user_feedback'), page('operation_ticket'))).toEqual(
    { KeyT: '/x/user_feedback' },
  )
  expect(addresses(page('user_feedback'), page('loaned_ticket'), page('operation_ticket'))).toEqual(
    { KeyT: '/x/operation_ticket' },
  )
  expect(addresses(page('user_feedback'), page('loaned_ticket'))).toEqual({
    KeyT: '/x/loaned_ticket',
  })
  expect(addresses(page('user_feedback'))).toEqual({ KeyT: '/x/user_feedback' })
  expect(addresses(page('order_list'))).toEqual({ KeyO: '/x/order_list' })
})

test("G then W opens a telemarketer's own segment, and G then M the totals", () => {
  const pages = [page('no_certified'), page('no_relented'), page('marketing_total')]
  expect(addressesFor('/x/no_relented', ...pages)).toEqual({
    KeyW: '/x/no_relented',
    KeyM: '/x/marketing_total',
  })
  expect(addresses(...pages)).toEqual({ KeyW: '/x/no_certified', KeyM: '/x/marketing_total' })
})

test('the title of a tab stands in the texts of the frame, which loads no other', () => {
  const pages = new Map([page('pedding_list', ['pedding_list:allocate'])])
  const titles = jumpsOf({ byName: pages }, '').map(({ title }) => title)
  expect(titles).toContain('shell:shortcuts.allocationDesk')
  expect(texts.shortcuts).toHaveProperty('allocationDesk')
})
