/**
 * An exchange reached by HTTP: `POST {baseUrl}/calls` with the order of a call, `GET
 * {baseUrl}/calls/{callId}`; both signed as machine calls are (kernel/machine-signature.ts).
 */
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { inboundCallRecord } from '#shared/voice-calls/voice-calls-api.ts'
import { signedCall, type SignedVendor } from './signed-call.ts'
import type { VoiceVendor } from './voice-vendor.ts'

/** Refusals that a later try may not meet; whether it took the call is not known. */
const PASSING_STATUSES = new Set([408, 409, 425, 429])
/** It did not read the request: the key, the address or the method is wrong, not this call. */
const UNREAD_STATUSES = new Set([401, 403, 404, 405])

const Started = Compile(
  Type.Union([
    Type.Object({
      accepted: Type.Literal(true),
      vendorCallId: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    Type.Object({ accepted: Type.Literal(false), reason: Type.String({ maxLength: 200 }) }),
  ]),
)
const StatusAnswer = Compile(
  Type.Union([
    Type.Object({ state: Type.Literal('unknown') }),
    Type.Object({
      state: Type.Literal('dialling'),
      vendorCallId: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    Type.Object({ state: Type.Literal('reported'), report: inboundCallRecord.input }),
  ]),
)

export function httpVoiceVendor(vendor: SignedVendor): VoiceVendor {
  const { code } = vendor
  return {
    code,
    async start(order) {
      const { status, answer } = await signedCall(vendor, 'POST', '/calls', JSON.stringify(order))
      if (Started.Check(answer)) return answer.accepted ? answer : { ...answer, isFault: false }
      if (status >= 400 && status < 500 && !PASSING_STATUSES.has(status))
        return {
          accepted: false,
          reason: `refused (${status})`,
          isFault: UNREAD_STATUSES.has(status),
        }
      throw new Error(`voice vendor ${code} answered ${status}`)
    },
    async query(callId) {
      const { status, answer } = await signedCall(
        vendor,
        'GET',
        `/calls/${encodeURIComponent(callId)}`,
      )
      if (StatusAnswer.Check(answer)) {
        // the answer must be about the call that was queried
        if (answer.state !== 'reported' || answer.report.callId === callId) return answer
      } else if (status === 404) return { state: 'unknown' }
      throw new Error(`voice vendor ${code} answered ${status}`)
    },
    settle: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
