import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { approvalsHome } from './approvals-home.ts'
import { approvalExpire } from './approval-expire-job.ts'
import { approvalsRoutes } from './approvals-routes.ts'

export const approvals: Feature = {
  hooks: ({ hooked }) => ({ home: [approvalsHome(hooked('approvals'))] }),
  schedules: ({ hooked }) => [approvalExpire(hooked('approvals'))],
  routes: (base, { context, hooked }) =>
    approvalsRoutes(base, context, { kinds: hooked('approvals') }),
}
