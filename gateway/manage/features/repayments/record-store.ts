/** Rows of repay_record: one payment each, found again by the channel's own number or by its UTR. */
import { type RawBuilder, sql } from 'kysely'
import { maskUpi } from '#shared/repayments/mask-upi.ts'
import type { PAY_STATES, RECORD_FLAGS, REPAYMENT_TYPES } from '#shared/repayments/payment-sets.ts'
import { REPAYMENT_CHANGED } from '#shared/repayments/repayments-live.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'

export type PayState = (typeof PAY_STATES)[number]
export type RepaymentType = (typeof REPAYMENT_TYPES)[number]
export type RecordFlag = (typeof RECORD_FLAGS)[number]

export interface RecordRow {
  id: string
  order_id: string | null
  told_order_id: string
  plan_id: string | null
  repayment_type: RepaymentType
  amount: number
  utr: string | null
  channel: number
  pay_state: PayState
  flag: RecordFlag | null
  /** Value date, ISO 8601. */
  paid_at: string
  operator_id: string | null
  vendor_order_no: string | null
  source: NewRecord['source']
  reversed_at: string | null
  version: number
}

export interface NewRecord {
  /** From `NEXT_RECORD_ID`, when it had to be known before. */
  id?: string
  orderId: string | null
  toldOrderId: string
  planId: string | null
  customerId: string | null
  repaymentType: RepaymentType
  /** Paise. */
  amount: number
  utr: string | null
  /** In clear; stored sealed and masked. */
  upi: string | null
  channel: number
  bankCode: string | null
  source: 'customer' | 'staff' | 'proof' | 'writeOff' | 'callback'
  flag: RecordFlag | null
  paidAt: string
  remark: string | null
  vendorOrderNo: string | null
  /** Who acts, when left out. */
  operator?: { id: string | null; name: string } | undefined
}

const COLUMNS = sql.raw(
  'r.id, r.order_id, r.told_order_id, r.plan_id, r.repayment_type, r.amount, r.utr, r.channel, r.pay_state, r.flag, r.paid_at, r.operator_id, r.vendor_order_no, r.source, r.reversed_at, r.version',
)
const UPI_PLACE = 'repay_record.upi_enc'
/** The id of a payment that is about to be written, as a value within a statement. */
export const NEXT_RECORD_ID = sql<string>`'RR' || nextval('record_id_seq')`

/** Locks a record. */
export async function lockRecord(trx: Trx, recordId: string): Promise<RecordRow | null> {
  const { rows } =
    await sql<RecordRow>`select ${COLUMNS} from repay_record r where r.id = ${recordId} for update`.execute(
      trx,
    )
  return rows[0] ?? null
}

/** The payment a channel tells of: the one with its number, else the standing one with that UTR. Locked. */
export async function findTold(
  trx: Trx,
  vendorCode: string,
  vendorOrderNo: string,
  utr: string | null,
): Promise<RecordRow | null> {
  const { rows } = await sql<RecordRow>`
    select ${COLUMNS} from repay_record r
    where (r.vendor_code = ${vendorCode} and r.vendor_order_no = ${vendorOrderNo}) or (r.utr = ${utr}::text and r.pay_state <> 'fail' and r.reversed_at is null)
    order by (r.vendor_order_no is not distinct from ${vendorOrderNo}) desc limit 1 for update`.execute(
    trx,
  )
  return rows[0] ?? null
}

/** The payment that stands with the UTR, other than this record. */
export async function paymentOfUtr(
  trx: Trx,
  utr: string,
  exceptId: string | null,
): Promise<{ orderId: string; recordId: string } | null> {
  const { rows } = await sql<{ orderId: string; recordId: string }>`
    select coalesce(r.order_id, r.told_order_id) as "orderId", r.id as "recordId" from repay_record r where r.utr = ${utr} and r.pay_state <> 'fail' and r.reversed_at is null and r.id is distinct from ${exceptId}`.execute(
    trx,
  )
  return rows[0] ?? null
}

/** A payment before it is written, as its row would stand in progress. */
export function unwritten(given: NewRecord & { id: string }, { actor }: Cx): RecordRow {
  return {
    id: given.id,
    order_id: given.orderId,
    told_order_id: given.toldOrderId,
    plan_id: given.planId,
    repayment_type: given.repaymentType,
    amount: given.amount,
    utr: given.utr,
    channel: given.channel,
    pay_state: 'inProgress',
    flag: given.flag,
    paid_at: given.paidAt,
    operator_id: given.operator === undefined ? actor.userId : given.operator.id,
    vendor_order_no: given.vendorOrderNo,
    source: given.source,
    reversed_at: null,
    version: 0,
  }
}

/**
 * Inserts a payment, in progress unless what came of it is known: then it is written as it stands, for a row written twice stands twice in nine indexes.
 * Null when one with its number or UTR came in between.
 */
export async function insertRecord(
  cx: Cx,
  given: NewRecord,
  received?: RecordChange,
): Promise<RecordRow | null> {
  const { actor } = cx
  // what is sealed is bound to its row: its id must be known before
  const id = given.id ?? (given.upi === null ? null : await newId(cx.db))
  const upi =
    id !== null && given.upi !== null
      ? { sealed: cx.house.secrets.seal(UPI_PLACE, id, given.upi), masked: maskUpi(given.upi) }
      : null
  const operator = given.operator ?? { id: actor.userId, name: actor.userName }
  const stands = { payState: 'inProgress' as const, ...received }
  const isReceived = stands.payState === 'success'
  const { rows } = await sql<RecordRow>`
    insert into repay_record as r (id, order_id, told_order_id, plan_id, customer_id, repayment_type, amount, utr, upi_enc, upi_masked, channel, bank_code, source, flag, paid_at, operator_id, operator_name, remark, vendor_code, vendor_order_no,
      pay_state, surplus, confirmed_at, confirmer_id, confirmer_name)
    values (${id ?? NEXT_RECORD_ID}, ${given.orderId}, ${given.toldOrderId}, ${stands.planId ?? given.planId}, ${given.customerId}, ${stands.repaymentType ?? given.repaymentType}, ${given.amount}, ${stands.utr ?? given.utr}, ${upi?.sealed ?? null},
      ${upi?.masked ?? null}, ${given.channel}, ${given.bankCode}, ${given.source}, ${stands.flag === undefined ? given.flag : stands.flag}, ${given.paidAt}, ${operator.id}, ${operator.name}, ${given.remark}, ${given.vendorOrderNo === null ? null : actor.userName}, ${given.vendorOrderNo},
      ${stands.payState}, ${stands.surplus ?? 0}, case when ${isReceived} then clock_timestamp() end, ${isReceived ? actor.userId : null}, ${isReceived ? actor.userName : null})
    on conflict do nothing returning ${COLUMNS}`.execute(cx.db)
  return rows[0] ?? null
}

async function newId(trx: Trx): Promise<string> {
  const { rows } = await sql<{ id: string }>`select ${NEXT_RECORD_ID} as id`.execute(trx)
  return (rows[0] as { id: string }).id
}

export interface RecordChange {
  payState: PayState
  repaymentType?: RepaymentType
  surplus?: number
  flag?: RecordFlag | null
  utr?: string | null
  planId?: string | null
  failReason?: string | null
}

/** Writes the state of a locked record. @returns the row after */
export async function updateRecord(
  cx: Cx,
  record: RecordRow,
  change: RecordChange,
): Promise<RecordRow> {
  const isSuccess = change.payState === 'success'
  const { rows } = await sql<RecordRow>`
    update repay_record r set pay_state = ${change.payState}, repayment_type = ${change.repaymentType ?? record.repayment_type}, surplus = ${change.surplus ?? 0}, flag = ${change.flag === undefined ? record.flag : change.flag},
      utr = ${change.utr ?? record.utr}, plan_id = ${change.planId ?? record.plan_id}, fail_reason = ${change.failReason ?? null}, confirmed_at = case when ${isSuccess} then clock_timestamp() end,
      confirmer_id = ${change.payState === 'inProgress' ? null : cx.actor.userId}, confirmer_name = ${change.payState === 'inProgress' ? null : cx.actor.userName}, updated_at = clock_timestamp(), version = r.version + 1
    where r.id = ${record.id} and r.version = ${record.version} returning ${COLUMNS}`.execute(cx.db)
  const row = rows[0]
  if (!row) throw new Error(`record ${record.id} changed under its lock`)
  return row
}

/** Marks a locked payment as taken back; its UTR may be booked again. */
export async function markReversed(cx: Cx, record: RecordRow, reason: string): Promise<RecordRow> {
  const { rows } = await sql<RecordRow>`
    update repay_record r set reversed_at = clock_timestamp(), reversed_by = ${cx.actor.userId}, reverse_reason = ${reason}, updated_at = clock_timestamp(), version = r.version + 1
    where r.id = ${record.id} and r.version = ${record.version} returning ${COLUMNS}`.execute(cx.db)
  const row = rows[0]
  if (!row) throw new Error(`record ${record.id} changed under its lock`)
  return row
}

/** Plans that payments under way are meant for, one of them left aside, as a value within a statement; parked ones wait for a person, not for the order, and an exit of the cooling-off keeps its order where it is. */
export function plansBeingPaid(
  orderId: string,
  exceptId: string | null,
): RawBuilder<(string | null)[]> {
  return sql<
    (string | null)[]
  >`array(select r.plan_id from repay_record r where r.order_id = ${orderId} and r.pay_state = 'inProgress' and r.flag is null and r.repayment_type <> 'coolingOff' and r.id is distinct from ${exceptId})`
}

/** Whether a payment of the order is under way, an exit of the cooling-off included. */
export async function hasOpenPayment(trx: Db, orderId: string): Promise<boolean> {
  const { rows } =
    await sql`select from repay_record r where r.order_id = ${orderId} and r.pay_state = 'inProgress' and r.flag is null limit 1`.execute(
      trx,
    )
  return rows.length > 0
}

export function tellRecord(
  cx: Cx,
  record: RecordRow,
  rooms: readonly string[],
  reversed = false,
): void {
  const boards = rooms.flatMap((room) =>
    room.startsWith('scope:agency:') ? [`board:agency:${room.slice('scope:agency:'.length)}`] : [],
  )
  cx.emit(REPAYMENT_CHANGED, {
    subject: `record:${record.id}`,
    version: record.version,
    rooms: [...rooms, 'board:all', ...boards],
    data: {
      recordId: record.id,
      orderId: record.order_id,
      planId: record.plan_id,
      amount: record.amount,
      payState: record.pay_state,
      reversed,
      channel: record.channel,
      source: record.source,
    },
  })
}
