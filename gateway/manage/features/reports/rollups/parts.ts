/** Parts of the statements that fill rollups. */
import { type RawBuilder, sql } from 'kysely'
import type { Days } from '#gateway/manage/kernel/ist-days.ts'

/** Of `loan_order o`: each order has exactly one of them. */
export const ORDER_TAG = sql<string>`case
    when 'extension' = any(o.tags) then 'extension'
    when 'reLoan' = any(o.tags) then 'reLoan'
    else 'firstLoan'
  end`

/**
 * Of `repay_plan p`: an instalment that falls due on these days. Of an EMI loan, money paid ahead and
 * the rest of a loan that ended early or was called in are none, nor are instalments nothing is left of.
 */
export function isDue({ from, to }: Days): RawBuilder<boolean> {
  return sql<boolean>`p.due_at >= ${from}::date and p.due_at <= ${to}::date
    and p.kind = 'instalment' and p.principal + p.interest > 0`
}

/** Of `loan_order o`: of its newest collection case; empty when there is none. */
export const DEPARTMENT = sql<string>`coalesce((
        select k.department_id from collection_case k
        where k.order_id = o.id
        order by k.created_at desc, k.id desc
        limit 1), '')`

/** Of `due_instalment d`: not settled so many days after the due day. */
export function isLate(days: number): RawBuilder<boolean> {
  return sql<boolean>`not coalesce(d.settled_on <= d.due_day + ${sql.lit(days)}, false)`
}
