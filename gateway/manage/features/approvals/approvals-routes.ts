import type { FastifyInstance } from 'fastify'
import * as api from '#shared/approvals/approvals-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import type { ApprovalKind } from './approval-kind.ts'
import { approvalList, findApproval } from './approval-list.ts'
import { decideApproval, withdrawApproval } from './decide-approval.ts'

export function approvalsRoutes(
  app: FastifyInstance,
  house: House,
  { kinds }: { kinds: readonly ApprovalKind[] },
): void {
  serveQuery(app, house, api.listApprovals, ({ db, actor }, input) =>
    approvalList(db, actor, kinds, input),
  )
  serveQuery(app, house, api.approvalDetail, ({ actor }, { approvalId }) =>
    findApproval(house, actor, kinds, approvalId),
  )
  serveCommand(app, house, api.decideApproval, (cx, input) => decideApproval(cx, kinds, input))
  serveCommand(app, house, api.withdrawApproval, (cx, input) => withdrawApproval(cx, kinds, input))
}
