/** Saves the EMI settings of an app. The terms are those of its EMI product, for new orders. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { compareVersions } from '#shared/products/app-version.ts'
import type * as api from '#shared/products/emi-api.ts'
import { type EmiConfig, emiFault } from '#shared/products/emi-offer.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitProducts } from '../product-store.ts'
import { findConfig, findInfo } from './emi-queries.ts'

/** A month, for screens that know instalments by days. */
const DAYS_OF_MONTH = 30

interface Locked {
  appName: string
  merchantId: string | null
  version: number
}

/** @throws Problem G404, G409, G-FIELD */
export async function saveInfo(
  tx: CommandTx,
  { appId, version, value }: InputOf<typeof api.saveEmiInfo>,
): Promise<DataOf<typeof api.saveEmiInfo>> {
  const locked = await lockApp(tx, appId)
  const before = await findInfo(tx.db, appId)
  if (locked.version !== version) throw await changedByOther(tx.db, 'emiApp', appId, before)
  if (compareVersions(value.minVersion, value.appVersion) > 0)
    throw new Problem(
      INVALID_FIELDS,
      {},
      { fields: { minVersion: 'products:app.fault.minVersion' } },
    )
  await write(tx, appId, 'info', value)
  const after = await findInfo(tx.db, appId)
  tx.log({
    action: 'edit',
    targetKind: 'emiApp',
    targetId: appId,
    before: infoOf(before),
    after: value,
  })
  emitEmi(tx, appId)
  return after
}

function infoOf({
  name,
  package: id,
  appVersion,
  minVersion,
  storeUrl,
  privacyUrl,
  servicePhone,
}: DataOf<typeof api.saveEmiInfo>): Record<string, unknown> {
  return { name, package: id, appVersion, minVersion, storeUrl, privacyUrl, servicePhone }
}

/** @throws Problem G404, G409, G-FIELD */
export async function saveConfig(
  tx: CommandTx,
  { appId, version, value }: InputOf<typeof api.saveEmiConfig>,
): Promise<DataOf<typeof api.saveEmiConfig>> {
  const locked = await lockApp(tx, appId)
  const before = await findConfig(tx.db, appId)
  if (locked.version !== version) throw await changedByOther(tx.db, 'emiApp', appId, before)
  const config = { ...value, instalments: value.instalments.toSorted((a, b) => a - b) }
  const fields = emiFault(config, before.gstRate)
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
  await write(tx, appId, 'config', config)
  const productId = await writeProduct(tx, appId, locked, config)
  tx.log({
    action: 'edit',
    targetKind: 'emiApp',
    targetId: appId,
    ...(before.config === null ? {} : { before: before.config }),
    after: config,
  })
  emitEmi(tx, appId)
  emitProducts(tx, [productId])
  return findConfig(tx.db, appId)
}

/** @throws Problem G404 */
async function lockApp(tx: CommandTx, appId: string): Promise<Locked> {
  const { rows } = await sql<{ name: string; merchant_id: string | null }>`
    select a.name, a.merchant_id from app a where a.id = ${appId} for update`.execute(tx.db)
  const app = rows[0]
  if (!app) throw new Problem(NOT_FOUND)
  const settings = await sql<{ version: number }>`
    select e.version from emi_app e where e.app_id = ${appId}`.execute(tx.db)
  return {
    appName: app.name,
    merchantId: app.merchant_id,
    version: settings.rows[0]?.version ?? 0,
  }
}

async function write(
  tx: CommandTx,
  appId: string,
  part: 'info' | 'config',
  value: object,
): Promise<void> {
  const column = sql.ref(part)
  await sql`
    insert into emi_app as e (app_id, ${column}) values (${appId}, ${JSON.stringify(value)}::jsonb)
    on conflict (app_id) do update set ${column} = excluded.${column},
      updated_at = clock_timestamp(), version = e.version + 1`.execute(tx.db)
}

/** The product is inactive until it is activated, like any other; its name may be changed there. */
async function writeProduct(
  tx: CommandTx,
  appId: string,
  { appName, merchantId }: Locked,
  config: EmiConfig,
): Promise<string> {
  const periods = Math.max(...config.instalments)
  const { rows } = await sql<{ id: string }>`
    with changed as (
      update product p set min_amount = ${config.minAmount}, max_amount = ${config.maxAmount},
        tenure_days = ${periods * DAYS_OF_MONTH}::int, periods = ${periods},
        service_rate = ${config.processingFee}, cooling_off_days = ${config.coolingOffDays},
        version = p.version + 1, updated_at = clock_timestamp()
      where p.app_id = ${appId} and p.kind = 'emi' returning p.id
    ), made as (
      insert into product (app_id, merchant_id, name, kind, min_amount, max_amount, tenure_days, periods,
        days_per_period, service_rate, daily_rate, penalty_rate, cooling_off_days, penalty, status)
      select ${appId}, ${merchantId},
        case when exists (select 1 from product n where n.app_id = ${appId}
          and n.name = ${`${appName} EMI`}) then ${`${appName} EMI (${appId})`}
          else ${`${appName} EMI`} end, 'emi', ${config.minAmount}::bigint, ${config.maxAmount}::bigint,
        ${periods * DAYS_OF_MONTH}::int, ${periods}::int, ${DAYS_OF_MONTH}::int,
        ${config.processingFee}::int, 0, 0, ${config.coolingOffDays}::int, '[]'::jsonb, 'disabled'
      where not exists (select 1 from changed)
      returning id
    )
    select c.id from changed c union all select m.id from made m`.execute(tx.db)
  return (rows[0] as { id: string }).id
}

/** Every screen with EMI settings reads them again. */
function emitEmi(tx: CommandTx, appId: string): void {
  tx.emit(CONFIG_REFRESHED, {
    subject: 'config:emi',
    rooms: ['all'],
    data: { area: 'emi', ids: [appId] },
  })
}
