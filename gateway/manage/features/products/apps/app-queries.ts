/** Apps and their groups, for the list, the form and the app itself. */
import { type RawBuilder, sql } from 'kysely'
import { updateFor } from '#shared/products/app-version.ts'
import type * as api from '#shared/products/apps-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { isoTime, likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import { ON_OFFER } from '../public.ts'

type App = DataOf<typeof api.listApps>['rows'][number]
type Form = DataOf<typeof api.appForm>

const SORTS = {
  name: 'lower(a.name)',
  code: 'a.code',
  groupName: 'lower(g.name)',
  merchantName: 'm.name',
  status: 'a.status',
  updateTime: 'a.updated_at',
}
const VALUES = sql`
  a.id as "appId", a.name, a.code, a.group_id as "groupId", a.merchant_id as "merchantId", a.package,
  a.app_version as "appVersion", a.min_version as "minVersion", a.force_update as "forceUpdate",
  a.store_url as "storeUrl", a.privacy_url as "privacyUrl", a.service_phone as "servicePhone", a.status,
  a.version`

export async function listApps(db: Db, input: InputOf<typeof api.listApps>): Promise<Page<App>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (input.name !== undefined) all.push(sql`lower(a.name) like ${likeStart(input.name)}`)
  if (input.groupId !== undefined) all.push(sql`a.group_id = ${input.groupId}`)
  if (input.status !== undefined) all.push(sql`a.status = ${input.status}`)
  const { rows } = await sql<App & { total: number; now: string }>`
    select ${VALUES}, g.name as "groupName", m.name as "merchantName",
      (select count(*)::int from product p where p.app_id = a.id and ${ON_OFFER}) as offered,
      ${isoTime('a.updated_at')} as "updateTime", count(*) over ()::int as total, clock_timestamp() as now
    from app a left join app_group g on g.id = a.group_id left join merchant m on m.id = a.merchant_id
    where ${sql.join(all, sql` and `)} order by ${sortOf(input.sort, SORTS, 'name:asc', 'a.id')}
    limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  return {
    rows: rows.map(({ total: _total, now: _now, ...row }) => row),
    total: rows[0]?.total ?? 0,
    asOf: rows[0]?.now ?? new Date().toISOString(),
  }
}

export async function listGroups(db: Db): Promise<DataOf<typeof api.listGroups>> {
  const { rows } = await sql<DataOf<typeof api.listGroups>[number]>`
    select g.id as "groupId", g.name, g.remark,
      (select count(*)::int from app a where a.group_id = g.id) as apps
    from app_group g order by lower(g.name), g.id`.execute(db)
  return rows
}

/** @throws Problem G404 */
export async function findApp(db: Db, appId: string): Promise<Form['values']> {
  const { rows } = await sql<
    Form['values']
  >`select ${VALUES} from app a where a.id = ${appId}`.execute(db)
  if (!rows[0]) throw new Problem(NOT_FOUND)
  return rows[0]
}

/** @throws Problem G404 */
export async function appForm(db: Db, appId: string): Promise<Form> {
  const values = await findApp(db, appId)
  return { values, ...(await options(db, values.merchantId)) }
}

/** A new app takes the only group and the only merchant there is. */
export async function newAppForm(
  db: Db,
  { groupId }: InputOf<typeof api.newAppForm>,
): Promise<Form> {
  const { groups, merchants } = await options(db, null)
  const only = (rows: readonly { id: string }[]) => (rows.length === 1 ? rows[0]?.id : null) ?? null
  return {
    groups,
    merchants,
    values: {
      appId: '',
      name: '',
      code: '',
      groupId: groupId ?? only(groups),
      merchantId: only(merchants),
      package: '',
      appVersion: '1.0.0',
      minVersion: '1.0.0',
      forceUpdate: false,
      storeUrl: null,
      privacyUrl: null,
      servicePhone: null,
      status: 'enabled',
      version: 1,
    },
  }
}

async function options(
  db: Db,
  merchantId: string | null,
): Promise<Pick<Form, 'groups' | 'merchants'>> {
  const { rows } = await sql<Pick<Form, 'groups' | 'merchants'>>`
    select (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) order by lower(g.name)),
        '[]') from app_group g) as groups,
      (select coalesce(json_agg(json_build_object('id', m.id, 'name', m.name) order by m.name), '[]')
        from merchant m where m.status = 'enabled' or m.id = ${merchantId}) as merchants`.execute(
    db,
  )
  return rows[0] ?? { groups: [], merchants: [] }
}

/** Read again for each installation that asks: a change counts at once. @throws Problem G404 */
export async function appOfInstallation(
  db: Db,
  { appId, installed }: InputOf<typeof api.inboundApp>,
): Promise<DataOf<typeof api.inboundApp>> {
  const { rows } = await sql<Omit<DataOf<typeof api.inboundApp>, 'update'>>`
    select a.id as "appId", a.name, a.status, a.app_version as "appVersion", a.min_version as "minVersion",
      a.force_update as "forceUpdate", a.store_url as "storeUrl", a.privacy_url as "privacyUrl",
      a.service_phone as "servicePhone",
      (select e.info from emi_app e where e.app_id = a.id) as emi,
      (select coalesce(json_agg(json_build_object('productId', p.id, 'name', p.name,
        'description', p.description, 'minAmount', p.min_amount, 'maxAmount', p.max_amount,
        'tenureDays', p.tenure_days, 'periods', p.periods, 'daysPerPeriod', p.days_per_period,
        'serviceRate', p.service_rate, 'dailyRate', p.daily_rate, 'coolingOffDays', p.cooling_off_days,
        'lender', m.name, 'emi', case when p.kind = 'emi' then (select e.config from emi_app e
          where e.app_id = p.app_id) end) order by p.sort, p.id), '[]')
        from product p left join merchant m on m.id = p.merchant_id
        where p.app_id = a.id and ${ON_OFFER}) as products
    from app a where a.id = ${appId}`.execute(db)
  const app = rows[0]
  if (!app) throw new Problem(NOT_FOUND)
  return { ...app, update: installed === undefined ? null : updateFor(installed, app) }
}
