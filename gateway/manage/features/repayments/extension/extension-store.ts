/** What decides whether an order can be extended, and rows of `extension`. */
import { sql } from 'kysely'
import type { ProductExtension } from '#shared/products/product-terms.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import type { Extension, ExtensionFacts } from './count-extension.ts'

export async function extensionFacts(db: Db, orderId: string): Promise<ExtensionFacts> {
  const { rows } = await sql<{
    terms: ProductExtension | null
    times: number
    hasReduction: boolean
    today: string
  }>`
    select nullif(o.product_snapshot -> 'extend', 'null'::jsonb) as terms, coalesce((select x.serial_no from extension x where x.new_order_id = o.id), 0) as times,
      exists (select 1 from reduction d where d.order_id = o.id and d.state in ('pending', 'approved')) as "hasReduction",
      (clock_timestamp() at time zone 'Asia/Kolkata')::date as today
    from loan_order o where o.id = ${orderId}`.execute(db)
  return rows[0] as ExtensionFacts
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
    values (${orderId}, ${newOrderId}, ${out.fee}, ${out.commission}, ${out.days}, ${out.serialNo}, ${recordId})`.execute(
    trx,
  )
}
