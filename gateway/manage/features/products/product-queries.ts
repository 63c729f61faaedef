/** Products for the list and the forms. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/products/products-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { isoTime, likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'

export type Product = DataOf<typeof api.editProduct>

const SORTS = {
  name: 'lower(p.name)',
  appName: 'a.name',
  merchantName: 'm.name',
  minAmount: 'p.min_amount',
  maxAmount: 'p.max_amount',
  tenureDays: 'p.tenure_days',
  serviceRate: 'p.service_rate',
  dailyRate: 'p.daily_rate',
  status: 'p.status',
  sort: 'p.sort',
  updateTime: 'p.updated_at',
}

async function readProducts(
  db: Db,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  page: RawBuilder<unknown> = sql``,
): Promise<(Product & { total: number; now: string })[]> {
  const { rows } = await sql<Product & { total: number; now: string }>`
    select p.id as "productId", p.name, p.kind, p.app_id as "appId",
      a.name as "appName",
      p.merchant_id as "merchantId", m.name as "merchantName", p.min_amount as "minAmount",
      p.max_amount as "maxAmount", p.tenure_days as "tenureDays", p.periods,
      p.days_per_period as "daysPerPeriod",
      p.service_rate as "serviceRate", p.daily_rate as "dailyRate", p.cooling_off_days as "coolingOffDays",
        p.microfinance,
      case when p.kind = 'emi' then (select (e.config ->> 'annualRate')::int from emi_app e
        where e.app_id = p.app_id) end as "annualRate", p.description, p.status, p.sort,
      ${isoTime('p.updated_at')} as "updateTime",
      (select count(*)::int from loan_order o where o.product_id = p.id
        and o.status in (10, 20, 22, 26, 31)) as "openOrders", p.logo_file_id as "logoFileId", p.version,
        count(*) over ()::int as total, clock_timestamp() as now
    from product p join app a on a.id = p.app_id left join merchant m on m.id = p.merchant_id
    where ${where} order by ${order} ${page}`.execute(db)
  return rows
}

function shown({
  total: _total,
  now: _now,
  ...product
}: Product & { total: number; now: string }): Product {
  return product
}

export async function listProducts(
  db: Db,
  input: InputOf<typeof api.listProducts>,
): Promise<Page<Product>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (input.name !== undefined) all.push(sql`lower(p.name) like ${likeStart(input.name)}`)
  if (input.appId !== undefined) all.push(sql`p.app_id = ${input.appId}`)
  if (input.merchantId !== undefined) all.push(sql`p.merchant_id = ${input.merchantId}`)
  if (input.status !== undefined) all.push(sql`p.status = ${input.status}`)
  const rows = await readProducts(
    db,
    sql<boolean>`${sql.join(all, sql` and `)}`,
    sortOf(input.sort, SORTS, 'sort:asc', 'p.id'),
    sql`limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`,
  )
  return {
    rows: rows.map(shown),
    total: rows[0]?.total ?? 0,
    asOf: rows[0]?.now ?? new Date().toISOString(),
  }
}

/** @throws Problem G404 */
export async function findProduct(db: Db, productId: string): Promise<Product> {
  const [row] = await readProducts(db, sql<boolean>`p.id = ${productId}`, sql`p.id`)
  if (!row) throw new Problem(NOT_FOUND)
  return shown(row)
}

/** Default form values of an extension. */
const NO_EXTENSION: DataOf<typeof api.productExtension>['extend'] = {
  enabled: false,
  days: 7,
  feeType: 'rate',
  fee: 0,
  commission: 0,
  maxTimes: 1,
}

interface ProductTerms {
  quota: DataOf<typeof api.productQuota>['quota']
  penalty: DataOf<typeof api.productPenalty>['penalty']
  extend: DataOf<typeof api.productExtension>['extend']
  version: number
}

/** The terms that have their own forms. @throws Problem G404 */
export async function findTerms(db: Db, productId: string): Promise<ProductTerms> {
  const { rows } = await sql<
    ProductTerms & { penalty_rate: number }
  >`select p.quota, p.penalty, p.penalty_rate, p.extend, p.version from product p where p.id = ${productId}`.execute(
    db,
  )
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  const oneRate =
    row.penalty_rate === 0
      ? []
      : [{ dayFrom: 1, dayTo: null, rate: row.penalty_rate, capRatio: null }]
  return {
    quota: row.quota,
    penalty: row.penalty ?? oneRate,
    extend: row.extend ?? NO_EXTENSION,
    version: row.version,
  }
}

export async function appOptions(db: Db): Promise<DataOf<typeof api.productOptions>> {
  const { rows: apps } = await sql<{
    id: string
    name: string
  }>`select a.id, a.name from app a order by a.name, a.id`.execute(db)
  return { apps }
}

export async function listMerchants(
  db: Db,
  { name }: InputOf<typeof api.listMerchants>,
): Promise<DataOf<typeof api.listMerchants>> {
  const { rows } = await sql<DataOf<typeof api.listMerchants>[number]>`
    select m.id as "merchantId", m.name, m.licence_no as "licenceNo", m.status, array(select l.product_id
      from merchant_product l where l.merchant_id = m.id order by l.product_id) as "productIds"
    from merchant m where ${
      name === undefined
        ? sql`
      true`
        : sql`lower(m.name) like ${likeStart(name)}`
    } order by m.name, m.id`.execute(db)
  return rows
}
