/** Calls that the exchange of an app rings, and what it reports of them. */
import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text } from '#shared/kernel/endpoint.ts'
import { VOICE_CALL_STATES } from './voice-call-lifecycle.ts'
import { END_CAUSES, REPORTED_CAUSES, REPORTED_STATES } from './voice-call-sets.ts'

const text = Type.String()
const maybe = Nullable(text)

/** Longest call a report may name, in seconds. */
export const LONGEST_CALL_SEC = 4 * 3600

/** State of a call, for the person who pressed Call. */
export const VoiceCallNow = Type.Object({
  state: OneOf(VOICE_CALL_STATES),
  answeredTime: maybe,
  /** Seconds from answer to end. */
  durationSec: Nullable(Type.Integer()),
  endCause: Nullable(OneOf(END_CAUSES)),
})

export const inboundCallRecord = endpoint({
  method: 'POST',
  path: '/inbound/callRecord',
  access: { machine: 'callRecord' },
  input: Type.Object(
    {
      callId: Id(),
      state: OneOf(REPORTED_STATES),
      vendorCallId: Type.Optional(Text(1, 64)),
      /** Of a call that ended: seconds from answer to end; 0 when nobody answered. */
      durationSec: Type.Optional(Type.Integer({ minimum: 0, maximum: LONGEST_CALL_SEC })),
      /** Required for a call that ended. */
      endCause: Type.Optional(OneOf(REPORTED_CAUSES)),
      /** Where the exchange keeps the recording; it may follow with a repeated `ended`. */
      recordingRef: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, pattern: '^[!-~]+$' }),
      ),
    },
    { additionalProperties: false },
  ),
  data: Type.Object({
    callId: text,
    state: OneOf(VOICE_CALL_STATES),
    /** False for a report that came twice or too late. */
    applied: Type.Boolean(),
  }),
  audit: 'callRecord',
  summary: 'State of a call, reported by the exchange; duplicates and late reports change nothing',
})
