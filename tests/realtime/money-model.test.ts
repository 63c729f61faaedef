/** Loans behave as their rules say in any order of events, to the paisa (issue 5). The big version is in tests/long. */
import { expect, test } from 'vitest'
import { proveMoney } from '#tests/support/money-model/money-run.ts'

// what happens dozens of times in any two hundred; the rarer outcomes are asked for in the big version
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

test('two hundred random lives of loans end where the rules say', async () => {
  const tally = await proveMoney(200, 11)
  console.info(
    [...tally]
      .sort()
      .map(([outcome, times]) => `${outcome}: ${times}`)
      .join(', '),
  )
  expect(MUST_HAPPEN.filter((outcome) => !tally.has(outcome))).toEqual([])
}, 300_000)
