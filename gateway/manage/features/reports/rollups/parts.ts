/** Parts of the statements that fill rollups. */
import { type RawBuilder, sql } from 'kysely'
import { addDays, istMidnight } from '#shared/kernel/time.ts'
import type { Days } from '../rollup.ts'

/** Half open, so that every instant is in exactly one IST day. */
export function onDays(column: string, { from, to }: Days): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} >= ${istMidnight(from).toISOString()}::timestamptz
    and ${sql.ref(column)} < ${istMidnight(addDays(to, 1)).toISOString()}::timestamptz`
}

/** Of `loan_order o`: each order has exactly one of them. */
export const ORDER_TAG = sql<string>`case
    when 'extension' = any(o.tags) then 'extension'
    when 'reLoan' = any(o.tags) then 'reLoan'
    else 'firstLoan'
  end`
