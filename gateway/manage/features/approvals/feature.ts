import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { approvalExpire } from './approval-expire-job.ts'
import { approvalsRoutes } from './approvals-routes.ts'

export const approvals: Feature = {
  schedules: ({ hooked }) => [approvalExpire(hooked('approvals'))],
  routes: (base, { context, hooked }) =>
    approvalsRoutes(base, context, { kinds: hooked('approvals') }),
}
