import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sumGiven } from '#shared/repayments/fold/give-up.ts'
import { type CouponTerms, discountOn, dueWith, raiseOn, valueOn } from './coupon-amount.ts'
import { PREFERENTIAL_TYPES } from './coupon-sets.ts'

const FIXED: CouponTerms = {
  amountType: 'fixed',
  preferentialType: 'overdueFine',
  discountAmount: 20_000,
  rate: null,
  ratio: null,
  minAmount: 0,
}
const BY_SHARE: CouponTerms = { ...FIXED, amountType: 'rate', discountAmount: null, rate: 1_500 }

test.each<[string, Partial<CouponTerms>, number, number]>([
  ['a fixed coupon gives its amount', FIXED, 50_000, 20_000],
  [
    'a fixed coupon gives at most its ratio of the base',
    { ...FIXED, ratio: 3_000 },
    50_000,
    15_000,
  ],
  ['a coupon by share gives its rate', BY_SHARE, 50_000, 7_500],
  [
    'a coupon by share gives at most its amount',
    { ...BY_SHARE, discountAmount: 5_000 },
    50_000,
    5_000,
  ],
  ['half a paisa is rounded up', { ...BY_SHARE, rate: 5_000 }, 3, 2],
])('%s', (_, terms, base, value) => {
  expect(valueOn({ ...FIXED, ...terms }, base)).toBe(value)
})

test('a discount is taken from the oldest instalment first and leaves the other parts', () => {
  const plans = [
    { planId: 'P1', fine: 15_000, interest: 9_000, service: 0, principal: 100_000 },
    { planId: 'P2', fine: 15_000, interest: 9_000, service: 0, principal: 100_000 },
  ]
  expect([...discountOn(FIXED, plans, 1)]).toEqual([
    ['P1', { fine: 15_000, interest: 0, service: 0 }],
    ['P2', { fine: 5_000, interest: 0, service: 0 }],
  ])
  expect(dueWith(FIXED, plans)).toEqual({ due: 228_000, discount: 20_000 })
})

test('a payment below the minimum, or a coupon that raises a limit, gives up nothing', () => {
  const plans = [{ planId: 'P1', fine: 15_000, interest: 0, service: 0, principal: 100_000 }]
  expect(discountOn({ ...FIXED, minAmount: 5_000 }, plans, 4_999).size).toBe(0)
  expect(discountOn({ ...FIXED, preferentialType: 'limit' }, plans, 5_000).size).toBe(0)
  expect(raiseOn(FIXED, 100_000)).toBe(0)
  expect(raiseOn({ ...FIXED, preferentialType: 'limit' }, 100_000)).toBe(20_000)
})

const paise = fc.integer({ min: 0, max: 10 ** 11 })
const basisPoints = fc.integer({ min: 1, max: 10_000 })
const terms = fc.record<CouponTerms>({
  amountType: fc.constantFrom('fixed', 'rate'),
  preferentialType: fc.constantFrom(...PREFERENTIAL_TYPES),
  discountAmount: fc.option(fc.integer({ min: 1, max: 10 ** 11 })),
  rate: fc.option(basisPoints),
  ratio: fc.option(basisPoints),
  minAmount: paise,
})
const plans = fc.array(
  fc.record({ fine: paise, interest: paise, service: paise, principal: paise }),
  { maxLength: 4 },
)

test('a discount never takes principal, never exceeds what is open, and never goes below zero', () => {
  fc.assert(
    fc.property(terms, plans, paise, (given, parts, paid) => {
      const open = parts.map((part, i) => ({ planId: `P${i}`, ...part }))
      const discount = discountOn(given, open, paid)
      const named = { interest: 'interest', serviceFee: 'service', overdueFine: 'fine' } as const
      for (const plan of open) {
        const off = discount.get(plan.planId) ?? { fine: 0, interest: 0, service: 0 }
        for (const part of ['fine', 'interest', 'service'] as const) {
          expect(off[part]).toBeGreaterThanOrEqual(0)
          expect(off[part]).toBeLessThanOrEqual(plan[part])
          if (given.preferentialType === 'limit' || named[given.preferentialType] !== part)
            expect(off[part]).toBe(0)
        }
        expect(Object.keys(off)).not.toContain('principal')
      }
      const owed = open.reduce(
        (sum, { fine, interest, service, principal }) =>
          sum + fine + interest + service + principal,
        0,
      )
      const principal = open.reduce((sum, plan) => sum + plan.principal, 0)
      expect(owed - sumGiven(discount)).toBeGreaterThanOrEqual(principal)
      const { due, discount: most } = dueWith(given, open)
      expect(due + most).toBe(owed)
      expect(due).toBeGreaterThanOrEqual(principal)
      expect(sumGiven(discount)).toBeLessThanOrEqual(most)
      expect(sumGiven(discount)).toBeLessThanOrEqual(given.discountAmount ?? Infinity)
    }),
    { numRuns: 500 },
  )
})
