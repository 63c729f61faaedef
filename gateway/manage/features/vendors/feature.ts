import { sql } from 'kysely'
import { VENDORS_MENU } from '#shared/vendors/vendors-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { VALUES_PLACE } from '#gateway/manage/vendors/routing/configurations.ts'
import { vendorHealth } from './vendor-health.ts'
import { vendorsRoutes } from './vendors-routes.ts'

export const vendors: Feature = {
  menu: VENDORS_MENU,
  sealed: [{ place: VALUES_PLACE, table: 'tp_cfg', column: 'values_enc' }],
  hooks: {
    retained: [
      {
        name: 'vendorAttempts',
        table: 'tp_attempt',
        term: 'retention.vendorAttemptDays',
        isOver: (before) => sql<boolean>`r.at < ${before}`,
      },
    ],
  },
  schedules: () => [vendorHealth],
  routes: (base, setup) => vendorsRoutes(base, setup),
}
