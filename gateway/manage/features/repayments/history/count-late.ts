/** Counts a payment with an earlier value than something already counted: folds the loan again. */
import type { UsedCoupon } from '#shared/repayments/fold/loan-history.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { type Loan, overdueDaysOn, statusBeforePayment } from '../loan-store.ts'
import type { RecordRow } from '../record-store.ts'
import { countDifference, type Difference } from './count-difference.ts'
import { couponsOf, historyOf, readHistory } from './read-history.ts'
import { refold } from './refold.ts'

export interface LatePayment {
  recordId: string
  /** Instants of the payment and of its arrival. */
  paidAt: string
  now: string
  /** IST day it is booked on. */
  today: string
  beingPaid: ReadonlySet<string | null>
  /** The coupon it uses. */
  coupon: UsedCoupon | null
}

/** Null when the ledger of the loan does not follow from its history. */
export async function countLate(
  trx: Trx,
  loan: Loan,
  { amount, ahead = null }: Pick<RecordRow, 'amount' | 'ahead'>,
  { recordId, paidAt, now, today, beingPaid, coupon }: LatePayment,
): Promise<Difference | null> {
  const stored = await readHistory(trx, loan)
  const payment = { id: recordId, at: paidAt, receivedAt: now, amount, coupon, ahead }
  const histories = {
    terms: stored.terms,
    before: historyOf(stored),
    after: historyOf({
      ...stored,
      payments: [...stored.payments, payment],
      // a payment that arrived after it had failed was no bounce
      bounces: (stored.bounces ?? []).filter(({ id }) => id !== recordId),
    }),
  }
  const folded = refold(loan, histories, today)
  return folded === null
    ? null
    : countDifference(loan, folded, {
        refId: recordId,
        amount,
        today,
        beingPaid,
        coupons: couponsOf([...stored.payments, payment]),
      })
}

/**
 * Whether nothing of the loan has a later value than the payment, so that it can be counted on the
 * stored state: only fines of the days since follow it.
 * @param paid its instant, and its IST day
 */
export function isNewest(
  loan: Loan,
  paid: { at: string; day: string },
  badDebtDays: number,
): boolean {
  // money of an EMI loan may change its plan
  if (loan.emi !== null && loan.emi !== undefined) return false
  if (loan.newestAt !== null && Date.parse(paid.at) <= Date.parse(loan.newestAt)) return false
  // the total of a fine does not show how much a cap left out
  const isCapped = loan.penalty.some(({ capRatio }) => capRatio !== null)
  if (isCapped && loan.plans.some(({ fineTo }) => fineTo !== null && fineTo > paid.day))
    return false
  return (
    statusBeforePayment(loan) !== 90 || overdueDaysOn(loan, loan.plans, paid.day) >= badDebtDays
  )
}
