import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReduceItems } from '#shared/repayments/reduction-sets.ts'
import { countPayment, dueOn } from '../count-payment.ts'
import { type Loan, type LoanPlan, outstandingOf } from '../loan-store.ts'
import { owedOn } from '../writeoffs/count-write-off.ts'
import { openFees } from './count-reduction.ts'

const DUE_DAY = '2026-11-01'
const FROZEN_ON = '2026-11-11'
const VALID_UNTIL = '2026-11-14'

function planOf(
  serialNo: number,
  parts: Pick<LoanPlan, 'principal' | 'interest' | 'service' | 'fine'>,
): LoanPlan {
  return {
    planId: `P${serialNo}`,
    orderId: 'L1',
    serialNo,
    dueDay: DUE_DAY,
    planned: parts.principal,
    ...parts,
    overdueFine: parts.fine,
    paid: 0,
    waived: 0,
    reduced: 0,
    reducedAt: null,
    fineTo: FROZEN_ON,
    status: 'overdue',
    overdueDays: 10,
    settledAt: null,
    version: 1,
  }
}
function loanOf(plans: LoanPlan[], items: ReduceItems | null, status: 50 | 90 = 50): Loan {
  return {
    orderId: 'L1',
    customerId: 'C1',
    status,
    resumeStatus: null,
    penalty: [{ dayFrom: 1, dayTo: null, rate: 10, capRatio: null }],
    disbursedAt: '2026-10-01T06:00:00.000Z',
    coolingOffUntil: null,
    tenureDays: 30,
    outstanding: 0,
    overdueDays: 10,
    rbiClass: 'sma0',
    version: 1,
    reduction:
      items === null
        ? null
        : { reduceId: 'RD1', items, frozenOn: FROZEN_ON, validUntil: VALID_UNTIL },
    settlement: null,
    newestAt: null,
    plans,
  }
}
const pay = (loan: Loan, amount: number, valueDay: string) =>
  countPayment(loan, {
    recordId: 'RR1',
    amount,
    valueDay,
    paidAt: `${valueDay}T06:00:00.000Z`,
    today: valueDay,
    parts: ['fine', 'interest', 'service', 'principal'],
    badDebtDays: 1_000,
    beingPaid: new Set(),
    coupon: null,
  })

/**
 * 10,000.00 principal, 150.00 interest, 100.00 fine of ten days; the whole fine and 50.00 of the
 * interest are waived.
 */
const items: ReduceItems = { overdueFine: 10_000, serviceFee: 0, interest: 5_000 }
const example = (given: ReduceItems | null = items) =>
  loanOf([planOf(1, { principal: 1_000_000, interest: 15_000, service: 0, fine: 10_000 })], given)

test('during the validity no fines are charged, and the debt less the reduction settles the loan', () => {
  // 10,250.00 less 150.00, on each of the days
  for (const day of [FROZEN_ON, '2026-11-12', VALID_UNTIL]) {
    expect(dueOn(example(), day)).toBe(1_010_000)
    // what a write-off would give up has no fines of these days either
    expect(owedOn(example(), day)).toBe(1_025_000)
  }
  // the day after: four more days of 10.00 since the 11th, and nothing is waived
  expect(dueOn(example(), '2026-11-15')).toBe(1_025_000 + 4_000)
  const paid = pay(example(), 1_010_000, '2026-11-13')
  expect(paid).toMatchObject({
    due: 1_025_000,
    counted: 1_010_000,
    surplus: 0,
    reduced: 15_000,
    outstanding: 0,
    principal: 1_000_000,
  })
  expect(paid.plans[0]).toMatchObject({
    status: 'paid',
    paid: 1_010_000,
    reduced: 15_000,
    fine: 0,
    interest: 0,
    principal: 0,
  })
  expect(paid.postings.find(({ kind }) => kind === 'reduction')).toMatchObject({
    refId: 'RD1',
    lines: [
      { account: 'waiverExpense', amount: 15_000 },
      { account: 'fineReceivable', planId: 'P1', amount: -10_000 },
      { account: 'serviceReceivable', amount: -0 },
      { account: 'interestReceivable', planId: 'P1', amount: -5_000 },
    ],
  })
})

test('a partial payment leaves the waivable amount open; the rest settles the loan, a paisa less does not', () => {
  const first = pay(example(), 400_000, '2026-11-12')
  // of 4,000.00 the 100.00 of interest that remain, then principal; the fine stays open to be
  // waived
  expect(first).toMatchObject({ reduced: 0, outstanding: 625_000 })
  expect(first.plans[0]).toMatchObject({ fine: 10_000, interest: 5_000, principal: 610_000 })
  const then = { ...example(), plans: first.plans }
  expect(dueOn(then, '2026-11-13')).toBe(610_000)
  expect(pay(then, 609_999, '2026-11-13')).toMatchObject({ reduced: 0, outstanding: 15_001 })
  expect(pay(then, 610_000, '2026-11-13')).toMatchObject({ reduced: 15_000, outstanding: 0 })
})

test('a payment above the settling amount becomes credit for the rest', () => {
  expect(pay(example(), 1_025_000, VALID_UNTIL)).toMatchObject({
    reduced: 15_000,
    surplus: 15_000,
    outstanding: 0,
  })
})

test('a payment made before the fines were charged waives only what was open then', () => {
  // value date five days after the due day: 50.00 of fine
  expect(pay(example(), 1_010_000, '2026-11-06')).toMatchObject({
    due: 1_020_000,
    reduced: 10_000,
    counted: 1_010_000,
    surplus: 0,
    outstanding: 0,
  })
})

test('every posting balances, no principal is waived, and paid and waived amounts settle each instalment', () => {
  const paise = fc.integer({ min: 0, max: 10 ** 12 })
  const plan = fc.record({
    principal: fc.integer({ min: 1, max: 10 ** 12 }),
    interest: paise,
    service: paise,
    fine: paise,
  })
  fc.assert(
    fc.property(
      fc.array(plan, { minLength: 1, maxLength: 5 }),
      fc.record<ReduceItems>({ overdueFine: paise, serviceFee: paise, interest: paise }),
      paise,
      fc.constantFrom<50 | 90>(50, 90),
      fc.constantFrom('2026-11-05', FROZEN_ON, '2026-11-13'),
      (parts, given, amount, status, day) => {
        const loan = loanOf(
          parts.map((one, i) => planOf(i + 1, one)),
          given,
          status,
        )
        const { open } = openFees(loan, day)
        const due = dueOn(loan, day)
        for (const paid of [pay(loan, Math.max(1, amount), day), pay(loan, due, day)]) {
          for (const { lines } of paid.postings)
            expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(0)
          expect(paid.counted + paid.surplus).toBe(
            paid.postings
              .filter(({ kind }) => kind === 'repayment' || kind === 'surplus')
              .flatMap(({ lines }) => lines)
              .filter(({ account }) => account === 'cashClearing')
              .reduce((sum, line) => sum + line.amount, 0),
          )
          const waiver = paid.postings.find(({ kind }) => kind === 'reduction')?.lines ?? []
          expect(
            waiver.some(
              ({ account, amount: given_ }) =>
                given_ !== 0 &&
                (account === 'principalReceivable' || account === 'doubtfulPrincipal'),
            ),
          ).toBe(false)
          expect(paid.reduced).toBeLessThanOrEqual(
            Math.min(given.overdueFine, open.overdueFine) +
              Math.min(given.serviceFee, open.serviceFee) +
              Math.min(given.interest, open.interest),
          )
          for (const after of paid.plans) {
            expect(outstandingOf(after)).toBe(
              after.planned +
                (loan.plans[after.serialNo - 1]?.interest ?? 0) +
                (loan.plans[after.serialNo - 1]?.service ?? 0) +
                after.overdueFine -
                after.paid -
                after.reduced,
            )
            expect(
              Math.min(after.principal, after.interest, after.service, after.fine),
            ).toBeGreaterThanOrEqual(0)
          }
        }
        // the settling amount settles the loan, with or without the reduction
        const settled = pay(loan, due, day)
        expect(settled.reduced).toBe(openFees(loan, day).due - due)
        expect(settled.counted).toBe(due)
      },
    ),
    { numRuns: 500 },
  )
})
