import { stat } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { verify } from '@node-rs/argon2'
import { expect, test, vi } from 'vitest'
import { hashPassword, isOutdatedHash, passwordFits } from './password.ts'

// the cost of a hash is determined by its settings, so the test compares settings instead of
// measuring time
test('an unknown account costs a hash with the same settings as a known one', async () => {
  const known = await hashPassword('Right#2026')
  const look = vi.fn<typeof verify>(verify)
  expect(await passwordFits(known, 'Wrong#2026', look)).toBe(false)
  expect(await passwordFits(null, 'Wrong#2026', look)).toBe(false)
  expect(look.mock.calls.map(([, password]) => password)).toEqual(['Wrong#2026', 'Wrong#2026'])
  const [forKnown, forUnknown] = look.mock.calls.map(([hash]) => String(hash))
  expect(forKnown).toBe(known)
  expect(settingsOf(forUnknown ?? '')).toBe(settingsOf(known))
  expect(isOutdatedHash(forUnknown ?? '')).toBe(false)
})

test('no password opens an account that does not exist', async () => {
  expect(await passwordFits(null, 'Any#2026x', () => Promise.resolve(true))).toBe(false)
})

test('at most four passwords are hashed at once, and each gets its turn', async () => {
  let running = 0
  let most = 0
  const look = vi.fn<typeof verify>(async () => {
    most = Math.max(most, (running += 1))
    await nextTurn()
    running -= 1
    return true
  })
  const stored = await hashPassword('Right#2026')
  const storm = Array.from({ length: 50 }, () => passwordFits(stored, 'Right#2026', look))
  expect(await Promise.all(storm)).toEqual(Array.from({ length: 50 }, () => true))
  expect(look).toHaveBeenCalledTimes(50)
  expect(most).toBe(4)
})

// Hashes use the threads that also read files and look up names. Compared is the order in which
// things end, because times mean little on a busy machine.
test('a storm of sign-ins leaves room for other work between its hashes', async () => {
  const stored = await hashPassword('Right#2026')
  let hashed = 0
  const storm = Array.from({ length: 24 }, () =>
    passwordFits(stored, 'Wrong#2026').then(() => (hashed += 1)),
  )
  await nextTurn()
  await stat('.')
  expect(hashed).toBeLessThan(12)
  await Promise.all(storm)
  expect(hashed).toBe(24)
})

function settingsOf(hash: string): string {
  return hash.split('$').slice(0, 4).join('$')
}
