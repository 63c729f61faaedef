import { expect, test } from 'vitest'
import { transferInput, waitInput } from './loan-filters.ts'

test('a day range becomes instants in IST', () => {
  expect(
    waitInput({ orderId: 'L1', failTimeFrom: '2026-11-20', failTimeTo: '2026-11-20' }),
  ).toEqual({
    orderId: 'L1',
    failTimeFrom: '2026-11-19T18:30:00.000Z',
    failTimeTo: '2026-11-20T18:29:59.999Z',
  })
  expect(transferInput({ createTimeFrom: '2026-11-20' })).toEqual({
    createTimeFrom: '2026-11-19T18:30:00.000Z',
  })
})
