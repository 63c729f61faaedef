/** What a loan would be without one of its payments. */
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { ORDER_RULE, ORDER_STATE } from '#shared/orders/order-problems.ts'
import { orderStatusName } from '#shared/orders/order-statuses.ts'
import type { LoanHistory } from '#shared/repayments/fold/loan-history.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { couponOfRecord } from '#gateway/manage/features/coupons/public.ts'
import { countDifference, type Difference } from '../history/count-difference.ts'
import { couponsOf, historyOf, readHistory } from '../history/read-history.ts'
import { refold } from '../history/refold.ts'
import { type Loan, outstandingOf, statusBeforePayment } from '../loan-store.ts'
import type { RecordRow } from '../record-store.ts'
import { lockUsedReduction } from '../reductions/end-reduction.ts'
import type { Reduction } from '../reductions/reduction-store.ts'
import { clearedBy, surplusOf } from './cleared-by.ts'
import { type CountedReversal, countReversal } from './count-reversal.ts'
import { endDayOf, giveUpAgain, type LoanWriteOff } from './give-up-again.ts'

/**
 * The loan after the reversal of the payment.
 * @throws Problem O-RULE (reason reducedNotOverdue): 41 returns to 50 only
 */
export async function loanWithout(
  tx: CommandTx,
  loan: Loan,
  record: RecordRow,
): Promise<{
  today: string
  used: Reduction | null
  out: TakenOut
  /** The write-off of the loan, and the paise by which it grows. */
  grown: { id: string; more: number } | null
}> {
  const today = istDay(await tx.now())
  const used = loan.status === 41 ? await lockUsedReduction(tx.db, loan.orderId) : null
  const writeOff = await writeOffOf(tx.db, loan)
  const folded = await foldOut(tx, loan, record, { usedId: used?.id ?? null, today, writeOff })
  const { used: undone, out } =
    folded === null
      ? await takeOut(tx.db, loan, record, used, writeOff === null ? today : endDayOf(writeOff))
      : { used, out: folded }
  if (loan.status === 41 && out.outstanding > 0 && today <= out.dueDay)
    throw new Problem(ORDER_RULE, { reason: 'reducedNotOverdue' })
  if (writeOff === null) return { today, used: undone, out, grown: null }
  const postings = out.postings.map((posting) => ({ ...posting, bizDate: today }))
  const { more, plans, changed, posting } = giveUpAgain(
    loan,
    { plans: out.plans, postings },
    writeOff,
    today,
  )
  return {
    today,
    used: undone,
    out: { ...out, plans, changed, outstanding: 0, postings: [...postings, posting] },
    grown: { id: writeOff.id, more },
  }
}

/** @throws Problem O-STATE for an order that came as written off from another book */
async function writeOffOf(trx: Trx, { orderId, status }: Loan): Promise<LoanWriteOff | null> {
  if (status !== 100 && status !== 110) return null
  const { rows } = await sql<LoanWriteOff>`
    select w.id, w.type = 'batch' as "keepsClaim", w.done_at as at from write_off w
    where w.order_id = ${orderId} and w.type in ('operational', 'batch') and w.state = 'done'
    for update`.execute(trx)
  if (!rows[0]) throw new Problem(ORDER_STATE, { status: orderStatusName(status) })
  return rows[0]
}

/** Counted on what is stored: what the payment had cleared is owed again. */
async function takeOut(
  trx: Trx,
  loan: Loan,
  record: RecordRow,
  settledWith: Reduction | null,
  today: string,
): Promise<{ used: Reduction | null; out: TakenOut }> {
  const surplus = await surplusOf(trx, record.id)
  // credit of the customer settled nothing
  const used = surplus < record.amount ? settledWith : null
  const reduceId = used?.id ?? null
  const grantId = (await couponOfRecord(trx, record.id))?.id ?? null
  const cleared = await clearedBy(trx, loan.orderId, { recordId: record.id, reduceId, grantId })
  const given = { recordId: record.id, reduceId, grantId, cleared, surplus, today }
  const isBadDebt = statusBeforePayment(loan) === 90
  const kept = { surpluses: [], coupons: [], used: null, isBadDebt }
  return { used, out: { ...kept, ...countReversal(loan, given) } }
}

/** The state of the loan without a payment. */
type TakenOut = CountedReversal & Pick<Difference, 'surpluses' | 'coupons' | 'used' | 'isBadDebt'>

/**
 * The loan folded again without the payment: later ones clear what it had cleared. A reduction that
 * was used becomes void, as if it had never been agreed, unless it settles the loan without the
 * payment; earlier ones keep what they set aside of the payments of their time.
 * @returns null for a cooling-off exit, which nothing follows, and when the ledger does not follow
 * from the history
 */
async function foldOut(
  tx: CommandTx,
  loan: Loan,
  record: RecordRow,
  {
    usedId,
    today,
    writeOff,
  }: { usedId: string | null; today: string; writeOff: LoanWriteOff | null },
): Promise<TakenOut | null> {
  if (record.repayment_type === 'coolingOff') return null
  const stored = await readHistory(tx.db, loan)
  const payments = stored.payments.filter(({ id }) => id !== record.id)
  if (payments.length === stored.payments.length) return null
  const reductions = stored.reductions.filter(({ id }) => id !== usedId)
  const end = writeOff === null ? null : { kind: 'writtenOff' as const, at: writeOff.at }
  const before = historyOf(stored, true, end)
  const fold = (after: LoanHistory) => refold(loan, { terms: stored.terms, before, after }, today)
  const without = fold(historyOf({ ...stored, payments }, true, end))
  const isAsUsed = (without?.after.used?.reduceId ?? null) === usedId
  // a loan that no reduction had settled is not settled by one because money was taken back
  const mayReduce = usedId !== null
  const folded = isAsUsed
    ? without
    : fold(historyOf({ ...stored, payments, reductions }, mayReduce, end))
  if (folded === null) return null
  const out = countDifference(loan, folded, {
    refId: record.id,
    amount: record.amount,
    today,
    beingPaid: new Set(),
    coupons: couponsOf(stored.payments),
  })
  const dueDay = out.plans.find((plan) => outstandingOf(plan) > 0)?.dueDay ?? today
  return { ...out, dueDay }
}
