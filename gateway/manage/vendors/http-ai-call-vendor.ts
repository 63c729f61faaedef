/**
 * A vendor of calling robots reached by HTTP: `POST {baseUrl}/calls` with the order of a call, `GET
 * {baseUrl}/calls/{callId}`; both signed as machine calls are (kernel/machine-signature.ts).
 */
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { inboundAiCall } from '#shared/ai-calls/ai-calls-api.ts'
import type { AiCallVendor } from './ai-call-vendor.ts'
import { signedCall, type SignedVendor } from './signed-call.ts'

export type HttpAiCallSettings = SignedVendor

/** Refusals that a later try may not meet. */
const PASSING_STATUSES = new Set([408, 409, 425, 429])

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
    Type.Object({ state: Type.Literal('calling'), vendorCallId: Type.String() }),
    Type.Object({ state: Type.Literal('ended'), result: inboundAiCall.input }),
  ]),
)

export function httpAiCallVendor(vendor: HttpAiCallSettings): AiCallVendor {
  const { code } = vendor
  return {
    code,
    async start(order) {
      const { status, answer } = await signedCall(vendor, 'POST', '/calls', JSON.stringify(order))
      if (Started.Check(answer)) return answer
      if (status >= 400 && status < 500 && !PASSING_STATUSES.has(status))
        return { accepted: false, reason: `refused (${status})` }
      throw new Error(`AI call vendor ${code} answered ${status}`)
    },
    async query(callId) {
      const { status, answer } = await signedCall(
        vendor,
        'GET',
        `/calls/${encodeURIComponent(callId)}`,
      )
      if (StatusAnswer.Check(answer)) return answer
      if (status === 404) return { state: 'unknown' }
      throw new Error(`AI call vendor ${code} answered ${status}`)
    },
    settle: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
