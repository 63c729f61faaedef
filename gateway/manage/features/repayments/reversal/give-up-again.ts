/**
 * A payment that had settled something of a loan that was written off later. Pure: what is open
 * without it was given up with the rest, so the write-off grows by it, and the claim a batch keeps.
 */
import { istDay } from '#shared/kernel/time.ts'
import { LEDGER_ACCOUNT, type LedgerAccount } from '../ledger-accounts.ts'
import type { Loan, LoanPlan } from '../loan-store.ts'
import type { Line, Posting } from '../post-entries.ts'

export interface LoanWriteOff {
  id: string
  keepsClaim: boolean
  /** ISO 8601. */
  at: string
}

const RECEIVABLES: ReadonlySet<LedgerAccount> = new Set([
  LEDGER_ACCOUNT.principalReceivable,
  LEDGER_ACCOUNT.doubtfulPrincipal,
  LEDGER_ACCOUNT.interestReceivable,
  LEDGER_ACCOUNT.serviceReceivable,
  LEDGER_ACCOUNT.fineReceivable,
])

export interface GivenUpAgain {
  /** Paise by which the write-off grows. */
  more: number
  plans: LoanPlan[]
  changed: LoanPlan[]
  posting: Posting
}

/**
 * @param loan as it is stored @param plans without the payment @param postings of the difference
 * @param today IST day it is booked on
 */
export function giveUpAgain(
  loan: Loan,
  { plans, postings }: { plans: readonly LoanPlan[]; postings: readonly Posting[] },
  { id, keepsClaim }: LoanWriteOff,
  today: string,
): GivenUpAgain {
  const open = openOf(postings)
  const lines = [...open].flatMap(([planId, accounts]) =>
    [...accounts].map(([account, amount]): Line => ({ account, planId, amount: -amount })),
  )
  const more = -lines.reduce((sum, { amount }) => sum + amount, 0)
  const memo: Line[] = keepsClaim
    ? [
        { account: LEDGER_ACCOUNT.recoveryClaim, planId: null, amount: more },
        { account: LEDGER_ACCOUNT.recoveryContra, planId: null, amount: -more },
      ]
    : []
  const before = new Map(loan.plans.map((plan) => [plan.planId, plan]))
  const after = plans.map((plan) => {
    const extra = [...(open.get(plan.planId)?.values() ?? [])].reduce((sum, one) => sum + one, 0)
    return closedAgain(before.get(plan.planId), plan, extra)
  })
  return {
    more,
    plans: after,
    changed: after.filter(
      (plan) => JSON.stringify(plan) !== JSON.stringify(before.get(plan.planId)),
    ),
    posting: {
      kind: keepsClaim ? 'batchWriteOff' : 'writeOff',
      orderId: loan.orderId,
      bizDate: today,
      refId: id,
      lines: [
        { account: LEDGER_ACCOUNT.writeOffExpense, planId: null, amount: more },
        ...lines,
        ...memo,
      ],
    },
  }
}

/** What postings leave open, by plan and account. Paise. */
function openOf(postings: readonly Posting[]): Map<string, Map<LedgerAccount, number>> {
  const open = new Map<string, Map<LedgerAccount, number>>()
  for (const { planId, account, amount } of postings.flatMap(({ lines }) => lines)) {
    if (planId === null || !RECEIVABLES.has(account)) continue
    const of = open.get(planId) ?? new Map<LedgerAccount, number>()
    of.set(account, (of.get(account) ?? 0) + amount)
    open.set(planId, of)
  }
  return open
}

/** @param stored undefined for a row that only the plan of an EMI loan without the payment has */
function closedAgain(stored: LoanPlan | undefined, after: LoanPlan, extra: number): LoanPlan {
  const waived = (stored?.waived ?? 0) + extra
  const isGivenUp = stored?.status === 'writtenOff' ? after.status !== 'dropped' : waived > 0
  const isKept = stored !== undefined && after.status !== 'dropped'
  return {
    ...after,
    principal: 0,
    interest: 0,
    service: 0,
    fine: 0,
    waived,
    fineTo: isKept ? stored.fineTo : after.fineTo,
    overdueDays: isKept ? stored.overdueDays : after.overdueDays,
    settledAt: isGivenUp ? null : after.settledAt,
    status: isGivenUp ? 'writtenOff' : isKept ? stored.status : after.status,
  }
}

/** The day up to which fines ran. */
export function endDayOf({ at }: LoanWriteOff): string {
  return istDay(at)
}
