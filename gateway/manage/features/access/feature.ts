import { ACCESS_MENU } from '#shared/access/access-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { ACCESS_HOME } from './access-home.ts'
import { accessRoutes } from './access-routes.ts'
import { logRemoval } from './removal/remove-entries-job.ts'
import { proveChain } from './prove-chain-job.ts'
import { roleApproval } from './save-role.ts'

export const access: Feature = {
  menu: ACCESS_MENU,
  hooks: ({ hooked }) => ({
    approvals: [roleApproval(hooked('whenStaffStops'))],
    home: [ACCESS_HOME],
  }),
  schedules: [proveChain, logRemoval],
  routes: (base, { context, hooked }) =>
    accessRoutes(base, context, { releases: hooked('whenStaffStops') }),
}
