/** Reads what decides whether an order can be extended; writes rows of `extension`. */
import { sql } from 'kysely'
import type { ProductExtension } from '#shared/products/product-terms.ts'
import { istDay } from '#shared/kernel/time.ts'
import { loanAt } from '#shared/repayments/fold/loan-at.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import { historyOf, readHistory } from '../history/read-history.ts'
import { stateOf } from '../history/refold.ts'
import type { Loan } from '../loan-store.ts'
import type { Extension, ExtensionFacts } from './count-extension.ts'

/** @param paidAt ISO 8601: fines run to its IST day, or to that of the newest payment */
export async function extensionFacts(db: Db, loan: Loan, paidAt: string): Promise<ExtensionFacts> {
  const { orderId } = loan
  const { rows } = await sql<{
    terms: ProductExtension | null
    times: number
    hasReduction: boolean
    today: string
  }>`
    select nullif(o.product_snapshot -> 'extend', 'null'::jsonb) as terms, coalesce((select x.serial_no
      from extension x where x.new_order_id = o.id), 0) as times,
      exists (select 1 from reduction d where d.order_id = o.id
        and d.state in ('pending', 'approved')) as "hasReduction",
      (clock_timestamp() at time zone 'Asia/Kolkata')::date as today
    from loan_order o where o.id = ${orderId}`.execute(db)
  const facts = rows[0] as ExtensionFacts
  const stored = await readHistory(db, loan)
  const history = historyOf(stored)
  const newest = loan.newestAt === null ? '' : istDay(loan.newestAt)
  const day = [istDay(paidAt), newest].toSorted().at(-1) as string
  const isFolded = stateOf(loan, stored.terms, history, facts.today) !== null
  const valueDay = day < facts.today ? day : facts.today
  return { ...facts, folded: isFolded ? loanAt(stored.terms, history, valueDay) : null }
}

export async function insertExtension(
  trx: Trx,
  {
    orderId,
    newOrderId,
    recordId,
    out,
  }: { orderId: string; newOrderId: string; recordId: string; out: Extension },
): Promise<void> {
  await sql`
    insert into extension (order_id, new_order_id, fee, commission, days, serial_no, record_id)
    values (${orderId}, ${newOrderId}, ${out.fee}, ${out.commission}, ${out.days}, ${out.serialNo},
      ${recordId})`.execute(trx)
}
