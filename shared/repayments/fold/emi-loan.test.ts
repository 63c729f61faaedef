/** EMI loans in the fold: what is paid ahead changes the plan, whenever it is told. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, daysBetween, istDay } from '../../kernel/time.ts'
import { PARTS } from '../allocate-payment.ts'
import { emiOf, emiPlan } from '../emi/emi-plan.ts'
import { PREPAYMENT_EFFECTS } from '../emi/prepayment-effects.ts'
import { singleRate } from '../overdue-fine.ts'
import { foreclosurePlanId, prepaymentPlanId } from './emi-rows.ts'
import { type LoanAt, loanAt } from './loan-at.ts'
import type { LoanHistory, LoanTerms, Payment } from './loan-history.ts'

const DISBURSED = '2026-01-05'
const NOTHING: LoanHistory = { payments: [], reductions: [], stops: [], end: null }

function termsOf(given: Partial<NonNullable<LoanTerms['emi']>['terms']> = {}): LoanTerms {
  const terms = { principal: 2_000_000n, annualRate: 1_500, instalments: 24, dueDay: 5, ...given }
  return {
    plans: emiPlan(terms, DISBURSED).map(({ dueDay, principal, interest }, i) => ({
      planId: `P${i + 1}`,
      dueDay,
      principal: Number(principal),
      interest: Number(interest),
      service: 0,
    })),
    penalty: singleRate(10),
    badDebtDays: 91,
    parts: PARTS,
    emi: { orderId: 'L1', terms, disbursedOn: DISBURSED, prepayment: 'lowerInstalments' },
  }
}

function paid(id: string, day: string, amount: number, ahead: Payment['ahead'] = null): Payment {
  return { id, at: `${day}T06:30:00.000Z`, amount, reduceId: null, ahead }
}
const rowOf = (state: LoanAt, planId: string) =>
  state.planTerms.find((plan) => plan.planId === planId)
const openOf = (state: LoanAt, planId: string) => state.plans.find((plan) => plan.planId === planId)
const sum = (state: LoanAt, part: 'principal' | 'interest') =>
  state.planTerms.reduce((total, plan) => total + plan[part], 0)

/** Paise that end the loan on the day: a payment of all and more leaves the rest as credit. */
function payoffOf(terms: LoanTerms, history: LoanHistory, day: string): number {
  const much = 10_000_000_000
  const state = loanAt(
    terms,
    { ...history, payments: [...history.payments, paid('Z9999', day, much)] },
    day,
  )
  return much - (state.payments.get('Z9999')?.surplus ?? 0)
}

test('money before the due day pays the next instalment', () => {
  const state = loanAt(
    termsOf(),
    { ...NOTHING, payments: [paid('A', '2026-01-20', 96_974)] },
    '2026-01-20',
  )
  expect(openOf(state, 'P1')).toMatchObject({ principal: 0, interest: 0, paid: 96_974 })
  expect(state.planTerms).toHaveLength(24)
})

test('a prepayment lowers the principal from its day on, and the plan follows', () => {
  const payments = [paid('A', '2026-01-20', 500_000, 'lowerInstalments')]
  const state = loanAt(termsOf(), { ...NOTHING, payments }, '2026-01-20')
  expect(rowOf(state, prepaymentPlanId('A'))).toMatchObject({
    dueDay: '2026-01-20',
    principal: 500_000,
    interest: 0,
  })
  // 15,000.00 at 1.25 % a month, and 5,000.00 × 1.25 % × 15 / 31 days
  expect(rowOf(state, 'P1')?.interest).toBe(18_750 + 3_024)
  const second = rowOf(state, 'P2')
  expect((second?.principal ?? 0) + (second?.interest ?? 0)).toBe(
    Number(emiOf(1_500_000n, 1_500, 24)),
  )
})

test('fewer instalments: those that are no longer needed owe nothing', () => {
  const payments = [paid('A', '2026-01-20', 1_000_000, 'fewerInstalments')]
  const state = loanAt(termsOf(), { ...NOTHING, payments }, '2026-01-20')
  expect(rowOf(state, 'P24')).toMatchObject({ principal: 0, interest: 0 })
  expect(openOf(state, 'P24')?.settledAt).toBeNull()
  expect(sum(state, 'principal')).toBe(2_000_000)
})

test('beyond the next instalment money is a prepayment with the effect of the product', () => {
  const payments = [paid('A', '2026-01-20', 96_974 + 500_000)]
  const state = loanAt(termsOf(), { ...NOTHING, payments }, '2026-01-20')
  expect(rowOf(state, prepaymentPlanId('A'))?.principal).toBe(500_000)
  // the instalment it had paid became smaller, so that some of it pays the one after
  expect(openOf(state, 'P1')).toMatchObject({ principal: 0, interest: 0 })
  expect(openOf(state, 'P2')?.paid).toBeGreaterThan(0)
  expect(state.payments.get('A')?.surplus).toBe(0)
})

test('a payoff costs the interest up to its day, and one paisa less is a prepayment', () => {
  const day = '2026-02-15'
  const payments = [paid('A', '2026-02-05', 96_974)]
  const payoff = payoffOf(termsOf(), { ...NOTHING, payments }, day)
  // 19,280.26 and 86.07 of interest for 10 of 28 days
  expect(payoff).toBe(1_928_026 + 8_607)
  const ended = loanAt(
    termsOf(),
    { ...NOTHING, payments: [...payments, paid('B', day, payoff)] },
    day,
  )
  expect(ended).toMatchObject({ outstanding: 0, credit: 0, status: 'repaid' })
  expect(rowOf(ended, foreclosurePlanId('L1'))).toMatchObject({ dueDay: day, interest: 8_607 })
  const less = loanAt(
    termsOf(),
    { ...NOTHING, payments: [...payments, paid('B', day, payoff - 1)] },
    day,
  )
  expect(less.status).toBe('running')
})

test('a loan that is called in owes the rest at once, and no interest after that day', () => {
  const day = '2026-05-08'
  const called = loanAt(termsOf(), { ...NOTHING, calledInOn: day }, day)
  expect(called.plans.filter(({ principal }) => principal > 0)).toHaveLength(5)
  expect(sum(called, 'principal')).toBe(2_000_000)
  const later = loanAt(termsOf(), { ...NOTHING, calledInOn: day }, '2026-12-31')
  expect(sum(later, 'interest')).toBe(sum(called, 'interest'))
})

test('a prepayment that is taken back never changed the plan', () => {
  const payments = [
    { ...paid('A', '2026-01-20', 900_000, 'fewerInstalments'), isReversed: true },
    paid('B', '2026-02-05', 96_974),
  ]
  const state = loanAt(termsOf(), { ...NOTHING, payments }, '2026-02-05')
  expect(state.planTerms).toEqual(termsOf().plans)
})

test('whatever is paid ahead, principal sums exactly, interest only falls, every paisa is somewhere', () => {
  const loan = fc.record({
    principal: fc.bigInt({ min: 500_000n, max: 50_000_000n }),
    annualRate: fc.integer({ min: 0, max: 6_000 }),
    instalments: fc.integer({ min: 2, max: 36 }),
    dueDay: fc.integer({ min: 1, max: 28 }),
  })
  const money = fc.record({
    after: fc.integer({ min: 0, max: 400 }),
    /** Thousandths of the principal. */
    share: fc.integer({ min: 1, max: 500 }),
    ahead: fc.constantFrom(null, ...PREPAYMENT_EFFECTS),
  })
  fc.assert(
    fc.property(loan, fc.array(money, { maxLength: 6 }), (given, some) => {
      const terms = termsOf(given)
      const payments = some.map(({ after, share, ahead }, i) =>
        paid(
          `R${i}`,
          addDays(DISBURSED, after),
          Number((given.principal * BigInt(share)) / 1_000n),
          ahead,
        ),
      )
      const last =
        payments
          .map(({ at }) => istDay(at))
          .toSorted()
          .at(-1) ?? DISBURSED
      const state = loanAt(terms, { ...NOTHING, payments }, last)
      const reversed = loanAt(terms, { ...NOTHING, payments: payments.toReversed() }, last)
      expect(reversed).toEqual(state)
      const agreed = terms.plans.reduce((total, plan) => total + plan.interest, 0)
      expect(sum(state, 'principal')).toBe(Number(given.principal))
      expect(sum(state, 'interest')).toBeLessThanOrEqual(agreed)
      const clearedOf = new Map<string, number>()
      for (const { id, amount } of payments) {
        const { cleared, surplus } = state.payments.get(id) ?? { cleared: new Map(), surplus: 0 }
        let all = surplus
        for (const [planId, part] of cleared) {
          const one = part.principal + part.interest + part.service + part.fine
          all += one
          clearedOf.set(planId, (clearedOf.get(planId) ?? 0) + one)
        }
        expect(all).toBe(amount)
        if (state.outstanding > 0) expect(surplus).toBe(0)
      }
      for (const [i, plan] of state.plans.entries()) {
        const { principal, interest, planId } = state.planTerms[i] ?? {
          principal: -1,
          interest: 0,
          planId: '',
        }
        expect(interest).toBeGreaterThanOrEqual(0)
        expect(plan.paid).toBe(clearedOf.get(planId) ?? 0)
        expect(plan.principal + plan.interest + plan.fine).toBe(
          principal + interest + plan.overdueFine - plan.paid,
        )
      }
      const ended = payoffOf(terms, { ...NOTHING, payments }, last)
      expect(ended).toBeLessThanOrEqual(state.outstanding)
      expect(daysBetween(DISBURSED, last)).toBeGreaterThanOrEqual(0)
    }),
  )
})
