import { expect, test } from 'vitest'
import { ORDER_QUICK_VIEWS } from '#shared/orders/orders-api.ts'
import { isOrderClosed } from '#shared/orders/order-lifecycle.ts'
import { ORDER_STATUSES } from '#shared/orders/order-statuses.ts'
import { orderInput, QUICK_VIEWS, quickViewOf } from './order-filters.ts'

test('days become IST instants and several codes one comma-separated value', () => {
  expect(
    orderInput({
      pageNum: 1,
      pageSize: 50,
      status: ['50', '90'],
      tags: ['reLoan'],
      createTimeFrom: '2026-11-20',
      createTimeTo: '2026-11-20',
      dueTimeTo: '2026-12-01',
      amountFrom: 100_000,
    }),
  ).toEqual({
    input: {
      pageNum: 1,
      pageSize: 50,
      status: '50,90',
      tags: 'reLoan',
      createTimeFrom: '2026-11-19T18:30:00.000Z',
      createTimeTo: '2026-11-20T18:29:59.999Z',
      dueTimeTo: '2026-12-01T18:29:59.999Z',
      amountFrom: 100_000,
    },
    fault: null,
  })
})

test('an unknown status is not sent', () => {
  expect(orderInput({ status: ['50', '51', 'x'] }).input).toEqual({ status: '50' })
  expect(orderInput({ status: ['x'] }).input).toEqual({})
})

test.each(['9876543210', '+91 98765 43210', '098765-43210', '(98765) 43210'])(
  'the phone %s is sent as ten digits',
  (phone) => {
    expect(orderInput({ phone })).toEqual({ input: { phone: '9876543210' }, fault: null })
  },
)

test.each(['98765', '1234567890', 'Asha'])('a phone like "%s" is not sent', (phone) => {
  expect(orderInput({ phone }).fault).toBe('phone')
})

test('a quick view is active when exactly its statuses are selected', () => {
  expect(quickViewOf(undefined)).toBe('all')
  expect(quickViewOf([])).toBe('all')
  for (const view of ORDER_QUICK_VIEWS)
    expect(quickViewOf(QUICK_VIEWS[view].map(String).toReversed())).toBe(view)
  expect(quickViewOf(['50'])).toBeNull()
  expect(quickViewOf(['50', '90', '10'])).toBeNull()
})

test('the closed view contains every status the lifecycle treats as closed', () => {
  expect([...QUICK_VIEWS.closed].toSorted((a, b) => a - b)).toEqual(
    ORDER_STATUSES.filter(isOrderClosed),
  )
})
