/** EMI settings of apps, for their two screens and for the app itself. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import type * as api from '#shared/products/emi-api.ts'
import { type EmiConfig, emiOffer, withGrace } from '#shared/products/emi-offer.ts'
import type { Penalty } from '#shared/repayments/overdue-fine.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { isoTime, likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import { parameterValue } from '#gateway/manage/kernel/parameters.ts'
import { ON_OFFER } from '../public.ts'

type InfoRow = DataOf<typeof api.saveEmiInfo>
type ConfigRow = DataOf<typeof api.saveEmiConfig>
type Filters = Pick<InputOf<typeof api.listEmiInfo>, 'name' | 'status'>

const SORTS = {
  appName: 'lower(a.name)',
  appStatus: 'a.status',
  updateTime: 'e.updated_at',
}

const APP = sql`
  a.id as "appId", a.name as "appName", a.status as "appStatus", coalesce(e.version, 0) as version,
  case when e.app_id is not null then ${isoTime('e.updated_at')} end as "updateTime"`

const INFO = sql`
  ${APP}, e.info ->> 'name' as name, e.info ->> 'package' as package,
  e.info ->> 'appVersion' as "appVersion", e.info ->> 'minVersion' as "minVersion",
  e.info ->> 'storeUrl' as "storeUrl", e.info ->> 'privacyUrl' as "privacyUrl",
  e.info ->> 'servicePhone' as "servicePhone"`

const CONFIG = sql`
  ${APP}, p.id as "productId", p.name as "productName", p.status as "productStatus", e.config,
  (${parameterValue('emi.gstRate')})::int as "gstRate"`

export function listInfo(db: Db, input: InputOf<typeof api.listEmiInfo>): Promise<Page<InfoRow>> {
  return page<InfoRow>(db, INFO, input)
}

export function listConfig(
  db: Db,
  input: InputOf<typeof api.listEmiConfig>,
): Promise<Page<ConfigRow>> {
  return page<ConfigRow>(db, CONFIG, input)
}

/** @throws Problem G404 */
export function findInfo(db: Db, appId: string): Promise<InfoRow> {
  return findOne<InfoRow>(db, INFO, appId)
}

/** @throws Problem G404 */
export function findConfig(db: Db, appId: string): Promise<ConfigRow> {
  return findOne<ConfigRow>(db, CONFIG, appId)
}

const FROM = sql`
  from app a left join emi_app e on e.app_id = a.id
  left join product p on p.app_id = a.id and p.kind = 'emi'`

async function findOne<Row>(db: Db, columns: RawBuilder<unknown>, appId: string): Promise<Row> {
  const { rows } = await sql<Row>`select ${columns} ${FROM} where a.id = ${appId}`.execute(db)
  if (!rows[0]) throw new Problem(NOT_FOUND)
  return rows[0]
}

async function page<Row>(
  db: Db,
  columns: RawBuilder<unknown>,
  {
    name,
    status,
    sort,
    pageNum = 1,
    pageSize = DEFAULT_PAGE_SIZE,
  }: Filters & { sort?: string; pageNum?: number; pageSize?: number },
): Promise<Page<Row>> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (name !== undefined) all.push(sql`lower(a.name) like ${likeStart(name)}`)
  if (status !== undefined) all.push(sql`a.status = ${status}`)
  const { rows } = await sql<Row & { total: number; now: string }>`
    select ${columns}, count(*) over ()::int as total, clock_timestamp() as now ${FROM}
    where ${sql.join(all, sql` and `)} order by ${sortOf(sort, SORTS, 'appName:asc', 'a.id')}
    limit ${pageSize} offset ${(pageNum - 1) * pageSize}`.execute(db)
  return {
    rows: rows.map(({ total: _total, now: _now, ...row }) => row as Row),
    total: rows[0]?.total ?? 0,
    asOf: rows[0]?.now ?? new Date().toISOString(),
  }
}

/**
 * Key facts statement of a loan that is paid out today.
 * @throws Problem O-RULE with `reason` productClosed, amountOutsideProduct or instalments
 */
export async function offerOfToday(
  db: Db,
  { appId, amount, instalments }: InputOf<typeof api.inboundEmiOffer>,
): Promise<DataOf<typeof api.inboundEmiOffer>> {
  const { rows } = await sql<{
    product_id: string
    config: EmiConfig
    penalty: Penalty
    gst_rate: number
    now: string
  }>`
    select p.id as product_id, e.config, coalesce(p.penalty, jsonb_build_array(jsonb_build_object(
        'dayFrom', 1, 'dayTo', null, 'rate', p.penalty_rate, 'capRatio', null))) as penalty,
      (${parameterValue('emi.gstRate')})::int as gst_rate,
      clock_timestamp() as now
    from app a join emi_app e on e.app_id = a.id join product p on p.app_id = a.id and p.kind = 'emi'
    where a.id = ${appId} and ${ON_OFFER}`.execute(db)
  const found = rows[0]
  if (!found) throw new Problem(ORDER_RULE, { reason: 'productClosed' })
  const { config } = found
  if (amount < config.minAmount || amount > config.maxAmount)
    throw new Problem(ORDER_RULE, { reason: 'amountOutsideProduct' })
  if (!config.instalments.includes(instalments))
    throw new Problem(ORDER_RULE, { reason: 'instalments' })
  const { plan, ...offer } = emiOffer(
    config,
    { amount, instalments },
    found.gst_rate,
    istDay(found.now),
  )
  const { annualRate, graceDays, bounceCharge, prepayment } = config
  return {
    productId: found.product_id,
    ...offer,
    annualRate,
    graceDays,
    bounceCharge,
    prepayment,
    // nothing is charged for a prepayment or an early end
    contingent: {
      bounce: bounceCharge,
      penalty: [...withGrace(found.penalty, graceDays)],
      foreclosure: 0,
    },
    plan: plan.map(({ dueDay, principal, interest }) => ({
      dueDay,
      principal: Number(principal),
      interest: Number(interest),
    })),
  }
}
