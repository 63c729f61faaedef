import { sql } from 'kysely'
import { inTransaction, type Trx } from '#gateway/manage/db/transaction.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { writeEmiApps } from './emi-apps.ts'
import {
  APP_GROUPS,
  APPS,
  CHANNELS,
  DEMO_MACHINE_KEYS,
  extensionOf,
  MERCHANTS,
  PRODUCTS,
} from './products.ts'

/**
 * Channels, apps, products and machine keys of the demo lender. Rows that are there stay as they
 * are.
 */
export async function seedFoundation(context: AppContext): Promise<void> {
  await inTransaction(context.database, (trx) => insertFoundation(trx, context))
}

export async function insertFoundation(trx: Trx, context: AppContext): Promise<void> {
  for (const channel of CHANNELS) {
    await sql`
      insert into channel (id, code, name, kind)
        values (${channel.id}, ${channel.code}, ${channel.name}, ${channel.kind})
        on conflict (id) do nothing`.execute(trx)
  }
  for (const merchant of MERCHANTS)
    await sql`
      insert into merchant (id, name, licence_no)
        values (${merchant.id}, ${merchant.name}, ${merchant.licenceNo}) on conflict do nothing`.execute(
      trx,
    )
  for (const group of APP_GROUPS)
    await sql`
      insert into app_group (id, name) values (${group.id}, ${group.name}) on conflict do nothing`.execute(
      trx,
    )
  for (const app of APPS)
    await sql`
      insert into app (id, code, name, group_id, merchant_id, package, app_version, min_version, store_url,
        privacy_url, service_phone)
      values (${app.id}, ${app.code}, ${app.name}, ${app.groupId}, ${app.merchantId}, ${app.package},
        ${app.appVersion}, ${app.minVersion}, ${app.storeUrl}, ${app.privacyUrl}, ${app.servicePhone})
      on conflict (id) do nothing`.execute(trx)
  for (const p of PRODUCTS) {
    const merchantId = MERCHANTS.find((merchant) => merchant.appId === p.appId)?.id ?? null
    await sql`
      insert into product (id, app_id, merchant_id, name, min_amount, max_amount, tenure_days, periods,
        days_per_period, service_rate, daily_rate, penalty_rate, cooling_off_days, sort, extend)
      values (${p.id}, ${p.appId}, ${merchantId}, ${p.name}, ${p.minAmount}, ${p.maxAmount},
        ${p.tenureDays}, ${p.periods}, ${p.daysPerPeriod}, ${p.serviceRate}, ${p.dailyRate},
        ${p.penaltyRate}, ${p.coolingOffDays}, ${p.sort}, ${JSON.stringify(extensionOf(p))}::jsonb)
      on conflict (id) do nothing`.execute(trx)
    await sql`
      insert into merchant_product (merchant_id, product_id) values (${merchantId}, ${p.id})
        on conflict do nothing`.execute(trx)
  }
  await writeEmiApps(trx)
  for (const key of DEMO_MACHINE_KEYS) {
    await sql`
      insert into machine_key (id, name, secret_enc, scopes)
        values (${key.id}, ${key.name}, ${context.secrets.seal('machine_key.secret', key.id, key.secret)},
        ${[...key.scopes]})
      on conflict (id) do nothing`.execute(trx)
  }
}
