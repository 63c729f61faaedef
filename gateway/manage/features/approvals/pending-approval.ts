import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'

/** The request that a row waits for, as JSON, or null. Text, because rows are made of text; one statement's index finds it. @param target column of its id */
export function pendingApproval(kinds: readonly ApprovalKindName[], target: string): string {
  return `(select json_build_object('approvalId', w.id, 'kind', w.kind, 'requestById', w.requested_by, 'requestBy', w.requested_by_name, 'version', w.version) from approval w
    where w.state = 'pending' and w.kind in (${kinds.map((kind) => `'${kind}'`).join(', ')}) and w.target_id = ${target} order by w.requested_at limit 1)`
}
