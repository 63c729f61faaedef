/**
 * Rows of payout_transfer to be sent. A transfer is claimed by moving its next attempt time, so a
 * crash only delays it.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { PayoutLane } from '#gateway/manage/vendors/payout-vendors.ts'

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
  /** This sending counted. */
  send_attempts: number
  sends_not_taken: number
}

/** A configuration or vendor with transfers that are to be sent. */
export interface UnsentLane extends PayoutLane {
  /** Some are due now; the others wait for their time. */
  isDue: boolean
  /** Its breaker leaves it out for now. */
  isOut: boolean
}

/**
 * Two people are about to end it: what they found out would not be true of another sending.
 * @param id the transfer's, as an expression
 */
export function isEndRequested(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from approval a where a.state = 'pending'
    and a.kind in ('transferEndedPaid', 'transferEndedFailed') and a.target_id = ${id})`
}

export async function unsentLanes(db: Db): Promise<UnsentLane[]> {
  const { rows } = await sql<UnsentLane>`
    select t.tp_cfg_id as "cfgId", t.vendor_code as "vendorCode",
      bool_or(t.next_send_at <= clock_timestamp()) as "isDue",
      coalesce(bool_or(h.state = 'open' and h.retry_at > clock_timestamp()), false) as "isOut"
    from payout_transfer t left join tp_health h on h.cfg_id = t.tp_cfg_id
    where t.sent_at is null and t.pay_state = 'inProgress' group by t.tp_cfg_id, t.vendor_code`.execute(
    db,
  )
  return rows
}

/** Those with results that are waited for. */
export async function unansweredLanes(db: Db, sentBeforeSeconds: number): Promise<PayoutLane[]> {
  const { rows } = await sql<PayoutLane>`
    select distinct t.tp_cfg_id as "cfgId", t.vendor_code as "vendorCode" from payout_transfer t
    where t.pay_state = 'inProgress' and t.next_send_at <= clock_timestamp()
      and t.sent_at < clock_timestamp() - make_interval(secs => ${sentBeforeSeconds})`.execute(db)
  return rows
}

/**
 * Claims unsent transfers of a vendor. Each is due again after a growing delay unless marked as
 * sent.
 */
export async function claimUnsent(
  db: Db,
  { cfgId, vendorCode }: PayoutLane,
  limit: number,
): Promise<UnsentTransfer[]> {
  const { rows } = await sql<UnsentTransfer>`
    update payout_transfer t set send_attempts = t.send_attempts + 1, updated_at = clock_timestamp(),
      next_send_at = clock_timestamp() + make_interval(secs => least(${FIRST_RETRY_SECONDS} * power(2,
        least(t.send_attempts, 10)), ${LONGEST_RETRY_SECONDS}))
    where t.id in (
      select w.id from payout_transfer w
      where w.sent_at is null and w.pay_state = 'inProgress' and w.vendor_code = ${vendorCode}
        and w.tp_cfg_id is not distinct from ${cfgId}::text and w.next_send_at <= clock_timestamp()
        and not exists (select from payout_transfer k where k.order_id = w.order_id
          and k.conflict is not null and k.conflict_ended_at is null)
        and not ${isEndRequested(sql`w.id`)}
      order by w.next_send_at limit ${limit} for update skip locked
    )
    returning t.id, t.platform_order_no, t.payee_name, t.account_enc, t.ifsc, t.amount, t.transfer_type,
      t.send_attempts, t.sends_not_taken`.execute(db)
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
    update payout_transfer set sent_at = coalesce(sent_at, clock_timestamp()), wait_reason = null,
      vendor_order_no = coalesce(vendor_order_no, ${vendorOrderNo}), updated_at = clock_timestamp(),
      version = version + 1
    where id = ${transferId} returning vendor_order_no`.execute(db)
  return rows[0]?.vendor_order_no === vendorOrderNo
}

/**
 * The vendor certainly did not take the sending; only when it took none of them another vendor may
 * be asked.
 */
export async function noteNotTaken(
  db: Db,
  transferId: string,
  reason: 'unreachable' | 'declined',
): Promise<void> {
  await sql`
    update payout_transfer set sends_not_taken = sends_not_taken + 1, wait_reason = ${reason},
      updated_at = clock_timestamp()
    where id = ${transferId} and sent_at is null and pay_state = 'inProgress'`.execute(db)
}

/** Why transfers that were not sent wait. A sending without an answer keeps its reason. */
export async function noteWaiting(
  db: Db,
  where: { transferId: string } | PayoutLane,
  reason: 'noAnswer' | 'vendorOut',
): Promise<void> {
  const which =
    'transferId' in where
      ? sql`id = ${where.transferId}`
      : sql`tp_cfg_id is not distinct from ${where.cfgId}::text and vendor_code = ${where.vendorCode}
          and wait_reason is distinct from 'noAnswer'`
  await sql`
    update payout_transfer set wait_reason = ${reason}, updated_at = clock_timestamp()
    where sent_at is null and pay_state = 'inProgress' and wait_reason is distinct from ${reason}
      and ${which}`.execute(db)
}

/** Transfers of a lane that no vendor has: none was sent, or no sending was taken. */
export async function movableTransfers(
  db: Db,
  { cfgId, vendorCode }: PayoutLane,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id from payout_transfer t where t.sent_at is null and t.pay_state = 'inProgress'
      and t.tp_cfg_id is not distinct from ${cfgId}::text and t.vendor_code = ${vendorCode}
      and t.send_attempts = t.sends_not_taken order by t.created_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Unsent transfers of vendors that this process does not have, by vendor code. */
export async function unsentOfOthers(
  db: Db,
  vendorCode: string | null,
): Promise<{ vendor_code: string; count: number }[]> {
  const { rows } = await sql<{ vendor_code: string; count: number }>`
    select t.vendor_code, count(*)::int as count from payout_transfer t
    where t.sent_at is null and t.pay_state = 'inProgress'
      and t.tp_cfg_id is null
      and t.vendor_code is distinct from ${vendorCode}::text
      and t.next_send_at <= clock_timestamp() group by t.vendor_code order by t.vendor_code`.execute(
    db,
  )
  return rows
}

/** Claims long-unresolved transfers for polling; each is due again after `againSeconds`. */
export async function claimUnanswered(
  db: Db,
  { cfgId, vendorCode }: PayoutLane,
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
        and w.tp_cfg_id is not distinct from ${cfgId}::text and w.vendor_code = ${vendorCode}
        and w.next_send_at <= clock_timestamp()
      order by w.sent_at limit ${limit} for update skip locked
    )
    returning t.platform_order_no`.execute(db)
  return rows.map((row) => row.platform_order_no)
}
