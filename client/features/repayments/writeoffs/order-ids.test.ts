import { expect, test } from 'vitest'
import { orderIdsOf } from './order-ids.ts'

test('ids are found in columns, lists and lines, each once', () => {
  expect(orderIdsOf('L10000001\nL10000002, L10000001;\tL10000003 "L10000004"')).toEqual(['L10000001', 'L10000002', 'L10000003', 'L10000004'])
  expect(orderIdsOf('Order id\nL12 XL10000001 l10000001')).toEqual([])
})
