import { expect, test } from 'vitest'
import { CLOSE_AMOUNT_TYPES, CLOSE_TYPES, closeTypeOf } from './close-types.ts'
import { isOrderClosed } from './order-lifecycle.ts'
import { isOrderStatus, ORDER_STATUS, ORDER_STATUSES, orderStatusName } from './order-statuses.ts'

test('there are nineteen statuses with fixed numbers', () => {
  expect(ORDER_STATUSES).toEqual([
    10, 20, 21, 22, 23, 26, 27, 29, 30, 31, 40, 41, 43, 50, 70, 80, 90, 100, 110,
  ])
})

test('names and numbers map to each other', () => {
  for (const status of ORDER_STATUSES) expect(ORDER_STATUS[orderStatusName(status)]).toBe(status)
  expect(ORDER_STATUS.overdue).toBe(50)
  expect(new Set(ORDER_STATUSES.map(orderStatusName)).size).toBe(19)
})

test('only known numbers are statuses', () => {
  expect(isOrderStatus(43)).toBe(true)
  for (const other of [0, 11, '43', null, undefined, 43.5, Number.NaN])
    expect(isOrderStatus(other)).toBe(false)
})

test('the close type follows from the status', () => {
  const closed = Object.fromEntries(
    ORDER_STATUSES.filter((status) => closeTypeOf(status) !== 'notClosed').map((status) => [
      status,
      closeTypeOf(status),
    ]),
  )
  expect(closed).toEqual({
    40: 'repaidClosed',
    41: 'repaidClosed',
    80: 'extensionClosed',
    100: 'writeOffClosed',
    110: 'writeOffClosed',
  })
})

test('only an ended order has a close type', () => {
  for (const status of ORDER_STATUSES)
    if (closeTypeOf(status) !== 'notClosed') expect(isOrderClosed(status)).toBe(true)
})

test('the closed sets have their fixed codes', () => {
  expect(CLOSE_TYPES).toEqual(['notClosed', 'repaidClosed', 'extensionClosed', 'writeOffClosed'])
  expect(CLOSE_AMOUNT_TYPES).toEqual(['full', 'operational', 'batch', 'rollover', 'partial'])
})
