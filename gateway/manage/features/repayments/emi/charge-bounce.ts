/**
 * A debit that the bank returned: the bounce charge of the loan's terms is owed with the instalment
 * that was presented, from the presentation on. Once for each payment; one that arrives after all
 * takes it back.
 */
import { istDay } from '#shared/kernel/time.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { reviseCoupons } from '#gateway/manage/features/coupons/public.ts'
import { countDifference, type Difference } from '../history/count-difference.ts'
import { couponsOf, historyOf, readHistory } from '../history/read-history.ts'
import { refold } from '../history/refold.ts'
import { type Loan, outstandingOf, overdueDaysOn } from '../loan-store.ts'
import { writePlans } from '../write-plans.ts'
import { isRunning } from '../paid-order.ts'
import type { PayFacts } from '../pay-facts.ts'
import { postEntries } from '../post-entries.ts'
import { type RecordRow, updateSurplus } from '../record-store.ts'
import { addPlans } from './add-plans.ts'

export interface CountedBounce {
  /** Paise. */
  charge: number
  out: Difference
  overdueDays: number
}

/** @returns null when nothing is charged: other loans, loans that ended, terms without a charge */
export async function countBounce(
  tx: CommandTx,
  loan: Loan,
  { id, paid_at: at }: Pick<RecordRow, 'id' | 'paid_at'>,
  { now, beingPaid }: PayFacts,
): Promise<CountedBounce | null> {
  const charge = loan.emi?.bounceCharge ?? 0
  if (charge === 0 || !isRunning(loan.status)) return null
  const stored = await readHistory(tx.db, loan)
  const today = istDay(now)
  const bounces = [...(stored.bounces ?? []), { id, at, charge }]
  const histories = {
    terms: stored.terms,
    before: historyOf(stored),
    after: historyOf({ ...stored, bounces }),
  }
  const folded = refold(loan, histories, today)
  if (folded === null) {
    tx.context.log.warn(
      { orderId: loan.orderId, recordId: id },
      'the books of a loan do not follow from its history; a returned debit is not charged',
    )
    return null
  }
  const coupons = couponsOf(stored.payments)
  const out = countDifference(loan, folded, { refId: id, amount: 0, today, beingPaid, coupons })
  const open = out.plans.filter((plan) => outstandingOf(plan) > 0)
  const overdueDays =
    loan.settlement === null
      ? Math.max(0, ...open.map((plan) => plan.overdueDays))
      : overdueDaysOn(loan, out.plans, today)
  return { charge, out, overdueDays }
}

export async function writeBounce(
  tx: CommandTx,
  { orderId }: Loan,
  { out }: CountedBounce,
  rooms: PayFacts['rooms'],
): Promise<void> {
  await addPlans(tx, out.changed, rooms)
  await postEntries(tx.db, out.postings)
  await writePlans(tx, out.changed, rooms)
  for (const other of out.surpluses) await updateSurplus(tx, other, rooms.get(orderId) ?? [])
  await reviseCoupons(tx, out.coupons)
}
