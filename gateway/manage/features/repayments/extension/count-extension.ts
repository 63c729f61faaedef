/**
 * An extension: the borrower pays fee and fines, and the open amounts are carried over to a
 * following order with a later due day. No principal is paid, and the carried amount bears no new
 * charge. Pure, integer paise.
 */
import { share } from '#shared/kernel/money.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { addDays, daysBetween, istDay } from '#shared/kernel/time.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import type { ProductExtension } from '#shared/products/product-terms.ts'
import type { LoanAt } from '#shared/repayments/fold/loan-at.ts'
import type { PlanAt } from '#shared/repayments/fold/plan-state.ts'
import { fineOnDay } from '#shared/repayments/overdue-fine.ts'
import { LEDGER_ACCOUNT } from '../ledger-accounts.ts'
import { type Loan, type LoanPlan, outstandingOf, statusBeforePayment } from '../loan-store.ts'
import type { Line, Posting } from '../post-entries.ts'

export interface ExtensionFacts {
  /** Terms of the order; null = its product had no extension. */
  terms: ProductExtension | null
  /** Number of extensions before this order. */
  times: number
  /** A reduction is pending or approved. */
  hasReduction: boolean
  /** IST day it is booked on. */
  today: string
  /**
   * The loan at the value of the payment; null when its ledger does not follow from its history.
   */
  folded?: LoanAt | null
}

export interface Extension {
  /** Paise to be paid: fee and fine. */
  due: number
  fee: number
  /** Part of the fee. */
  commission: number
  fine: number
  /** Paise carried over to the following order. */
  principal: number
  interest: number
  service: number
  days: number
  /** IST day the following order falls due. */
  dueDay: string
  serialNo: number
  maxTimes: number
  /** The instalment that is carried over, in its state at that time. */
  plan: LoanPlan
  /** @param next the following order and its instalment */
  postings(next: { orderId: string; planId: string }): Posting[]
}

/**
 * The following order falls due `days` after today, or after the old due day when that is later.
 * @param paidAt ISO 8601: fines run to its IST day
 * @throws Problem O-RULE (reason extensionOff, extensionTimes, reductionOpen, settlementRuns,
 * badDebt, severalInstalments, principalPaid, nothingToPay)
 */
export function countExtension(
  loan: Loan,
  { terms, times, hasReduction, today, folded = null }: ExtensionFacts,
  { recordId, paidAt }: { recordId: string; paidAt: string },
): Extension {
  const refuse = (reason: string) => new Problem(ORDER_RULE, { reason })
  const status = statusBeforePayment(loan)
  if (status === 90) throw refuse('badDebt')
  if (loan.settlement !== null) throw refuse('settlementRuns')
  if (terms === null || !terms.enabled) throw refuse('extensionOff')
  if (times >= terms.maxTimes) throw refuse('extensionTimes')
  if (hasReduction || loan.reduction !== null) throw refuse('reductionOpen')
  const open = loan.plans.filter((plan) => outstandingOf(plan) > 0)
  const [plan] = open
  if (plan === undefined || open.length > 1) throw refuse('severalInstalments')
  // open fines and interest without principal are no loan that could be carried over
  if (plan.principal < 1) throw refuse('principalPaid')
  const paidOn = istDay(paidAt)
  const valueDay = paidOn < today ? paidOn : today
  const { fine, charged, taken } =
    folded === null ? fineOnDay(plan, loan.penalty, valueDay) : fineOfFold(plan, folded)
  const fee = priceOf(terms, terms.fee, plan.principal)
  const commission = Math.min(fee, priceOf(terms, terms.commission, plan.principal))
  if (fee + fine < 1) throw refuse('nothingToPay')
  const { orderId } = loan
  const { principal, interest, service } = plan
  return {
    due: fee + fine,
    fee,
    commission,
    fine,
    principal,
    interest,
    service,
    days: terms.days,
    dueDay: addDays(today > plan.dueDay ? today : plan.dueDay, terms.days),
    serialNo: times + 1,
    maxTimes: terms.maxTimes,
    plan: {
      ...plan,
      principal: 0,
      interest: 0,
      service: 0,
      fine: 0,
      overdueFine: plan.overdueFine + charged - taken,
      fineTo: charged > 0 ? valueDay : plan.fineTo,
      paid: plan.paid + fine,
      waived: plan.waived + principal + interest + service,
      status: 'rolledOver',
      overdueDays: Math.max(0, daysBetween(plan.dueDay, valueDay)),
    },
    postings(next) {
      const old = (account: Line['account'], amount: number): Line => ({
        account,
        planId: plan.planId,
        amount,
      })
      const following = (account: Line['account'], amount: number): Line => ({
        account,
        planId: next.planId,
        orderId: next.orderId,
        amount,
      })
      const fineLines = (amount: number): Line[] => [
        old(LEDGER_ACCOUNT.fineReceivable, amount),
        { account: LEDGER_ACCOUNT.fineIncome, planId: plan.planId, amount: -amount },
      ]
      return [
        { kind: 'overdueFine', orderId, bizDate: valueDay, refId: null, lines: fineLines(charged) },
        {
          kind: 'fineCorrection',
          orderId,
          bizDate: today,
          refId: recordId,
          lines: fineLines(-taken),
        },
        {
          kind: 'rollover',
          orderId,
          bizDate: today,
          refId: recordId,
          lines: [
            { account: LEDGER_ACCOUNT.cashClearing, planId: null, amount: fee + fine },
            { account: LEDGER_ACCOUNT.extensionFeeIncome, planId: null, amount: commission - fee },
            { account: LEDGER_ACCOUNT.commissionPayable, planId: null, amount: -commission },
            old(LEDGER_ACCOUNT.fineReceivable, -fine),
            following(LEDGER_ACCOUNT.principalReceivable, principal),
            following(LEDGER_ACCOUNT.interestReceivable, interest),
            following(LEDGER_ACCOUNT.serviceReceivable, service),
            old(LEDGER_ACCOUNT.principalReceivable, -principal),
            old(LEDGER_ACCOUNT.interestReceivable, -interest),
            old(LEDGER_ACCOUNT.serviceReceivable, -service),
          ],
        },
      ]
    },
  }
}

/** The fine at the value of the payment, compared with what is charged. */
function fineOfFold(
  plan: LoanPlan,
  { plans }: LoanAt,
): { fine: number; charged: number; taken: number } {
  const { fine, overdueFine } = plans.find(({ planId }) => planId === plan.planId) as PlanAt
  const more = overdueFine - plan.overdueFine
  return { fine, charged: Math.max(0, more), taken: Math.max(0, -more) }
}

/** A fixed amount in paise, or basis points of the open principal, rounded half up. */
function priceOf({ feeType }: ProductExtension, price: number, principal: number): number {
  return feeType === 'fixed' ? price : Number(share(BigInt(principal), BigInt(price)))
}
