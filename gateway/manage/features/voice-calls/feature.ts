import { serveMachine } from '#gateway/manage/kernel/machine.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { inboundCallRecord } from '#shared/voice-calls/voice-calls-api.ts'
import { receiveRecord } from './receive-record.ts'
import { voiceCalls as voiceCallsClass } from './voice-call-job.ts'

/** Calls of people that the exchange of an app rings. */
export const voiceCalls: Feature = {
  schedules: ({ vendors: { voice } }) => (voice ? [voiceCallsClass(voice)] : []),
  outside: ({ vendors: { voice } }) => (voice ? [voice] : []),
  routes: (base, { context }) => serveMachine(base, context, inboundCallRecord, receiveRecord),
}
