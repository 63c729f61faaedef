/**
 * Reverses a payment of a loan. Pure: what it had cleared is owed again, the fines it had reversed
 * are charged again, and so are those of the days since.
 */
import { daysBetween } from '#shared/kernel/time.ts'
import { fineOnDay } from '#shared/repayments/overdue-fine.ts'
import { type GivenUp, sumOf } from '#shared/repayments/fold/give-up.ts'
import { givenLines } from '../given-lines.ts'
import { LEDGER_ACCOUNT } from '../ledger-accounts.ts'
import {
  fineDayOf,
  type Loan,
  type LoanPlan,
  outstandingOf,
  planStatus,
  principalAccount,
} from '../loan-store.ts'
import type { Line, Posting } from '../post-entries.ts'

/** Effect of a payment, and of a coupon or reduction it used, on one instalment in the ledger. Paise. */
export interface Cleared {
  planId: string
  principal: number
  interest: number
  service: number
  fine: number
  /** Fine the payment reversed, because it was paid in time. */
  corrected: number
  reducedInterest: number
  reducedService: number
  reducedFine: number
  /** Given up by its coupon. */
  couponedInterest: number
  couponedService: number
  couponedFine: number
  /** Income of unused days that a cooling-off exit reversed. */
  waivedInterest: number
  waivedService: number
}

export interface GivenReversal {
  recordId: string
  reduceId: string | null
  /** The coupon it used. */
  grantId: string | null
  cleared: readonly Cleared[]
  surplus: number
  /** IST day. */
  today: string
}

export interface CountedReversal {
  plans: LoanPlan[]
  /** Changed instalments. */
  changed: LoanPlan[]
  /** Paise removed from the loan, and the principal among them. */
  counted: number
  principal: number
  outstanding: number
  /** Earliest open due day. */
  dueDay: string
  postings: Posting[]
}

export function countReversal(
  loan: Loan,
  { recordId, reduceId, grantId, cleared, surplus, today }: GivenReversal,
): CountedReversal {
  const { orderId } = loan
  const status = loan.status === 90 ? 90 : 50
  const fineDay = fineDayOf(loan, today)
  const of = new Map(cleared.map((one) => [one.planId, one]))
  const fines: { planId: string; charged: number; again: number }[] = []
  const plans = loan.plans.map((plan) => {
    const back = of.get(plan.planId)
    if (!back && outstandingOf(plan) === 0) return plan
    const restored =
      back === undefined
        ? plan
        : {
            ...plan,
            principal: plan.principal + back.principal,
            interest: plan.interest + back.interest + givenUp(back).interest + back.waivedInterest,
            service: plan.service + back.service + givenUp(back).service + back.waivedService,
            fine: plan.fine + back.fine + givenUp(back).fine + back.corrected,
            overdueFine: plan.overdueFine + back.corrected,
            paid: plan.paid - back.principal - back.interest - back.service - back.fine,
            reduced: plan.reduced - sumOf(givenUp(back)),
            waived: plan.waived - back.waivedInterest - back.waivedService,
            settledAt: null,
          }
    const { charged } =
      today > restored.dueDay ? fineOnDay(restored, loan.penalty, fineDay) : { charged: 0 }
    fines.push({ planId: plan.planId, charged, again: back?.corrected ?? 0 })
    const after = {
      ...restored,
      fine: restored.fine + charged,
      overdueFine: restored.overdueFine + charged,
      // a day on which a cap leaves nothing to charge still counts as charged
      fineTo:
        fineDay > restored.dueDay && fineDay > (restored.fineTo ?? '') ? fineDay : restored.fineTo,
      overdueDays: Math.max(0, daysBetween(restored.dueDay, today)),
      reducedAt: restored.reduced === 0 ? null : restored.reducedAt,
    }
    return { ...after, status: planStatus(after, false) }
  })
  const sum = (part: (one: Cleared) => number) =>
    cleared.reduce((total, one) => total + part(one), 0)
  const principal = sum((one) => one.principal)
  const counted = principal + sum((one) => one.interest + one.service + one.fine)
  const given = (which: (one: Cleared) => GivenUp) =>
    new Map(cleared.map((one) => [one.planId, which(one)]))
  const line = (account: Line['account'], planId: string | null, amount: number): Line => ({
    account,
    planId,
    amount,
  })
  const posting = (kind: Posting['kind'], refId: string | null, lines: Line[]): Posting => ({
    kind,
    orderId,
    bizDate: today,
    refId,
    lines,
  })
  const fineLines = (planId: string, amount: number) => [
    line(LEDGER_ACCOUNT.fineReceivable, planId, amount),
    line(LEDGER_ACCOUNT.fineIncome, planId, -amount),
  ]
  const open = plans.filter((plan) => outstandingOf(plan) > 0)
  return {
    plans,
    changed: plans.filter((plan, i) => JSON.stringify(plan) !== JSON.stringify(loan.plans[i])),
    counted,
    principal,
    outstanding: open.reduce((total, plan) => total + outstandingOf(plan), 0),
    dueDay: open[0]?.dueDay ?? today,
    postings: [
      posting('reversal', recordId, [
        ...cleared.flatMap((one) => [
          line(LEDGER_ACCOUNT.fineReceivable, one.planId, one.fine),
          line(LEDGER_ACCOUNT.interestReceivable, one.planId, one.interest),
          line(LEDGER_ACCOUNT.serviceReceivable, one.planId, one.service),
          line(principalAccount(status), one.planId, one.principal),
        ]),
        line(LEDGER_ACCOUNT.customerCredit, null, surplus),
        line(LEDGER_ACCOUNT.cashClearing, null, -counted - surplus),
      ]),
      posting(
        'reductionReversal',
        reduceId,
        givenLines(LEDGER_ACCOUNT.waiverExpense, given(reducedOf), 1),
      ),
      posting(
        'couponReversal',
        grantId,
        givenLines(LEDGER_ACCOUNT.couponExpense, given(couponedOf), 1),
      ),
      posting('waiverReversal', recordId, [
        ...cleared.flatMap((one) => [
          line(LEDGER_ACCOUNT.interestReceivable, one.planId, one.waivedInterest),
          line(LEDGER_ACCOUNT.serviceReceivable, one.planId, one.waivedService),
        ]),
        line(LEDGER_ACCOUNT.interestIncome, null, -sum((one) => one.waivedInterest)),
        line(LEDGER_ACCOUNT.serviceIncome, null, -sum((one) => one.waivedService)),
      ]),
      posting(
        'fineCorrection',
        recordId,
        fines.flatMap(({ planId, again }) => fineLines(planId, again)),
      ),
      posting(
        'overdueFine',
        null,
        fines.flatMap(({ planId, charged }) => fineLines(planId, charged)),
      ),
    ],
  }
}

function reducedOf({ reducedFine, reducedService, reducedInterest }: Cleared): GivenUp {
  return { fine: reducedFine, service: reducedService, interest: reducedInterest }
}

function couponedOf({ couponedFine, couponedService, couponedInterest }: Cleared): GivenUp {
  return { fine: couponedFine, service: couponedService, interest: couponedInterest }
}

/** By the reduction and the coupon together. */
function givenUp(one: Cleared): GivenUp {
  const [reduced, couponed] = [reducedOf(one), couponedOf(one)]
  return {
    fine: reduced.fine + couponed.fine,
    service: reduced.service + couponed.service,
    interest: reduced.interest + couponed.interest,
  }
}
