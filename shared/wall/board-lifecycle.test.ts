import { describe, test } from 'vitest'
import {
  expectRefused,
  testLifecycle,
  type LifecycleTable,
  type SampleEvents,
} from '#tests/support/lifecycle-table.ts'
import { type BoardEvent, type BoardEventType, boardLifecycle } from './board-lifecycle.ts'
import type { BoardState } from './wall-sets.ts'

const samples = {
  APPROVE: { type: 'APPROVE', codeValid: true },
  REVOKE: { type: 'REVOKE' },
  RUN_OUT: { type: 'RUN_OUT', timeOver: true },
} satisfies SampleEvents<BoardEvent>
const _ = null
const table = {
  APPROVE: { waiting: 'active', active: _, revoked: _ },
  REVOKE: { waiting: _, active: 'revoked', revoked: _ },
  RUN_OUT: { waiting: _, active: 'revoked', revoked: _ },
} satisfies LifecycleTable<BoardEventType, BoardState>

testLifecycle<BoardState, BoardEvent, BoardEventType>({
  lifecycle: boardLifecycle,
  samples,
  table,
  closed: { revoked: [] },
})

describe('a guard refuses', () => {
  test('an expired code', () =>
    expectRefused(boardLifecycle, 'waiting', { type: 'APPROVE', codeValid: false }))
  test('an end before its time', () =>
    expectRefused(boardLifecycle, 'active', { type: 'RUN_OUT', timeOver: false }))
})
