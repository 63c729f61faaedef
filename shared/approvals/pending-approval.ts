import Type, { type Static } from 'typebox'
import { OneOf } from '#shared/kernel/endpoint.ts'
import { APPROVAL_KINDS } from './approval-sets.ts'

/**
 * The pending request of a row: the row shows it, the same is not requested twice, and the
 * requester can withdraw it there.
 */
export const PendingApproval = Type.Object({
  approvalId: Type.String(),
  kind: OneOf(APPROVAL_KINDS),
  requestById: Type.String(),
  requestBy: Type.String(),
  version: Type.Integer(),
})
export type PendingApprovalRow = Static<typeof PendingApproval>
