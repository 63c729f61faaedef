import { expect, test } from 'vitest'
import type { TeleState } from '#shared/review/tele-lifecycle.ts'
import { type CheckedReview, postCheckOf } from './post-check.ts'

const GOOD: CheckedReview = {
  amount: 1_000_000,
  teleState: 'notExecuted',
  teleAttempts: 0,
  isTeleDemanded: false,
  bindState: 'bound',
  nameSimilarity: 8_000,
  nameSimilarityMin: 8_000,
  limit: 1_000_000,
}

test('values at the limits pass', () => {
  expect(postCheckOf(GOOD)).toEqual({
    facts: { decision: 'passed', tele: 'passed', preTransaction: 'passed' },
    rejectCode: null,
  })
})

test.each([
  [{ bindState: 'notBound' }, 'cardNotBound'],
  [{ nameSimilarity: 7_999 }, 'nameMismatch'],
  [{ limit: 999_999 }, 'quotaExceeded'],
] as const)('%j rejects as %s', (change, code) => {
  expect(postCheckOf({ ...GOOD, ...change })).toMatchObject({
    facts: { preTransaction: 'rejected' },
    rejectCode: code,
  })
})

test.each([{ bindState: null }, { nameSimilarity: null }])(
  '%j is an error of the vendor',
  (change) => {
    expect(postCheckOf({ ...GOOD, ...change })).toMatchObject({
      facts: { preTransaction: 'error' },
      rejectCode: null,
    })
  },
)

test.each<[TeleState, number, boolean, string]>([
  ['notExecuted', 0, false, 'passed'],
  ['notExecuted', 0, true, 'error'],
  ['executing', 1, false, 'error'],
  ['connected', 1, true, 'passed'],
  ['notConnected', 2, false, 'error'],
  ['notConnected', 3, false, 'rejected'],
])(
  'a call %s after %i attempts, demanded %s, counts as %s',
  (teleState, teleAttempts, isTeleDemanded, outcome) => {
    const { facts, rejectCode } = postCheckOf({ ...GOOD, teleState, teleAttempts, isTeleDemanded })
    expect(facts.tele).toBe(outcome)
    expect(rejectCode).toBe(outcome === 'rejected' ? 'teleNotConnected' : null)
  },
)
