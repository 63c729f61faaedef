/**
 * Lifecycle of a call that the exchange of an app rings. A report that comes late or twice finds no
 * transition and changes nothing.
 *
 *     waiting --HAND--> dialling --RINGING--> ringing --ANSWERED--> answered --ENDED--> ended
 *        ^------NOT_TAKEN---'        (a report may skip those before it)
 *        '--FAIL--> failed
 */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'

export const VOICE_CALL_STATES = [
  'waiting',
  'dialling',
  'ringing',
  'answered',
  'ended',
  'failed',
] as const
export type VoiceCallState = (typeof VOICE_CALL_STATES)[number]

export type VoiceCallEvent =
  /** `isInTime` = the press is so recent that the person still waits for their extension. */
  | { type: 'HAND'; isInTime: boolean }
  /** The exchange certainly has not taken it, so another one may. */
  | { type: 'NOT_TAKEN' }
  | { type: 'RINGING' }
  | { type: 'ANSWERED' }
  | { type: 'ENDED' }
  /** No exchange takes it; the person dials by hand. */
  | { type: 'FAIL' }

export type VoiceCallEventType = VoiceCallEvent['type']
type Facts<Type extends VoiceCallEventType> = Omit<Extract<VoiceCallEvent, { type: Type }>, 'type'>

const machine = setup({
  types: { events: {} as VoiceCallEvent, tags: {} as 'closed' },
  guards: { isInTime: (_, e: Facts<'HAND'>) => e.isInTime },
}).createMachine({
  id: 'voiceCall',
  initial: 'waiting',
  states: {
    waiting: {
      on: {
        HAND: { target: 'dialling', guard: { type: 'isInTime', params: ({ event }) => event } },
        FAIL: { target: 'failed' },
      },
    },
    dialling: {
      on: {
        NOT_TAKEN: { target: 'waiting' },
        RINGING: { target: 'ringing' },
        ANSWERED: { target: 'answered' },
        ENDED: { target: 'ended' },
      },
    },
    ringing: { on: { ANSWERED: { target: 'answered' }, ENDED: { target: 'ended' } } },
    answered: { on: { ENDED: { target: 'ended' } } },
    ended: { tags: ['closed'] },
    failed: { tags: ['closed'] },
  },
})

export const voiceCallLifecycle: Lifecycle<VoiceCallState, VoiceCallEvent> = lifecycle<
  VoiceCallState,
  typeof machine
>('voiceCall', machine)
