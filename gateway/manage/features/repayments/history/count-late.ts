/** Counts a payment with an earlier value than something already counted: folds the loan again. */
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { type Loan, overdueDaysOn, standingOf } from '../loan-store.ts'
import type { RecordRow } from '../record-store.ts'
import { countDifference, type Difference } from './count-difference.ts'
import { historyOf, readHistory } from './read-history.ts'
import { refold } from './refold.ts'

export interface LatePayment {
  recordId: string
  /** Instants of the payment and of its arrival. */
  paidAt: string
  now: string
  /** IST day it is booked on. */
  today: string
  beingPaid: ReadonlySet<string | null>
}

/** Null when the ledger of the loan does not follow from its history. */
export async function countLate(
  trx: Trx,
  loan: Loan,
  { amount }: Pick<RecordRow, 'amount'>,
  { recordId, paidAt, now, today, beingPaid }: LatePayment,
): Promise<Difference | null> {
  const told = await readHistory(trx, loan)
  const payment = { id: recordId, at: paidAt, toldAt: now, amount }
  const histories = {
    terms: told.terms,
    before: historyOf(told),
    after: historyOf({ ...told, payments: [...told.payments, payment] }),
  }
  const folded = refold(loan, histories, today)
  return folded === null
    ? null
    : countDifference(loan, folded, { refId: recordId, amount, today, beingPaid })
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
  if (loan.newestAt !== null && Date.parse(paid.at) <= Date.parse(loan.newestAt)) return false
  // the total of a fine does not show how much a cap left out
  const isCapped = loan.penalty.some(({ capRatio }) => capRatio !== null)
  if (isCapped && loan.plans.some(({ fineTo }) => fineTo !== null && fineTo > paid.day))
    return false
  return standingOf(loan) !== 90 || overdueDaysOn(loan, loan.plans, paid.day) >= badDebtDays
}
