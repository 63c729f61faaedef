import { expect, test } from 'vitest'
import { buttonNumbers, mayCall } from './permission.ts'

const codes = new Set(['order_list:view', 'order_list:cancel'])

test('a call open to none or any needs no code', () => {
  expect(mayCall('none', new Set())).toBe(true)
  expect(mayCall('any', new Set())).toBe(true)
})

test('one of the codes named is enough', () => {
  expect(mayCall(['order_list:cancel'], codes)).toBe(true)
  expect(mayCall(['loan_list:view', 'order_list:view'], codes)).toBe(true)
})

test('a caller without any of the codes is refused', () => {
  expect(mayCall(['loan_list:view'], codes)).toBe(false)
  expect(mayCall(['order_list:view'], new Set())).toBe(false)
  expect(mayCall(['order_list'], codes)).toBe(false)
})

test('a machine call is never open to a session', () => {
  expect(mayCall({ machine: 'inbound' }, new Set(['inbound', 'machine', ...codes]))).toBe(false)
})

test('buttons of accounts, roles and parameters are also known as 1, 2 and 4', () => {
  expect(buttonNumbers('user', ['add', 'edit', 'status', 'reset', 'kick'])).toEqual(['1', '2', '4'])
  expect(buttonNumbers('role', ['edit'])).toEqual(['2'])
  expect(buttonNumbers('order_list', ['add', 'edit'])).toEqual([])
})
