/** The second person's word: approved, the request is carried out in the same transaction under its own rules. */
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
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { type ApprovalKind, menuOf } from './approval-kind.ts'
import { type Approval, endApproval, lockApproval } from './approval-store.ts'
import { type ApprovalRow, approvalRow } from './approval-list.ts'

/** @throws Problem G404, G422, G409, G-SELF, A-STATE, and whatever the command refuses: then nothing changes and it stays pending */
export async function decideApproval(
  cx: Cx,
  kinds: readonly ApprovalKind[],
  { approvalId, version, result, reason }: InputOf<typeof decideCall>,
): Promise<ApprovalRow> {
  if (result === 'rejected' && reason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  const { approval, kind, mayDecide } = await lockVisible(cx, kinds, approvalId, version)
  const byRequester = approval.requested_by === cx.actor.userId
  if (byRequester) throw new Problem(OWN_REQUEST)
  const isOver = Date.parse(approval.expires_at) <= Date.parse(await cx.now())
  if (isOver && result === 'approved') throw new Problem(APPROVAL_STATE, { state: 'expired' })
  const state = approvalLifecycle.next(
    approval.state,
    result === 'approved'
      ? { type: 'APPROVE', byRequester, mayDecide, isOver }
      : { type: 'REJECT', byRequester, mayDecide, reason: reason ?? '' },
  )
  const ended = await endApproval(cx, kind, approval, state, reason ?? null)
  if (state === 'approved') await kind.carryOut(cx, ended)
  cx.log({
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
  return (await approvalRow(cx.db, staff(cx.actor), kinds, approvalId)) as ApprovalRow
}

/** By the requester alone; to others his request answers as one that does not exist. @throws Problem G404, G409, A-STATE */
export async function withdrawApproval(
  cx: Cx,
  kinds: readonly ApprovalKind[],
  { approvalId, version }: InputOf<typeof withdrawCall>,
): Promise<ApprovalRow> {
  const { approval, kind } = await lockVisible(cx, kinds, approvalId, version)
  const byRequester = approval.requested_by === cx.actor.userId
  if (!byRequester) throw new Problem(NOT_FOUND)
  await endApproval(
    cx,
    kind,
    approval,
    approvalLifecycle.next(approval.state, { type: 'WITHDRAW', byRequester }),
    null,
  )
  cx.log({
    menu: menuOf(kind, approval),
    action: 'withdrawApproval',
    targetKind: 'approval',
    targetId: approvalId,
    before: { state: approval.state },
    after: { state: 'withdrawn' },
  })
  return (await approvalRow(cx.db, staff(cx.actor), kinds, approvalId)) as ApprovalRow
}

/** EXPIRE: nobody decided in time. @returns false when somebody did a moment ago */
export async function expireApproval(
  cx: Cx,
  kinds: readonly ApprovalKind[],
  approvalId: string,
): Promise<boolean> {
  const approval = await lockApproval(cx.db, approvalId)
  const kind = kinds.find((one) => one.kind === approval?.kind)
  const isOver = approval !== null && Date.parse(approval.expires_at) <= Date.parse(await cx.now())
  if (approval === null || kind === undefined || approval.state !== 'pending' || !isOver)
    return false
  await endApproval(
    cx,
    kind,
    approval,
    approvalLifecycle.next(approval.state, { type: 'EXPIRE', isOver }),
    null,
  )
  cx.log({
    action: 'expireApproval',
    targetKind: 'approval',
    targetId: approvalId,
    after: { state: 'expired' },
  })
  return true
}

async function lockVisible(
  cx: Cx,
  kinds: readonly ApprovalKind[],
  approvalId: string,
  version: number,
): Promise<{ approval: Approval; kind: ApprovalKind; mayDecide: boolean }> {
  const visible = await approvalRow(cx.db, staff(cx.actor), kinds, approvalId)
  const approval = visible === null ? null : await lockApproval(cx.db, approvalId)
  const kind = kinds.find((one) => one.kind === approval?.kind)
  if (visible === null || approval === null || kind === undefined) throw new Problem(NOT_FOUND)
  if (approval.state !== 'pending')
    throw new Problem(APPROVAL_STATE, { state: approval.state }, visible)
  if (approval.version !== version)
    throw await changedByOther(cx.db, 'approval', approvalId, visible)
  return { approval, kind, mayDecide: visible.mayDecide }
}

/** Ids of requests whose time is over. */
export async function overdueApprovals(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select a.id from approval a where a.state = 'pending' and a.expires_at <= clock_timestamp() order by a.expires_at limit 500`.execute(
    db,
  )
  return rows.map((row) => row.id)
}
