/**
 * The decision of the second person. An approved request is executed in the same transaction, under
 * the rules of its command.
 */
import { sql } from 'kysely'
import { approvalLifecycle } from '#shared/approvals/approval-lifecycle.ts'
import { APPROVAL_STATE } from '#shared/approvals/approval-problems.ts'
import type {
  decideApproval as decideCall,
  withdrawApproval as withdrawCall,
} from '#shared/approvals/approvals-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, OWN_REQUEST, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type ApprovalKind, menuOf } from './approval-kind.ts'
import { endApproval, lockApproval } from './approval-store.ts'
import type { Approval } from './approval-types.ts'
import { type ApprovalRow, approvalRow } from './approval-list.ts'

/**
 * @throws Problem G404, G-FIELD, G409, G-SELF, A-STATE, and every refusal of the command; nothing
 * changes then and the request stays pending
 */
export async function decideApproval(
  tx: CommandTx,
  kinds: readonly ApprovalKind[],
  { approvalId, version, result, reason }: InputOf<typeof decideCall>,
): Promise<ApprovalRow> {
  if (result === 'rejected' && reason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  const { approval, kind, mayDecide } = await lockVisible(tx, kinds, approvalId, version)
  const byRequester = approval.requested_by === tx.actor.userId
  if (byRequester) throw new Problem(OWN_REQUEST)
  const isOver = Date.parse(approval.expires_at) <= Date.parse(await tx.now())
  if (isOver && result === 'approved') throw new Problem(APPROVAL_STATE, { state: 'expired' })
  const state = approvalLifecycle.next(
    approval.state,
    result === 'approved'
      ? { type: 'APPROVE', byRequester, mayDecide, isOver }
      : { type: 'REJECT', byRequester, mayDecide, reason: reason ?? '' },
  )
  const ended = await endApproval(tx, kind, approval, state, reason ?? null)
  if (state === 'approved') await kind.carryOut(naming(tx, approvalId), ended)
  tx.log({
    menu: menuOf(kind, approval),
    action: 'decideApproval',
    targetKind: 'approval',
    targetId: approvalId,
    before: { state: approval.state },
    after: {
      state,
      kind: kind.kind,
      targetId: approval.target_id,
      count: approval.count,
      amount: approval.amount,
      ...(reason === undefined ? {} : { reason }),
    },
  })
  return (await approvalRow(tx.db, staff(tx.actor), kinds, approvalId)) as ApprovalRow
}

/** Whatever is logged while a request is carried out names it. */
function naming(tx: CommandTx, approvalId: string): CommandTx {
  return { ...tx, log: (entry) => tx.log({ ...entry, approvalId }) }
}

/**
 * By the requester only; to others the request does not exist.
 * @throws Problem G404, G409, A-STATE
 */
export async function withdrawApproval(
  tx: CommandTx,
  kinds: readonly ApprovalKind[],
  { approvalId, version }: InputOf<typeof withdrawCall>,
): Promise<ApprovalRow> {
  const { approval, kind } = await lockVisible(tx, kinds, approvalId, version)
  const byRequester = approval.requested_by === tx.actor.userId
  if (!byRequester) throw new Problem(NOT_FOUND)
  await endApproval(
    tx,
    kind,
    approval,
    approvalLifecycle.next(approval.state, { type: 'WITHDRAW', byRequester }),
    null,
  )
  tx.log({
    menu: menuOf(kind, approval),
    action: 'withdrawApproval',
    targetKind: 'approval',
    targetId: approvalId,
    before: { state: approval.state },
    after: { state: 'withdrawn' },
  })
  return (await approvalRow(tx.db, staff(tx.actor), kinds, approvalId)) as ApprovalRow
}

/** EXPIRE: not decided in time. @returns false when it was decided in the meantime */
export async function expireApproval(
  tx: CommandTx,
  kinds: readonly ApprovalKind[],
  approvalId: string,
): Promise<boolean> {
  const approval = await lockApproval(tx.db, approvalId)
  const kind = kinds.find((one) => one.kind === approval?.kind)
  const isOver = approval !== null && Date.parse(approval.expires_at) <= Date.parse(await tx.now())
  if (approval === null || kind === undefined || approval.state !== 'pending' || !isOver)
    return false
  await endApproval(
    tx,
    kind,
    approval,
    approvalLifecycle.next(approval.state, { type: 'EXPIRE', isOver }),
    null,
  )
  tx.log({
    action: 'expireApproval',
    targetKind: 'approval',
    targetId: approvalId,
    after: { state: 'expired' },
  })
  return true
}

async function lockVisible(
  tx: CommandTx,
  kinds: readonly ApprovalKind[],
  approvalId: string,
  version: number,
): Promise<{ approval: Approval; kind: ApprovalKind; mayDecide: boolean }> {
  const visible = await approvalRow(tx.db, staff(tx.actor), kinds, approvalId)
  const approval = visible === null ? null : await lockApproval(tx.db, approvalId)
  const kind = kinds.find((one) => one.kind === approval?.kind)
  if (visible === null || approval === null || kind === undefined) throw new Problem(NOT_FOUND)
  if (approval.state !== 'pending')
    throw new Problem(APPROVAL_STATE, { state: approval.state }, visible)
  if (approval.version !== version)
    throw await changedByOther(tx.db, 'approval', approvalId, visible)
  return { approval, kind, mayDecide: visible.mayDecide }
}

/** Ids of requests that are past their time. */
export async function overdueApprovals(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id
    from approval a
    where a.state = 'pending' and a.expires_at <= clock_timestamp()
    order by a.expires_at
    limit 500`.execute(db)
  return rows.map((row) => row.id)
}
