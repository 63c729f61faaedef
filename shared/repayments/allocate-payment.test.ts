import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allocatePayment, type OpenPlan, type Part, PARTS, readParts } from './allocate-payment.ts'

const paise = fc.bigInt({ min: 0n, max: 10n ** 13n }).map(Number)
const plans = fc
  .array(fc.record({ fine: paise, interest: paise, service: paise, principal: paise }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((rows) => rows.map((row, i): OpenPlan => ({ planId: `P${i}`, ...row })))
const order = fc.shuffledSubarray([...PARTS], { minLength: PARTS.length })
const sumOf = (parts: Record<Part, number>): number =>
  PARTS.reduce((sum, part) => sum + parts[part], 0)

test('cleared plus surplus equals the payment to the paisa, and no part is overpaid', () => {
  fc.assert(
    fc.property(plans, paise, order, fc.boolean(), (given, amount, parts, isBadDebt) => {
      const { cleared, surplus } = allocatePayment(given, amount, { parts, isBadDebt })
      const owed = given.reduce((sum, plan) => sum + sumOf(plan), 0)
      expect([...cleared.values()].reduce((sum, plan) => sum + sumOf(plan), 0) + surplus).toBe(
        amount,
      )
      expect(surplus).toBe(Math.max(0, amount - owed))
      for (const plan of given)
        for (const part of PARTS)
          expect(cleared.get(plan.planId)?.[part] ?? 0).toBeLessThanOrEqual(plan[part])
    }),
    { numRuns: 10_000 },
  )
})

test('a part is cleared only after the parts before it', () => {
  fc.assert(
    fc.property(plans, paise, order, fc.boolean(), (given, amount, parts, isBadDebt) => {
      const { cleared } = allocatePayment(given, amount, { parts, isBadDebt })
      const queue = [
        ...(isBadDebt ? given.map((plan) => [plan, 'principal'] as const) : []),
        ...given.flatMap((plan) =>
          parts
            .filter((part) => !isBadDebt || part !== 'principal')
            .map((part) => [plan, part] as const),
        ),
      ]
      let isShort = false
      for (const [plan, part] of queue) {
        const taken = cleared.get(plan.planId)?.[part] ?? 0
        if (isShort) expect(taken).toBe(0)
        if (taken < plan[part]) isShort = true
      }
    }),
    { numRuns: 2_000 },
  )
})

const LOAN: OpenPlan[] = [
  { planId: 'P1', fine: 500, interest: 2_000, service: 100, principal: 30_000 },
  { planId: 'P2', fine: 0, interest: 2_000, service: 100, principal: 30_000 },
]

test('a payment of 300 rupees clears charges of the oldest instalment, then its principal', () => {
  // 300.00 = 5.00 + 20.00 + 1.00 + 274.00, by hand
  expect(allocatePayment(LOAN, 30_000)).toEqual({
    cleared: new Map([['P1', { fine: 500, interest: 2_000, service: 100, principal: 27_400 }]]),
    surplus: 0,
  })
})

test('the remainder after the oldest instalment goes to the next', () => {
  // 326.00 settles P1; of the 40.00 left P2 takes 20.00 interest, 1.00 service, 19.00 principal
  expect(allocatePayment(LOAN, 36_600)).toEqual({
    cleared: new Map([
      ['P1', { fine: 500, interest: 2_000, service: 100, principal: 30_000 }],
      ['P2', { fine: 0, interest: 2_000, service: 100, principal: 1_900 }],
    ]),
    surplus: 0,
  })
})

test('for a bad debt the principal of all instalments is cleared first', () => {
  // 610.00: 300.00 + 300.00 principal, then 5.00 fine and 5.00 of the interest of P1
  expect(allocatePayment(LOAN, 61_000, { isBadDebt: true })).toEqual({
    cleared: new Map([
      ['P1', { fine: 500, interest: 500, service: 0, principal: 30_000 }],
      ['P2', { fine: 0, interest: 0, service: 0, principal: 30_000 }],
    ]),
    surplus: 0,
  })
})

test('the amount above the debt is the surplus', () => {
  expect(allocatePayment(LOAN, 70_000).surplus).toBe(70_000 - 32_600 - 32_100)
  expect(allocatePayment([], 1)).toEqual({ cleared: new Map(), surplus: 1 })
})

test('half a paisa, a negative amount and a missing part are refused', () => {
  for (const amount of [0.5, -1, Number.NaN, 2 ** 53])
    expect(() => allocatePayment(LOAN, amount)).toThrow(RangeError)
  expect(() => allocatePayment(LOAN, 1, { parts: ['fine', 'interest', 'service'] })).toThrow(
    RangeError,
  )
  expect(() =>
    allocatePayment(LOAN, 1, { parts: ['fine', 'fine', 'interest', 'service'] }),
  ).toThrow(RangeError)
})

test('the parameter names every part once', () => {
  expect(readParts('fine, interest, service, principal')).toEqual([
    'fine',
    'interest',
    'service',
    'principal',
  ])
  expect(readParts('principal,interest,service,fine')[0]).toBe('principal')
  for (const wrong of [
    '',
    'fine',
    'fine,interest,service,principal,fine',
    'fine,interest,service,penalty',
  ])
    expect(() => readParts(wrong)).toThrow(TypeError)
})
