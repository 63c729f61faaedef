/** What other features may use of approvals. */
export type { ApprovalKind } from './approval-kind.ts'
export { effectOf } from './approval-effect.ts'
export { type NewApproval, requestApproval } from './approval-store.ts'
export type { Approval } from './approval-types.ts'
export { pendingApproval, refuseWhilePending } from './pending-approval.ts'
export { decidableKinds, waitingFor } from './approval-list.ts'
