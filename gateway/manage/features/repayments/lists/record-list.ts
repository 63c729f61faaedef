import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { listRecords, recordDetail } from '#shared/repayments/repayments-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  allOf,
  filterClauses,
  onePage,
  sortOf,
  notNull,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'
import { listedInScope } from '#gateway/manage/features/orders/order-scope.ts'
import {
  clearedParts,
  CLEARS,
  IS_PARKED,
  isUtrOf,
  RECORD_ROW_JOINS,
  recordRowJson,
  recordsInScope,
} from './payment-rows.ts'
import { customersNamed } from '#gateway/manage/features/customers/public.ts'

const SORTS: Sorts = {
  payTime: notNull('r.paid_at'),
  recordId: notNull('r.id'),
}

/**
 * A page in one statement. The default order is payments that wait for staff first, then the
 * newest.
 * @throws Problem G-FIELD for a sort the list does not know
 */
export async function recordList(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof listRecords>,
): Promise<JsonText> {
  const where = sql`${listedInScope(actor, 'r.order_id')} and ${filters(input)}`
  const order =
    input.sort === undefined
      ? sql.raw(`${IS_PARKED} desc, r.paid_at desc, r.id desc`)
      : sortOf(input.sort, SORTS, '', 'r.id')
  return onePage(db, {
    from: 'repay_record r',
    where,
    order,
    row: recordRowJson,
    joins: RECORD_ROW_JOINS,
    input,
  })
}

function filters(input: InputOf<typeof listRecords>): RawBuilder<unknown> {
  const { all, add } = filterClauses()
  add(input.recordId, (id) => sql`r.id = ${id}`)
  // for a parked payment the order its channel named
  add(
    input.orderId,
    (id) => sql`(r.order_id = ${id} or (r.order_id is null and r.told_order_id = ${id}))`,
  )
  add(input.userId, (id) => sql`r.customer_id = ${id}`)
  add(input.userName, (name) => sql`r.customer_id = ${customersNamed(name)}`)
  add(input.utr, isUtrOf)
  add(input.channel, (channel) => sql`r.channel = ${channel}`)
  add(input.payState, (state) => sql`r.pay_state = ${state}`)
  add(input.reversed, (isReversed) => sql`(r.reversed_at is not null) = ${isReversed}`)
  add(input.repaymentType, (type) => sql`r.repayment_type = ${type}`)
  add(input.source, (source) => sql`r.source = ${source}`)
  add(
    input.conflict === true ? true : undefined,
    () => sql`(r.conflict_at is not null and r.conflict_ended_at is null)`,
  )
  add(input.payTimeFrom, (time) => sql`r.paid_at >= ${time}::timestamptz`)
  add(input.payTimeTo, (time) => sql`r.paid_at <= ${time}::timestamptz`)
  return allOf(all)
}

/** @throws Problem G404 when it is missing or outside the caller's scope */
export async function findRecord(
  db: Db,
  actor: StaffActor,
  recordId: string,
): Promise<DataOf<typeof recordDetail>> {
  const { rows } = await sql<{ data: DataOf<typeof recordDetail> }>`
    select json_build_object('record', ${recordRowJson}, 'allocations', (
      select coalesce(json_agg(x.line order by x.serial_no, x.kind), '[]') from (
        select p.serial_no, e.kind, json_build_object('planId', p.id, 'serialNo', p.serial_no, 'kind',
          e.kind, ${clearedParts('e')}) as line
        from ledger_entry e join repay_plan p on p.id = e.plan_id where e.order_id = r.order_id
          and e.ref_id = r.id and ${CLEARS} group by p.id, p.serial_no, e.kind
      ) x), 'proofId', (select f.id from repay_proof f
        where f.record_id = r.id), 'reversedBy', (select u.user_name from sys_user u
        where u.id = r.reversed_by)) as data
    from repay_record r ${RECORD_ROW_JOINS} where r.id = ${recordId} and ${recordsInScope(actor)}`.execute(
    db,
  )
  const found = rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  return found.data
}

/** The order of a payment in the caller's scope; null when it is missing or out of scope. */
export async function recordOrder(
  db: Db,
  actor: StaffActor,
  recordId: string,
): Promise<{ orderId: string | null } | null> {
  const { rows } = await sql<{
    orderId: string | null
  }>`select r.order_id as "orderId" from repay_record r where r.id = ${recordId} and ${recordsInScope(actor)}`.execute(
    db,
  )
  return rows[0] ?? null
}
