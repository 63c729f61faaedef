import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, TOTAL_CAP } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { listRecords, recordDetail } from '#shared/repayments/repayments-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { JsonText } from '#gateway/manage/kernel/serve.ts'
import { likeStart, sortOf } from '#gateway/manage/features/collection/public.ts'
import { clearedParts, IS_PARKED, RECORD_ROW_JOINS, recordRowJson, recordsInScope } from './payment-rows.ts'

const SORTS: Record<string, string> = { payTime: 'r.paid_at', recordId: 'r.id', orderId: 'r.order_id', amount: 'r.amount', confirmTime: 'r.confirmed_at', payState: 'r.pay_state' }

/** A page in one statement. Without a sort money that waits for a person comes first, then the newest. @throws Problem G422 for a sort the list does not know */
export async function recordList(db: Db, actor: StaffActor, input: InputOf<typeof listRecords>): Promise<JsonText> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const where = sql`${recordsInScope(actor)} and ${filters(input)}`
  const order = input.sort === undefined ? sql.raw(`${IS_PARKED} desc, r.paid_at desc, r.id desc`) : sortOf(input.sort, SORTS, '', 'r.id')
  const { rows } = await sql<{ answer: string }>`
    with page as materialized (
      select r.id from repay_record r where ${where} order by ${order} limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}
    ), counted as (
      select count(*)::int as n from (select 1 from repay_record r where ${where} limit ${TOTAL_CAP + 1}) x
    )
    select json_build_object(
      'rows', coalesce((select json_agg(${recordRowJson} order by ${order}) from page x join repay_record r on r.id = x.id ${RECORD_ROW_JOINS}), '[]'),
      'total', least(n.n, ${TOTAL_CAP}::int), 'totalCapped', n.n > ${TOTAL_CAP}, 'asOf', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text as answer
    from counted n`.execute(db)
  return new JsonText((rows[0] as { answer: string }).answer)
}

function filters(input: InputOf<typeof listRecords>): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  const add = <T>(value: T | undefined, clause: (value: T) => RawBuilder<unknown>) => {
    if (value !== undefined) all.push(clause(value))
  }
  add(input.recordId, (id) => sql`r.id = ${id}`)
  // of parked money the order its channel named
  add(input.orderId, (id) => sql`(r.order_id = ${id} or (r.order_id is null and r.told_order_id = ${id}))`)
  add(input.userId, (id) => sql`r.customer_id = ${id}`)
  add(input.userName, (name) => sql`r.customer_id in (select c.id from customer c where lower(c.name) like ${likeStart(name)})`)
  add(input.utr, (utr) => sql`r.utr = ${utr}`)
  add(input.channel, (channel) => sql`r.channel = ${channel}`)
  add(input.payState, (state) => sql`r.pay_state = ${state}`)
  add(input.repaymentType, (type) => sql`r.repayment_type = ${type}`)
  add(input.source, (source) => sql`r.source = ${source}`)
  add(input.payTimeFrom, (time) => sql`r.paid_at >= ${time}::timestamptz`)
  add(input.payTimeTo, (time) => sql`r.paid_at <= ${time}::timestamptz`)
  return sql.join(all, sql` and `)
}

/** @throws Problem G404 when it is missing or outside the caller's scope */
export async function findRecord(db: Db, actor: StaffActor, recordId: string): Promise<DataOf<typeof recordDetail>> {
  const { rows } = await sql<{ data: DataOf<typeof recordDetail> }>`
    select json_build_object('record', ${recordRowJson}, 'allocations', (
      select coalesce(json_agg(x.line order by x.serial_no, x.kind), '[]') from (
        select p.serial_no, e.kind, json_build_object('planId', p.id, 'serialNo', p.serial_no, 'kind', e.kind, ${clearedParts('e')}) as line
        from ledger_entry e join repay_plan p on p.id = e.plan_id where e.order_id = r.order_id and e.ref_id = r.id and e.kind <> 'fineCorrection' group by p.id, p.serial_no, e.kind
      ) x)) as data
    from repay_record r ${RECORD_ROW_JOINS} where r.id = ${recordId} and ${recordsInScope(actor)}`.execute(db)
  const found = rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  return found.data
}

/** The order of a payment in the caller's scope; null when there is no such payment for him. */
export async function recordOrder(db: Db, actor: StaffActor, recordId: string): Promise<{ orderId: string | null } | null> {
  const { rows } = await sql<{ orderId: string | null }>`select r.order_id as "orderId" from repay_record r where r.id = ${recordId} and ${recordsInScope(actor)}`.execute(db)
  return rows[0] ?? null
}
