import { expect, test } from 'vitest'
import { listInput } from '#client/screen/list/list-input.ts'
import { listTransfers, listWaiting } from '#shared/orders/disbursement-api.ts'

test('a day range becomes instants in IST', () => {
  expect(
    listInput(listWaiting, { orderId: 'L1', failTimeFrom: '2026-11-20', failTimeTo: '2026-11-20' }),
  ).toEqual({
    orderId: 'L1',
    failTimeFrom: '2026-11-19T18:30:00.000Z',
    failTimeTo: '2026-11-20T18:29:59.999Z',
  })
  expect(listInput(listTransfers, { createTimeFrom: '2026-11-20' })).toEqual({
    createTimeFrom: '2026-11-19T18:30:00.000Z',
  })
})
