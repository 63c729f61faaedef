import { expect, test } from 'vitest'
import {
  expectRefused,
  type LifecycleTable,
  type SampleEvents,
  testLifecycle,
} from '#tests/support/lifecycle-table.ts'
import { type GrantEvent, grantLifecycle, type GrantState } from './grant-lifecycle.ts'

const samples = {
  USE: {
    type: 'USE',
    valueDay: '2026-11-23',
    grantedOn: '2026-11-20',
    validUntil: '2026-11-23',
  },
  GIVE_BACK: { type: 'GIVE_BACK', today: '2026-11-23', validUntil: '2026-11-23' },
  GIVE_BACK_LATE: { type: 'GIVE_BACK_LATE', today: '2026-11-24', validUntil: '2026-11-23' },
  EXPIRE: { type: 'EXPIRE', today: '2026-11-24', validUntil: '2026-11-23' },
  REVOKE: { type: 'REVOKE', reason: 'Granted by mistake' },
} satisfies SampleEvents<GrantEvent>

const _ = null
const table = {
  USE: { unused: 'used', used: _, expired: _, revoked: _ },
  GIVE_BACK: { unused: _, used: 'unused', expired: _, revoked: _ },
  GIVE_BACK_LATE: { unused: _, used: 'expired', expired: _, revoked: _ },
  EXPIRE: { unused: 'expired', used: _, expired: _, revoked: _ },
  REVOKE: { unused: 'revoked', used: _, expired: _, revoked: _ },
} satisfies LifecycleTable<GrantEvent['type'], GrantState>

testLifecycle<GrantState, GrantEvent, GrantEvent['type']>({
  lifecycle: grantLifecycle,
  samples,
  table,
  closed: { used: ['GIVE_BACK', 'GIVE_BACK_LATE'], expired: [], revoked: [] },
})

test('a coupon is used from the day it was granted to the last day of its validity', () => {
  for (const valueDay of ['2026-11-19', '2026-11-24'])
    expectRefused(grantLifecycle, 'unused', { ...samples.USE, valueDay })
  for (const valueDay of ['2026-11-20', '2026-11-23'])
    expect(grantLifecycle.can('unused', { ...samples.USE, valueDay })).toBe(true)
})

test('a coupon is given back unused within its validity only', () => {
  expectRefused(grantLifecycle, 'used', { ...samples.GIVE_BACK, today: '2026-11-24' })
  expectRefused(grantLifecycle, 'used', { ...samples.GIVE_BACK_LATE, today: '2026-11-23' })
})

test('a coupon does not expire on its last day, and revoking it requires a reason', () => {
  expectRefused(grantLifecycle, 'unused', { ...samples.EXPIRE, today: '2026-11-23' })
  expectRefused(grantLifecycle, 'unused', { type: 'REVOKE', reason: ' ' })
})
