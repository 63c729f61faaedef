/** Calls to a vendor by HTTP: signed as machine calls are, to a checked address, without redirects. */
import { randomUUID } from 'node:crypto'
import { callOut } from '#gateway/kernel/outbound-call.ts'
import { signMachineCall } from '#gateway/manage/kernel/machine-signature.ts'

export interface SignedVendor {
  code: string
  /** Without a slash at its end. */
  baseUrl: string
  keyId: string
  secret: string
  timeoutMs?: number
  /** Its address may be in the own network. */
  allowPrivate?: boolean
}

const DEFAULT_TIMEOUT_MS = 10_000

/**
 * @param body JSON; empty for a GET
 * @throws Error when no answer came, or the address is refused
 */
export async function signedCall(
  { baseUrl, keyId, secret, timeoutMs = DEFAULT_TIMEOUT_MS, allowPrivate = true }: SignedVendor,
  method: 'GET' | 'POST',
  path: string,
  body = '',
): Promise<{ status: number; answer: unknown }> {
  const { status, body: answer } = await callOut({
    method,
    url: `${baseUrl}${path}`,
    headers: signMachineCall({ keyId, secret, body, eventId: randomUUID(), now: Date.now() }),
    ...(method === 'POST' ? { body } : {}),
    timeoutMs,
    allowPrivate,
  })
  return { status, answer }
}
