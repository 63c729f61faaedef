/** What the contracts of rules and of decision tables say alike: both have versions and a status. */
import Type from 'typebox'
import { PendingApproval } from '#shared/approvals/pending-approval.ts'
import { Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { RULE_STATES } from './rule-sets.ts'

const text = Type.String()
const int = Type.Integer()

/** Of a row, beside the fields of its version. */
export const VersionedRow = {
  /** Of the version in force; of the latest one while none is. */
  versionNo: int,
  status: OneOf(RULE_STATES),
  latestNo: int,
  /** A newer version than the one in force waits to be enabled. */
  hasDraft: Type.Boolean(),
  caseCount: int,
  approval: Nullable(PendingApproval),
  updateBy: text,
  updateTime: text,
  version: int,
}

/** A change of the status, beside the id. */
export const StatusChange = {
  version: Version(),
  status: OneOf(['enabled', 'disabled'] as const),
  /** To be enabled; the latest one without it. */
  versionNo: Type.Optional(Version()),
  reason: Text(4, 200),
}
