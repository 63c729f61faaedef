/** What other features may use of approvals. */
export type { ApprovalKind } from './approval-kind.ts'
export { type Approval, type NewApproval, requestApproval } from './approval-store.ts'
export { decidableKinds, waitingFor } from './approval-list.ts'
