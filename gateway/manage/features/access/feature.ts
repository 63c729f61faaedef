import { ACCESS_MENU } from '#shared/access/access-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { accessRoutes } from './access-routes.ts'
import { roleApproval } from './save-role.ts'

export const access: Feature = {
  menu: ACCESS_MENU,
  hooks: ({ hooked }) => ({ approvals: [roleApproval(hooked('whenStaffStops'))] }),
  routes: (base, { context, hooked }) =>
    accessRoutes(base, context, { releases: hooked('whenStaffStops') }),
}
