import { sql } from 'kysely'
import { VENDORS_MENU } from '#shared/vendors/vendors-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { OBJECT_KEYS } from '#gateway/manage/kernel/stored-bytes.ts'
import { VALUES_PLACE } from '#gateway/manage/vendors/routing/configurations.ts'
import { fileMove } from './storage/move-files-job.ts'
import { objectCheck, objectErase } from './storage/objects-job.ts'
import { vendorHealth } from './vendor-health.ts'
import { vendorsRoutes } from './vendors-routes.ts'

export const vendors: Feature = {
  menu: VENDORS_MENU,
  sealed: [{ place: VALUES_PLACE, table: 'tp_cfg', column: 'values_enc' }, OBJECT_KEYS],
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
  schedules: ({ hooked, vendors: { storage } }) => [
    vendorHealth,
    ...(storage
      ? [fileMove(storage, hooked('ownedFiles')), objectErase(storage), objectCheck(storage)]
      : []),
  ],
  routes: (base, setup) => vendorsRoutes(base, setup),
}
