import { expect, test } from 'vitest'
import { orderPath } from './order-path.ts'

test('a URL contains the id unchanged', () => {
  expect(orderPath('O 1&x', 'order_list')).toBe('/detail?orderId=O%201%26x&from=order_list')
})
