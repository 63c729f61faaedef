import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { maskedPhone, utcText } from './order-columns.ts'

/** What `orderRowJson` reads from: `o` loan_order, `c` customer, `p` product, `a` app, `h` channel. */
export const ORDER_ROW_JOINS = sql`
  join customer c on c.id = o.customer_id
  join product p on p.id = o.product_id
  join app a on a.id = o.app_id
  join channel h on h.id = o.channel_id`

/** OrderRow of the contract (api.md 0.2) as JSON, built by the database. Personal values are masked here. */
export const orderRowJson: RawBuilder<unknown> = sql`json_build_object(
  'orderId', o.id, 'userId', o.customer_id, 'userName', c.name, 'phone', ${maskedPhone('c')}, 'appId', o.app_id, 'appName', a.name, 'productId', o.product_id, 'productName', p.name,
  'channelId', o.channel_id, 'channelName', h.name, 'amount', o.amount, 'arrivalAmount', o.arrival_amount, 'serviceCharge', o.service_charge, 'interest', o.interest,
  'contractAmount', o.contract_amount, 'tenureDays', o.tenure_days, 'term', o.term, 'dueTime', o.due_at::text, 'closeTime', ${utcText('o.closed_at')}, 'closeType', o.close_type, 'status', o.status,
  'tags', o.tags, 'failReason', o.fail_reason, 'overdueDays', o.overdue_days, 'reviewId', (select r.id from review r where r.order_id = o.id order by r.created_at desc limit 1), 'outstanding', o.outstanding,
  'rbiClass', o.rbi_class, 'kfsVersion', o.kfs_version, 'kfsAcceptTime', ${utcText('o.kfs_accepted_at')}, 'coolingOffUntil', ${utcText('o.cooling_off_until')}, 'createTime', ${utcText('o.created_at')},
  'disburseTime', ${utcText('o.disbursed_at')}, 'version', o.version)`

/** One order as its contract row; null when it is missing. The caller has checked the scope. */
export async function orderRow<Row>(db: Db, orderId: string): Promise<Row | null> {
  const { rows } = await sql<{ row: Row }>`select ${orderRowJson} as row from loan_order o ${ORDER_ROW_JOINS} where o.id = ${orderId}`.execute(db)
  return rows[0]?.row ?? null
}
