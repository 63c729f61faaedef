import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  faultOfSettlement,
  isSettlementMissed,
  openRow,
  overdueDaysOfSettlement,
  paidOfRows,
  sumOfRows,
} from './settlement-plan.ts'

const rows = [
  { dueTime: '2027-03-10', amount: 40_000 },
  { dueTime: '2027-04-10', amount: 60_000 },
]

test('rows start today at the earliest, ascend, stay within a year and cover the whole debt', () => {
  const facts = { today: '2027-03-10', due: 100_000 }
  expect(faultOfSettlement(rows, facts)).toBeNull()
  expect(faultOfSettlement(rows, { ...facts, today: '2027-03-11' })).toEqual({
    at: 0,
    fault: 'past',
  })
  expect(faultOfSettlement(rows, { ...facts, due: 100_001 })).toEqual({ at: null, fault: 'notDue' })
  expect(faultOfSettlement([...rows].toReversed(), facts)).toEqual({ at: 1, fault: 'notInOrder' })
  expect(
    faultOfSettlement(
      [
        { dueTime: '2027-03-10', amount: 1 },
        { dueTime: '2027-03-10', amount: 1 },
      ],
      facts,
    ),
  ).toEqual({ at: 1, fault: 'notInOrder' })
  expect(faultOfSettlement([{ dueTime: '2028-03-11', amount: 100_000 }], facts)).toEqual({
    at: 0,
    fault: 'tooFar',
  })
})

test('a row is missed on the day after it, and only when the payments do not cover it', () => {
  expect(isSettlementMissed(rows, 0, '2027-03-10')).toBe(false)
  expect(isSettlementMissed(rows, 39_999, '2027-03-11')).toBe(true)
  expect(isSettlementMissed(rows, 40_000, '2027-04-10')).toBe(false)
  expect(overdueDaysOfSettlement(rows, 40_000, '2027-04-15')).toBe(5)
  expect(overdueDaysOfSettlement(rows, 100_000, '2030-01-01')).toBe(0)
  // a payment from before the plan was reversed: the debt is higher than agreed
  expect(openRow(rows, -5)).toEqual(rows[0])
  expect(paidOfRows(rows, -5)).toEqual([0, 0])
})

test('payments fill the rows to the paisa, the earliest first', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 10 ** 12 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(amounts, fc.nat(10 ** 13), (parts, paid) => {
      const plan = parts.map((amount, i) => ({
        dueTime: `2027-${String(i + 1).padStart(2, '0')}-01`,
        amount,
      }))
      const reached = paidOfRows(plan, paid)
      expect(sumOfRows(reached.map((amount) => ({ amount })))).toBe(Math.min(paid, sumOfRows(plan)))
      const firstOpen = plan.findIndex(({ amount }, i) => (reached[i] as number) < amount)
      expect(openRow(plan, paid)).toEqual(plan[firstOpen] ?? null)
      expect(reached.slice(firstOpen + 1).every((part) => firstOpen < 0 || part === 0)).toBe(true)
    }),
  )
})
