/** Whether the books of running and repaid loans are the fold over their reported history. */
import { sql } from 'kysely'
import { loanAt } from '#shared/repayments/fold/loan-at.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import {
  historyOf,
  readHistories,
} from '#gateway/manage/features/repayments/history/read-history.ts'
import {
  type Loan,
  outstandingOf,
  readLoans,
} from '#gateway/manage/features/repayments/loan-store.ts'

/** Ended by a person, or left within the cooling-off: nothing is folded any more. */
const FOLDED = [30, 40, 41, 43, 50, 90]

/**
 * @param day IST day that is open
 * @returns one line for each loan that differs
 */
export async function foldFaults(
  { kysely }: Database,
  orderIds: readonly string[],
  day: string,
): Promise<string[]> {
  const loans = (await readLoans(kysely, orderIds)).filter(
    ({ status, plans }) => FOLDED.includes(status) && plans.length > 0,
  )
  if (loans.length === 0) return []
  const [histories, credits] = [await readHistories(kysely, loans), await creditsOf(loans)]
  return loans.flatMap((loan) => {
    const history = histories.get(loan.orderId)
    const stored = credits.get(loan.orderId)
    if (history === undefined || stored === undefined || stored.isLeft) return []
    const fold = loanAt(history.terms, historyOf(history), day)
    const folded = fold.plans.map(
      ({ waived: _waived, deferred: _held, settledAt: _on, ...parts }) => parts,
    )
    const booked = loan.plans.map(
      ({ planId, principal, interest, service, fine, overdueFine, paid, reduced }) => ({
        planId,
        principal,
        interest,
        service,
        fine,
        overdueFine,
        paid,
        reduced,
      }),
    )
    const differs = JSON.stringify(sorted(folded)) !== JSON.stringify(sorted(booked))
    const ends = fold.outstanding === 0 ? (fold.used === null ? 40 : 41) : null
    return [
      ...(differs ? [`${loan.orderId}: ${JSON.stringify({ folded, booked })}`] : []),
      ...(fold.credit === stored.credit ? [] : [`${loan.orderId}: credit ${fold.credit}`]),
      ...(ends === endOf(loan) ? [] : [`${loan.orderId}: ${loan.status} instead of ${ends}`]),
    ]
  })

  async function creditsOf(
    some: readonly Loan[],
  ): Promise<Map<string, { credit: number; isLeft: boolean }>> {
    const { rows } = await sql<{ id: string; credit: number; is_left: boolean }>`
      select o.id, coalesce(sum(r.surplus) filter (where r.reversed_at is null
        and not r.is_credit), 0)::bigint as credit,
        coalesce(bool_or(r.repayment_type = 'coolingOff' and r.reversed_at is null), false) as is_left
      from loan_order o left join repay_record r on r.order_id = o.id and r.pay_state = 'success'
      where o.id = any(${some.map(({ orderId }) => orderId)}) group by o.id`.execute(kysely)
    return new Map(rows.map(({ id, credit, is_left: isLeft }) => [id, { credit, isLeft }]))
  }
}

function endOf({ status, plans }: Loan): number | null {
  if (status === 40 || status === 41) return status
  return plans.every((plan) => outstandingOf(plan) === 0) ? -status : null
}

/** Rows with nothing in them are left out: those of money ahead that was taken back stay empty. */
function sorted<T extends { planId: string }>(rows: readonly T[]): unknown[] {
  const filled = rows.filter(({ planId: _id, ...parts }) => Object.values(parts).some(Boolean))
  return filled
    .toSorted((a, b) => (a.planId < b.planId ? -1 : 1))
    .map((row) => Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
