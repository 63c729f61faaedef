import type { ApprovalState } from '#shared/approvals/approval-lifecycle.ts'
import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'

/** @typeParam Payload what its kind stored: ids and codes */
export interface Approval<Payload = Record<string, unknown>> {
  id: string
  kind: ApprovalKindName
  target_kind: string
  target_id: string
  payload: Payload
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
export type Rehearsable<Payload = Record<string, unknown>> = Pick<
  Approval<Payload>,
  | 'id'
  | 'target_id'
  | 'payload'
  | 'reason'
  | 'requested_by'
  | 'requested_by_name'
  | 'count'
  | 'amount'
>
