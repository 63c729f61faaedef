/**
 * Loans follow the model in any order of events, to the paisa; tests/long has ten times as many.
 */
import { expect, test } from 'vitest'
import { proveMoney } from '#tests/support/money-model/money-run.ts'

// Outcomes that happen dozens of times in any two hundred; rarer ones are required in tests/long.
const MUST_HAPPEN = [
  'apply ok',
  'payout ok',
  'pay ok',
  'book full ok',
  'book partial ok',
  'book rollover ok',
  'book partial G403',
  'confirm staff ok',
  'confirm rollover ok',
  'confirm staff G403',
  'launch ok',
  'launch O-STATE',
  'decide ok',
  'decide M-LEVEL',
  'decideRequest channel ok',
  'writeOff ok',
  'day ok',
]

test('two hundred random loan histories match the model', async () => {
  const tally = await proveMoney(200, 11)
  console.info(
    [...tally]
      .toSorted()
      .map(([outcome, times]) => `${outcome}: ${times}`)
      .join(', '),
  )
  expect(MUST_HAPPEN.filter((outcome) => !tally.has(outcome))).toEqual([])
}, 300_000)
