/** Rows of repay_record: one per payment, identified by the channel's number or by its UTR. */
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { PrepaymentEffect } from '#shared/repayments/emi/prepayment-effects.ts'
import { maskUpi } from '#shared/repayments/mask-upi.ts'
import type { PAY_STATES, RECORD_FLAGS, REPAYMENT_TYPES } from '#shared/repayments/payment-sets.ts'
import { REPAYMENT_CHANGED } from '#shared/repayments/repayments-live.ts'
import { type Db, RunAgain, type Trx } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

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
  /** The channel that reported it; null: entered by people or the system. */
  vendor_code: string | null
  vendor_order_no: string | null
  source: NewRecord['source']
  /** What it changes in the plan of an EMI loan. */
  ahead?: PrepaymentEffect | null
  reversed_at: string | null
  /** Its channel later reported it as failed, and that is not decided. */
  is_conflicting: boolean
  /** It came when its order had ended, and settled nothing: a recovery, or the customer's credit. */
  is_credit: boolean
  version: number
}

export interface NewRecord {
  /** From `NEXT_RECORD_ID`, when the id was needed before. */
  id?: string
  orderId: string | null
  toldOrderId: string
  planId: string | null
  customerId: string | null
  repaymentType: RepaymentType
  /** Paise. */
  amount: number
  utr: string | null
  /** Plain text; stored sealed and masked. */
  upi: string | null
  channel: number
  bankCode: string | null
  source: 'customer' | 'staff' | 'proof' | 'writeOff' | 'callback'
  flag: RecordFlag | null
  paidAt: string
  remark: string | null
  /** The channel that reported it; defaults to the actor. */
  vendorCode?: string
  vendorOrderNo: string | null
  ahead?: PrepaymentEffect | null
  /** Defaults to the actor. */
  operator?: { id: string | null; name: string } | undefined
}

const COLUMNS = sql.raw(`
  r.id, r.order_id, r.told_order_id, r.plan_id, r.repayment_type, r.amount, r.utr, r.channel,
  r.pay_state, r.flag, r.paid_at, r.operator_id, r.vendor_code, r.vendor_order_no, r.source, r.ahead,
  r.reversed_at,
  (r.conflict_at is not null and r.conflict_ended_at is null) as is_conflicting,
  (r.is_credit or coalesce(r.flag = 'recovery', false)) as is_credit, r.version`)
const UPI_PLACE = 'repay_record.upi_enc'
/** The id of a payment that will be written, as a value within a statement. */
export const NEXT_RECORD_ID = sql<string>`'RR' || nextval('record_id_seq')`

/** Locks a record. */
export async function lockRecord(trx: Trx, recordId: string): Promise<RecordRow | null> {
  const { rows } =
    await sql<RecordRow>`select ${COLUMNS} from repay_record r where r.id = ${recordId} for update`.execute(
      trx,
    )
  return rows[0] ?? null
}

/**
 * The payment a channel reports: the one with its number, otherwise the valid one with that UTR.
 * Locked.
 */
export async function findReported(
  trx: Trx,
  vendorCode: string,
  vendorOrderNo: string,
  utr: string | null,
): Promise<RecordRow | null> {
  const { rows } = await sql<RecordRow>`
    select ${COLUMNS} from repay_record r
    where (r.vendor_code = ${vendorCode} and r.vendor_order_no = ${vendorOrderNo})
      or (r.utr = ${utr}::text and r.pay_state <> 'fail' and r.reversed_at is null)
    order by (r.vendor_order_no is not distinct from ${vendorOrderNo}) desc limit 1 for update`.execute(
    trx,
  )
  return rows[0] ?? null
}

/** The valid payment with the UTR, other than this record. */
export async function paymentOfUtr(
  trx: Trx,
  utr: string,
  exceptId: string | null,
): Promise<{ orderId: string; recordId: string } | null> {
  const { rows } = await sql<{ orderId: string; recordId: string }>`
    select coalesce(r.order_id, r.told_order_id) as "orderId", r.id as "recordId" from repay_record r
      where r.utr = ${utr} and r.pay_state <> 'fail' and r.reversed_at is null and r.id is distinct
      from ${exceptId}`.execute(trx)
  return rows[0] ?? null
}

function channelCodeOf(
  { vendorOrderNo, vendorCode }: Pick<NewRecord, 'vendorOrderNo' | 'vendorCode'>,
  { actor }: Pick<CommandTx, 'actor'>,
): string | null {
  return vendorOrderNo === null ? null : (vendorCode ?? actor.userName)
}

/** A payment before it is written, as its row would be in progress. */
export function unwritten(given: NewRecord & { id: string }, { actor }: CommandTx): RecordRow {
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
    vendor_code: channelCodeOf(given, { actor }),
    vendor_order_no: given.vendorOrderNo,
    source: given.source,
    ahead: given.ahead ?? null,
    reversed_at: null,
    is_conflicting: false,
    is_credit: false,
    version: 0,
  }
}

/**
 * Inserts a payment, in progress unless its result is known: then it is written in its final state,
 * because an update would touch nine indexes again. Null when one with its number or UTR was
 * inserted in between.
 */
export async function insertRecord(
  tx: CommandTx,
  given: NewRecord,
  received?: RecordChange,
): Promise<RecordRow | null> {
  // the sealed values are bound to the row, so the id must be known before
  const id = given.id ?? (given.upi === null ? null : await newId(tx.db))
  const { rows } = await sql<RecordRow>`
    ${insertOf(tx, { ...given, id }, received)}
    on conflict do nothing returning ${COLUMNS}`.execute(tx.db)
  return rows[0] ?? null
}

/**
 * Sends a received payment: nothing waits for the answer. One with its number or UTR that was
 * inserted in between makes the transaction run again.
 * @returns the row as it will be
 */
export function sendRecord(
  tx: CommandTx,
  given: NewRecord & { id: string },
  received: RecordChange,
): RecordRow {
  tx.send(insertOf(tx, given, received), (error) =>
    error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION ? new RunAgain() : error,
  )
  return {
    ...unwritten(given, tx),
    pay_state: received.payState,
    repayment_type: received.repaymentType ?? given.repaymentType,
    utr: received.utr ?? given.utr,
    plan_id: received.planId ?? given.planId,
    flag: received.flag === undefined ? given.flag : received.flag,
    version: 1,
  }
}
const UNIQUE_VIOLATION = '23505'

/** @param given.id null when the database may give it one */
function insertOf(
  tx: CommandTx,
  given: Omit<NewRecord, 'id'> & { id: string | null },
  received?: RecordChange,
): RawBuilder<unknown> {
  const { actor } = tx
  const { id } = given
  const upi =
    id !== null && given.upi !== null
      ? { sealed: tx.context.secrets.seal(UPI_PLACE, id, given.upi), masked: maskUpi(given.upi) }
      : null
  const operator = given.operator ?? { id: actor.userId, name: actor.userName }
  const stands = { payState: 'inProgress' as const, ...received }
  const isReceived = stands.payState === 'success'
  return sql`
    insert into repay_record as r (id, order_id, told_order_id, plan_id, customer_id, repayment_type,
      amount, utr, upi_enc, upi_masked, channel, bank_code, source, flag, paid_at, operator_id,
      operator_name, remark, vendor_code, vendor_order_no, ahead,
      pay_state, surplus, confirmed_at, confirmer_id, confirmer_name)
    values (${id ?? NEXT_RECORD_ID}, ${given.orderId}, ${given.toldOrderId},
      ${stands.planId ?? given.planId}, ${given.customerId}, ${stands.repaymentType ?? given.repaymentType},
      ${given.amount}, ${stands.utr ?? given.utr}, ${upi?.sealed ?? null},
      ${upi?.masked ?? null}, ${given.channel}, ${given.bankCode}, ${given.source},
        ${stands.flag === undefined ? given.flag : stands.flag}, ${given.paidAt}, ${operator.id},
        ${operator.name}, ${given.remark}, ${channelCodeOf(given, tx)},
        ${given.vendorOrderNo}, ${given.ahead ?? null},
      ${stands.payState}, ${stands.surplus ?? 0}, case
        when ${isReceived} then clock_timestamp() end, ${isReceived ? actor.userId : null},
        ${isReceived ? actor.userName : null})`
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
  /** Paise that the returned debit costs; none unless given. */
  bounceCharge?: number
  /** Not counted: the customer's credit, whatever happens to the order. */
  isCredit?: boolean
}

/** Writes the state of a locked record. @returns the updated row */
export async function updateRecord(
  tx: CommandTx,
  record: RecordRow,
  change: RecordChange,
): Promise<RecordRow> {
  const isSuccess = change.payState === 'success'
  const { rows } = await sql<RecordRow>`
    update repay_record r set pay_state = ${change.payState},
      repayment_type = ${change.repaymentType ?? record.repayment_type}, surplus = ${change.surplus ?? 0},
      flag = ${change.flag === undefined ? record.flag : change.flag},
      utr = ${change.utr ?? record.utr}, plan_id = ${change.planId ?? record.plan_id},
        fail_reason = ${change.failReason ?? null}, bounce_charge = ${change.bounceCharge ?? 0},
        is_credit = ${change.isCredit ?? false}, confirmed_at = case
        when ${isSuccess} then clock_timestamp() end,
      confirmer_id = ${change.payState === 'inProgress' ? null : tx.actor.userId},
        confirmer_name = ${change.payState === 'inProgress' ? null : tx.actor.userName},
        updated_at = clock_timestamp(), version = r.version + 1
    where r.id = ${record.id} and r.version = ${record.version} returning ${COLUMNS}`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Error(`record ${record.id} changed under its lock`)
  return row
}

/** Changes the credit of a payment after another one was reported. Its order is locked. */
export async function updateSurplus(
  tx: CommandTx,
  { recordId, surplus }: { recordId: string; surplus: number },
  rooms: readonly string[],
): Promise<void> {
  const { rows } = await sql<RecordRow>`
    update repay_record r set surplus = ${surplus}::bigint,
      flag = case when ${surplus}::bigint > 0 then 'surplus' end,
      updated_at = clock_timestamp(), version = r.version + 1
    where r.id = ${recordId} returning ${COLUMNS}`.execute(tx.db)
  emitRecord(tx, rows[0] as RecordRow, rooms)
}

/** Opens or ends the contradiction of a locked payment. @returns the updated row */
export async function updateConflict(
  tx: CommandTx,
  record: RecordRow,
  { isOpen, reason }: { isOpen: boolean; reason: string | null },
): Promise<RecordRow> {
  const { rows } = await sql<RecordRow>`
    update repay_record r set
      conflict_at = case when ${isOpen} then clock_timestamp() else r.conflict_at end,
      conflict_reason = case when ${isOpen} then ${reason}::text else r.conflict_reason end,
      conflict_ended_at = case when ${isOpen} then null else clock_timestamp() end,
      updated_at = clock_timestamp(), version = r.version + 1
    where r.id = ${record.id} and r.version = ${record.version} returning ${COLUMNS}`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Error(`record ${record.id} changed under its lock`)
  return row
}

/** Marks a locked payment as reversed; its UTR may be booked again. */
export async function markReversed(
  tx: CommandTx,
  record: RecordRow,
  reason: string,
): Promise<RecordRow> {
  const { rows } = await sql<RecordRow>`
    update repay_record r set reversed_at = clock_timestamp(), conflict_ended_at = case
      when r.conflict_at is not null then coalesce(r.conflict_ended_at, clock_timestamp()) end,
      reversed_by = ${tx.actor.userId},
      reverse_reason = ${reason}, updated_at = clock_timestamp(), version = r.version + 1
    where r.id = ${record.id} and r.version = ${record.version} returning ${COLUMNS}`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Error(`record ${record.id} changed under its lock`)
  return row
}

/**
 * Plans that payments in progress are made for, except one of them, as a value within a statement.
 * Parked payments and cooling-off exits are left out, because the order does not wait for them.
 */
export function plansBeingPaid(
  orderId: string,
  exceptId: string | null,
): RawBuilder<(string | null)[]> {
  return sql<(string | null)[]>`array(
    select r.plan_id
    from repay_record r
    where r.order_id = ${orderId}
      and r.pay_state = 'inProgress'
      and r.flag is null
      and r.repayment_type <> 'coolingOff'
      and r.id is distinct from ${exceptId}
  )`
}

/** Whether a payment of the order is in progress, including a cooling-off exit. */
export async function hasOpenPayment(trx: Db, orderId: string): Promise<boolean> {
  const { rows } = await sql`
      select from repay_record r where r.order_id = ${orderId} and r.pay_state = 'inProgress'
        and r.flag is null limit 1`.execute(trx)
  return rows.length > 0
}

export function emitRecord(
  tx: CommandTx,
  record: RecordRow,
  rooms: readonly string[],
  reversed = false,
): void {
  const boards = rooms.flatMap((room) =>
    room.startsWith('scope:agency:') ? [`board:agency:${room.slice('scope:agency:'.length)}`] : [],
  )
  tx.emit(REPAYMENT_CHANGED, {
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
