import fc from 'fast-check'
import { expect, test } from 'vitest'
import { istDayEnd, istMidnight } from '#shared/kernel/time.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { singleRate } from '#shared/repayments/overdue-fine.ts'
import type { Loan, LoanPlan } from '../loan-store.ts'
import { outstandingOf } from '../loan-store.ts'
import { countExit } from './count-exit.ts'

function planOf(serialNo: number, principal: number, interest: number): LoanPlan {
  return {
    planId: `P${serialNo}`,
    orderId: 'L1',
    serialNo,
    dueDay: `2027-0${serialNo}-20`,
    planned: principal,
    principal,
    interest,
    service: 0,
    fine: 0,
    overdueFine: 0,
    paid: 0,
    waived: 0,
    reduced: 0,
    reducedAt: null,
    fineTo: null,
    status: 'unpaid',
    overdueDays: 0,
    settledAt: null,
    version: 1,
  }
}
function loanOf(given: Partial<Loan> = {}): Loan {
  return {
    orderId: 'L1',
    customerId: 'C1',
    status: 30,
    resumeStatus: null,
    penalty: singleRate(10),
    disbursedAt: '2026-11-21T06:00:00.000Z',
    coolingOffUntil: istDayEnd('2026-11-24').toISOString(),
    tenureDays: 90,
    outstanding: 1_045_000,
    overdueDays: 0,
    rbiClass: 'standard',
    version: 3,
    reduction: null,
    settlement: null,
    newestAt: null,
    plans: [planOf(1, 333_334, 15_000), planOf(2, 333_333, 15_000), planOf(3, 333_333, 15_000)],
    ...given,
  }
}
const exit = (loan: Loan, paidAt: string) =>
  countExit(loan, { recordId: 'RR1', paidAt, today: '2026-11-24' })
const reasonOf = (loan: Loan, paidAt: string): unknown => {
  try {
    exit(loan, paidAt)
    return null
  } catch (error) {
    return error instanceof Problem ? error.params.reason : error
  }
}

test('an exit costs the principal and the interest of the days used', () => {
  // 10,000.00 for 90 days at 450.00 interest, held 2 days: 450.00 × 2 / 90 = 10.00, of each
  // instalment 150.00 × 2 / 90 = 3.333… → 3.33, together 9.99
  const out = exit(loanOf(), '2026-11-23T06:00:00.000Z')
  expect(out).toMatchObject({
    due: 1_000_000 + 999,
    principal: 1_000_000,
    charge: 999,
    daysUsed: 2,
  })
  expect(out.plans.map(({ paid, waived, status }) => [paid, waived, status])).toEqual([
    [333_667, 14_667, 'paid'],
    [333_666, 14_667, 'paid'],
    [333_666, 14_667, 'paid'],
  ])
})

test('days are IST days: 18:29 UTC belongs to the day of the loan, 18:30 to the next', () => {
  expect(exit(loanOf(), '2026-11-21T18:29:59.000Z').daysUsed).toBe(0)
  expect(exit(loanOf(), '2026-11-21T18:30:00.000Z').daysUsed).toBe(1)
})

test('a period ends with its last millisecond, also on 29 February and 31 March', () => {
  const until = istDayEnd('2026-11-24')
  expect(reasonOf(loanOf(), until.toISOString())).toBeNull()
  expect(reasonOf(loanOf(), new Date(until.getTime() + 1).toISOString())).toBe('coolingOffOver')
  const leap = loanOf({
    disbursedAt: istMidnight('2028-02-28').toISOString(),
    coolingOffUntil: istDayEnd('2028-03-02').toISOString(),
  })
  expect(exit(leap, istMidnight('2028-03-01').toISOString()).daysUsed).toBe(2)
  const yearEnd = loanOf({
    disbursedAt: istMidnight('2027-03-31').toISOString(),
    coolingOffUntil: istDayEnd('2027-04-02').toISOString(),
  })
  expect(exit(yearEnd, istMidnight('2027-04-01').toISOString()).daysUsed).toBe(1)
})

test('an exit is refused after a payment or in another status', () => {
  expect(
    reasonOf(
      loanOf({ plans: [{ ...planOf(1, 333_334, 15_000), paid: 1 }] }),
      '2026-11-22T06:00:00.000Z',
    ),
  ).toBe('alreadyPaid')
  expect(reasonOf(loanOf({ status: 50 }), '2026-11-22T06:00:00.000Z')).toBe('coolingOffOver')
  expect(reasonOf(loanOf({ coolingOffUntil: null }), '2026-11-22T06:00:00.000Z')).toBe(
    'coolingOffOver',
  )
})

test('for any amounts every posting balances, and the paid and waived amounts settle each instalment', () => {
  const paise = fc.bigInt({ min: 0n, max: 10n ** 13n }).map(Number)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(paise, paise, paise), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 1, max: 400 }),
      (amounts, days, tenureDays) => {
        const plans = amounts.map(([principal, interest, service], i) => ({
          ...planOf(i + 1, principal, interest),
          service,
        }))
        const out = countExit(
          loanOf({ plans, tenureDays, coolingOffUntil: '2099-01-01T00:00:00.000Z' }),
          {
            recordId: 'RR1',
            paidAt: istMidnight('2026-11-21')
              .toISOString()
              .replace('2026-11-20', `2026-12-${String(days + 1).padStart(2, '0')}`),
            today: '2026-12-25',
          },
        )
        for (const posting of out.postings)
          expect(posting.lines.reduce((sum, line) => sum + line.amount, 0)).toBe(0)
        expect(out.due).toBe(out.principal + out.charge)
        expect(out.plans.reduce((sum, plan) => sum + plan.paid, 0)).toBe(out.due)
        for (const [i, plan] of out.plans.entries()) {
          expect(outstandingOf(plan)).toBe(0)
          expect(plan.paid + plan.waived).toBe(outstandingOf(plans[i] as LoanPlan))
        }
      },
    ),
    { numRuns: 2_000 },
  )
})
