import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, TOTAL_CAP } from '#shared/kernel/page.ts'
import type { listOrders, orderOptions } from '#shared/orders/orders-api.ts'
import { readPrepared } from '#gateway/manage/db/prepared.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { countedTo } from '#gateway/manage/kernel/list-parts.ts'
import { ordersInScope } from '#gateway/manage/kernel/scope.ts'
import { orderFilters, orderSort } from './order-filters.ts'
import { ORDER_ROW_JOINS, orderColumns, orderRowColumns } from './order-row.ts'

type OrderRow = DataOf<typeof listOrders>['rows'][number]
/** What every row of a page carries besides the order: total (null when it is known to be beyond the cap) and time of the one snapshot. */
interface OfPage {
  total: number | null
  asOf: string
}

/**
 * Pages of orders. One statement: the page is found on the order table alone and only its rows are joined; the total stops
 * counting one above the cap. Orders are never deleted, so once all of them passed the cap they are not counted again: that
 * was half of the list's cost. The first page of all orders, which everybody opens, is prepared: planning its joins was half of the rest.
 */
export function orderLists({
  database,
  secrets,
}: Pick<House, 'database' | 'secrets'>): (
  actor: StaffActor,
  input: InputOf<typeof listOrders>,
) => Promise<DataOf<typeof listOrders>> {
  let areBeyondCap = false
  return async (actor, input) => {
    const size = input.pageSize ?? DEFAULT_PAGE_SIZE
    const cap = countedTo(input)
    const from = ((input.pageNum ?? 1) - 1) * size
    const filters = orderFilters(input, secrets)
    const areAll = actor.rights.scope === 'all' && filters === null
    const where = sql`${ordersInScope(actor)} and ${filters ?? sql`true`}`
    const sort = orderSort(input.sort)
    const ofPage = sql`${areAll && areBeyondCap && cap === TOTAL_CAP ? sql`null::bigint` : sql`(select count(*) from (select 1 from loan_order o where ${where} limit ${sql.lit(cap + 1)}) counted)`} as total, (select clock_timestamp()) as "asOf"`
    const isFirstOfAll = areAll && from === 0
    // a plan for any number of rows would read them all
    const bounds = isFirstOfAll ? sql`limit ${sql.lit(size)}` : sql`limit ${size} offset ${from}`
    const statement = sql<OrderRow & OfPage>`
      select ${orderRowColumns}, ${ofPage}
      from (select ${orderColumns} from loan_order o where ${where} order by ${sort} ${bounds}) o ${ORDER_ROW_JOINS}
      order by ${sort}`
    const rows = isFirstOfAll
      ? await readPrepared(database, statement)
      : (await statement.execute(database.kysely)).rows
    // a page without rows has nothing to carry it
    const { total, asOf } =
      rows[0] ?? ((await sql<OfPage>`select ${ofPage}`.execute(database.kysely)).rows[0] as OfPage)
    const isCapped = total === null || total > cap
    if (areAll && isCapped) areBeyondCap = true
    const page = rows.map(({ total: _total, asOf: _asOf, ...row }) => row)
    return isCapped
      ? { rows: page, total: cap, totalCapped: true, asOf }
      : { rows: page, total, asOf }
  }
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
