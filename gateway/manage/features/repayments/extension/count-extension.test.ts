import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '#shared/kernel/problem.ts'
import { addDays, daysBetween, istMidnight } from '#shared/kernel/time.ts'
import type { ProductExtension } from '#shared/products/product-terms.ts'
import { fineOnDay, singleRate } from '#shared/repayments/overdue-fine.ts'
import { type Loan, type LoanPlan, outstandingOf } from '../loan-store.ts'
import { countExtension, type ExtensionFacts } from './count-extension.ts'

const TERMS: ProductExtension = {
  enabled: true,
  days: 30,
  feeType: 'rate',
  fee: 400,
  commission: 60,
  maxTimes: 2,
}
const NOON = 12 * 3_600_000

function planOf(given: Partial<LoanPlan> = {}): LoanPlan {
  return {
    planId: 'P1',
    orderId: 'L1',
    serialNo: 1,
    dueDay: '2026-11-10',
    planned: 1_000_000,
    principal: 1_000_000,
    interest: 15_000,
    service: 0,
    fine: 12_000,
    overdueFine: 12_000,
    paid: 0,
    waived: 0,
    reduced: 0,
    reducedAt: null,
    fineTo: '2026-11-22',
    status: 'overdue',
    overdueDays: 12,
    settledAt: null,
    version: 1,
    ...given,
  }
}
function loanOf(given: Partial<Loan> = {}): Loan {
  return {
    orderId: 'L1',
    customerId: 'C1',
    status: 43,
    resumeStatus: 50,
    penalty: singleRate(10),
    disbursedAt: '2026-10-11T06:00:00.000Z',
    coolingOffUntil: null,
    tenureDays: 30,
    outstanding: 1_027_000,
    overdueDays: 12,
    rbiClass: 'sma0',
    version: 3,
    reduction: null,
    settlement: null,
    newestAt: null,
    plans: [planOf()],
    ...given,
  }
}
const noonOf = (day: string) => new Date(istMidnight(day).getTime() + NOON).toISOString()
const extend = (loan: Loan, facts: Partial<ExtensionFacts> = {}, paidOn = '2026-11-22') =>
  countExtension(
    loan,
    { terms: TERMS, times: 0, hasReduction: false, today: '2026-11-22', ...facts },
    { recordId: 'RR1', paidAt: noonOf(paidOn) },
  )
const reasonOf = (loan: Loan, facts: Partial<ExtensionFacts> = {}): unknown => {
  try {
    extend(loan, facts)
    return null
  } catch (error) {
    return error instanceof Problem ? error.params.reason : error
  }
}

test('an extension costs the fee and the fines to the day of payment, and carries the rest over', () => {
  // 4 % of 10,000.00 = 400.00, including 60.00 commission; twelve days of 10.00
  expect(extend(loanOf())).toMatchObject({
    due: 52_000,
    fee: 40_000,
    commission: 6_000,
    fine: 12_000,
    principal: 1_000_000,
    interest: 15_000,
    dueDay: '2026-12-22',
    serialNo: 1,
    maxTimes: 2,
    plan: {
      paid: 12_000,
      waived: 1_015_000,
      overdueFine: 12_000,
      status: 'rolledOver',
      overdueDays: 12,
      settledAt: null,
    },
  })
  // paid two days ago: the fines of those days are reversed, the new due day is calculated from
  // today
  expect(extend(loanOf(), {}, '2026-11-20')).toMatchObject({
    due: 50_000,
    fine: 10_000,
    dueDay: '2026-12-22',
    plan: { paid: 10_000, overdueFine: 10_000, overdueDays: 10 },
  })
  expect(
    extend(loanOf(), { terms: { ...TERMS, feeType: 'fixed', fee: 25_000, commission: 30_000 } }),
  ).toMatchObject({ fee: 25_000, commission: 25_000 })
})

test('before its due day a loan is extended from that day on', () => {
  const plan = planOf({
    dueDay: '2026-12-01',
    fine: 0,
    overdueFine: 0,
    fineTo: null,
    status: 'unpaid',
    overdueDays: 0,
  })
  expect(extend(loanOf({ resumeStatus: 30, plans: [plan] }))).toMatchObject({
    due: 40_000,
    fine: 0,
    dueDay: '2026-12-31',
  })
})

test('a refused extension names its reason', () => {
  expect(reasonOf(loanOf({ resumeStatus: 90 }))).toBe('badDebt')
  expect(reasonOf(loanOf(), { terms: null })).toBe('extensionOff')
  expect(reasonOf(loanOf(), { terms: { ...TERMS, enabled: false } })).toBe('extensionOff')
  expect(reasonOf(loanOf(), { times: 2 })).toBe('extensionTimes')
  expect(reasonOf(loanOf(), { times: 1 })).toBe(null)
  expect(reasonOf(loanOf(), { hasReduction: true })).toBe('reductionOpen')
  expect(reasonOf(loanOf({ plans: [planOf(), planOf({ planId: 'P2', serialNo: 2 })] }))).toBe(
    'severalInstalments',
  )
  expect(
    reasonOf(
      loanOf({
        plans: [planOf({ fine: 0, overdueFine: 0, fineTo: '2026-11-10', dueDay: '2026-12-10' })],
      }),
      { terms: { ...TERMS, fee: 0, commission: 0 } },
    ),
  ).toBe('nothingToPay')
  // the principal of a bad debt is paid first: after a cure and a missed row only fines and
  // interest may be open
  expect(reasonOf(loanOf({ plans: [planOf({ principal: 0, paid: 1_000_000 })] }))).toBe(
    'principalPaid',
  )
})

test('every posting of an extension balances, and the open amounts move to the new order', () => {
  const paise = (max: number) => fc.integer({ min: 0, max })
  fc.assert(
    fc.property(
      fc.record({
        principal: fc.integer({ min: 1, max: 2_000_000_000 }),
        interest: paise(90_000_000),
        service: paise(9_000_000),
        lateDays: fc.integer({ min: -40, max: 90 }),
        charged: fc.integer({ min: 0, max: 1 }),
        behind: fc.integer({ min: 0, max: 5 }),
        paidBefore: paise(1_000_000),
      }),
      fc.record({
        enabled: fc.constant(true),
        days: fc.integer({ min: 1, max: 365 }),
        feeType: fc.constantFrom('rate' as const, 'fixed' as const),
        fee: fc.integer({ min: 1, max: 10_000 }),
        commission: paise(10_000),
        maxTimes: fc.constant(2),
      }),
      ({ principal, interest, service, lateDays, charged, behind, paidBefore }, terms) => {
        const today = '2026-11-22'
        const dueDay = addDays(today, -lateDays)
        const bare = planOf({
          dueDay,
          planned: principal,
          principal,
          interest,
          service,
          fine: 0,
          overdueFine: 0,
          fineTo: null,
          paid: paidBefore,
          overdueDays: Math.max(0, lateDays),
        })
        const fine = charged === 1 ? fineOnDay(bare, singleRate(10), today).charged : 0
        const plan = { ...bare, fine, overdueFine: fine, fineTo: fine > 0 ? today : null }
        const loan = loanOf({ resumeStatus: lateDays > 0 ? 50 : 30, plans: [plan] })
        const paidOn = addDays(today, -behind)
        fc.pre(terms.feeType === 'fixed' || principal >= 10_000)
        const out = extend(loan, { terms }, paidOn)
        const postings = out.postings({ orderId: 'L2', planId: 'P2' })
        for (const { lines } of postings)
          expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(0)
        const rollover = postings.find(({ kind }) => kind === 'rollover')?.lines ?? []
        const moved = (account: string, planId: string) =>
          rollover
            .filter((line) => line.account === account && line.planId === planId)
            .reduce((sum, line) => sum + line.amount, 0)
        for (const [account, open] of [
          ['principalReceivable', principal],
          ['interestReceivable', interest],
          ['serviceReceivable', service],
        ] as const)
          expect([moved(account, 'P1'), moved(account, 'P2')]).toEqual([
            open === 0 ? 0 : -open,
            open,
          ])
        expect(
          rollover.filter((line) => line.orderId === 'L2').every((line) => line.planId === 'P2'),
        ).toBe(true)
        expect(out.commission).toBeLessThanOrEqual(out.fee)
        expect(out.due).toBe(out.fee + fineOnDay(plan, loan.penalty, paidOn).fine)
        expect(outstandingOf(out.plan)).toBe(0)
        // all it ever owed was paid or carried over
        expect(principal + interest + service + paidBefore + out.plan.overdueFine).toBe(
          out.plan.paid + out.plan.waived,
        )
        expect(daysBetween(dueDay > today ? dueDay : today, out.dueDay)).toBe(terms.days)
      },
    ),
    { numRuns: 300 },
  )
})
