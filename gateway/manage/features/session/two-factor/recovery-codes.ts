/** Ten codes for a lost phone, each valid once: 50 random bits, stored as keyed hashes. */
import { randomBytes } from 'node:crypto'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import { base32Of } from './totp.ts'

const COUNT = 10
const LENGTH = 10

/** The notation for people: `ABCDE-FGHIJ`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const text = base32Of(randomBytes(8)).slice(0, LENGTH)
    return `${text.slice(0, 5)}-${text.slice(5)}`
  })
}

/** Ignores case, spaces and dashes. */
export function recoveryHash(secrets: Secrets, userId: string, code: string): string {
  return secrets
    .blindIndex('recovery-code', `${userId}\n${code.toUpperCase().replace(/[\s-]/g, '')}`)
    .toString('base64url')
}
