import { sql } from 'kysely'
import { type CouponTerms, dueWith } from '#shared/coupons/coupon-amount.ts'
import { istDay } from '#shared/kernel/time.ts'
import { giveUp, sumGiven } from '#shared/repayments/fold/give-up.ts'
import { loanAt } from '#shared/repayments/fold/loan-at.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { asDueOn } from '../emi/payoff.ts'
import { type Loan, type LoanPlan, outstandingOf } from '../loan-store.ts'
import { plansAfter } from './plans-after.ts'
import { historyOf, readHistory, usableBy } from './read-history.ts'
import { stateOf } from './refold.ts'

export interface OwedThen {
  /** Paise that settled the loan at that instant. */
  due: number
  principal: number
  interest: number
  service: number
  fine: number
  /** What was open; what was not due of an EMI loan as one row. */
  open: LoanPlan[]
}

/**
 * What was owed when money of an earlier instant was paid: the fold over what came before it. What
 * came since is not taken off, because money that is booked late goes before it. A reduction that
 * has expired since may be used by money of its time.
 * @param paidAt ISO 8601 @param coupon used instead of a reduction
 * @returns null when the stored state suffices, because nothing of the loan has a later value (of an
 * EMI loan: and it is of today), and when the ledger does not follow from the history
 */
export async function owedThen(
  db: Db,
  loan: Loan,
  paidAt: string,
  coupon: CouponTerms | null = null,
): Promise<OwedThen | null> {
  const isBefore = (at: string) => Date.parse(at) <= Date.parse(paidAt)
  const isNewest = loan.newestAt === null || isBefore(loan.newestAt)
  if (isNewest && !loan.emi) return null
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
  const { now } = rows[0] as { now: string }
  const today = istDay(now)
  // what was due of an EMI loan on an earlier day is not seen in the plan of today
  if (isNewest && istDay(paidAt) >= today) return null
  const stored = await readHistory(db, loan)
  if (stateOf(loan, stored.terms, historyOf(stored), today) === null) return null
  const day = istDay(paidAt)
  const payments = stored.payments.filter(({ at }) => isBefore(at))
  const then = loanAt(stored.terms, historyOf({ ...stored, payments }), day)
  const plans = plansAfter(loan, then, {
    today: day,
    beingPaid: new Set(),
    stoppedOn: null,
    calledInOn: null,
  })
  const open = asDueOn({ ...loan, plans }, day).filter((plan) => outstandingOf(plan) > 0)
  const sum = (part: 'principal' | 'interest' | 'service' | 'fine') =>
    open.reduce((total, plan) => total + plan[part], 0)
  const reduction = usableBy(stored.reductions, paidAt, now)
  const outstanding = open.reduce((total, plan) => total + outstandingOf(plan), 0)
  return {
    due:
      coupon === null
        ? outstanding - sumGiven(giveUp(open, reduction?.items ?? NOTHING))
        : dueWith(coupon, open).due,
    principal: sum('principal'),
    interest: sum('interest'),
    service: sum('service'),
    fine: sum('fine'),
    open,
  }
}

const NOTHING = { overdueFine: 0, serviceFee: 0, interest: 0 }
