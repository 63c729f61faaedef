/** The EMI product of each demo app, with the information the app shows its users. */
import { sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { EMI_CONFIGS, EMI_PRODUCTS } from './emi-terms.ts'
import { APPS, MERCHANTS } from './products.ts'

export async function writeEmiApps(trx: Trx): Promise<void> {
  for (const { id, name, package: appId, privacyUrl, servicePhone } of APPS) {
    const info = {
      name: `${name} EMI`,
      package: `${appId}.emi`,
      appVersion: '1.3.0',
      minVersion: '1.1.0',
      privacyUrl,
      servicePhone,
    }
    await sql`
      insert into emi_app (app_id, info, config) values (${id}, ${JSON.stringify(info)}::jsonb,
        ${JSON.stringify(EMI_CONFIGS[id])}::jsonb)
      on conflict (app_id) do nothing`.execute(trx)
  }
  for (const p of EMI_PRODUCTS) {
    const merchantId = MERCHANTS.find((merchant) => merchant.appId === p.appId)?.id ?? null
    await sql`
      insert into product (id, app_id, merchant_id, name, kind, min_amount, max_amount, tenure_days, periods,
        days_per_period, service_rate, daily_rate, penalty_rate, cooling_off_days, sort)
      values (${p.id}, ${p.appId}, ${merchantId}, ${p.name}, 'emi', ${p.minAmount}, ${p.maxAmount},
        ${p.tenureDays}, ${p.periods}, ${p.daysPerPeriod}, ${p.serviceRate}, ${p.dailyRate},
        ${p.penaltyRate}, ${p.coolingOffDays}, ${p.sort})
      on conflict (id) do nothing`.execute(trx)
  }
}
