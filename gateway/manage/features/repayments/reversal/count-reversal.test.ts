import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '#shared/kernel/time.ts'
import { countExit } from '../booking/count-exit.ts'
import { countPayment } from '../count-payment.ts'
import { type Loan, type LoanPlan, outstandingOf } from '../loan-store.ts'
import type { Posting } from '../post-entries.ts'
import { type Cleared, countReversal } from './count-reversal.ts'

const TODAY = '2026-11-21'

function planOf(
  serialNo: number,
  {
    principal,
    interest,
    service,
    days,
  }: { principal: number; interest: number; service: number; days: number },
): LoanPlan {
  return {
    planId: `P${serialNo}`,
    orderId: 'L1',
    serialNo,
    dueDay: addDays(TODAY, -days),
    planned: principal,
    principal,
    interest,
    service,
    fine: 0,
    overdueFine: 0,
    paid: 0,
    waived: 0,
    reduced: 0,
    reducedAt: null,
    fineTo: null,
    status: 'overdue',
    overdueDays: days,
    settledAt: null,
    version: 1,
  }
}

const PAID = {
  fineReceivable: 'fine',
  interestReceivable: 'interest',
  serviceReceivable: 'service',
  principalReceivable: 'principal',
  doubtfulPrincipal: 'principal',
} as const
const NAMES: Record<string, Record<string, keyof Cleared>> = {
  repayment: PAID,
  coolingOffExit: PAID,
  fineCorrection: { fineReceivable: 'corrected' },
  coolingOffWaiver: { interestReceivable: 'waivedInterest', serviceReceivable: 'waivedService' },
}

/** The postings of a payment, in the form in which the reversal reads them from the ledger. */
function clearedOf({ postings }: { postings: readonly Posting[] }): Cleared[] {
  const of = new Map<string, Cleared>()
  for (const { kind, lines } of postings) {
    for (const { planId, account, amount } of lines) {
      const name = NAMES[kind]?.[account]
      if (planId === null || name === undefined) continue
      const one = of.get(planId) ?? {
        planId,
        principal: 0,
        interest: 0,
        service: 0,
        fine: 0,
        corrected: 0,
        reducedInterest: 0,
        reducedService: 0,
        reducedFine: 0,
        couponedInterest: 0,
        couponedService: 0,
        couponedFine: 0,
        waivedInterest: 0,
        waivedService: 0,
      }
      ;(one[name] as number) -= amount
      of.set(planId, one)
    }
  }
  return [...of.values()]
}

test('after a reversal each part is owed again with the fines to today, to the paisa', () => {
  const paise = fc.integer({ min: 0, max: 10 ** 11 })
  const plan = fc.record({
    principal: fc.integer({ min: 1, max: 10 ** 11 }),
    interest: paise,
    service: paise,
    days: fc.integer({ min: -20, max: 60 }),
  })
  fc.assert(
    fc.property(
      fc.array(plan, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 10 ** 12 }),
      fc.integer({ min: 0, max: 30 }),
      fc.constantFrom<50 | 90>(50, 90),
      (parts, amount, ago, status) => {
        const loan: Loan = {
          orderId: 'L1',
          customerId: 'C1',
          status,
          resumeStatus: null,
          penalty: [{ dayFrom: 1, dayTo: null, rate: 10, capRatio: null }],
          disbursedAt: null,
          coolingOffUntil: null,
          tenureDays: 30,
          outstanding: 0,
          overdueDays: 0,
          rbiClass: 'standard',
          version: 1,
          reduction: null,
          settlement: null,
          newestAt: null,
          plans: parts.map((one, i) => planOf(i + 1, one)),
        }
        const valueDay = addDays(TODAY, -ago)
        const paid = countPayment(loan, {
          recordId: 'RR1',
          amount,
          valueDay,
          paidAt: `${valueDay}T06:00:00.000Z`,
          today: TODAY,
          parts: ['fine', 'interest', 'service', 'principal'],
          badDebtDays: 1_000,
          beingPaid: new Set(),
          coupon: null,
        })
        const back = countReversal(
          { ...loan, plans: paid.plans },
          {
            recordId: 'RR1',
            reduceId: null,
            grantId: null,
            cleared: clearedOf(paid),
            surplus: paid.surplus,
            today: TODAY,
          },
        )
        for (const { lines } of back.postings)
          expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(0)
        expect(back.counted).toBe(paid.counted)
        for (const [i, after] of back.plans.entries()) {
          const before = loan.plans[i] as LoanPlan
          expect([
            after.principal,
            after.interest,
            after.service,
            after.paid,
            after.reduced,
          ]).toEqual([before.principal, before.interest, before.service, 0, 0])
          // ten basis points of the principal for each day since the due day
          const fine = Math.round(before.principal / 1_000) * Math.max(0, before.overdueDays)
          expect(Math.abs(after.fine - fine)).toBeLessThanOrEqual(Math.max(0, before.overdueDays))
          expect(outstandingOf(after)).toBe(
            before.principal + before.interest + before.service + after.overdueFine,
          )
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('a reversed exit restores each instalment to the paisa, and the days since bear their fines', () => {
  const paise = fc.integer({ min: 0, max: 10 ** 11 })
  const plan = fc.record({
    principal: fc.integer({ min: 1, max: 10 ** 11 }),
    interest: paise,
    service: paise,
    days: fc.integer({ min: -60, max: 0 }),
  })
  fc.assert(
    fc.property(
      fc.array(plan, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 1, max: 90 }),
      (parts, daysHeld, tenureDays) => {
        const loan: Loan = {
          orderId: 'L1',
          customerId: 'C1',
          status: 30,
          resumeStatus: null,
          penalty: [{ dayFrom: 1, dayTo: null, rate: 10, capRatio: null }],
          disbursedAt: `${addDays(TODAY, -daysHeld)}T06:00:00.000Z`,
          coolingOffUntil: `${TODAY}T18:29:59.999Z`,
          tenureDays,
          outstanding: 0,
          overdueDays: 0,
          rbiClass: 'standard',
          version: 1,
          reduction: null,
          settlement: null,
          newestAt: null,
          plans: parts.map((one, i): LoanPlan => ({
            ...planOf(i + 1, one),
            status: 'unpaid',
            overdueDays: 0,
          })),
        }
        const exit = countExit(loan, {
          recordId: 'RR1',
          paidAt: `${TODAY}T06:00:00.000Z`,
          today: TODAY,
        })
        const back = countReversal(
          { ...loan, status: 40, plans: exit.plans },
          {
            recordId: 'RR1',
            reduceId: null,
            grantId: null,
            cleared: clearedOf(exit),
            surplus: 0,
            today: TODAY,
          },
        )
        for (const { lines } of back.postings)
          expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(0)
        expect(back.counted).toBe(exit.due)
        expect(back.plans).toEqual(loan.plans)
      },
    ),
    { numRuns: 500 },
  )
})
