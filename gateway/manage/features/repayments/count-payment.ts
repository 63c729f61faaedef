/** The effect of a payment on a loan. Pure, so that tests can check examples and random loans. */
import { allocatePayment, type OpenParts, type Part } from '#shared/repayments/allocate-payment.ts'
import {
  fineAgain,
  fineOnDay,
  type FineOnDay,
  type Penalty,
} from '#shared/repayments/overdue-fine.ts'
import { type CouponTerms, discountOn, dueWith } from '#shared/coupons/coupon-amount.ts'
import { daysBetween } from '#shared/kernel/time.ts'
import { type GivenUp, giveUp, sumGiven, sumOf } from '#shared/repayments/fold/give-up.ts'
import type { UsedCoupon } from '#shared/repayments/fold/loan-history.ts'
import { asDueOn } from './emi/payoff.ts'
import { givenLines } from './given-lines.ts'
import { LEDGER_ACCOUNT } from './ledger-accounts.ts'
import {
  fineDayOf,
  type Loan,
  type LoanPlan,
  outstandingOf,
  overdueDaysOn,
  planStatus,
  principalAccount,
  statusBeforePayment,
  usableReduction,
} from './loan-store.ts'
import type { Line, Posting } from './post-entries.ts'

export interface GivenPayment {
  recordId: string
  /** Paise. */
  amount: number
  /** IST day of the payment: fines run to it, whenever it arrives. Not after `today`. */
  valueDay: string
  /** Instant it was paid, ISO 8601. */
  paidAt: string
  /** IST day it is booked on. */
  today: string
  /** Parameter repay.order. */
  parts: readonly Part[]
  /** Parameter order.badDebtDays. */
  badDebtDays: number
  /** Plans with another payment in progress. */
  beingPaid: ReadonlySet<string | null>
  /** The coupon it uses; it then uses no reduction. */
  coupon: UsedCoupon | null
}

export interface CountedPayment {
  /** Changed plans, in their state after the payment. */
  changed: LoanPlan[]
  /** All plans. */
  plans: LoanPlan[]
  /** Paise the loan owed on the value date, less what its coupon waives. */
  due: number
  /** Paise of the payment that were counted against the loan. */
  counted: number
  /** Paise of these that cleared principal. */
  principal: number
  surplus: number
  /** Paise a reduction waived: 0 unless the payment settles the loan with it. */
  reduced: number
  /** Paise its coupon waived. */
  couponed: number
  /** Paise the loan owes now. */
  outstanding: number
  postings: Posting[]
}

/**
 * Paise that settle the loan on an IST day: including the fines of that day, less what an approved
 * reduction waives, or the coupon.
 */
export function dueOn(loan: Loan, day: string, coupon: CouponTerms | null = null): number {
  const asOf = openOn(loan, day)
  return coupon === null
    ? sumOwed(asOf) - sumGiven(givenUpOn(loan, asOf, day))
    : dueWith(coupon, asOf).due
}

/**
 * Open instalments with the fines of an IST day. What is not due of an EMI loan is one row, with the
 * interest up to that day.
 */
export function openOn(loan: Loan, day: string): LoanPlan[] {
  return asDueOn(loan, day)
    .filter((plan) => outstandingOf(plan) > 0)
    .map((plan) => ({
      ...plan,
      fine: fineOnDay(plan, loan.penalty, fineDayOf(loan, day)).fine,
    }))
}

/** What the reduction waives of instalments in their state on an IST day, once the rest is paid. */
function givenUpOn(loan: Loan, asOf: readonly LoanPlan[], day: string): Map<string, GivenUp> {
  const reduction = usableReduction(loan, day)
  return reduction === null ? new Map() : giveUp(asOf, reduction.items)
}

/**
 * Counts a payment against the loan in its state on the value date: fines are charged up to that
 * day or reversed back to it, because a payment made in time carries no fine. The money is
 * allocated, and the fines of the days since are charged again on the remaining principal. An
 * approved reduction waives its parts only when the payment settles all the rest, a coupon with any
 * payment and before it. Principal of a bad debt is credited to the doubtful principal.
 */
export function countPayment(loan: Loan, given: GivenPayment): CountedPayment {
  const { penalty, orderId } = loan
  const status = statusBeforePayment(loan)
  const fineDay = fineDayOf(loan, given.valueDay)
  const open = openPlans(loan).map((plan) => ({ plan, back: fineOnDay(plan, penalty, fineDay) }))
  const asOf = open.map(({ plan, back }) => ({ ...plan, fine: back.fine }))
  const coupon = given.coupon
  const aside =
    coupon === null
      ? givenUpOn(loan, asOf, given.valueDay)
      : discountOn(coupon.terms, asOf, given.amount)
  const payable = asOf.map((plan) => without(plan, aside.get(plan.planId)))
  const { cleared, surplus } = allocatePayment(payable, given.amount, {
    parts: given.parts,
    isBadDebt: isBadDebtOn(loan, given),
  })
  const isSettled = given.amount - surplus === sumOwed(payable)
  const givenUp = coupon !== null || isSettled ? aside : new Map<string, GivenUp>()
  const couponed = coupon === null ? 0 : sumGiven(givenUp)
  const reduced = sumGiven(givenUp) - couponed
  const due = sumOwed(asOf) - couponed
  const after = new Map(
    open.map(({ plan, back }) => [
      plan.planId,
      planAfter(
        plan,
        back,
        { cleared: cleared.get(plan.planId), givenUp: givenUp.get(plan.planId) },
        penalty,
        { ...given, fineDay },
      ),
    ]),
  )
  const plans = loan.plans.map((plan) => after.get(plan.planId) ?? plan)
  const fines = open.map(({ plan, back }) => ({
    planId: plan.planId,
    charged: back.charged,
    corrected:
      back.taken -
      fineAgain(
        back,
        { planned: plan.planned, principal: after.get(plan.planId)?.principal ?? 0 },
        penalty,
      ),
  }))
  const posting = (
    kind: Posting['kind'],
    bizDate: string,
    refId: string | null,
    lines: Line[],
  ): Posting => ({ kind, orderId, bizDate, refId, lines })
  return {
    plans,
    changed: plans.filter((plan, i) => JSON.stringify(plan) !== JSON.stringify(loan.plans[i])),
    due,
    counted: given.amount - surplus,
    principal: [...cleared.values()].reduce((sum, parts) => sum + parts.principal, 0),
    surplus,
    reduced,
    couponed,
    outstanding: plans.reduce((sum, plan) => sum + outstandingOf(plan), 0),
    postings: [
      posting(
        'overdueFine',
        fineDay,
        null,
        fines.flatMap(({ planId, charged }) => fineLines(planId, charged)),
      ),
      posting(
        'fineCorrection',
        given.today,
        given.recordId,
        fines.flatMap(({ planId, corrected }) => fineLines(planId, -corrected)),
      ),
      posting('repayment', given.today, given.recordId, [
        { account: LEDGER_ACCOUNT.cashClearing, planId: null, amount: given.amount - surplus },
        ...[...cleared].flatMap(([planId, parts]): Line[] => [
          { account: LEDGER_ACCOUNT.fineReceivable, planId, amount: -parts.fine },
          { account: LEDGER_ACCOUNT.interestReceivable, planId, amount: -parts.interest },
          { account: LEDGER_ACCOUNT.serviceReceivable, planId, amount: -parts.service },
          { account: principalAccount(status), planId, amount: -parts.principal },
        ]),
      ]),
      coupon === null
        ? posting(
            'reduction',
            given.today,
            loan.reduction?.reduceId ?? null,
            givenLines(LEDGER_ACCOUNT.waiverExpense, givenUp, -1),
          )
        : posting(
            'coupon',
            given.today,
            coupon.grantId,
            givenLines(LEDGER_ACCOUNT.couponExpense, givenUp, -1),
          ),
      surplusPosting(orderId, given.recordId, given.today, surplus),
    ],
  }
}

/** Money beyond the debt is the customer's credit. */
export function surplusPosting(
  orderId: string,
  recordId: string,
  today: string,
  amount: number,
): Posting {
  return {
    kind: 'surplus',
    orderId,
    bizDate: today,
    refId: recordId,
    lines: [
      { account: LEDGER_ACCOUNT.cashClearing, planId: null, amount },
      { account: LEDGER_ACCOUNT.customerCredit, planId: null, amount: -amount },
    ],
  }
}

/**
 * Whether the loan is a bad debt at the value of the payment. The status of the order may lag
 * behind: its day may not be open yet, or another payment may be in progress.
 */
function isBadDebtOn(loan: Loan, { valueDay, badDebtDays }: GivenPayment): boolean {
  if (statusBeforePayment(loan) === 90) return true
  return loan.settlement === null && overdueDaysOn(loan, loan.plans, valueDay) >= badDebtDays
}

function openPlans({ plans }: Loan): LoanPlan[] {
  return plans.filter((plan) => outstandingOf(plan) > 0)
}

function sumOwed(plans: readonly LoanPlan[]): number {
  return plans.reduce((sum, plan) => sum + outstandingOf(plan), 0)
}

function without(plan: LoanPlan, given: GivenUp = NOTHING_GIVEN): LoanPlan {
  return {
    ...plan,
    fine: plan.fine - given.fine,
    service: plan.service - given.service,
    interest: plan.interest - given.interest,
  }
}
const NOTHING_GIVEN: GivenUp = { fine: 0, service: 0, interest: 0 }

interface Settlement {
  cleared: OpenParts | undefined
  givenUp: GivenUp | undefined
}

function planAfter(
  before: LoanPlan,
  back: FineOnDay,
  { cleared, givenUp = NOTHING_GIVEN }: Settlement,
  penalty: Penalty,
  { valueDay, fineDay, paidAt, beingPaid }: GivenPayment & { fineDay: string },
): LoanPlan {
  const parts = cleared ?? { fine: 0, interest: 0, service: 0, principal: 0 }
  const less = sumOf(givenUp)
  const plan =
    less === 0
      ? before
      : {
          ...without(before, { ...givenUp, fine: 0 }),
          reduced: before.reduced + less,
          reducedAt: paidAt,
        }
  const principal = plan.principal - parts.principal
  const again = fineAgain(back, { planned: plan.planned, principal }, penalty)
  const after = {
    ...plan,
    principal,
    interest: plan.interest - parts.interest,
    service: plan.service - parts.service,
    fine: back.fine - givenUp.fine - parts.fine + again,
    overdueFine: plan.overdueFine + back.charged - (back.taken - again),
    // a day on which a cap leaves nothing to charge still counts as charged
    fineTo: laterOf(plan, fineDay),
    paid: plan.paid + parts.fine + parts.interest + parts.service + parts.principal,
  }
  if (outstandingOf(after) === 0)
    return {
      ...after,
      status: 'paid',
      settledAt: paidAt,
      overdueDays: Math.max(0, daysBetween(plan.dueDay, valueDay)),
    }
  return { ...after, status: planStatus(after, beingPaid.has(plan.planId)) }
}

function laterOf({ dueDay, fineTo }: LoanPlan, fineDay: string): string | null {
  return fineDay > dueDay && fineDay > (fineTo ?? '') ? fineDay : fineTo
}

function fineLines(planId: string, amount: number): Line[] {
  return [
    { account: LEDGER_ACCOUNT.fineReceivable, planId, amount },
    { account: LEDGER_ACCOUNT.fineIncome, planId, amount: -amount },
  ]
}
