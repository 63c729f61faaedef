/** The newest payment is counted on the stored state: with the same result as the fold. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, istDay, istMidnight } from '#shared/kernel/time.ts'
import type { CouponTerms } from '#shared/coupons/coupon-amount.ts'
import { sumGiven } from '#shared/repayments/fold/give-up.ts'
import { PARTS } from '#shared/repayments/allocate-payment.ts'
import { type LoanAt, loanAt } from '#shared/repayments/fold/loan-at.ts'
import type { LoanTerms } from '#shared/repayments/fold/loan-history.ts'
import { type Penalty, singleRate } from '#shared/repayments/overdue-fine.ts'
import { countPayment } from '../count-payment.ts'
import { type Loan, outstandingOf } from '../loan-store.ts'
import { isNewest } from './count-late.ts'
import { historyOf, type StoredHistory } from './read-history.ts'
import { refold } from './refold.ts'

const DUE = '2026-11-01'
const BAD_DEBT_DAYS = 12
const on = (overdueDay: number) => addDays(DUE, overdueDay)
const instant = (hour: number) =>
  new Date(istMidnight(DUE).getTime() + hour * 3_600_000).toISOString()
const PENALTIES: readonly Penalty[] = [
  singleRate(100),
  singleRate(7),
  [
    { dayFrom: 1, dayTo: 3, rate: 13, capRatio: null },
    { dayFrom: 4, dayTo: 9, rate: 27, capRatio: 120 },
    { dayFrom: 10, dayTo: null, rate: 5, capRatio: 180 },
  ],
]

const paise = (max: number) => fc.integer({ min: 0, max })
const money = fc.oneof(paise(2_000_000), paise(20_000))
const coupon = fc.option(
  fc
    .record<CouponTerms>({
      amountType: fc.constantFrom('fixed', 'rate'),
      preferentialType: fc.constantFrom('interest', 'overdueFine'),
      discountAmount: fc.option(fc.integer({ min: 1, max: 9_000 })),
      rate: fc.integer({ min: 1, max: 10_000 }),
      ratio: fc.option(fc.integer({ min: 1, max: 10_000 })),
      minAmount: fc.constantFrom(0, 100_000),
    })
    .map((terms) => ({ grantId: 'CG', terms })),
  { freq: 2 },
)
const lives = fc.record({
  penalty: fc.constantFrom(...PENALTIES),
  plans: fc.array(
    fc.record({ principal: fc.integer({ min: 1, max: 2_000_000 }), interest: paise(50_000) }),
    { minLength: 1, maxLength: 3 },
  ),
  /** The hour it is, since the due day; and how long ago the day was opened last. */
  hour: fc.integer({ min: -48, max: 22 * 24 }),
  isOpened: fc.boolean(),
  payments: fc.array(
    fc.record({ hoursAgo: fc.integer({ min: 1, max: 400 }), amount: money, coupon }),
    { maxLength: 4 },
  ),
  /** A stop of fines, and whether a reduction or a settlement plan is its reason. */
  stop: fc.option(
    fc.record({
      hoursAgo: fc.integer({ min: 1, max: 200 }),
      days: fc.integer({ min: 0, max: 12 }),
      items: fc.record({
        overdueFine: paise(9_000),
        serviceFee: fc.constant(0),
        interest: paise(9_000),
      }),
      isSettlement: fc.boolean(),
    }),
  ),
  paid: fc.record({
    hoursAgo: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 120 })),
    /** Of what is owed, in thousandths; 1,000 settles it. */
    share: fc.oneof(fc.constant(1_000), fc.integer({ min: 1, max: 1_300 })),
    coupon,
  }),
})
type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never

/** What is reported of the loan before the payment. */
function historyBefore({ plans, penalty, hour, payments, stop }: Life): StoredHistory {
  const terms: LoanTerms = {
    plans: plans.map((plan, i) => ({ planId: `P${i}`, dueDay: on(i * 7), service: 0, ...plan })),
    penalty,
    badDebtDays: BAD_DEBT_DAYS,
    parts: PARTS,
  }
  const began = instant(hour - (stop?.hoursAgo ?? 0))
  const validUntil = addDays(istDay(began), stop?.days ?? 0)
  const over = istMidnight(addDays(validUntil, 1)).toISOString()
  return {
    terms,
    calledInOn: null,
    payments: payments.map(({ hoursAgo, amount, coupon: used }, i) => {
      const at = instant(hour - hoursAgo)
      return { id: `RR${i + 1}`, at, receivedAt: at, amount: amount + 1, coupon: used }
    }),
    reductions:
      stop === null || stop.isSettlement
        ? []
        : [
            {
              id: 'R',
              items: stop.items,
              frozenOn: istDay(began),
              validUntil,
              decidedAt: began,
              endedAt: over <= instant(hour) ? over : null,
              cause: over <= instant(hour) ? 'expired' : null,
            },
          ],
    settlements:
      stop?.isSettlement === true
        ? [{ asOf: istDay(began), startedAt: began, endedAt: null, state: 'current' }]
        : [],
  }
}

/** The books, as they follow from it. */
function booksOf(stored: StoredHistory, state: LoanAt, openedTo: string, now: string): Loan {
  const [reduction] = stored.reductions.filter(({ endedAt }) => endedAt === null)
  const [settlement] = stored.settlements
  const ends = stored.reductions.flatMap(({ decidedAt, validUntil }) => {
    const over = istMidnight(addDays(validUntil, 1)).toISOString()
    return over <= now ? [decidedAt, over] : [decidedAt]
  })
  const values = [
    ...stored.payments.map(({ at }) => at),
    ...ends,
    ...stored.settlements.map(({ startedAt }) => startedAt),
  ]
  const frozenOn = settlement?.asOf ?? reduction?.frozenOn ?? openedTo
  const fineTo = frozenOn < openedTo ? frozenOn : openedTo
  return {
    orderId: 'L1',
    customerId: 'C1',
    status: state.isBadDebt ? 90 : 50,
    resumeStatus: null,
    penalty: stored.terms.penalty,
    disbursedAt: null,
    coolingOffUntil: null,
    tenureDays: 30,
    outstanding: state.outstanding,
    overdueDays: 0,
    rbiClass: 'standard',
    version: 1,
    reduction:
      reduction === undefined
        ? null
        : { reduceId: 'R', items: reduction.items, frozenOn, validUntil: reduction.validUntil },
    settlement:
      settlement === undefined
        ? null
        : {
            rows: [{ dueTime: addDays(openedTo, 30), amount: state.outstanding }],
            total: state.outstanding,
            asOf: settlement.asOf,
          },
    newestAt: values.toSorted().at(-1) ?? null,
    plans: state.plans.map((plan, i) => {
      const { dueDay, principal: planned } = stored.terms.plans[i] as LoanTerms['plans'][number]
      const { deferred: _, ...parts } = plan
      return {
        ...parts,
        orderId: 'L1',
        serialNo: i + 1,
        dueDay,
        planned,
        reducedAt: null,
        fineTo: fineTo > dueDay ? fineTo : null,
        status: outstandingOf(plan) === 0 ? 'paid' : 'unpaid',
        overdueDays: 0,
        version: 1,
      }
    }),
  }
}

const shown = (plans: readonly (LoanAt['plans'][number] | Loan['plans'][number])[]) =>
  plans.map(({ planId, principal, interest, service, fine, overdueFine, paid, reduced }) => ({
    planId,
    principal,
    interest,
    service,
    fine,
    overdueFine,
    paid,
    reduced,
  }))

test('applying the newest payment to the stored state equals folding the whole history', () => {
  let compared = 0
  fc.assert(
    fc.property(lives, (life) => {
      const now = instant(life.hour)
      const today = istDay(now)
      const stored = historyBefore(life)
      // a reduction that lapses is charged to the day on which it does
      const hasLapsed = stored.reductions.some(({ endedAt }) => endedAt !== null)
      const openedTo = life.isOpened || hasLapsed ? today : addDays(today, -1)
      const before = loanAt(stored.terms, historyOf(stored), openedTo)
      // an instant of its own day, when that was opened; otherwise of the day that is open
      const at = instant(life.hour - life.paid.hoursAgo)
      if (before.outstanding === 0 || stored.payments.some((one) => istDay(one.at) > openedTo))
        return
      const loan = booksOf(stored, before, openedTo, now)
      const day = istDay(at)
      if (!isNewest(loan, { at, day }, BAD_DEBT_DAYS)) return
      compared += 1
      const amount = Math.max(1, Math.floor((before.outstanding * life.paid.share) / 1_000))
      const { coupon: used } = life.paid
      const payment = { id: 'RR9', at, receivedAt: now, amount, coupon: used }
      const after = historyOf({ ...stored, payments: [...stored.payments, payment] })
      const folded = loanAt(stored.terms, after, day > openedTo ? day : openedTo)
      const counted = countPayment(loan, {
        recordId: 'RR9',
        amount,
        valueDay: day,
        paidAt: at,
        today,
        parts: PARTS,
        badDebtDays: BAD_DEBT_DAYS,
        beingPaid: new Set(),
        coupon: used,
      })
      expect(shown(counted.plans)).toEqual(shown(folded.plans))
      const own = folded.payments.get('RR9')
      expect({
        surplus: counted.surplus,
        isReduced: counted.reduced > 0,
        couponed: counted.couponed,
      }).toEqual({
        surplus: own?.surplus,
        isReduced: folded.used !== null,
        couponed: sumGiven(own?.coupon ?? new Map()),
      })
    }),
    { numRuns: 2_000 },
  )
  expect(compared).toBeGreaterThan(400)
})

test('a payment is the newest only after everything that counts', () => {
  fc.assert(
    fc.property(lives, (life) => {
      const now = instant(life.hour)
      const today = istDay(now)
      const stored = historyBefore(life)
      const state = loanAt(stored.terms, historyOf(stored), today)
      const loan = booksOf(stored, state, today, now)
      for (const { at } of stored.payments)
        expect(isNewest(loan, { at, day: istDay(at) }, BAD_DEBT_DAYS)).toBe(false)
    }),
    { numRuns: 300 },
  )
})

test('balances that do not follow from the history are not recomputed', () => {
  const life: Life = {
    penalty: singleRate(100),
    plans: [{ principal: 100_000, interest: 0 }],
    hour: 5 * 24,
    isOpened: true,
    payments: [{ hoursAgo: 30, amount: 10_000, coupon: null }],
    stop: null,
    paid: { hoursAgo: 0, share: 1_000, coupon: null },
  }
  const stored = historyBefore(life)
  const history = historyOf(stored)
  const loan = booksOf(stored, loanAt(stored.terms, history, on(5)), on(5), instant(5 * 24))
  const histories = { terms: stored.terms, before: history, after: history }
  expect(refold(loan, histories, on(5))).not.toBeNull()
  const strange = { ...loan, plans: loan.plans.map((plan) => ({ ...plan, fine: plan.fine + 1 })) }
  expect(refold(strange, histories, on(5))).toBeNull()
})
