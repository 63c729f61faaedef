/**
 * Time-based one-time codes (RFC 6238: SHA-1, 6 digits, 30 s), as authenticator apps compute them.
 * Pure except `newTotpSecret`.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const STEP_SECONDS = 30
/** A clock may be off by one step in either direction. */
const TOLERANCE = 1
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const ISSUER = 'Lending Console'

/** 160 random bits, base32. */
export function newTotpSecret(): string {
  return base32Of(randomBytes(20))
}

export function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const at = (mac.at(-1) as number) & 0x0f
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The time step of a code at `now` (epoch seconds), or null. */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const current = Math.floor(now / STEP_SECONDS)
  let found: number | null = null
  // every step is compared, so that the duration reveals nothing
  for (let step = current - TOLERANCE; step <= current + TOLERANCE; step += 1) {
    const expected = Buffer.from(codeOfStep(secret, step))
    const given = Buffer.from(code)
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = step
  }
  return found
}

export function otpauthUri(account: string, secret: string): string {
  const issuer = encodeURIComponent(ISSUER)
  const label = `${issuer}:${encodeURIComponent(account)}`
  return [
    `otpauth://totp/${label}?secret=${secret}`,
    `issuer=${issuer}&algorithm=SHA1&digits=6&period=${STEP_SECONDS}`,
  ].join('&')
}

export function base32Of(bytes: Buffer): string {
  let bits = 0
  let held = 0
  let text = ''
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += BASE32[(held >>> bits) & 31] as string
    }
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + (BASE32[(held << (5 - bits)) & 31] as string) : text
}

function bytesOf(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const character of text) {
    held = (held << 5) | BASE32.indexOf(character)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >>> bits) & 255)
    held &= (1 << bits) - 1
  }
  return Buffer.from(bytes)
}
