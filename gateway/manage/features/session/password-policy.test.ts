import { expect, test } from 'vitest'
import { refuseUnfitPassword } from './password-policy.ts'

const ABOUT = ['asha.verma', 'Asha Verma']
const verdict = (password: string): string => {
  try {
    refuseUnfitPassword(password, ABOUT)
    return 'taken'
  } catch (error) {
    return (error as { id: string }).id
  }
}

test.each([
  'Sho#rt1',
  'NoDigits#Here',
  '12345678#',
  'NoSpecial1234',
  'TooLong#1234567890123',
  'Blank 1234567',
])('%s does not match the pattern', (password) => {
  expect(verdict(password)).toBe('P-FMT')
})

test.each([
  'Password@1',
  'P@ssw0rd!',
  'P@$$w0rd#12',
  'Admin@123',
  '@dm1n#2026',
  '123Welcome!',
  'Qwerty#123',
  '1qaz@WSX',
  'India@1947',
  'Abcd@1234',
  'aaaaaaa#1',
  'Rahul@1990',
  'Lending#2026',
  'Floor#2026',
  'Summer#2026',
  'iloveyou#1',
  'Asha.v3rma#1',
  '99#VermaX7',
  'Login_login1',
])('%s is too easy to guess', (password) => {
  expect(verdict(password)).toBe('P-WEAK')
})

test.each(['tiger7#Kolam-rain', 'Zx9#vKq2!m', 'neem&Chalk5', 'Brass#Lamp42', 'மழை-rain#77'])(
  '%s is accepted',
  (password) => {
    expect(verdict(password)).toBe('taken')
  },
)
