import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'

/**
 * The pending request of a row as JSON, or null. A text expression, because row queries are
 * composed of text; one index look-up per row.
 * @param target column with the row's id
 */
export function pendingApproval(kinds: readonly ApprovalKindName[], target: string): string {
  return `(
    select json_build_object('approvalId', w.id, 'kind', w.kind, 'requestById', w.requested_by,
      'requestBy', w.requested_by_name, 'version', w.version)
    from approval w
    where w.state = 'pending' and w.kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})
      and w.target_id = ${target}
    order by w.requested_at
    limit 1)`
}
