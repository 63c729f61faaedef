/**
 * A payout vendor reached by HTTP. `POST {baseUrl}/transfers` with the instruction, `GET
 * {baseUrl}/transfers/{platformOrderNo}`; both signed as machine calls are
 * (kernel/machine-signature.ts). A vendor with another dialect gets an adapter like this one.
 */
import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { signMachineCall } from '#gateway/manage/kernel/machine-signature.ts'
import type { PayoutVendor } from './payout-vendor.ts'

export interface HttpPayoutSettings {
  code: string
  /** Without a slash at its end. */
  baseUrl: string
  keyId: string
  secret: string
  timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 10_000
/** Refusals that a later try may not meet. */
const PASSING_STATUSES = new Set([408, 409, 425, 429])

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

export function httpPayoutVendor({
  code,
  baseUrl,
  keyId,
  secret,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: HttpPayoutSettings): PayoutVendor {
  async function ask(
    method: 'GET' | 'POST',
    path: string,
    body: string,
  ): Promise<{ status: number; answer: unknown }> {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: signMachineCall({ keyId, secret, body, eventId: randomUUID(), now: Date.now() }),
      ...(method === 'POST' ? { body } : {}),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer: unknown = await response.json().catch(() => null)
    return { status: response.status, answer }
  }
  return {
    code,
    async send(instruction) {
      const { status, answer } = await ask('POST', '/transfers', JSON.stringify(instruction))
      if (Sent.Check(answer)) return answer
      if (status >= 400 && status < 500 && !PASSING_STATUSES.has(status))
        return { accepted: false, reason: `Refused by the vendor (${status})`, final: true }
      throw new Error(`payout vendor ${code} answered ${status}`)
    },
    async query(platformOrderNo) {
      const { status, answer } = await ask(
        'GET',
        `/transfers/${encodeURIComponent(platformOrderNo)}`,
        '',
      )
      if (Result.Check(answer)) return answer
      if (status === 404) return { state: 'unknown' }
      throw new Error(`payout vendor ${code} answered ${status}`)
    },
    settle: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
