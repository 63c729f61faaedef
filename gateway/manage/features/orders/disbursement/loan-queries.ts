/** Loans, payout attempts and failed disbursements: one statement per page. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import type * as api from '#shared/orders/disbursement-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { countedTo, likeStart, notNull, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import { listedInScope, ordersInScope } from '../order-scope.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import { orderFilters, orderSort } from '../order-filters.ts'
import { ORDER_ROW_JOINS, orderColumns, orderRowColumns } from '../order-row.ts'
import { customersNamed } from '#gateway/manage/features/customers/public.ts'
import { redisburseObstacle, WAITS_FOR } from './failed-payout.ts'

/** Written as in the partial index of these statuses. */
export const IS_LOAN = sql<boolean>`o.status not in (10, 20, 21, 22, 23, 26, 27, 70)`

/** The last transfer of `o`. */
export const LAST_TRANSFER = sql`
  lateral (select t.* from payout_transfer t where t.order_id = o.id order by t.attempt_no desc limit 1) t`

export async function listLoans(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof api.listLoans>,
  secrets: Secrets,
): Promise<DataOf<typeof api.listLoans>> {
  const all: RawBuilder<unknown>[] = [
    ordersInScope(actor),
    IS_LOAN,
    orderFilters(input, secrets) ?? sql`true`,
  ]
  if (input.disburseTimeFrom !== undefined)
    all.push(sql`o.disbursed_at >= ${input.disburseTimeFrom}::timestamptz`)
  if (input.disburseTimeTo !== undefined)
    all.push(sql`o.disbursed_at <= ${input.disburseTimeTo}::timestamptz`)
  if (input.vendorCode !== undefined) all.push(sql`o.payout_vendor = ${input.vendorCode}`)
  const sort = orderSort(input.sort)
  const where = sql.join(all, sql` and `)
  return page(
    db,
    countedTo(input),
    sql`loan_order o where ${where}`,
    // the page is selected from the order table alone; only its rows are joined
    sql`select ${orderRowColumns}, t.vendor_code as "vendorCode", t.pay_state as "payState"
      from (select ${orderColumns} from loan_order o where ${where}
        order by ${sort} ${bounds(input)}) o ${ORDER_ROW_JOINS} left join ${LAST_TRANSFER} on true
        order by ${sort}`,
  )
}

const WAIT_SORTS = {
  failTime: 't.fail_at',
  amount: notNull('o.amount'),
  arrivalAmount: notNull('o.arrival_amount'),
  attempts: notNull('t.attempt_no'),
}

/** Oldest failure first. */
export async function listWaiting(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof api.listWaiting>,
): Promise<DataOf<typeof api.listWaiting>> {
  const all: RawBuilder<unknown>[] = [ordersInScope(actor), sql`o.status = 31`]
  if (input.orderId !== undefined) all.push(sql`o.id = ${input.orderId}`)
  if (input.userName !== undefined)
    all.push(
      sql`
        o.customer_id = ${customersNamed(input.userName)}`,
    )
  if (input.failReason !== undefined)
    all.push(sql`lower(t.fail_reason) like ${likeStart(input.failReason)}`)
  if (input.handlingMethod !== undefined) all.push(sql`t.handling_method = ${input.handlingMethod}`)
  if (input.waitsFor !== undefined) all.push(sql`${WAITS_FOR} = ${input.waitsFor}`)
  if (input.attemptFrom !== undefined) all.push(sql`t.attempt_no >= ${input.attemptFrom}`)
  if (input.attemptTo !== undefined) all.push(sql`t.attempt_no <= ${input.attemptTo}`)
  if (input.failTimeFrom !== undefined)
    all.push(sql`t.fail_at >= ${input.failTimeFrom}::timestamptz`)
  if (input.failTimeTo !== undefined) all.push(sql`t.fail_at <= ${input.failTimeTo}::timestamptz`)
  if (input.vendorCode !== undefined) all.push(sql`t.vendor_code = ${input.vendorCode}`)
  const from = sql`loan_order o join ${LAST_TRANSFER} on true where ${sql.join(all, sql` and `)}`
  return page(
    db,
    countedTo(input),
    from,
    sql`
      select ${orderRowColumns}, t.id as "transferId", t.version as "transferVersion",
        t.transfer_type as "transferType", t.handling_method as "handlingMethod",
        t.vendor_code as "vendorCode", t.attempt_no as attempts, t.fail_at as "failTime",
        t.payee_name as "payeeName", 'XXXXXX' || t.account_last4 as account, coalesce(b.bind_state,
        'notBound') as "bindState", b.name_similarity as "nameSimilarity",
        coalesce(${redisburseObstacle()}, 'ready') as resend
      from loan_order o join ${LAST_TRANSFER} on true ${ORDER_ROW_JOINS} left
        join bank_card b on b.customer_id = o.customer_id and b.active
      where ${sql.join(
        all,
        sql`
        and `,
      )} order by ${sortOf(input.sort, WAIT_SORTS, 'failTime:asc', 'o.id')} ${bounds(input)}`,
  )
}

/** TransferRow of the contract, of `t`. */
const TRANSFER_COLUMNS = sql`
  t.id as "transferId", t.order_id as "orderId", t.platform_order_no as "platformOrderNo",
    t.vendor_order_no as "vendorOrderNo", t.vendor_code as "vendorCode", t.payee_name as "payeeName",
    t.transfer_type as "transferType",
  'XXXXXX' || t.account_last4 as account, t.amount, t.pay_state as "payState", t.attempt_no as "attemptNo",
    t.fail_at as "failTime", t.fail_reason as "failReason", t.wait_reason as "waitReason",
    t.handling_method as "handlingMethod", t.utr, t.created_at as "createTime",
  t.finished_at as "finishTime", t.conflict, t.conflict_at as "conflictTime",
    t.conflict_outcome as "conflictOutcome", t.stray_open as "strayOpen",
    t.lost_at as "lostTime", t.late_at as "lateTime", t.version`

/** One transfer; null when it is missing. The caller has checked the scope. */
export async function transferRow(db: Db, transferId: string): Promise<TransferData | null> {
  const { rows } = await sql<TransferData>`
      select ${TRANSFER_COLUMNS} from payout_transfer t where t.id = ${transferId}`.execute(db)
  return rows[0] ?? null
}
type TransferData = Omit<DataOf<typeof api.handleTransfer>, 'asked'>

const TRANSFER_SORTS = {
  createTime: notNull('t.created_at'),
}

export async function listTransfers(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof api.listTransfers>,
): Promise<DataOf<typeof api.listTransfers>> {
  const all: RawBuilder<unknown>[] = [listedInScope(actor, 't.order_id')]
  if (input.orderId !== undefined) all.push(sql`t.order_id = ${input.orderId}`)
  if (input.platformOrderNo !== undefined)
    all.push(sql`t.platform_order_no = ${input.platformOrderNo}`)
  if (input.vendorOrderNo !== undefined) all.push(sql`t.vendor_order_no = ${input.vendorOrderNo}`)
  if (input.vendorCode !== undefined) all.push(sql`t.vendor_code = ${input.vendorCode}`)
  if (input.transferType !== undefined) all.push(sql`t.transfer_type = ${input.transferType}`)
  if (input.payState !== undefined) all.push(sql`t.pay_state = ${input.payState}`)
  if (input.conflict === true) all.push(sql`t.conflict is not null and t.conflict_ended_at is null`)
  if (input.stray === true) all.push(sql`t.stray_open > 0`)
  if (input.doubt === 'lost') all.push(sql`t.pay_state = 'inProgress' and t.lost_at is not null`)
  if (input.doubt === 'late') all.push(sql`t.pay_state = 'inProgress' and t.late_at is not null`)
  if (input.createTimeFrom !== undefined)
    all.push(sql`t.created_at >= ${input.createTimeFrom}::timestamptz`)
  if (input.createTimeTo !== undefined)
    all.push(sql`t.created_at <= ${input.createTimeTo}::timestamptz`)
  const from = sql`payout_transfer t where ${sql.join(all, sql` and `)}`
  return page(
    db,
    countedTo(input),
    from,
    sql`
      select ${TRANSFER_COLUMNS}, (select o.customer_id from loan_order o
        where o.id = t.order_id) as "userId",
        exists (select from loan_order o where o.id = t.order_id and o.status = 31)
          and not exists (select from payout_transfer n where n.order_id = t.order_id
          and n.attempt_no > t.attempt_no) as waits
      from ${from}
        order by ${sortOf(input.sort, TRANSFER_SORTS, 'createTime:desc', 't.id desc')} ${bounds(input)}`,
  )
}

function bounds(input: { pageNum?: number; pageSize?: number }): RawBuilder<unknown> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  return sql`limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`
}

/** @param from the rows to count, up to `cap` @param rows the page itself */
async function page<Row>(
  db: Db,
  cap: number,
  from: RawBuilder<unknown>,
  rows: RawBuilder<unknown>,
): Promise<{ rows: Row[]; total: number; totalCapped?: boolean; asOf: string }> {
  const [found, counted] = await Promise.all([
    sql<Row>`${rows}`.execute(db),
    sql<{
      total: number
      asOf: string
    }>`
      select
        (select count(*)::int from (select 1 from ${from} limit ${sql.lit(cap + 1)}) counted) as total,
        clock_timestamp() as "asOf"`.execute(db),
  ])
  const { total, asOf } = counted.rows[0] as { total: number; asOf: string }
  return total > cap
    ? { rows: found.rows, total: cap, totalCapped: true, asOf }
    : { rows: found.rows, total, asOf }
}
