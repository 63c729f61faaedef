import { expect, test } from 'vitest'
import { base32Of, codeOfStep, newTotpSecret, otpauthUri, stepOfCode } from './totp.ts'

// RFC 6238, appendix B: the last six of its eight digits
const RFC_SECRET = base32Of(Buffer.from('12345678901234567890'))

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('at %i s the code is %s', (now, code) => {
  expect(codeOfStep(RFC_SECRET, Math.floor(now / 30))).toBe(code)
  expect(stepOfCode(RFC_SECRET, code, now)).toBe(Math.floor(now / 30))
})

test('a clock may be off by one step, not by two', () => {
  const secret = newTotpSecret()
  const now = 1_800_000_000
  const step = now / 30
  expect(
    [-2, -1, 0, 1, 2].map((off) => stepOfCode(secret, codeOfStep(secret, step + off), now)),
  ).toEqual([null, step - 1, step, step + 1, null])
  expect(stepOfCode(secret, '12345', now)).toBe(null)
})

test('a secret has 160 bits and is encoded as authenticator apps read it', () => {
  const secret = newTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(otpauthUri('asha.k', secret)).toBe(
    `otpauth://totp/Lending%20Console:asha.k?secret=${secret}&issuer=Lending%20Console&algorithm=SHA1&digits=6&period=30`,
  )
})
