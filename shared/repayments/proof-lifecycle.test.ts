import { test } from 'vitest'
import {
  expectRefused,
  type LifecycleTable,
  type SampleEvents,
  testLifecycle,
} from '#tests/support/lifecycle-table.ts'
import { type ProofEvent, proofLifecycle } from './proof-lifecycle.ts'
import type { ProofState } from './proof-sets.ts'

const samples = {
  ACCEPT: { type: 'ACCEPT', bySubmitter: false },
  REJECT: { type: 'REJECT', bySubmitter: false, reason: 'Another amount' },
} satisfies SampleEvents<ProofEvent>

const _ = null
const table = {
  ACCEPT: { pending: 'accepted', accepted: _, rejected: _ },
  REJECT: { pending: 'rejected', accepted: _, rejected: _ },
} satisfies LifecycleTable<ProofEvent['type'], ProofState>

testLifecycle<ProofState, ProofEvent, ProofEvent['type']>({
  lifecycle: proofLifecycle,
  samples,
  table,
  closed: { accepted: [], rejected: [] },
})

test('users cannot decide their own proof, and a rejection requires a reason', () => {
  expectRefused(proofLifecycle, 'pending', { ...samples.ACCEPT, bySubmitter: true })
  expectRefused(proofLifecycle, 'pending', { ...samples.REJECT, bySubmitter: true })
  expectRefused(proofLifecycle, 'pending', { ...samples.REJECT, reason: ' ' })
})
