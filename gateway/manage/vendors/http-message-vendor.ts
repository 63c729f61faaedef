/**
 * A message vendor reached by HTTP: `POST {baseUrl}/messages`, signed as machine calls are
 * (kernel/machine-signature.ts).
 */
import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { signMachineCall } from '#gateway/manage/kernel/machine-signature.ts'
import type { MessageVendor } from './message-vendor.ts'

export interface HttpMessageSettings {
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
      vendorRef: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    Type.Object({ accepted: Type.Literal(false), reason: Type.String({ maxLength: 200 }) }),
  ]),
)

export function httpMessageVendor({
  code,
  baseUrl,
  keyId,
  secret,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: HttpMessageSettings): MessageVendor {
  return {
    code,
    async send(message) {
      const body = JSON.stringify(message)
      const response = await fetch(`${baseUrl}/messages`, {
        method: 'POST',
        headers: signMachineCall({ keyId, secret, body, eventId: randomUUID(), now: Date.now() }),
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const answer: unknown = await response.json().catch(() => null)
      if (Sent.Check(answer)) return answer
      if (response.status >= 400 && response.status < 500 && !PASSING_STATUSES.has(response.status))
        return { accepted: false, reason: `refused (${response.status})` }
      throw new Error(`message vendor ${code} answered ${response.status}`)
    },
  }
}
