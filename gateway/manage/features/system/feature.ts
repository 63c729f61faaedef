import { SYSTEM_MENU } from '#shared/system/system-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { lineStatusJob } from './line-store.ts'
import { systemRoutes } from './system-routes.ts'

export const system: Feature = {
  menu: SYSTEM_MENU,
  jobTypes: [lineStatusJob],
  routes: (base, { context }) => systemRoutes(base, context),
}
