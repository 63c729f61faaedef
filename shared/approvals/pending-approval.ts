import Type, { type Static } from 'typebox'
import { OneOf } from '#shared/kernel/endpoint.ts'
import { APPROVAL_KINDS } from './approval-sets.ts'

/** A request that a row waits for: the row says so, what was asked for is asked once, and whoever asked may take it back there. */
export const PendingApproval = Type.Object({
  approvalId: Type.String(),
  kind: OneOf(APPROVAL_KINDS),
  requestById: Type.String(),
  requestBy: Type.String(),
  version: Type.Integer(),
})
export type PendingApprovalRow = Static<typeof PendingApproval>
