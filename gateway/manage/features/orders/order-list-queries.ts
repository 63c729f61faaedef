import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, TOTAL_CAP } from '#shared/kernel/page.ts'
import type { listOrders, orderOptions } from '#shared/orders/orders-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { ordersInScope } from '#gateway/manage/kernel/scope.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import { utcText } from './order-columns.ts'
import { orderFilters, orderSort } from './order-filters.ts'
import { ORDER_ROW_JOINS, orderRowJson } from './order-row.ts'

/**
 * One page of orders as the text of the answer's data. One statement: the page is found on the order table alone and only its
 * rows are joined; the total stops counting one above the cap.
 */
export async function orderListJson(db: Db, actor: StaffActor, secrets: Secrets, input: InputOf<typeof listOrders>): Promise<string> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const from = ((input.pageNum ?? 1) - 1) * size
  const where = sql`${ordersInScope(actor)} and ${orderFilters(input, secrets)}`
  const sort = orderSort(input.sort)
  const { rows } = await sql<{ data: string }>`
    with page as (
      select o.id from loan_order o where ${where} order by ${sort} limit ${size} offset ${from}
    ), total as (
      select count(*) as n from (select 1 from loan_order o where ${where} limit ${TOTAL_CAP + 1}) counted
    ), listed as (
      select coalesce(json_agg(${orderRowJson} order by ${sort}), '[]') as rows from page g join loan_order o on o.id = g.id ${ORDER_ROW_JOINS}
    )
    select (case when t.n > ${TOTAL_CAP}
      then json_build_object('rows', l.rows, 'total', ${TOTAL_CAP}::int, 'totalCapped', true, 'asOf', ${utcText('s.now')})
      else json_build_object('rows', l.rows, 'total', t.n, 'asOf', ${utcText('s.now')}) end)::text as data
    from listed l, total t, (select clock_timestamp() as now) s`.execute(db)
  return (rows[0] as { data: string }).data
}

/** What the filters offer: everything there is, since orders of a closed product stay. */
export async function findOrderOptions(db: Db): Promise<DataOf<typeof orderOptions>> {
  const { rows } = await sql<{ data: DataOf<typeof orderOptions> }>`
    select json_build_object(
      'products', (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) order by p.sort, p.name), '[]') from product p),
      'apps', (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name) order by a.name), '[]') from app a),
      'channels', (select coalesce(json_agg(json_build_object('id', h.id, 'name', h.name) order by h.name), '[]') from channel h)
    ) as data`.execute(db)
  return (rows[0] as { data: DataOf<typeof orderOptions> }).data
}
