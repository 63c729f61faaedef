/**
 * Loans follow the model in any order of events, to the paisa: two hundred, half of them EMI loans;
 * tests/long has three thousand of each.
 */
import { expect, test } from 'vitest'
import { proveEmi } from '#tests/support/emi-model/emi-run.ts'
import { proveMoney } from '#tests/support/money-model/money-run.ts'

// Outcomes that happen a dozen times in any hundred; rarer ones are required in tests/long.
const MUST_HAPPEN = [
  'apply ok',
  'payout ok',
  'pay ok',
  'book full ok',
  'book partial ok',
  'book partial back ok',
  'grant ok',
  'book partial coupon ok',
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
  'decideRequest cure ok',
  'decideRequest paymentStands ok',
  'decideRequest transferPaid ok',
  'returnStray ok',
  'decideRequest strayReturned ok',
  'contradict fail ok',
  'contradictPayout success ok',
  'writeOff ok',
  'day ok',
]

test('a hundred random loan histories match the model', async () => {
  const tally = await proveMoney(100, 9)
  console.info(
    [...tally]
      .toSorted()
      .map(([outcome, times]) => `${outcome}: ${times}`)
      .join(', '),
  )
  expect(MUST_HAPPEN.filter((outcome) => !tally.has(outcome))).toEqual([])
}, 600_000)

const EMI_MUST_HAPPEN = [
  'ahead',
  'book',
  'bookFull',
  'bounced',
  'cure',
  'exit',
  'grant',
  'instalment',
  'part',
  'payoff',
  'reduce',
  'reverse',
  'tell',
  'withCoupon',
  'in 50',
  'in 90',
]

test('a hundred random EMI histories match the model', async () => {
  const tally = await proveEmi(100)
  expect(EMI_MUST_HAPPEN.filter((outcome) => !tally.has(outcome))).toEqual([])
}, 600_000)
