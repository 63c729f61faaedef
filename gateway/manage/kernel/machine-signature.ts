/**
 * How a machine proves its identity: HMAC-SHA256, hex, over `timestamp.eventId.body` with the
 * secret of its key.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const CLOCK_TOLERANCE_SECONDS = 300

export interface MachineCall {
  keyId: string
  secret: string
  /** The JSON text to the letter, as it travels. */
  body: string
  /** The same event sent again has no further effect. */
  eventId: string
  /** Milliseconds since the epoch. */
  now: number
}

/** Headers of a signed call with that body. */
export function signMachineCall({
  keyId,
  secret,
  body,
  eventId,
  now,
}: MachineCall): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000))
  return {
    'content-type': 'application/json',
    'x-key-id': keyId,
    'x-timestamp': timestamp,
    'x-event-id': eventId,
    'x-signature': signatureOf(secret, timestamp, eventId, body),
  }
}

/**
 * Whether the signature is of that secret and the timestamp within ±300 s of `now` (milliseconds).
 */
export function isSignatureValid(
  given: { signature: string; timestamp: string; eventId: string; body: string },
  secret: string,
  now: number,
): boolean {
  const seconds = /^\d{1,12}$/.test(given.timestamp) ? Number(given.timestamp) : Number.NaN
  if (!(Math.abs(now / 1_000 - seconds) <= CLOCK_TOLERANCE_SECONDS)) return false
  const expected = Buffer.from(signatureOf(secret, given.timestamp, given.eventId, given.body))
  const signature = Buffer.from(given.signature)
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

function signatureOf(secret: string, timestamp: string, eventId: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${eventId}.${body}`).digest('hex')
}
