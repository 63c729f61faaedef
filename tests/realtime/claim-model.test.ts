/** Claims behave as their rules say in any order of events (trust.md B5). The big version is in tests/long. */
import { expect, test } from 'vitest'
import { proveClaims } from '#tests/support/claim-model/model-run.ts'

// what happens dozens of times in any two hundred; the rarer outcomes are asked for in the big version
const MUST_HAPPEN = [
  'claim ok',
  'claim V-TAKEN',
  'claimNext ok',
  'open ok',
  'open V-LEASE',
  'renew ok',
  'renew V-LEASE',
  'release ok',
  'decide ok',
  'decide V-LEASE',
  'askHandover ok',
  'runOut ok',
  'sweep ok',
]

test('two hundred random histories of claims end where the rules say', async () => {
  const tally = await proveClaims(200)
  console.info(
    [...tally]
      .sort()
      .map(([outcome, times]) => `${outcome}: ${times}`)
      .join(', '),
  )
  expect(MUST_HAPPEN.filter((outcome) => !tally.has(outcome))).toEqual([])
})
