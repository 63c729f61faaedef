/**
 * An extension (domain.md 2.4): fee and fines are paid, what is open of the loan stands on in an order that follows it, due later.
 * Nothing of the principal is paid, and nothing new is charged on it. Pure, integer paise.
 */
import { share } from '#shared/kernel/money.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { addDays, daysBetween, istDay } from '#shared/kernel/time.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import type { ProductExtension } from '#shared/products/product-terms.ts'
import { fineOnDay } from '#shared/repayments/overdue-fine.ts'
import { LEDGER_ACCOUNT } from '../ledger-accounts.ts'
import { type Loan, type LoanPlan, outstandingOf, standingOf } from '../loan-store.ts'
import type { Line, Posting } from '../post-entries.ts'

export interface ExtensionFacts {
  /** As the order was made; null = its product had none. */
  terms: ProductExtension | null
  /** Extensions behind this order. */
  times: number
  /** A reduction waits for a decision or for its payment. */
  hasReduction: boolean
  /** IST day it is booked on. */
  today: string
}

export interface Extension {
  /** Paise to be paid: fee and fine. */
  due: number
  fee: number
  /** Of the fee. */
  commission: number
  fine: number
  /** Paise that stand on in the following order. */
  principal: number
  interest: number
  service: number
  days: number
  /** IST day the following order falls due. */
  dueDay: string
  serialNo: number
  maxTimes: number
  /** The instalment that is carried on, as it stands then. */
  plan: LoanPlan
  /** @param next the order that follows, and its instalment */
  postings(next: { orderId: string; planId: string }): Posting[]
}

/**
 * The following order falls due `days` after today, or after the old due day when that is later.
 * @param paidAt ISO 8601: fines run to its IST day
 * @throws Problem O-RULE (reason extensionOff, extensionTimes, reductionOpen, settlementRuns, badDebt, severalInstalments, principalPaid, nothingToPay)
 */
export function countExtension(
  loan: Loan,
  { terms, times, hasReduction, today }: ExtensionFacts,
  { recordId, paidAt }: { recordId: string; paidAt: string },
): Extension {
  const refuse = (reason: string) => new Problem(ORDER_RULE, { reason })
  const standing = standingOf(loan)
  if (standing === 90) throw refuse('badDebt')
  if (loan.settlement !== null) throw refuse('settlementRuns')
  if (terms === null || !terms.enabled) throw refuse('extensionOff')
  if (times >= terms.maxTimes) throw refuse('extensionTimes')
  if (hasReduction || loan.reduction !== null) throw refuse('reductionOpen')
  const open = loan.plans.filter((plan) => outstandingOf(plan) > 0)
  const [plan] = open
  if (plan === undefined || open.length > 1) throw refuse('severalInstalments')
  // fines and interest alone are no loan that could be carried on
  if (plan.principal < 1) throw refuse('principalPaid')
  const paidOn = istDay(paidAt)
  const valueDay = paidOn < today ? paidOn : today
  const { fine, charged, taken } = fineOnDay(plan, loan.penalty, valueDay)
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

/** Paise as they are, or basis points of the open principal, half up to the paisa. */
function priceOf({ feeType }: ProductExtension, price: number, principal: number): number {
  return feeType === 'fixed' ? price : Number(share(BigInt(principal), BigInt(price)))
}
