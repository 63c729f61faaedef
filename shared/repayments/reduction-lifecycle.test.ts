import { expect, test } from 'vitest'
import {
  expectRefused,
  type LifecycleTable,
  type SampleEvents,
  testLifecycle,
} from '#tests/support/lifecycle-table.ts'
import {
  reductionLifecycle,
  type ReductionEvent,
  type ReductionState,
} from './reduction-lifecycle.ts'

const samples = {
  APPROVE: {
    type: 'APPROVE',
    byLauncher: false,
    level: 2,
    launchLevel: 1,
    amountPaise: 100,
    capPaise: 100,
  },
  REJECT: { type: 'REJECT', reason: 'Pays anyway' },
  WITHDRAW: { type: 'WITHDRAW', byLauncher: true },
  PAID: { type: 'PAID', valueDay: '2026-11-23', validUntil: '2026-11-23' },
  EXPIRE: { type: 'EXPIRE', today: '2026-11-24', validUntil: '2026-11-23' },
  REVOKE: { type: 'REVOKE', reason: 'Launched by mistake' },
  ORDER_CLOSED: { type: 'ORDER_CLOSED' },
} satisfies SampleEvents<ReductionEvent>

const _ = null
const table = {
  APPROVE: { pending: 'approved', approved: _, rejected: _, used: _, lapsed: _ },
  REJECT: { pending: 'rejected', approved: _, rejected: _, used: _, lapsed: _ },
  WITHDRAW: { pending: 'rejected', approved: _, rejected: _, used: _, lapsed: _ },
  PAID: { pending: _, approved: 'used', rejected: _, used: _, lapsed: 'used' },
  EXPIRE: { pending: _, approved: 'lapsed', rejected: _, used: _, lapsed: _ },
  REVOKE: { pending: _, approved: 'lapsed', rejected: _, used: _, lapsed: _ },
  ORDER_CLOSED: { pending: 'rejected', approved: 'lapsed', rejected: _, used: _, lapsed: _ },
} satisfies LifecycleTable<ReductionEvent['type'], ReductionState>

testLifecycle<ReductionState, ReductionEvent, ReductionEvent['type']>({
  lifecycle: reductionLifecycle,
  samples,
  table,
  closed: { rejected: [], used: [], lapsed: ['PAID'] },
})

test("a reduction is not approved by its launcher, at the launcher's level, or above the approver's cap", () => {
  for (const facts of [{ byLauncher: true }, { level: 1 }, { capPaise: 99 }])
    expectRefused(reductionLifecycle, 'pending', { ...samples.APPROVE, ...facts })
})

test('the last day of the validity is included, the next is not', () => {
  expectRefused(reductionLifecycle, 'approved', { ...samples.PAID, valueDay: '2026-11-24' })
  expectRefused(reductionLifecycle, 'approved', { ...samples.EXPIRE, today: '2026-11-23' })
  for (const state of ['approved', 'lapsed'] as const)
    expect(reductionLifecycle.can(state, { ...samples.PAID, valueDay: '2026-11-01' })).toBe(true)
  expectRefused(reductionLifecycle, 'lapsed', { ...samples.PAID, valueDay: '2026-11-24' })
})

test('rejecting and revoking require a reason, and only the launcher withdraws', () => {
  expectRefused(reductionLifecycle, 'pending', { type: 'REJECT', reason: ' ' })
  expectRefused(reductionLifecycle, 'approved', { type: 'REVOKE', reason: '' })
  expectRefused(reductionLifecycle, 'pending', { type: 'WITHDRAW', byLauncher: false })
})
