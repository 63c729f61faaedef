import type { ApprovalState } from '#shared/approvals/approval-lifecycle.ts'
import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'

export interface Approval {
  id: string
  kind: ApprovalKindName
  target_kind: string
  target_id: string
  payload: Record<string, unknown>
  amount: number
  count: number
  reason: string
  state: ApprovalState
  requested_by: string
  requested_by_name: string
  expires_at: string
  version: number
}

/** The fields a rehearsal needs; a request that is not stored yet has no id. */
export type Rehearsable = Pick<
  Approval,
  | 'id'
  | 'target_id'
  | 'payload'
  | 'reason'
  | 'requested_by'
  | 'requested_by_name'
  | 'count'
  | 'amount'
>
