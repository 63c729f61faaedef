import { expect, test } from 'vitest'
import { fineAgain, fineOf, fineOnDay } from './overdue-fine.ts'

test('a fine is rounded half up each day, then multiplied', () => {
  // 10 bp of 3,333.34 rupees = 3.33334 → 3.33 a day; seven days 23.31, not 23.33
  expect(fineOf(333_334, 10, 7)).toBe(2_331)
  // 10 bp of 0.05 rupees is half a hundredth of a paisa: nothing; of 5.00 rupees exactly half a paisa: one paisa
  expect(fineOf(5, 10, 30)).toBe(0)
  expect(fineOf(500, 10, 1)).toBe(1)
  expect(fineOf(499, 10, 1)).toBe(0)
  expect(fineOf(10 ** 13, 10, 90)).toBe(9 * 10 ** 11)
  expect(() => fineOf(1, 1, -1)).toThrow(RangeError)
  expect(() => fineOf(-1, 1, 1)).toThrow(RangeError)
})

const PLAN = { dueDay: '2027-02-26', fineTo: '2027-03-03', principal: 333_334, fine: 5 * 333 }

test('on a day that is not charged yet the fine grows to it, over the end of February', () => {
  expect(fineOnDay({ ...PLAN, fineTo: null, fine: 0 }, 10, '2027-02-26')).toEqual({ fine: 0, charged: 0, taken: 0, daysAfter: 0 })
  expect(fineOnDay({ ...PLAN, fineTo: null, fine: 0 }, 10, '2027-03-01')).toEqual({ fine: 999, charged: 999, taken: 0, daysAfter: 0 })
  // 2028 is a leap year: 29 February is a day of its own
  expect(fineOnDay({ ...PLAN, dueDay: '2028-02-26', fineTo: null, fine: 0 }, 10, '2028-03-01').charged).toBe(4 * 333)
  expect(fineOnDay(PLAN, 10, '2027-03-03')).toEqual({ fine: 1_665, charged: 0, taken: 0, daysAfter: 0 })
})

test('money of an earlier day carries the fine of that day', () => {
  // charged to 3 March; of value 1 March two days of 3.33 are taken back
  expect(fineOnDay(PLAN, 10, '2027-03-01')).toEqual({ fine: 999, charged: 0, taken: 666, daysAfter: 2 })
  expect(fineOnDay(PLAN, 10, '2027-02-26')).toEqual({ fine: 0, charged: 0, taken: 1_665, daysAfter: 5 })
  // before the due day there was no fine to take
  expect(fineOnDay(PLAN, 10, '2027-02-01')).toEqual({ fine: 0, charged: 0, taken: 1_665, daysAfter: 5 })
})

test('a fine that was paid meanwhile is not given back', () => {
  expect(fineOnDay({ ...PLAN, fine: 400 }, 10, '2027-02-26')).toMatchObject({ fine: 0, taken: 400 })
})

test('what the payment did not clear is fined again', () => {
  const back = fineOnDay(PLAN, 10, '2027-03-01')
  expect(fineAgain(back, 0, 10)).toBe(0)
  // half the principal: 10 bp of 1,666.67 = 1.67 a day, two days
  expect(fineAgain(back, 166_667, 10)).toBe(334)
  expect(fineAgain(back, 333_334, 10)).toBe(666)
})
