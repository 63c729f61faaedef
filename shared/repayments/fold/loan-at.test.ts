import fc from 'fast-check'
import { expect, test } from 'vitest'
import { share } from '../../kernel/money.ts'
import { addDays, daysBetween, istDay, istMidnight } from '../../kernel/time.ts'
import { PARTS } from '../allocate-payment.ts'
import { type Penalty, singleRate } from '../overdue-fine.ts'
import { type LoanAt, loanAt } from './loan-at.ts'
import type { LoanHistory, LoanTerms, Payment, Stop } from './loan-history.ts'

const DUE = '2026-11-01'
const on = (overdueDay: number) => addDays(DUE, overdueDay)
const noonOf = (day: string) => `${day}T06:30:00.000Z`
const NOTHING: LoanHistory = { payments: [], reductions: [], stops: [], end: null }

/** One instalment of `principal` paise that was due on DUE. */
function termsOf(principal: number, penalty: Penalty, interest = 0): LoanTerms {
  return {
    plans: [{ planId: 'P1', dueDay: DUE, principal, interest, service: 0 }],
    penalty,
    badDebtDays: 91,
    parts: PARTS,
  }
}
function paid(id: string, overdueDay: number, amount: number): Payment {
  return { id, at: noonOf(on(overdueDay)), amount, reduceId: null }
}
function stopped(from: number, until: string | null, curedAt: string | null = null): Stop {
  return { from: on(from), until, curedAt }
}

test('10,000.00 at 1 % a day, 5,000.00 paid on day 5 and 2,000.00 on day 10: 3,812.75 on day 11', () => {
  const terms = termsOf(1_000_000, singleRate(100))
  const payments = [paid('A', 5, 500_000), paid('B', 10, 200_000)]
  for (const order of [payments, payments.toReversed()])
    expect(loanAt(terms, { ...NOTHING, payments: order }, on(11))).toMatchObject({
      outstanding: 381_275,
      plans: [{ principal: 377_500, fine: 3_775, overdueFine: 50_000 + 27_500 + 3_775 }],
    })
})

test('a reversed payment never counted: the days between are fined on the whole principal', () => {
  // 1,500.00 at 1 % a day: 15.00 a day, twelve days are 180.00
  const terms = termsOf(150_000, singleRate(100))
  const payments = [{ ...paid('A', 0, 75_000), isReversed: true }]
  expect(loanAt(terms, { ...NOTHING, payments }, on(12)).plans[0]?.fine).toBe(18_000)
})

test('after a reversal later payments clear what the reversed one had cleared', () => {
  const terms: LoanTerms = {
    ...termsOf(0, singleRate(10)),
    plans: [
      { planId: 'P1', dueDay: DUE, principal: 100_000, interest: 0, service: 0 },
      { planId: 'P2', dueDay: on(30), principal: 100_000, interest: 0, service: 0 },
    ],
  }
  const payments = [paid('A', -2, 100_000), paid('B', -1, 60_000)]
  const before = loanAt(terms, { ...NOTHING, payments }, DUE)
  expect([...(before.payments.get('B')?.cleared.keys() ?? [])]).toEqual(['P2'])
  const after = loanAt(
    terms,
    { ...NOTHING, payments: payments.map((one) => ({ ...one, isReversed: one.id === 'A' })) },
    DUE,
  )
  expect(after.payments.get('B')?.cleared.get('P1')?.principal).toBe(60_000)
  expect(after.plans.map(({ principal }) => principal)).toEqual([40_000, 100_000])
})

test('days without fines are charged later on the principal they had', () => {
  // two days on 10,000.00 and three on 4,000.00 at 1 % a day
  const terms = termsOf(1_000_000, singleRate(100))
  const payments = [paid('A', 2, 600_000)]
  const stop = stopped(0, istMidnight(on(6)).toISOString())
  const within = loanAt(terms, { ...NOTHING, payments, stops: [{ ...stop, until: null }] }, on(5))
  expect(within.plans[0]).toMatchObject({ fine: 0, principal: 400_000, deferred: 32_000 })
  const after = loanAt(terms, { ...NOTHING, payments, stops: [stop] }, on(5))
  expect(after.plans[0]).toMatchObject({ fine: 0, deferred: 32_000 })
  const over = loanAt(terms, { ...NOTHING, payments, stops: [stop] }, on(6))
  expect(over.plans[0]).toMatchObject({ fine: 32_000 + 4_000, deferred: 0 })
})

test('an instalment settled while fines are suspended is never charged for those days', () => {
  const terms = termsOf(100_000, singleRate(100))
  const stops = [stopped(0, noonOf(on(5)))]
  const state = loanAt(terms, { ...NOTHING, payments: [paid('A', 3, 100_000)], stops }, on(9))
  expect(state).toMatchObject({ outstanding: 0, status: 'repaid', credit: 0 })
})

test('a reduction settles the loan with money received in its validity, whenever it is reported', () => {
  const terms = termsOf(100_000, singleRate(100), 5_000)
  const reductions = [{ id: 'R', items: { overdueFine: 2_000, serviceFee: 0, interest: 1_000 } }]
  const stops = [stopped(2, istMidnight(on(5)).toISOString())]
  const late = { ...paid('A', 4, 104_000), reduceId: 'R' }
  const state = loanAt(terms, { payments: [late], reductions, stops, end: null }, on(20))
  expect(state).toMatchObject({
    status: 'repaidReduced',
    outstanding: 0,
    credit: 0,
    used: { reduceId: 'R', given: new Map([['P1', { fine: 2_000, interest: 1_000, service: 0 }]]) },
  })
  // a paisa less does not settle it: the reduction lapses and its days are charged
  const short = { ...late, amount: 103_999 }
  const open = loanAt(terms, { payments: [short], reductions, stops, end: null }, on(5))
  expect(open).toMatchObject({
    status: 'running',
    used: null,
    plans: [{ principal: 1, interest: 1_000, fine: 2_000 + 1_000 + 1_000 }],
  })
})

test('of a bad debt principal is cleared first, until it is cured', () => {
  const terms = { ...termsOf(100_000, singleRate(10), 10_000), badDebtDays: 3 }
  const payments = [paid('A', 2, 1_000), paid('B', 3, 1_000), paid('C', 5, 1_000)]
  const stops = [stopped(4, null, noonOf(on(4)))]
  const state = loanAt(terms, { ...NOTHING, payments, stops }, on(5))
  expect(state.isBadDebt).toBe(false)
  const principal = ['A', 'B', 'C'].map(
    (id) => state.payments.get(id)?.cleared.get('P1')?.principal,
  )
  expect(principal).toEqual([0, 1_000, 0])
})

test('a write-off gives up what is open; an extension pays its fine and carries the rest on', () => {
  const terms = termsOf(100_000, singleRate(100))
  const end = (kind: 'writtenOff' | 'extended') => ({ kind, at: noonOf(on(2)) })
  const payments = [paid('A', 1, 11_000), paid('B', 3, 500)]
  const off = loanAt(terms, { ...NOTHING, payments, end: end('writtenOff') }, on(9))
  expect(off).toMatchObject({ status: 'writtenOff', outstanding: 0, credit: 500 })
  expect(off.plans[0]).toMatchObject({ waived: 90_900, paid: 11_000, overdueFine: 1_900 })
  const on80 = loanAt(terms, { ...NOTHING, payments, end: end('extended') }, on(9))
  expect(on80.plans[0]).toMatchObject({ waived: 90_000, paid: 11_900, overdueFine: 1_900 })
})

const RANGES: Penalty = [
  { dayFrom: 1, dayTo: 3, rate: 13, capRatio: null },
  { dayFrom: 4, dayTo: 9, rate: 27, capRatio: 120 },
  { dayFrom: 10, dayTo: null, rate: 5, capRatio: 180 },
]
const paise = fc.integer({ min: 0, max: 10 ** 9 })
const plans = fc
  .array(fc.record({ principal: fc.integer({ min: 1, max: 10 ** 9 }), interest: paise }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((some) => some.map((one, i) => ({ planId: `P${i}`, dueDay: on(i * 7), service: 0, ...one })))
const history = fc
  .record({
    payments: fc.array(
      fc.record({
        hour: fc.integer({ min: -5 * 24, max: 30 * 24 }),
        amount: fc.integer({ min: 1, max: 10 ** 9 }),
        isReversed: fc.boolean(),
        mayReduce: fc.boolean(),
      }),
      { maxLength: 5 },
    ),
    items: fc.record({ overdueFine: paise, serviceFee: paise, interest: paise }),
    stop: fc.option(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 10 }))),
  })
  .map(({ payments, items, stop }): LoanHistory => ({
    payments: payments.map(({ hour, amount, isReversed, mayReduce }, i) => ({
      id: `RR${i}`,
      at: new Date(Date.parse(noonOf(DUE)) + hour * 3_600_000).toISOString(),
      amount,
      isReversed,
      reduceId: mayReduce ? 'R' : null,
    })),
    reductions: [{ id: 'R', items }],
    stops:
      stop === null ? [] : [stopped(stop[0], istMidnight(on(stop[0] + stop[1])).toISOString())],
    end: null,
  }))
const lives = fc.record({
  plans,
  history,
  penalty: fc.constantFrom(RANGES, singleRate(10)),
  day: fc.integer({ min: 0, max: 35 }).map(on),
})

test('the order of arrival does not matter', () => {
  fc.assert(
    fc.property(lives, fc.infiniteStream(fc.nat()), (life, dice) => {
      const { history: given, day } = life
      const terms = { ...life, badDebtDays: 12, parts: PARTS }
      const shuffled = given.payments
        .map((payment) => ({ payment, place: dice.next().value as number }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ payment }) => payment)
      expect(loanAt(terms, { ...given, payments: shuffled }, day)).toEqual(
        loanAt(terms, given, day),
      )
    }),
    { numRuns: 300 },
  )
})

test('every paisa is owed, paid, given up or credited, and no part falls below zero', () => {
  fc.assert(
    fc.property(lives, ({ history: given, day, ...life }) => {
      const state = loanAt({ ...life, badDebtDays: 12, parts: PARTS }, given, day)
      const cleared = new Map<string, number>()
      for (const [id, one] of state.payments) {
        const sums = [...one.cleared].map(([planId, parts]) => {
          const sum = PARTS.reduce((total, part) => total + parts[part], 0)
          cleared.set(planId, (cleared.get(planId) ?? 0) + sum)
          return sum
        })
        const amount = given.payments.find((payment) => payment.id === id)?.amount
        expect(sums.reduce((total, sum) => total + sum, one.surplus)).toBe(amount)
      }
      for (const [i, plan] of state.plans.entries()) {
        const planned = life.plans[i] as LoanTerms['plans'][number]
        const open = PARTS.reduce((sum, part) => sum + plan[part], 0)
        expect(open + plan.paid + plan.reduced).toBe(
          planned.principal + planned.interest + plan.overdueFine,
        )
        expect(plan.paid).toBe(cleared.get(plan.planId) ?? 0)
        expect(Math.min(...PARTS.map((part) => plan[part]), plan.deferred)).toBeGreaterThanOrEqual(
          0,
        )
      }
    }),
    { numRuns: 300 },
  )
})

test('each day is fined on the principal it began with, and no cap is exceeded by a paisa', () => {
  fc.assert(
    fc.property(lives, ({ history: given, day, ...life }) => {
      const terms = { ...life, badDebtDays: 12, parts: PARTS }
      const state = loanAt(terms, given, day)
      for (const { planId, day: fined, fine } of state.fines) {
        const before = loanAt(terms, given, addDays(fined, -1))
        const plan = before.plans.find((one) => one.planId === planId) as LoanAt['plans'][number]
        const planned = life.plans.find(
          (one) => one.planId === planId,
        ) as LoanTerms['plans'][number]
        const n = daysBetween(planned.dueDay, fined)
        const range = life.penalty.find(
          ({ dayFrom, dayTo }) => n >= dayFrom && n <= (dayTo ?? n),
        ) as Penalty[number]
        const daily = Number(share(BigInt(plan.principal), BigInt(range.rate)))
        const soFar = plan.overdueFine + plan.deferred
        const cap =
          range.capRatio === null
            ? Infinity
            : Number(share(BigInt(planned.principal), BigInt(range.capRatio)))
        expect(fine).toBe(Math.min(daily, Math.max(0, cap - soFar)))
      }
    }),
    { numRuns: 60 },
  )
})

test('a payment of a later day changes nothing before its day', () => {
  fc.assert(
    fc.property(lives, fc.integer({ min: 1, max: 10 ** 9 }), (life, amount) => {
      const { history: given, day } = life
      const terms = { ...life, badDebtDays: 12, parts: PARTS }
      const later = { id: 'RR9', at: noonOf(addDays(day, 1)), amount, reduceId: null }
      expect(istDay(later.at) > day).toBe(true)
      expect(loanAt(terms, { ...given, payments: [...given.payments, later] }, day)).toEqual(
        loanAt(terms, given, day),
      )
    }),
    { numRuns: 100 },
  )
})
