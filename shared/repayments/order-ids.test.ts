import { expect, test } from 'vitest'
import { ordersNamedIn } from './order-ids.ts'

test('ids are found in columns, lists and lines, each once', () => {
  expect(ordersNamedIn('L10000001\nL10000002, L10000001;\tL10000003 "L10000004"')).toEqual({
    orderIds: ['L10000001', 'L10000002', 'L10000003', 'L10000004'],
    repeated: ['L10000001'],
    unreadable: [],
  })
})

test('a token with a digit that is not an id is reported, words are ignored', () => {
  expect(ordersNamedIn('Borrowing ID\nL12 XL10000001 l10000001 and so on')).toEqual({
    orderIds: [],
    repeated: [],
    unreadable: ['L12', 'XL10000001', 'l10000001'],
  })
})
