/** Claims follow the model in any order of events; tests/long has ten times as many, of twice the length. */
import { expect, test } from 'vitest'
import { proveClaims } from '#tests/support/claim-model/model-run.ts'

// Outcomes that happen dozens of times in any two hundred; rarer ones are required in tests/long.
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

test('two hundred random histories of claims match the model', async () => {
  const tally = await proveClaims(200, 20)
  console.info(
    [...tally]
      .toSorted()
      .map(([outcome, times]) => `${outcome}: ${times}`)
      .join(', '),
  )
  expect(MUST_HAPPEN.filter((outcome) => !tally.has(outcome))).toEqual([])
})
