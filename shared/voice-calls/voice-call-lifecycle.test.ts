import { test } from 'vitest'
import {
  expectRefused,
  type LifecycleTable,
  type SampleEvents,
  testLifecycle,
} from '#tests/support/lifecycle-table.ts'
import {
  type VoiceCallEvent,
  type VoiceCallEventType,
  voiceCallLifecycle,
  type VoiceCallState,
} from './voice-call-lifecycle.ts'

const samples = {
  HAND: { type: 'HAND', isInTime: true },
  NOT_TAKEN: { type: 'NOT_TAKEN' },
  RINGING: { type: 'RINGING' },
  ANSWERED: { type: 'ANSWERED' },
  ENDED: { type: 'ENDED' },
  FAIL: { type: 'FAIL' },
} satisfies SampleEvents<VoiceCallEvent>

const _ = null
const over = { ended: _, failed: _ }
const table = {
  HAND: { waiting: 'dialling', dialling: _, ringing: _, answered: _, ...over },
  NOT_TAKEN: { waiting: _, dialling: 'waiting', ringing: _, answered: _, ...over },
  RINGING: { waiting: _, dialling: 'ringing', ringing: _, answered: _, ...over },
  ANSWERED: { waiting: _, dialling: 'answered', ringing: 'answered', answered: _, ...over },
  ENDED: { waiting: _, dialling: 'ended', ringing: 'ended', answered: 'ended', ...over },
  FAIL: { waiting: 'failed', dialling: _, ringing: _, answered: _, ...over },
} satisfies LifecycleTable<VoiceCallEventType, VoiceCallState>

testLifecycle<VoiceCallState, VoiceCallEvent, VoiceCallEventType>({
  lifecycle: voiceCallLifecycle,
  samples,
  table,
  closed: { ended: [], failed: [] },
})

test('a guard refuses a call whose person no longer waits for it', () => {
  expectRefused(voiceCallLifecycle, 'waiting', { type: 'HAND', isInTime: false })
})
