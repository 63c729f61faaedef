import { expect, test } from 'vitest'
import type { CaseDetail } from './case-types.ts'
import { dueNow } from './due-now.ts'

const loan = (...plans: [serialNo: number, dueTime: string, outstanding: number][]) => ({
  plans: plans.map(
    ([serialNo, dueTime, outstanding]) =>
      ({ serialNo, dueTime, outstanding }) as CaseDetail['plans'][number],
  ),
})

test('the instalments whose day has come are due, later ones are not', () => {
  const plans = loan([1, '2026-09-05', 0], [2, '2026-10-05', 500], [3, '2026-11-05', 700])
  expect(dueNow(plans, '2026-10-20')).toEqual({ paise: 500, instalments: [2] })
  expect(dueNow(plans, '2026-10-05')).toEqual({ paise: 500, instalments: [2] })
})

test('nothing is said of a loan that is due as a whole, or not at all', () => {
  expect(dueNow(loan([1, '2026-09-05', 500]), '2026-10-20')).toBeNull()
  expect(dueNow(loan([1, '2026-11-05', 500]), '2026-10-20')).toBeNull()
})
