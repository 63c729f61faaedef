import type { FastifyInstance } from 'fastify'
import { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import * as api from '#shared/approvals/approvals-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import type { ApprovalKind } from './approval-kind.ts'
import { approvalList, findApproval } from './approval-list.ts'
import { decideApproval, withdrawApproval } from './decide-approval.ts'

export function approvalsRoutes(
  app: FastifyInstance,
  context: AppContext,
  { kinds }: { kinds: readonly ApprovalKind[] },
): void {
  serveQuery(app, context, api.listApprovals, ({ db, actor }, input) =>
    approvalList(db, actor, kinds, input),
  )
  serveQuery(app, context, approvalDetail, ({ actor }, { approvalId }) =>
    findApproval(context, actor, kinds, approvalId),
  )
  serveCommand(app, context, api.decideApproval, (tx, input) => decideApproval(tx, kinds, input))
  serveCommand(app, context, api.withdrawApproval, (tx, input) =>
    withdrawApproval(tx, kinds, input),
  )
}
