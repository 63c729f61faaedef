import { expect, test } from 'vitest'
import { acceptsRenewal, type Lineage } from './token.ts'

const stored = { token: 't2', signIn: 's1', rotation: 2 }
const answer = (token: string, rotation: number | null, sentToken = 't2', sentSignIn = 's1') => ({
  token,
  rotation,
  sentToken,
  sentSignIn,
})

test('a newer rotation replaces the token', () => {
  expect(acceptsRenewal(stored, answer('t3', 3))).toBe(true)
})

test('an older or equal rotation of a parallel answer does not replace the token', () => {
  expect(acceptsRenewal(stored, answer('t1', 1, 't0'))).toBe(false)
  expect(acceptsRenewal(stored, answer('other', 2))).toBe(false)
})

test('without a rotation number only the answer to the current token counts', () => {
  expect(acceptsRenewal(stored, answer('t3', null))).toBe(true)
  expect(acceptsRenewal(stored, answer('t3', null, 't1'))).toBe(false)
})

test('an answer of an earlier sign-in never replaces the token of a later one', () => {
  expect(acceptsRenewal(stored, answer('old', 99, 't9', 's0'))).toBe(false)
})

test('a logout is not undone by an answer still under way', () => {
  expect(acceptsRenewal({ ...stored, token: null }, answer('t3', 3))).toBe(false)
})

test('twenty parallel answers in any order keep the highest rotation', () => {
  const answers = Array.from({ length: 20 }, (_, i) => answer(`r${i + 3}`, i + 3))
  for (const order of [
    answers,
    answers.toReversed(),
    answers.toSorted((a, b) => (((a.rotation ?? 0) * 7) % 20) - (((b.rotation ?? 0) * 7) % 20)),
  ]) {
    let now: { token: string } & Lineage = { ...stored }
    for (const one of order)
      if (acceptsRenewal(now, one)) now = { ...now, token: one.token, rotation: one.rotation ?? 0 }
    expect(now).toEqual({ token: 'r22', signIn: 's1', rotation: 22 })
  }
})
