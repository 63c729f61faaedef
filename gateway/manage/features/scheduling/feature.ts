import { SCHEDULING_MENU } from '#shared/scheduling/scheduling-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { SCHEDULING_HOME } from './scheduling-home.ts'
import { retentionClass } from './retention/retention-job.ts'
import { schedulingRoutes } from './scheduling-routes.ts'
import { taskWatch } from './task-watch-job.ts'

export const scheduling: Feature = {
  menu: SCHEDULING_MENU,
  hooks: { home: [SCHEDULING_HOME] },
  schedules: ({ hooked }) => [taskWatch, retentionClass(hooked('retained'))],
  routes: (base, { context }) => schedulingRoutes(base, context),
}
