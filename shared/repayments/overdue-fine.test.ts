import { expect, test } from 'vitest'
import { addDays, istDay } from '../kernel/time.ts'
import { fineAgain, fineOfDays, fineOnDay, singleRate } from './overdue-fine.ts'

const RATE = singleRate(10)
const of = (principal: number) => ({ principal, planned: principal })

test('a fine is rounded half up each day, then multiplied', () => {
  // 10 bp of 3,333.34 rupees = 3.33334 → 3.33 a day; seven days 23.31, not 23.33
  expect(fineOfDays(of(333_334), RATE, 1, 7)).toBe(2_331)
  // 10 bp of 0.05 rupees is half a hundredth of a paisa: nothing; of 5.00 rupees exactly half a
  // paisa: one paisa
  expect(fineOfDays(of(5), RATE, 1, 30)).toBe(0)
  expect(fineOfDays(of(500), RATE, 1, 1)).toBe(1)
  expect(fineOfDays(of(499), RATE, 1, 1)).toBe(0)
  expect(fineOfDays(of(10 ** 13), RATE, 1, 90)).toBe(9 * 10 ** 11)
  expect(fineOfDays(of(500), RATE, 3, 2)).toBe(0)
  expect(() => fineOfDays(of(1), RATE, 0, 1)).toThrow(RangeError)
  expect(() => fineOfDays(of(-1), RATE, 1, 1)).toThrow(RangeError)
})

const PLAN = {
  dueDay: '2027-02-26',
  fineTo: '2027-03-03',
  principal: 333_334,
  planned: 333_334,
  fine: 5 * 333,
  overdueFine: 5 * 333,
}

test('the fine of a day that is not charged yet includes that day, across the end of February', () => {
  const fresh = { ...PLAN, fineTo: null, fine: 0, overdueFine: 0 }
  expect(fineOnDay(fresh, RATE, '2027-02-26')).toEqual({
    fine: 0,
    charged: 0,
    taken: 0,
    after: null,
  })
  expect(fineOnDay(fresh, RATE, '2027-03-01')).toEqual({
    fine: 999,
    charged: 999,
    taken: 0,
    after: null,
  })
  // 2028 is a leap year: 29 February is a day of its own
  expect(fineOnDay({ ...fresh, dueDay: '2028-02-26' }, RATE, '2028-03-01').charged).toBe(4 * 333)
  expect(fineOnDay(PLAN, RATE, '2027-03-03')).toEqual({
    fine: 1_665,
    charged: 0,
    taken: 0,
    after: null,
  })
})

test('the first overdue day begins at 18:30 UTC, also at the end of February and March', () => {
  for (const dueDay of ['2027-03-31', '2028-02-29', '2027-02-28', '2026-12-31']) {
    const plan = { ...PLAN, dueDay, fineTo: null, fine: 0, overdueFine: 0 }
    expect(fineOnDay(plan, RATE, istDay(`${dueDay}T18:29:59.999Z`)).charged).toBe(0)
    // 10 bp of 3,333.34 = 3.33 for the one day that has begun in India
    expect(fineOnDay(plan, RATE, istDay(`${dueDay}T18:30:00.000Z`)).charged).toBe(333)
    // one more a day later, whatever the length of the month
    expect(fineOnDay(plan, RATE, istDay(`${addDays(dueDay, 1)}T18:30:00.000Z`)).charged).toBe(666)
  }
})

test('a payment of an earlier value date carries the fine of that day', () => {
  // charged to 3 March; with value date 1 March two days of 3.33 are reversed
  expect(fineOnDay(PLAN, RATE, '2027-03-01')).toEqual({
    fine: 999,
    charged: 0,
    taken: 666,
    after: { from: 4, to: 5, soFar: 999 },
  })
  expect(fineOnDay(PLAN, RATE, '2027-02-26')).toEqual({
    fine: 0,
    charged: 0,
    taken: 1_665,
    after: { from: 1, to: 5, soFar: 0 },
  })
  // before the due day there was no fine to reverse
  expect(fineOnDay(PLAN, RATE, '2027-02-01')).toEqual({
    fine: 0,
    charged: 0,
    taken: 1_665,
    after: { from: 1, to: 5, soFar: 0 },
  })
})

test('a fine that was paid in the meantime is not returned', () => {
  expect(fineOnDay({ ...PLAN, fine: 400 }, RATE, '2027-02-26')).toMatchObject({
    fine: 0,
    taken: 400,
  })
})

test('the principal the payment did not clear is fined again', () => {
  const back = fineOnDay(PLAN, RATE, '2027-03-01')
  const left = (principal: number) => ({ principal, planned: PLAN.planned })
  expect(fineAgain(back, left(0), RATE)).toBe(0)
  // half the principal: 10 bp of 1,666.67 = 1.67 a day, two days
  expect(fineAgain(back, left(166_667), RATE)).toBe(334)
  expect(fineAgain(back, left(333_334), RATE)).toBe(666)
})

/**
 * 1,000.00 rupees: 1.00 a day for three days, 2.00 to day 6 but at most 7.00 in total, then 0.50 up
 * to 8.00.
 */
const RANGES = [
  { dayFrom: 1, dayTo: 3, rate: 10, capRatio: null },
  { dayFrom: 4, dayTo: 6, rate: 20, capRatio: 70 },
  { dayFrom: 7, dayTo: null, rate: 5, capRatio: 80 },
]
const LOAN = {
  dueDay: '2027-01-01',
  fineTo: null,
  principal: 100_000,
  planned: 100_000,
  fine: 0,
  overdueFine: 0,
}

test('the rate follows the overdue day, and a range stops the fine at its cap', () => {
  const charged = Array.from(
    { length: 10 },
    (_, day) => fineOnDay(LOAN, RANGES, `2027-01-${String(day + 1).padStart(2, '0')}`).charged,
  )
  expect(charged).toEqual([0, 100, 200, 300, 500, 700, 700, 750, 800, 800])
})

test('opening day by day charges the same as opening many days at once', () => {
  let plan: Parameters<typeof fineOnDay>[0] = LOAN
  for (let day = 2; day <= 12; day += 1) {
    const at = `2027-01-${String(day).padStart(2, '0')}`
    const { fine, charged } = fineOnDay(plan, RANGES, at)
    plan = { ...plan, fine, overdueFine: plan.overdueFine + charged, fineTo: at }
  }
  expect(plan.fine).toBe(800)
  // a value date inside a capped range reverses exactly what its later days were charged
  expect(fineOnDay(plan, RANGES, '2027-01-06')).toMatchObject({ fine: 700, taken: 100 })
  expect(fineOnDay(plan, RANGES, '2027-01-03')).toMatchObject({ fine: 200, taken: 600 })
})
