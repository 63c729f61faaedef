import { expect, test } from 'vitest'
import { proofInput, stateOf } from './proof-filters.ts'

test('pending proofs are shown, unless a state or one proof is requested', () => {
  expect(
    [
      {},
      { userName: 'Asha' },
      { state: 'accepted' },
      { state: 'all' },
      { proofId: 'PF1' },
      { utr: '123456789012', state: 'pending' },
    ].map(stateOf),
  ).toEqual(['pending', 'pending', 'accepted', undefined, undefined, 'pending'])
})

test('days become instants, and a value that cannot be a UTR sends no request', () => {
  expect(proofInput({ createTimeFrom: '2026-11-01', createTimeTo: '2026-11-02' })).toEqual({
    state: 'pending',
    createTimeFrom: '2026-10-31T18:30:00.000Z',
    createTimeTo: '2026-11-02T18:29:59.999Z',
  })
  expect(proofInput({ utr: 'x' })).toBeNull()
})
