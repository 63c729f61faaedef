import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysBetween } from '../../kernel/time.ts'
import { emiOf, emiPlan, type EmiTerms } from './emi-plan.ts'
import { PREPAYMENT_EFFECTS } from './prepayment-effects.ts'

const TERMS: EmiTerms = { principal: 2_000_000n, annualRate: 1_500, instalments: 24, dueDay: 5 }

const terms = fc.record({
  principal: fc.bigInt({ min: 100_000n, max: 100_000_000n }),
  annualRate: fc.integer({ min: 0, max: 6_000 }),
  instalments: fc.integer({ min: 2, max: 36 }),
  dueDay: fc.integer({ min: 1, max: 28 }),
})
const days = fc.integer({ min: 0, max: 2_000 }).map((n) => day(n))
const day = (n: number) =>
  new Date(Date.UTC(2026, 0, 1) + n * 86_400_000).toISOString().slice(0, 10)
const sum = (rows: readonly { principal: bigint; interest: bigint }[]) => ({
  principal: rows.reduce((total, { principal }) => total + principal, 0n),
  interest: rows.reduce((total, { interest }) => total + interest, 0n),
})
const total = (row: { principal: bigint; interest: bigint } | undefined) =>
  row === undefined ? -1n : row.principal + row.interest

test("the example of RBI's key facts statement is reproduced", () => {
  // ₹20,000 at 15 % a year in 24 months: 969.73 in Annex B of the circular of 15 April 2024, whose
  // 24th instalment would be 969.79; here the last is the smaller one, 969.54
  expect(emiOf(TERMS.principal, TERMS.annualRate, TERMS.instalments)).toBe(96_974n)
  const rows = emiPlan(TERMS, '2026-01-05')
  expect(rows).toHaveLength(24)
  expect(rows[0]).toEqual({
    kind: 'instalment',
    dueDay: '2026-02-05',
    principal: 71_974n,
    interest: 25_000n,
  })
  expect(rows.at(-1)?.dueDay).toBe('2028-01-05')
  expect(rows.map(total).slice(0, 23)).toEqual(Array.from({ length: 23 }, () => 96_974n))
})

test('an example computed by hand: a broken first period, and the rounding in the last instalment', () => {
  // ₹10,000 at 24 % a year (2 % a month) in 3 instalments, paid out on 25 January, due on the 10th.
  // 10,000 × 0.02 / (1 − 1.02⁻³) = 3,467.5467, so each instalment is 3,467.55.
  const terms = { principal: 1_000_000n, annualRate: 2_400, instalments: 3, dueDay: 10 }
  expect(emiOf(terms.principal, terms.annualRate, terms.instalments)).toBe(346_755n)
  expect(emiPlan(terms, '2026-01-25')).toEqual([
    // 16 days up to 10 February: 10,000 × 0.24 × 16 / 365 = 105.2055, and 200.00 for the month
    { kind: 'instalment', dueDay: '2026-03-10', principal: 326_755n, interest: 30_521n },
    // 6,732.45 × 0.02 = 134.649
    { kind: 'instalment', dueDay: '2026-04-10', principal: 333_290n, interest: 13_465n },
    // 3,399.55 × 0.02 = 67.991; 3,467.54 in all, a paisa less than the others
    { kind: 'instalment', dueDay: '2026-05-10', principal: 339_955n, interest: 6_799n },
  ])
})

test('a broken first period costs interest by the day, on top of the first instalment', () => {
  const [whole, broken] = [emiPlan(TERMS, '2026-01-05'), emiPlan(TERMS, '2025-12-19')]
  // 20,000.00 × 15 % × 17 / 365 = 139.73
  expect(total(broken[0]) - total(whole[0])).toBe(13_973n)
  expect(broken.slice(1)).toEqual(whole.slice(1))
  expect(broken.map(({ dueDay }) => dueDay)).toEqual(whole.map(({ dueDay }) => dueDay))
})

test('the last instalment takes the rounding, at most a rupee', () => {
  fc.assert(
    fc.property(terms, days, (given, disbursedOn) => {
      const rows = emiPlan(given, disbursedOn)
      const emi = emiOf(given.principal, given.annualRate, given.instalments)
      expect(rows).toHaveLength(given.instalments)
      expect(sum(rows).principal).toBe(given.principal)
      expect(rows.every(({ principal, interest }) => principal > 0n && interest >= 0n)).toBe(true)
      expect(rows.slice(1, -1).every((row) => total(row) === emi)).toBe(true)
      const rounding = emi - total(rows.at(-1))
      expect(rounding >= 0n && rounding <= 100n).toBe(true)
    }),
  )
})

test('without interest the principal is split evenly', () => {
  expect(
    emiPlan({ principal: 100_000n, annualRate: 0, instalments: 3, dueDay: 10 }, '2026-03-01'),
  ).toMatchObject([
    { dueDay: '2026-04-10', principal: 33_334n, interest: 0n },
    { dueDay: '2026-05-10', principal: 33_334n },
    { dueDay: '2026-06-10', principal: 33_332n },
  ])
})

test('a prepayment lowers the instalments, or their number, and never costs more', () => {
  const prepaid = fc.record({
    after: fc.integer({ min: 0, max: 400 }),
    share: fc.integer({ min: 1, max: 90 }),
    effect: fc.constantFrom(...PREPAYMENT_EFFECTS),
  })
  fc.assert(
    fc.property(terms, days, fc.array(prepaid, { maxLength: 3 }), (given, disbursedOn, some) => {
      const plan = emiPlan(given, disbursedOn)
      const prepayments = some.flatMap(({ after, share, effect }) => {
        const on = day(daysBetween('2026-01-01', disbursedOn) + after)
        const left = sum(plan.filter(({ dueDay }) => dueDay > on)).principal
        const amount = (left * BigInt(share)) / 300n
        return amount > 0n && left - amount > 20_000n ? [{ day: on, amount, effect }] : []
      })
      const changed = emiPlan(given, disbursedOn, { prepayments, foreclosedOn: null })
      expect(sum(changed).principal).toBe(given.principal)
      expect(sum(changed).interest <= sum(plan).interest).toBe(true)
      const instalments = changed.filter(({ kind }) => kind === 'instalment')
      expect(instalments.length).toBeLessThanOrEqual(plan.length)
      if (prepayments.every(({ effect }) => effect === 'lowerInstalments'))
        expect(instalments).toHaveLength(plan.length)
    }),
  )
})

test('interest of the month of a prepayment is counted on the balance of each day', () => {
  const prepayments = [{ day: '2026-01-20', amount: 500_000n, effect: 'lowerInstalments' as const }]
  const rows = emiPlan(TERMS, '2026-01-05', { prepayments, foreclosedOn: null })
  expect(rows[0]).toEqual({
    kind: 'prepayment',
    dueDay: '2026-01-20',
    principal: 500_000n,
    interest: 0n,
  })
  // 15,000.00 at 1.25 % a month, and 5,000.00 × 1.25 % × 15 / 31 days
  expect(rows[1]?.interest).toBe(18_750n + 3_024n)
  expect(total(rows[2])).toBe(emiOf(1_500_000n, 1_500, 24))
})

test('a foreclosure makes the rest due on its day, with the interest up to it', () => {
  const rows = emiPlan(TERMS, '2026-01-05', { prepayments: [], foreclosedOn: '2026-02-15' })
  expect(rows).toHaveLength(2)
  // 19,280.26 at 1.25 % a month for 10 of 28 days
  expect(rows[1]).toEqual({
    kind: 'foreclosure',
    dueDay: '2026-02-15',
    principal: 1_928_026n,
    interest: 8_607n,
  })
})

test('an invalid plan is refused', () => {
  const ahead = (on: string, amount: bigint) => ({
    prepayments: [{ day: on, amount, effect: 'fewerInstalments' as const }],
    foreclosedOn: null,
  })
  expect(() => emiPlan({ ...TERMS, dueDay: 29 }, '2026-01-05')).toThrow(RangeError)
  expect(() => emiPlan({ ...TERMS, principal: 20n }, '2026-01-05')).toThrow(RangeError)
  expect(() => emiPlan(TERMS, '2026-01-05', ahead('2026-01-04', 1n))).toThrow(RangeError)
  expect(() => emiPlan(TERMS, '2026-01-05', ahead('2026-01-06', 2_000_000n))).toThrow(RangeError)
  expect(() => emiPlan(TERMS, '2026-01-05', ahead('2029-01-06', 1n))).toThrow(RangeError)
})
