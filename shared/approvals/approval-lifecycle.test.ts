import { test } from 'vitest'
import {
  expectRefused,
  type LifecycleTable,
  type SampleEvents,
  testLifecycle,
} from '#tests/support/lifecycle-table.ts'
import { approvalLifecycle, type ApprovalEvent, type ApprovalState } from './approval-lifecycle.ts'

const samples = {
  APPROVE: { type: 'APPROVE', byRequester: false, mayDecide: true, isOver: false },
  REJECT: { type: 'REJECT', byRequester: false, mayDecide: true, reason: 'Not this month' },
  WITHDRAW: { type: 'WITHDRAW', byRequester: true },
  EXPIRE: { type: 'EXPIRE', isOver: true },
} satisfies SampleEvents<ApprovalEvent>

const closed = { approved: null, rejected: null, withdrawn: null, expired: null }
const table = {
  APPROVE: { pending: 'approved', ...closed },
  REJECT: { pending: 'rejected', ...closed },
  WITHDRAW: { pending: 'withdrawn', ...closed },
  EXPIRE: { pending: 'expired', ...closed },
} satisfies LifecycleTable<ApprovalEvent['type'], ApprovalState>

testLifecycle<ApprovalState, ApprovalEvent, ApprovalEvent['type']>({
  lifecycle: approvalLifecycle,
  samples,
  table,
  closed: { approved: [], rejected: [], withdrawn: [], expired: [] },
})

test('a requester cannot decide their own request, and nobody can decide without the code', () => {
  for (const event of [samples.APPROVE, samples.REJECT])
    for (const facts of [{ byRequester: true }, { mayDecide: false }])
      expectRefused(approvalLifecycle, 'pending', { ...event, ...facts })
  expectRefused(approvalLifecycle, 'pending', { ...samples.REJECT, reason: ' ' })
  expectRefused(approvalLifecycle, 'pending', { ...samples.WITHDRAW, byRequester: false })
})

test('an expired request cannot be approved', () => {
  expectRefused(approvalLifecycle, 'pending', { ...samples.APPROVE, isOver: true })
  expectRefused(approvalLifecycle, 'pending', { ...samples.EXPIRE, isOver: false })
})
