import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysBetween } from '#shared/kernel/time.ts'
import { makePlans } from './make-plans.ts'

const terms = fc.record({
  principal: fc.bigInt({ min: 0n, max: 10n ** 13n }),
  interest: fc.bigInt({ min: 0n, max: 10n ** 12n }),
  periods: fc.integer({ min: 1, max: 60 }),
  daysPerPeriod: fc.integer({ min: 1, max: 366 }),
})
const days = fc
  .date({
    min: new Date('2020-01-01T00:00:00Z'),
    max: new Date('2099-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10))

test('plans sum exactly to principal and interest', () => {
  fc.assert(
    fc.property(terms, days, (given, day) => {
      const plans = makePlans(given, day)
      expect(plans.reduce((sum, plan) => sum + plan.principal, 0n)).toBe(given.principal)
      expect(plans.reduce((sum, plan) => sum + plan.interest, 0n)).toBe(given.interest)
    }),
    { numRuns: 10_000 },
  )
})

test('instalments differ by at most one paisa per component, the larger ones first', () => {
  fc.assert(
    fc.property(terms, days, (given, day) => {
      for (const part of ['principal', 'interest'] as const) {
        const amounts = makePlans(given, day).map((plan) => plan[part])
        const sorted = amounts.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))
        expect(amounts).toEqual(sorted)
        expect(new Set(amounts).size).toBeLessThanOrEqual(2)
        expect((sorted[0] ?? 0n) - (sorted.at(-1) ?? 0n)).toBeLessThanOrEqual(1n)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('plans fall due one period apart, counted in IST days from the day of disbursement', () => {
  fc.assert(
    fc.property(terms, days, (given, day) => {
      const plans = makePlans(given, day)
      expect(plans.map((plan) => plan.serialNo)).toEqual(plans.map((_, i) => i + 1))
      for (const plan of plans)
        expect(daysBetween(day, plan.dueAt)).toBe(plan.serialNo * given.daysPerPeriod)
    }),
    { numRuns: 1_000 },
  )
})

test('a loan of 10,000 rupees over three months has three instalments', () => {
  expect(
    makePlans(
      { principal: 1_000_000n, interest: 90_001n, periods: 3, daysPerPeriod: 30 },
      '2026-11-21',
    ),
  ).toEqual([
    { serialNo: 1, dueAt: '2026-12-21', principal: 333_334n, interest: 30_001n },
    { serialNo: 2, dueAt: '2027-01-20', principal: 333_333n, interest: 30_000n },
    { serialNo: 3, dueAt: '2027-02-19', principal: 333_333n, interest: 30_000n },
  ])
})

test('terms without a period or a day are refused', () => {
  expect(() =>
    makePlans({ principal: 1n, interest: 0n, periods: 0, daysPerPeriod: 30 }, '2026-11-21'),
  ).toThrow(RangeError)
  expect(() =>
    makePlans({ principal: 1n, interest: 0n, periods: 1, daysPerPeriod: 0 }, '2026-11-21'),
  ).toThrow(RangeError)
})
