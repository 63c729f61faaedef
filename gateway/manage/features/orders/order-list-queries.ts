import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, TOTAL_CAP } from '#shared/kernel/page.ts'
import type { listOrders, orderOptions } from '#shared/orders/orders-api.ts'
import { readPrepared } from '#gateway/manage/db/prepared.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { APP_OPTIONS, CHANNEL_OPTIONS } from '#gateway/manage/features/products/public.ts'
import { countedTo } from '#gateway/manage/kernel/list-parts.ts'
import { ordersInScope } from './order-scope.ts'
import { orderFilters, orderSort } from './order-filters.ts'
import { ORDER_ROW_JOINS, orderColumns, orderRowColumns } from './order-row.ts'

type OrderRow = DataOf<typeof listOrders>['rows'][number]
/** Every row also carries the total (null above the cap) and the time of the snapshot. */
interface OfPage {
  total: number | null
  asOf: string
}

/**
 * Pages of orders in one statement. The page is selected from the order table alone and only its
 * rows are joined; counting stops one above the cap. Orders are never deleted, so a total that once
 * passed the cap is not counted again (half of the cost). The unfiltered first page is a prepared
 * statement (planning its joins was half of the rest).
 */
export function orderLists({
  database,
  secrets,
}: Pick<AppContext, 'database' | 'secrets'>): (
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
    const isKnownBeyondCap = areAll && areBeyondCap && cap === TOTAL_CAP
    const count = isKnownBeyondCap
      ? sql`null::bigint`
      : sql`(
        select count(*)
        from (select 1 from loan_order o where ${where} limit ${sql.lit(cap + 1)}) counted)`
    const ofPage = sql`${count} as total, (select clock_timestamp()) as "asOf"`
    const isFirstOfAll = areAll && from === 0
    // a plan for a variable limit would scan the whole table
    const bounds = isFirstOfAll ? sql`limit ${sql.lit(size)}` : sql`limit ${size} offset ${from}`
    const statement = sql<OrderRow & OfPage>`
      select ${orderRowColumns}, ${ofPage}
      from (select ${orderColumns} from loan_order o where ${where}
        order by ${sort} ${bounds}) o ${ORDER_ROW_JOINS}
      order by ${sort}`
    const rows = isFirstOfAll
      ? await readPrepared(database, statement)
      : (await statement.execute(database.kysely)).rows
    // a page without rows cannot carry the total
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

/** Options of the filters: all of them, because orders of closed products remain. */
export async function findOrderOptions(db: Db): Promise<DataOf<typeof orderOptions>> {
  const { rows } = await sql<{ data: DataOf<typeof orderOptions> }>`
    select json_build_object(
      'products', (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name)
        order by p.sort, p.name), '[]') from product p),
      'apps', ${APP_OPTIONS},
      'channels', ${CHANNEL_OPTIONS}
    ) as data`.execute(db)
  return (rows[0] as { data: DataOf<typeof orderOptions> }).data
}
