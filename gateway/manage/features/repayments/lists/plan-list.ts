import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, TOTAL_CAP } from '#shared/kernel/page.ts'
import { istDay } from '#shared/kernel/time.ts'
import type { listPlans, planOptions } from '#shared/repayments/repayments-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import { JsonText } from '#gateway/manage/kernel/serve.ts'
import { likeStart, sortOf } from '#gateway/manage/features/collection/public.ts'
import { PLAN_ROW_JOINS, planRowJson, plansInScope } from './payment-rows.ts'

const SORTS: Record<string, string> = {
  dueTime: 'p.due_at', planId: 'p.id', orderId: 'p.order_id', overdueDays: 'p.overdue_days', overdueFine: 'p.overdue_fine', paidAmount: 'p.paid_amount', outstanding: 'p.outstanding', paymentStatus: 'p.payment_status',
  actualRepaymentTime: 'p.actual_repayment_at',
}

/** A page in one statement. Without a sort what is still owed comes first, soonest due first. @throws Problem G422 for a sort the list does not know */
export async function planList(db: Db, secrets: Secrets, actor: StaffActor, input: InputOf<typeof listPlans>): Promise<JsonText> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const where = sql`${plansInScope(actor)} and ${filters(input, secrets)}`
  const order = input.sort === undefined ? sql.raw('(p.outstanding = 0), p.due_at, p.id') : sortOf(input.sort, SORTS, '', 'p.id')
  const { rows } = await sql<{ answer: string }>`
    with page as materialized (
      select p.id from repay_plan p where ${where} order by ${order} limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}
    ), counted as (
      select count(*)::int as n from (select 1 from repay_plan p where ${where} limit ${TOTAL_CAP + 1}) x
    )
    select json_build_object(
      'rows', coalesce((select json_agg(${planRowJson} order by ${order}) from page x join repay_plan p on p.id = x.id ${PLAN_ROW_JOINS}), '[]'),
      'total', least(n.n, ${TOTAL_CAP}::int), 'totalCapped', n.n > ${TOTAL_CAP}, 'asOf', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text as answer
    from counted n`.execute(db)
  return new JsonText((rows[0] as { answer: string }).answer)
}

function filters(input: InputOf<typeof listPlans>, secrets: Secrets): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  const add = <T>(value: T | undefined, clause: (value: T) => RawBuilder<unknown>) => {
    if (value !== undefined) all.push(clause(value))
  }
  const ofOrders = (clause: RawBuilder<unknown>) => sql`p.order_id in (select o.id from loan_order o where ${clause})`
  add(input.planId, (id) => sql`p.id = ${id}`)
  add(input.orderId, (id) => sql`p.order_id = ${id}`)
  add(input.userId, (id) => ofOrders(sql`o.customer_id = ${id}`))
  add(input.userName, (name) => ofOrders(sql`o.customer_id in (select c.id from customer c where lower(c.name) like ${likeStart(name)})`))
  // one look per app: the index begins with it
  add(input.phone, (phone) => ofOrders(sql`o.customer_id in (select c.id from app a join customer c on c.app_id = a.id where c.phone_h = ${secrets.blindIndex('phone', phone)})`))
  add(input.paymentStatus, (status) => sql`p.payment_status = any(${status.split(',')}::text[])`)
  add(input.dueTimeFrom, (time) => sql`p.due_at >= ${istDay(time)}::date`)
  add(input.dueTimeTo, (time) => sql`p.due_at <= ${istDay(time)}::date`)
  add(input.overdueFrom, (days) => sql`p.overdue_days >= ${days}`)
  add(input.overdueTo, (days) => sql`p.overdue_days <= ${days}`)
  add(input.productId, (id) => ofOrders(sql`o.product_id = ${id}`))
  add(input.appId, (id) => ofOrders(sql`o.app_id = ${id}`))
  return sql.join(all, sql` and `)
}

/** What the filters offer: everything there is, since instalments of a closed product stay. */
export async function findPlanOptions(db: Db): Promise<DataOf<typeof planOptions>> {
  const { rows } = await sql<DataOf<typeof planOptions>>`
    select (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) order by p.name), '[]') from product p) as products,
      (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name) order by a.name), '[]') from app a) as apps`.execute(db)
  return rows[0] as DataOf<typeof planOptions>
}
