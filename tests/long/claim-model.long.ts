/** Claims follow the model in any order of events, rare ones included. */
import { expect, test } from 'vitest'
import { proveClaims } from '#tests/support/claim-model/model-run.ts'

const MUST_HAPPEN = [
  'claim ok',
  'claim V-TAKEN',
  'claim V-MAX',
  'claimNext ok',
  'open ok',
  'open V-LEASE',
  'renew ok',
  'renew V-LEASE',
  'release ok',
  'decide ok',
  'decide V-LEASE',
  'askHandover ok',
  'approve ok',
  'takeOver ok',
  'runOut ok',
  'sweep ok',
  'restart ok',
]

test('two thousand random histories of claims match the model', async () => {
  const tally = await proveClaims(2_000, 40)
  console.info(
    [...tally]
      .toSorted()
      .map(([outcome, times]) => `${outcome}: ${times}`)
      .join(', '),
  )
  expect(MUST_HAPPEN.filter((outcome) => !tally.has(outcome))).toEqual([])
})
