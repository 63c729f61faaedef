/** Reads and writes rows of `write_off`; a page is one statement. */
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { WRITEOFF_DONE } from '#shared/repayments/repayments-live.ts'
import type { listWriteOffs, WriteOffRow as RowSchema } from '#shared/repayments/write-offs-api.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  allOf,
  filterClauses,
  isoTime,
  likeStart,
  onePage,
  sortOf,
  notNull,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'
import { listedInScope } from '#gateway/manage/features/orders/order-scope.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import { customersNamed } from '#gateway/manage/features/customers/public.ts'

export type WriteOffRow = Static<typeof RowSchema>

const SORTS: Sorts = {
  createTime: notNull('w.created_at'),
  writeOffId: notNull('w.id'),
  orderId: notNull('w.order_id'),
}

const ROW = sql`json_build_object(
  'writeOffId', w.id, 'orderId', w.order_id, 'userId', w.customer_id, 'userName', c.name, 'type', w.type,
    'repaymentDate', w.repayment_date::text, 'amount', w.amount, 'outstandingBefore', w.outstanding_before,
    'resultStatus', w.result_status,
  'state', w.state, 'reason', w.reason, 'operatorId', w.operator_id, 'operatorName', w.operator_name,
    'confirmerId', w.confirmer_id, 'confirmerName', w.confirmer_name, 'recordId', w.record_id, 'approvalId',
    w.approval_id, 'createTime', ${isoTime('w.created_at')}, 'doneTime', ${isoTime('w.done_at')}, 'version',
    w.version)`
const JOINS = sql`join customer c on c.id = w.customer_id`

/** A page in one statement, newest first. @throws Problem G-FIELD for a sort the list does not know */
export async function writeOffList(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof listWriteOffs>,
): Promise<JsonText> {
  const where = sql`${listedInScope(actor, 'w.order_id')} and ${filters(input)}`
  const order =
    input.sort === undefined
      ? sql.raw('w.created_at desc, w.id desc')
      : sortOf(input.sort, SORTS, '', 'w.id')
  return onePage(db, { from: 'write_off w', where, order, row: ROW, joins: JOINS, input })
}

function filters(input: InputOf<typeof listWriteOffs>): RawBuilder<unknown> {
  const { all, add } = filterClauses()
  add(input.writeOffId, (id) => sql`w.id = ${id}`)
  add(input.orderId, (id) => sql`w.order_id = ${id}`)
  add(input.userName, (name) => sql`w.customer_id = ${customersNamed(name)}`)
  add(input.type, (type) => sql`w.type = ${type}`)
  add(input.state, (state) => sql`w.state = ${state}`)
  add(input.operatorName, (name) => sql`lower(w.operator_name) like ${likeStart(name)}`)
  add(input.repaymentDateFrom, (day) => sql`w.repayment_date >= ${day}::date`)
  add(input.repaymentDateTo, (day) => sql`w.repayment_date <= ${day}::date`)
  add(input.createTimeFrom, (time) => sql`w.created_at >= ${time}::timestamptz`)
  add(input.createTimeTo, (time) => sql`w.created_at <= ${time}::timestamptz`)
  return allOf(all)
}

/** One as its contract row, without a scope check: the caller has made it. */
export async function writeOffRow(db: Db, writeOffId: string): Promise<WriteOffRow> {
  const { rows } = await sql<{
    row: WriteOffRow
  }>`select ${ROW} as row from write_off w ${JOINS} where w.id = ${writeOffId}`.execute(db)
  return (rows[0] as { row: WriteOffRow }).row
}

export async function newWriteOffId(trx: Trx): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`select 'W' || nextval('write_off_id_seq') as id`.execute(trx)
  return (rows[0] as { id: string }).id
}

interface Person {
  id: string | null
  name: string
}

export interface NewWriteOff {
  id: string
  orderId: string
  customerId: string
  type: WriteOffRow['type']
  state: 'pending' | 'done'
  /** IST day. */
  repaymentDate: string
  amount: number
  outstandingBefore: number
  resultStatus: number | null
  reason: string | null
  operator: Person
  confirmer: Person | null
  recordId: string | null
  approvalId: string | null
}

export async function insertWriteOff(trx: Trx, given: NewWriteOff): Promise<void> {
  await sql`
    insert into write_off (id, order_id, customer_id, type, state, repayment_date, amount,
      outstanding_before, result_status, reason, operator_id, operator_name, confirmer_id, confirmer_name,
      record_id, approval_id, done_at)
    values (${given.id}, ${given.orderId}, ${given.customerId}, ${given.type}, ${given.state},
      ${given.repaymentDate}::date, ${given.amount}, ${given.outstandingBefore}, ${given.resultStatus},
      ${given.reason}, ${given.operator.id}, ${given.operator.name},
      ${given.confirmer?.id ?? null}, ${given.confirmer?.name ?? null}, ${given.recordId},
      ${given.approvalId}, ${given.state === 'done' ? sql`clock_timestamp()` : null})`.execute(trx)
}

/**
 * Records the result of the payment a write-off waits for.
 * @param to status of the order after it; null = the payment failed
 */
export async function finishWriteOff(
  tx: CommandTx,
  recordId: string,
  to: number | null,
  rooms: readonly string[],
): Promise<void> {
  const { rows } = await sql<{
    id: string
    order_id: string
    type: string
    amount: number
    version: number
  }>`
    update write_off w set state = ${to === null ? 'rejected' : 'done'}, result_status = ${to}, done_at = ${
      to === null
        ? null
        : sql`
      clock_timestamp()`
    }, confirmer_id = ${tx.actor.userId}, confirmer_name = ${tx.actor.userName}, version = w.version + 1
    where w.record_id = ${recordId} and w.state = 'pending'
      returning w.id, w.order_id, w.type, w.amount, w.version`.execute(tx.db)
  for (const row of rows)
    if (to !== null)
      emitWriteOff(
        tx,
        {
          writeOffId: row.id,
          orderId: row.order_id,
          type: row.type,
          amount: row.amount,
          version: row.version,
        },
        rooms,
      )
}

export function emitWriteOff(
  tx: CommandTx,
  {
    version,
    ...data
  }: { writeOffId: string; orderId: string; type: string; amount: number; version: number },
  rooms: readonly string[],
): void {
  tx.emit(WRITEOFF_DONE, {
    subject: `writeOff:${data.writeOffId}`,
    version,
    rooms: [...rooms, 'menu:flat_management'],
    data,
  })
}
