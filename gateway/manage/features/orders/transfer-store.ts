/**
 * Rows of payout_transfer to be sent. A transfer is claimed by moving its next attempt time, so a
 * crash only delays it.
 */
import { sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'

const FIRST_RETRY_SECONDS = 15
const LONGEST_RETRY_SECONDS = 900

export interface UnsentTransfer {
  id: string
  platform_order_no: string
  payee_name: string
  account_enc: Buffer
  ifsc: string
  amount: number
  transfer_type: string
  send_attempts: number
}

/**
 * Claims unsent transfers of a vendor. Each is due again after a growing delay unless marked as
 * sent.
 */
export async function claimUnsent(
  db: Db,
  vendorCode: string,
  limit: number,
): Promise<UnsentTransfer[]> {
  const { rows } = await sql<UnsentTransfer>`
    update payout_transfer t set send_attempts = t.send_attempts + 1, updated_at = clock_timestamp(),
      next_send_at = clock_timestamp() + make_interval(secs => least(${FIRST_RETRY_SECONDS} * power(2,
        least(t.send_attempts, 10)), ${LONGEST_RETRY_SECONDS}))
    where t.id in (
      select w.id from payout_transfer w
      where w.sent_at is null and w.pay_state = 'inProgress' and w.vendor_code = ${vendorCode}
        and w.next_send_at <= clock_timestamp()
        and not exists (select from payout_transfer k where k.order_id = w.order_id
          and k.conflict is not null and k.conflict_ended_at is null)
      order by w.next_send_at limit ${limit} for update skip locked
    )
    returning t.id, t.platform_order_no, t.payee_name, t.account_enc, t.ifsc, t.amount, t.transfer_type,
      t.send_attempts`.execute(db)
  return rows
}

/**
 * Marks the transfer as accepted by the vendor; its result may have arrived earlier.
 * @returns false when the transfer already has another vendor number
 */
export async function markSent(
  db: Db,
  transferId: string,
  vendorOrderNo: string,
): Promise<boolean> {
  const { rows } = await sql<{ vendor_order_no: string }>`
    update payout_transfer set sent_at = coalesce(sent_at, clock_timestamp()),
      vendor_order_no = coalesce(vendor_order_no, ${vendorOrderNo}), updated_at = clock_timestamp(),
      version = version + 1
    where id = ${transferId} returning vendor_order_no`.execute(db)
  return rows[0]?.vendor_order_no === vendorOrderNo
}

/** Unsent transfers of all other vendors, by vendor code: this process cannot send them. */
export async function unsentOfOthers(
  db: Db,
  vendorCode: string,
): Promise<{ vendor_code: string; count: number }[]> {
  const { rows } = await sql<{ vendor_code: string; count: number }>`
    select t.vendor_code, count(*)::int as count from payout_transfer t
    where t.sent_at is null and t.pay_state = 'inProgress' and t.vendor_code <> ${vendorCode}
      and t.next_send_at <= clock_timestamp() group by t.vendor_code order by t.vendor_code`.execute(
    db,
  )
  return rows
}

/** Claims long-unresolved transfers for polling; each is due again after `againSeconds`. */
export async function claimUnanswered(
  db: Db,
  vendorCode: string,
  sentBeforeSeconds: number,
  againSeconds: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ platform_order_no: string }>`
    update payout_transfer t set next_send_at = clock_timestamp() + make_interval(secs => ${againSeconds})
    where t.id in (
      select w.id from payout_transfer w
      where w.pay_state = 'inProgress'
        and w.sent_at < clock_timestamp() - make_interval(secs => ${sentBeforeSeconds})
        and w.vendor_code = ${vendorCode} and w.next_send_at <= clock_timestamp()
      order by w.sent_at limit ${limit} for update skip locked
    )
    returning t.platform_order_no`.execute(db)
  return rows.map((row) => row.platform_order_no)
}
