import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { istDay } from '#shared/kernel/time.ts'
import type { listPlans, planOptions } from '#shared/repayments/repayments-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  allOf,
  filterClauses,
  isOneOf,
  onePage,
  sortOf,
  notNull,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'
import { listedInScope } from '#gateway/manage/features/orders/order-scope.ts'
import { PLAN_ROW_JOINS, planRowJson } from './payment-rows.ts'
import { APP_OPTIONS } from '#gateway/manage/features/products/public.ts'
import { customersNamed } from '#gateway/manage/features/customers/public.ts'

const SORTS: Sorts = {
  dueTime: notNull('p.due_at'),
  planId: notNull('p.id'),
  orderId: notNull('p.order_id'),
}

/**
 * A page in one statement. The default order is open instalments first, soonest due first.
 * @throws Problem G-FIELD for a sort the list does not know
 */
export async function planList(
  db: Db,
  secrets: Secrets,
  actor: StaffActor,
  input: InputOf<typeof listPlans>,
): Promise<JsonText> {
  const where = sql`${listedInScope(actor, 'p.order_id')} and ${filters(input, secrets)}`
  const order =
    input.sort === undefined
      ? sql.raw('(p.outstanding = 0), p.due_at, p.id')
      : sortOf(input.sort, SORTS, '', 'p.id')
  return onePage(db, {
    from: 'repay_plan p',
    where,
    order,
    row: planRowJson,
    joins: PLAN_ROW_JOINS,
    input,
  })
}

/** As in its index. */
const SETTLED_SIDE = sql`case when ist_day(p.actual_repayment_at) < p.due_at then 'early'
  when ist_day(p.actual_repayment_at) = p.due_at then 'onTime' else 'late' end`

function filters(input: InputOf<typeof listPlans>, secrets: Secrets): RawBuilder<unknown> {
  const { all, add } = filterClauses()
  const ofOrders = (clause: RawBuilder<unknown>) =>
    sql`p.order_id in (select o.id from loan_order o where ${clause})`
  add(input.planId, (id) => sql`p.id = ${id}`)
  add(input.orderId, (id) => sql`p.order_id = ${id}`)
  add(input.userId, (id) => ofOrders(sql`o.customer_id = ${id}`))
  add(input.userName, (name) => ofOrders(sql`o.customer_id = ${customersNamed(name)}`))
  // one index scan per app, because the index begins with the app
  add(input.phone, (phone) =>
    ofOrders(
      sql`
        o.customer_id in (select c.id from app a join customer c on c.app_id = a.id
          where c.phone_h = ${secrets.blindIndex('phone', phone)})`,
    ),
  )
  add(input.paymentStatus, (status) => isOneOf('p.payment_status', status, 'text'))
  add(input.dueTimeFrom, (time) => sql`p.due_at >= ${istDay(time)}::date`)
  add(input.dueTimeTo, (time) => sql`p.due_at <= ${istDay(time)}::date`)
  add(input.overdueFrom, (days) => sql`p.overdue_days >= ${days}`)
  add(input.overdueTo, (days) => sql`p.overdue_days <= ${days}`)
  add(input.productId, (id) => ofOrders(sql`o.product_id = ${id}`))
  add(input.appId, (id) => ofOrders(sql`o.app_id = ${id}`))
  add(input.settled, (side) => sql`p.payment_status = 'paid' and ${SETTLED_SIDE} = ${side}`)
  add(input.scheduled, () => sql`p.kind = 'instalment' and p.principal + p.interest > 0`)
  return allOf(all)
}

/** Options of the filters: all values, because instalments of a closed product remain. */
export async function findPlanOptions(db: Db): Promise<DataOf<typeof planOptions>> {
  const { rows } = await sql<DataOf<typeof planOptions>>`
    select (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) order by p.name), '[]')
      from product p) as products,
      ${APP_OPTIONS} as apps`.execute(db)
  return rows[0] as DataOf<typeof planOptions>
}
