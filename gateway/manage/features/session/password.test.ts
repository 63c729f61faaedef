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

function settingsOf(hash: string): string {
  return hash.split('$').slice(0, 4).join('$')
}
