import { expect, test } from 'vitest'
import type { MenuPage } from '#client/session/menu.ts'
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
const addresses = (...pages: [string, MenuPage][]) =>
  Object.fromEntries(jumpsOf({ byName: new Map(pages) }).map(({ key, address }) => [key, address]))

test('A leads to the allocation desk, for who allocates', () => {
  expect(addresses(page('pedding_list', ['pedding_list:allocate']))).toEqual({
    KeyW: '/x/pedding_list',
    KeyA: '/x/pedding_list?tab=desk',
  })
  expect(addresses(page('pedding_list', ['pedding_list:follow']), page('urge_person'))).toEqual({
    KeyW: '/x/pedding_list',
  })
})

test('T leads to the list of tickets the person has', () => {
  expect(addresses(page('user_feedback'), page('loaned_ticket'), page('operation_ticket'))).toEqual(
    { KeyT: '/x/operation_ticket' },
  )
  expect(addresses(page('user_feedback'), page('loaned_ticket'))).toEqual({
    KeyT: '/x/loaned_ticket',
  })
  expect(addresses(page('user_feedback'))).toEqual({ KeyT: '/x/user_feedback' })
  expect(addresses(page('order_list'))).toEqual({ KeyO: '/x/order_list' })
})
