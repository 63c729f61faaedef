import { expect, test } from 'vitest'
import { differencesOf } from './record-diff.ts'

test('what changed is told from what stayed', () => {
  expect(differencesOf({ name: 'Sales', status: 'enabled' }, { name: 'Selling', status: 'enabled' })).toEqual([
    { path: 'name', before: 'Sales', after: 'Selling', isChanged: true },
    { path: 'status', before: 'enabled', after: 'enabled', isChanged: false },
  ])
})

test('objects are opened, lists stay whole, nothing reads as a dash', () => {
  expect(differencesOf({ unit: { agencyId: 'A1', groupId: null }, menus: ['role'] }, { unit: { agencyId: 'A2', groupId: null }, menus: ['role', 'user'] })).toEqual([
    { path: 'unit.agencyId', before: 'A1', after: 'A2', isChanged: true },
    { path: 'unit.groupId', before: '—', after: '—', isChanged: false },
    { path: 'menus', before: 'role', after: 'role, user', isChanged: true },
  ])
})

test('values of one side alone are all of interest', () => {
  expect(differencesOf(null, { status: 'disabled' })).toEqual([{ path: 'status', before: null, after: 'disabled', isChanged: true }])
  expect(differencesOf(undefined, null)).toEqual([])
})
