/**
 * Writes off all that a loan owes. Pure. Fines run to the day; a batch keeps the claim in memo
 * accounts.
 */
import { fineOnDay } from '#shared/repayments/overdue-fine.ts'
import { LEDGER_ACCOUNT } from '../ledger-accounts.ts'
import {
  fineDayOf,
  type Loan,
  type LoanPlan,
  outstandingOf,
  principalAccount,
  statusBeforePayment,
} from '../loan-store.ts'
import type { Line, Posting } from '../post-entries.ts'

export interface WrittenOff {
  /** Paise written off. */
  amount: number
  plans: LoanPlan[]
  postings: Posting[]
}

/** @param refId what the postings refer to: the write-off */
export function countWriteOff(
  loan: Loan,
  { day, refId, keepsClaim }: { day: string; refId: string; keepsClaim: boolean },
): WrittenOff {
  const { orderId } = loan
  // fines that stand still are not owed; a write-off ends a settlement plan, and they never are
  const fineDay = fineDayOf(loan, day)
  const open = loan.plans
    .filter((plan) => outstandingOf(plan) > 0)
    .map((plan) => {
      const { charged } = fineOnDay(plan, loan.penalty, fineDay)
      return {
        plan: {
          ...plan,
          fine: plan.fine + charged,
          overdueFine: plan.overdueFine + charged,
          fineTo: charged > 0 ? fineDay : plan.fineTo,
        },
        charged,
      }
    })
  const amount = open.reduce((sum, { plan }) => sum + outstandingOf(plan), 0)
  const line = (account: Line['account'], planId: string | null, paise: number): Line => ({
    account,
    planId,
    amount: paise,
  })
  return {
    amount,
    plans: open.map(({ plan }) => ({
      ...plan,
      principal: 0,
      interest: 0,
      service: 0,
      fine: 0,
      waived: plan.waived + outstandingOf(plan),
      status: 'writtenOff',
    })),
    postings: [
      {
        kind: 'overdueFine',
        orderId,
        bizDate: day,
        refId: null,
        lines: open.flatMap(({ plan, charged }) => [
          line(LEDGER_ACCOUNT.fineReceivable, plan.planId, charged),
          line(LEDGER_ACCOUNT.fineIncome, plan.planId, -charged),
        ]),
      },
      {
        kind: keepsClaim ? 'batchWriteOff' : 'writeOff',
        orderId,
        bizDate: day,
        refId,
        lines: [
          line(LEDGER_ACCOUNT.writeOffExpense, null, amount),
          ...open.flatMap(({ plan }) => [
            line(LEDGER_ACCOUNT.fineReceivable, plan.planId, -plan.fine),
            line(LEDGER_ACCOUNT.interestReceivable, plan.planId, -plan.interest),
            line(LEDGER_ACCOUNT.serviceReceivable, plan.planId, -plan.service),
            line(principalAccount(statusBeforePayment(loan)), plan.planId, -plan.principal),
          ]),
          ...(keepsClaim
            ? [
                line(LEDGER_ACCOUNT.recoveryClaim, null, amount),
                line(LEDGER_ACCOUNT.recoveryContra, null, -amount),
              ]
            : []),
        ],
      },
    ],
  }
}

/** Paise the loan owes including the fines of an IST day, without any reduction. */
export function owedOn(loan: Loan, day: string): number {
  return countWriteOff(loan, { day, refId: '', keepsClaim: false }).amount
}
