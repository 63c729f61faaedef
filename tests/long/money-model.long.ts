/** Loans follow the model in any order of events, rare ones included, to the paisa. */
import { expect, test } from 'vitest'
import { proveEmi } from '#tests/support/emi-model/emi-run.ts'
import { proveMoney } from '#tests/support/money-model/money-run.ts'

const MUST_HAPPEN = [
  'apply ok',
  'apply O-RULE',
  'judge ok',
  'review ok',
  'dispatch ok',
  'payout ok',
  'cancel ok',
  'redisburse ok',
  'redisburse O-RULE',
  'cancelDisbursement ok',
  'pay ok',
  'pay M-UTR',
  'book full ok',
  'book partial ok',
  'book coolingOff ok',
  'grant ok',
  'grant Q-HAS',
  'grant Q-BLACK',
  'revokeCoupon ok',
  'revokeCoupon Q-USED',
  'revokeCoupon Q-STATE',
  'book full coupon ok',
  'book partial coupon ok',
  'book partial coupon Q-FIT',
  'book partial coupon Q-STATE',
  'book rollover ok',
  'book rollover O-RULE',
  'book partial M-OPEN',
  'book full M-AMT',
  'confirm staff ok',
  'confirm coolingOff ok',
  'confirm rollover ok',
  'confirm staff G-SELF',
  'launch ok',
  'decide ok',
  'decide M-LEVEL',
  'decide G-SELF',
  'revoke ok',
  'withdraw ok',
  'writeOff ok',
  'writeOff M-AMT',
  'writeOff M-CAP',
  'writeOff M-OPEN',
  'batchWriteOff ok',
  'reverse channel ok',
  'reverse coolingOff ok',
  'reverse channel A-OPEN',
  'decideRequest channel ok',
  'book partial back ok',
  'book full back ok',
  'cure ok',
  'cure O-STATE',
  'decideRequest cure ok',
  'decideRequest cure O-RULE',
  'launch O-RULE',
  'contradict success ok',
  'contradict fail ok',
  'contradictPayout success ok',
  'contradictPayout fail ok',
  'keep ok',
  'decideRequest paymentStands ok',
  'resolve paid ok',
  'resolve notPaid ok',
  'decideRequest transferPaid ok',
  'returnStray ok',
  'decideRequest strayReturned ok',
  'decideRequest transferNotPaid ok',
  'decideRequest coolingOff ok',
  'decideRequest redisburse ok',
  'decideRequest batchWriteOff ok',
  'decideRequest channel G-SELF',
  'day ok',
]

test('three thousand random loan histories match the model', async () => {
  const tally = await proveMoney(3_000, 40)
  console.info(
    [...tally]
      .toSorted()
      .map(([outcome, times]) => `${outcome}: ${times}`)
      .join(', '),
  )
  expect(MUST_HAPPEN.filter((outcome) => !tally.has(outcome))).toEqual([])
})

test('three thousand random EMI histories match the model', async () => {
  const tally = await proveEmi(3_000)
  console.info([...tally].map(([outcome, times]) => `${outcome}: ${times}`).join(', '))
  expect(tally.get('writeOff')).toBeGreaterThan(10)
})
