/** Services, third parties and configurations, with their health. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { SIGNING_KEYS, STORAGE_KEYS, VENDOR_KINDS } from '#shared/vendors/vendor-kinds.ts'
import type * as api from '#shared/vendors/vendors-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { isoTime, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import { HEALTH, HEALTH_JOINS } from './vendor-health.ts'

export type Service = DataOf<typeof api.listServices>['rows'][number]
export type Configuration = DataOf<typeof api.listConfigurations>['rows'][number]

const SERVICE = sql`
  s.id, s.app_id as "appId", p.name as "appName", s.vendor_id as "thirdPartyId",
  v.code as "thirdPartyCode", v.name as "thirdPartyName", s.kind, s.cfg_id as "cfgId",
  c.name as "cfgName", s.priority, s.share, s.remark, s.status,
  s.status = 'enabled' and not exists (select 1 from tp_app_cfg o where o.app_id = s.app_id
    and o.kind = s.kind and o.status = 'enabled' and o.id <> s.id) as "isLast",
  ${isoTime('s.updated_at')} as "updateTime", s.version, ${HEALTH}`
const SERVICE_JOINS = sql`
  tp_app_cfg s join app p on p.id = s.app_id join tp_vendor v on v.id = s.vendor_id
  join tp_cfg c on c.id = s.cfg_id`
const SERVICE_SORTS = {
  appName: 'lower(p.name)',
  thirdPartyName: 'lower(v.name)',
  kind: 's.kind',
  priority: 's.priority',
  status: 's.status',
  updateTime: 's.updated_at',
}

/** An app that lends in instalments. */
const IS_EMI = sql`
  exists (select from emi_app e where e.app_id = p.id and e.config is not null)`

/** @param ofEmi of EMI apps only */
export async function listServices(
  db: Db,
  input: InputOf<typeof api.listServices>,
  ofEmi = false,
): Promise<Page<Service>> {
  const all: RawBuilder<unknown>[] = [ofEmi ? IS_EMI : sql`true`]
  if (input.appId !== undefined) all.push(sql`s.app_id = ${input.appId}`)
  if (input.thirdPartyId !== undefined) all.push(sql`s.vendor_id = ${input.thirdPartyId}`)
  if (input.kind !== undefined) all.push(sql`s.kind = ${input.kind}`)
  if (input.status !== undefined) all.push(sql`s.status = ${input.status}`)
  // one app after the other, its services in the order in which they are asked
  const order =
    input.sort === undefined
      ? sql`lower(p.name), array_position(${[...VENDOR_KINDS]}::text[], s.kind), s.priority, s.id`
      : sortOf(input.sort, SERVICE_SORTS, 'updateTime:desc', 's.id')
  return page<Service>(db, input, {
    columns: SERVICE,
    from: sql`${SERVICE_JOINS} ${HEALTH_JOINS} where ${sql.join(all, sql` and `)}`,
    order,
  })
}

export async function listEmiApps(db: Db): Promise<{ appId: string; name: string }[]> {
  const { rows } = await sql<{ appId: string; name: string }>`
    select p.id as "appId", p.name from app p where ${IS_EMI} order by lower(p.name), p.id`.execute(
    db,
  )
  return rows
}

/** @throws Problem G404 */
export async function findService(db: Db, id: string): Promise<Service> {
  const { rows } = await sql<Service>`
    select ${SERVICE} from ${SERVICE_JOINS} ${HEALTH_JOINS} where s.id = ${id}`.execute(db)
  if (!rows[0]) throw new Problem(NOT_FOUND)
  return rows[0]
}

const CONFIGURATION = sql`
  c.id as "cfgId", c.name, v.id as "thirdPartyId", v.code as "thirdPartyCode",
  v.name as "thirdPartyName", v.kind, v.site, v.sandbox, c.base_url as "baseUrl", c.keys,
  case when v.sandbox then '{}'::text[]
    else array(select k.name from unnest(case v.kind when 'storage' then ${[...STORAGE_KEYS]}::text[]
      else ${[...SIGNING_KEYS]}::text[] end) as k (name)
      where k.name <> all(c.keys)) end as unset,
  c.timeout_ms as "timeoutMs", c.status,
  array(select p.name from tp_app_cfg s join app p on p.id = s.app_id
    where s.cfg_id = c.id and s.status = 'enabled' order by lower(p.name)) as apps,
  ${isoTime('c.created_at')} as "createTime", c.version, ${HEALTH}`
const CONFIGURATION_SORTS = {
  name: 'lower(c.name)',
  thirdPartyName: 'lower(v.name)',
  kind: 'v.kind',
  createTime: 'c.created_at',
}

export async function listConfigurations(
  db: Db,
  input: InputOf<typeof api.listConfigurations>,
): Promise<Page<Configuration>> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (input.thirdPartyId !== undefined) all.push(sql`c.vendor_id = ${input.thirdPartyId}`)
  if (input.kind !== undefined) all.push(sql`v.kind = ${input.kind}`)
  if (input.breaker !== undefined) all.push(sql`coalesce(h.state, 'closed') = ${input.breaker}`)
  return page<Configuration>(db, input, {
    columns: CONFIGURATION,
    from: sql`tp_cfg c join tp_vendor v on v.id = c.vendor_id ${HEALTH_JOINS}
      where ${sql.join(all, sql` and `)}`,
    order: sortOf(input.sort, CONFIGURATION_SORTS, 'thirdPartyName:asc', 'c.id'),
  })
}

/** @throws Problem G404 */
export async function findConfiguration(db: Db, cfgId: string): Promise<Configuration> {
  const { rows } = await sql<Configuration>`
    select ${CONFIGURATION} from tp_cfg c join tp_vendor v on v.id = c.vendor_id ${HEALTH_JOINS}
      where c.id = ${cfgId}`.execute(db)
  if (!rows[0]) throw new Problem(NOT_FOUND)
  return rows[0]
}

export async function listThirdParties(
  db: Db,
  { kind }: InputOf<typeof api.listThirdParties>,
): Promise<DataOf<typeof api.listThirdParties>> {
  const { rows } = await sql<DataOf<typeof api.listThirdParties>[number]>`
    select v.id as "thirdPartyId", v.code, v.name, v.kind,
      case when exists (select 1 from tp_cfg c where c.vendor_id = v.id and c.status = 'enabled')
        then 'enabled' else 'disabled' end as status
    from tp_vendor v where ${kind === undefined ? sql`true` : sql`v.kind = ${kind}`}
    order by lower(v.name), v.id`.execute(db)
  return rows
}

/** @throws Problem G404 */
export async function configurationsOf(
  db: Db,
  { thirdPartyId }: InputOf<typeof api.configurationsOf>,
): Promise<DataOf<typeof api.configurationsOf>> {
  const known = await sql`select from tp_vendor v where v.id = ${thirdPartyId}`.execute(db)
  if (known.rows.length === 0) throw new Problem(NOT_FOUND)
  const { rows } = await sql<DataOf<typeof api.configurationsOf>[number]>`
    select c.id as "cfgId", c.name, c.base_url as "baseUrl", c.keys, c.status
    from tp_cfg c where c.vendor_id = ${thirdPartyId} order by lower(c.name), c.id`.execute(db)
  return rows
}

export async function listServiceApps(db: Db): Promise<DataOf<typeof api.listServiceApps>> {
  const { rows } = await sql<DataOf<typeof api.listServiceApps>[number]>`
    select p.id as "appId", p.name,
      (select count(*)::int from tp_app_cfg s where s.app_id = p.id) as services
    from app p order by lower(p.name), p.id`.execute(db)
  return rows
}

async function page<Row extends object>(
  db: Db,
  { pageNum = 1, pageSize = DEFAULT_PAGE_SIZE }: { pageNum?: number; pageSize?: number },
  list: { columns: RawBuilder<unknown>; from: RawBuilder<unknown>; order: RawBuilder<unknown> },
): Promise<Page<Row>> {
  const { rows } = await sql<Row & { total: number; now: string }>`
    select ${list.columns}, count(*) over ()::int as total, clock_timestamp() as now
    from ${list.from} order by ${list.order}
    limit ${pageSize} offset ${(pageNum - 1) * pageSize}`.execute(db)
  return {
    // without the two columns that every row repeats, a row is the contract's
    rows: rows.map(({ total: _total, now: _now, ...row }) => row as Row),
    total: rows[0]?.total ?? 0,
    asOf: rows[0]?.now ?? new Date().toISOString(),
  }
}
