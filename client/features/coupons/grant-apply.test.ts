import { expect, test } from 'vitest'
import { COUPON_GRANTED } from '#shared/coupons/coupons-live.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import type { Grant } from './coupon-types.ts'
import { applyGrantEvents } from './grant-apply.ts'

const row = { grantId: 'CG1', state: 'unused', version: 1 } as Partial<Grant> as Grant
const rows = new Map([['CG1', row]])
const granted = (version: number, more: object = {}): LiveEvent =>
  ({
    type: COUPON_GRANTED.type,
    version,
    data: {
      couponId: 'CP1',
      grantId: 'CG1',
      userId: 'C1',
      orderId: 'L1',
      recordId: 'RR1',
      state: 'used',
      amount: 500,
      useTime: '2026-11-25T06:00:00.000Z',
      ...more,
    },
  }) as Partial<LiveEvent> as LiveEvent
const apply = (events: LiveEvent[], filters: object = {}) =>
  applyGrantEvents(rows, events, filters, 'left')

test('a used coupon is patched with what it was used for', () => {
  expect(apply([granted(2)]).changes).toMatchObject([
    {
      kind: 'patch',
      id: 'CG1',
      version: 2,
      changes: { state: 'used', orderId: 'L1', amount: 500 },
    },
  ])
  expect(apply([granted(1)])).toMatchObject({ changes: [], needsRefetch: false })
})

test('a coupon that does not match the filters any more leaves; a revoked one is read again', () => {
  expect(apply([granted(2)], { state: 'unused' }).changes).toMatchObject([{ kind: 'leave' }])
  expect([...apply([granted(2, { state: 'revoked' })]).read]).toEqual(['CG1'])
})

test('a new coupon is asked for only where it may match', () => {
  const other = granted(1, { grantId: 'CG2', state: 'unused', userId: 'C2', orderId: null })
  expect(apply([other]).needsRefetch).toBe(true)
  expect(apply([other], { userId: 'C1' }).needsRefetch).toBe(false)
})
