/**
 * Argon2id with the OWASP settings; at most four at once, so that many concurrent logins do not
 * starve other calls.
 */
import { hash, verify } from '@node-rs/argon2'

// argon2id is the library's default algorithm
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const MOST_AT_ONCE = 4

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  while (running >= MOST_AT_ONCE) await new Promise<void>((resume) => waiting.push(resume))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, OPTIONS))
}

/** Hashed with settings other than the current ones. */
export function isOutdatedHash(stored: string): boolean {
  return !stored.startsWith(
    `$argon2id$v=19$m=${OPTIONS.memoryCost},t=${OPTIONS.timeCost},p=${OPTIONS.parallelism}$`,
  )
}

let decoy: Promise<string> | null = null

/**
 * Whether the password matches; an unknown account (null) takes the same time as a known one.
 * @param look argon2's verify, replaced only by tests
 */
export async function passwordFits(
  stored: string | null,
  password: string,
  look: typeof verify = verify,
): Promise<boolean> {
  // waited for in both cases: made beside the first sign-in, it would reveal what that one was for
  const ofNobody = await (decoy ??= hashPassword('no account has this password'))
  const against = stored ?? ofNobody
  const fits = await inTurn(() => look(against, password))
  return stored !== null && fits
}
