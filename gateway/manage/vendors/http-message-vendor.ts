/**
 * A message vendor reached by HTTP: `POST {baseUrl}/messages`, signed as machine calls are
 * (kernel/machine-signature.ts).
 */
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { MessageVendor } from './message-vendor.ts'
import { signedCall, type SignedVendor } from './signed-call.ts'

export type HttpMessageSettings = SignedVendor

/** Refusals that a later try may not meet. */
const PASSING_STATUSES = new Set([401, 403, 404, 405, 408, 409, 425, 429])

const Sent = Compile(
  Type.Union([
    Type.Object({
      accepted: Type.Literal(true),
      vendorRef: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    Type.Object({ accepted: Type.Literal(false), reason: Type.String({ maxLength: 200 }) }),
  ]),
)

export function httpMessageVendor(vendor: HttpMessageSettings): MessageVendor {
  const { code } = vendor
  return {
    code,
    async send({ appId: _app, ...message }) {
      const { status, answer } = await signedCall(
        vendor,
        'POST',
        '/messages',
        JSON.stringify(message),
      )
      if (Sent.Check(answer)) return answer
      if (status >= 400 && status < 500 && !PASSING_STATUSES.has(status))
        return { accepted: false, reason: `refused (${status})` }
      throw new Error(`message vendor ${code} answered ${status}`)
    },
  }
}
