import { expect, test } from 'vitest'
import { fineOfDays } from '#shared/repayments/overdue-fine.ts'
import { type EmiConfig, emiFault, emiOffer, withGrace } from './emi-offer.ts'

const CONFIG: EmiConfig = {
  minAmount: 500_000,
  maxAmount: 5_000_000,
  instalments: [12, 24],
  annualRate: 1_500,
  processingFee: 200,
  dueDay: 5,
  graceDays: 3,
  bounceCharge: 25_000,
  prepayment: 'fewerInstalments',
  coolingOffDays: 3,
}

test("the example of RBI's key facts statement is offered: 17.07 % for ₹20,000 at 15 % with ₹400 of fees", () => {
  // Annex B of the circular of 15 April 2024 has 969.73 a month; here the last instalment is the
  // smaller one. Its ₹400 are all charges; here they are the fee, and no GST comes on top
  const offer = emiOffer(CONFIG, { amount: 2_000_000, instalments: 24 }, 0, '2026-01-05')
  expect(offer).toMatchObject({ fee: 40_000, gst: 0, arrival: 1_960_000, apr: 1_707 })
  expect(offer.plan.map(({ principal, interest }) => principal + interest).slice(0, 2)).toEqual([
    96_974n,
    96_974n,
  ])
  // 23 instalments of 969.74 and one of 969.54
  expect(offer).toMatchObject({ contract: 2_327_356, interest: 327_356 })
})

test('GST stands beside the fee and raises the annual rate', () => {
  const offer = emiOffer(CONFIG, { amount: 2_000_000, instalments: 24 }, 1_800, '2026-01-05')
  expect(offer).toMatchObject({ fee: 40_000, gst: 7_200, arrival: 1_952_800 })
  expect(offer.apr).toBeGreaterThan(1_707)
})

test('a broken first period raises the first instalment, and counts by the day in the annual rate', () => {
  const whole = emiOffer(CONFIG, { amount: 2_000_000, instalments: 12 }, 1_800, '2026-01-05')
  const broken = emiOffer(CONFIG, { amount: 2_000_000, instalments: 12 }, 1_800, '2025-12-19')
  // 20,000.00 × 15 % × 17 / 365
  expect(broken.interest - whole.interest).toBe(13_973)
  // the fee is spread over more days
  expect(broken.apr).toBeLessThan(whole.apr)
})

test('days of grace cost nothing, and later days cost what they did', () => {
  const penalty = [
    { dayFrom: 1, dayTo: 10, rate: 10, capRatio: null },
    { dayFrom: 11, dayTo: null, rate: 20, capRatio: 5_000 },
  ]
  const plan = { principal: 100_000, planned: 100_000 }
  for (const grace of [0, 3, 10, 15]) {
    const fines = Array.from({ length: 20 }, (_, i) =>
      fineOfDays(plan, withGrace(penalty, grace), i + 1, i + 1),
    )
    expect(fines).toEqual(
      Array.from({ length: 20 }, (_, i) => (i < grace ? 0 : i < 10 ? 100 : 200)),
    )
  }
})

test('terms that make no plan are refused on their field', () => {
  expect(emiFault(CONFIG, 1_800)).toEqual({})
  expect(emiFault({ ...CONFIG, maxAmount: 400_000 }, 1_800)).toEqual({
    maxAmount: 'products:fault.amounts',
  })
  expect(emiFault({ ...CONFIG, minAmount: 20, instalments: [36] }, 1_800)).toEqual({
    instalments: 'products:emi.fault.instalments',
  })
  expect(emiFault({ ...CONFIG, processingFee: 9_000 }, 1_800)).toEqual({
    processingFee: 'products:emi.fault.fee',
  })
})
