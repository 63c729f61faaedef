import { expect, test } from 'vitest'
import { differencesOf } from './entry-diff.ts'

test('changed values are separated from unchanged ones', () => {
  expect(
    differencesOf({ name: 'Sales', status: 'enabled' }, { name: 'Selling', status: 'enabled' }),
  ).toEqual([
    { path: 'name', before: 'Sales', after: 'Selling', isChanged: true },
    { path: 'status', before: 'enabled', after: 'enabled', isChanged: false },
  ])
})

test('objects are flattened, lists show added and removed members, and no value is a dash', () => {
  expect(
    differencesOf(
      { unit: { agencyId: 'A1', groupId: null }, menus: ['role', 'order_list'], marks: ['a'] },
      { unit: { agencyId: 'A2', groupId: null }, menus: ['role', 'user'], marks: ['a'] },
    ),
  ).toEqual([
    { path: 'unit.agencyId', before: 'A1', after: 'A2', isChanged: true },
    { path: 'unit.groupId', before: '—', after: '—', isChanged: false },
    { path: 'menus', before: 'order_list', after: 'user', isChanged: true },
    { path: 'marks', before: 'a', after: 'a', isChanged: false },
  ])
})

test('with values on one side only, all of them are shown', () => {
  expect(differencesOf(null, { status: 'disabled' })).toEqual([
    { path: 'status', before: null, after: 'disabled', isChanged: true },
  ])
  expect(differencesOf(undefined, null)).toEqual([])
})
