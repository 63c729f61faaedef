/**
 * A payout vendor reached by HTTP. `POST {baseUrl}/transfers` with the instruction, `GET
 * {baseUrl}/transfers/{platformOrderNo}`; both signed as machine calls are
 * (kernel/machine-signature.ts). A vendor with another dialect gets an adapter like this one.
 */
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { PayoutVendor } from './payout-vendor.ts'
import { signedCall, type SignedVendor } from './signed-call.ts'

export type HttpPayoutSettings = SignedVendor

/** Refusals that a later try may not meet; whether it took the instruction is not known. */
const PASSING_STATUSES = new Set([408, 409, 425, 429])
/** It did not read the request: the key, the address or the method is wrong, not this instruction. */
const UNREAD_STATUSES = new Set([401, 403, 404, 405])

const Sent = Compile(
  Type.Union([
    Type.Object({
      accepted: Type.Literal(true),
      vendorOrderNo: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    Type.Object({ accepted: Type.Literal(false), reason: Type.String(), final: Type.Boolean() }),
  ]),
)
const Result = Compile(
  Type.Union([
    Type.Object({ state: Type.Literal('unknown') }),
    Type.Object({ state: Type.Literal('processing'), vendorOrderNo: Type.String() }),
    Type.Object({
      state: Type.Literal('success'),
      vendorOrderNo: Type.String(),
      utr: Type.Union([Type.String(), Type.Null()]),
    }),
    Type.Object({
      state: Type.Literal('fail'),
      vendorOrderNo: Type.String(),
      reason: Type.String(),
    }),
  ]),
)

export function httpPayoutVendor(vendor: HttpPayoutSettings): PayoutVendor {
  const { code } = vendor
  return {
    code,
    async send(instruction) {
      const { status, answer } = await signedCall(
        vendor,
        'POST',
        '/transfers',
        JSON.stringify(instruction),
      )
      if (Sent.Check(answer)) return answer
      if (UNREAD_STATUSES.has(status))
        return { accepted: false, reason: `Refused by the vendor (${status})`, final: false }
      if (status >= 400 && status < 500 && !PASSING_STATUSES.has(status))
        return { accepted: false, reason: `Refused by the vendor (${status})`, final: true }
      throw new Error(`payout vendor ${code} answered ${status}`)
    },
    async query(platformOrderNo) {
      const { status, answer } = await signedCall(
        vendor,
        'GET',
        `/transfers/${encodeURIComponent(platformOrderNo)}`,
      )
      if (Result.Check(answer)) return answer
      if (status === 404) return { state: 'unknown' }
      throw new Error(`payout vendor ${code} answered ${status}`)
    },
    settle: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
