import { describe, expect, test } from 'vitest'
import {
  expectRefused,
  type LifecycleTable,
  type SampleEvents,
  testLifecycle,
} from '#tests/support/lifecycle-table.ts'
import {
  type AiTaskEvent,
  type AiTaskEventType,
  aiTaskLifecycle,
  type AiTaskState,
} from './ai-task-lifecycle.ts'

const samples = {
  SCHEDULE: { type: 'SCHEDULE', insideHours: true },
  START: { type: 'START', mayContact: true, ignored: false },
  WINDOW_CLOSED: { type: 'WINDOW_CLOSED', roundsLeft: 1 },
  PAUSE: { type: 'PAUSE' },
  RESUME: { type: 'RESUME' },
  DONE: { type: 'DONE', answered: true, redialsLeft: 2, roundsLeft: 2 },
  CANCEL: { type: 'CANCEL' },
} satisfies SampleEvents<AiTaskEvent>

const _ = null
const end = { finished: _, cancelled: _ }
const table = {
  SCHEDULE: { created: 'pending', pending: _, calling: _, paused: _, ...end },
  START: { created: _, pending: 'calling', calling: _, paused: _, ...end },
  WINDOW_CLOSED: { created: _, pending: _, calling: 'pending', paused: _, ...end },
  PAUSE: { created: _, pending: 'paused', calling: 'paused', paused: _, ...end },
  RESUME: { created: _, pending: _, calling: _, paused: 'pending', ...end },
  DONE: { created: _, pending: _, calling: 'finished', paused: _, ...end },
  CANCEL: {
    created: 'cancelled',
    pending: 'cancelled',
    calling: _,
    paused: 'cancelled',
    ...end,
  },
} satisfies LifecycleTable<AiTaskEventType, AiTaskState>

testLifecycle<AiTaskState, AiTaskEvent, AiTaskEventType>({
  lifecycle: aiTaskLifecycle,
  samples,
  table,
  closed: { finished: [], cancelled: [] },
})

describe('a guard refuses', () => {
  const refusals: [fact: string, state: AiTaskState, event: AiTaskEvent][] = [
    ['hours outside those of contact', 'created', { type: 'SCHEDULE', insideHours: false }],
    ['a call the contact rules refuse', 'pending', { ...samples.START, mayContact: false }],
    ['a case with an ignored result', 'pending', { ...samples.START, ignored: true }],
    ['another round without one left', 'calling', { type: 'WINDOW_CLOSED', roundsLeft: 0 }],
    [
      'the end of a task with a redial left',
      'calling',
      { type: 'DONE', answered: false, redialsLeft: 1, roundsLeft: 0 },
    ],
    [
      'the end of a task with a round left',
      'calling',
      { type: 'DONE', answered: false, redialsLeft: 0, roundsLeft: 1 },
    ],
  ]
  test.each(refusals)('%s', (_fact, state, event) => {
    expectRefused(aiTaskLifecycle, state, event)
  })
})

test('a task nobody answered ends when no redial and no round is left', () => {
  expect(
    aiTaskLifecycle.can('calling', {
      type: 'DONE',
      answered: false,
      redialsLeft: 0,
      roundsLeft: 0,
    }),
  ).toBe(true)
})
