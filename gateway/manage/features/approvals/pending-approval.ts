import { sql } from 'kysely'
import { APPROVAL_PENDING } from '#shared/approvals/approval-problems.ts'
import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'

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

/**
 * For requests that exclude each other; the caller has locked the target.
 * @throws Problem A-OPEN when one of the kind is pending for it
 */
export async function refuseWhilePending(
  trx: Trx,
  kind: ApprovalKindName,
  targetId: string,
): Promise<void> {
  const { rows } = await sql`
    select from approval w
    where w.state = 'pending' and w.kind = ${kind} and w.target_id = ${targetId}`.execute(trx)
  if (rows.length > 0) throw new Problem(APPROVAL_PENDING)
}
