/**
 * A channel that confirmed a payment later reports it as failed. The payment stays valid until one
 * person requests its reversal, or to keep it, and another approves.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import type { keepRecord } from '#shared/repayments/repayments-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  type ApprovalKind,
  refuseWhilePending,
  requestApproval,
} from '#gateway/manage/features/approvals/public.ts'
import { orderRoomsOf } from '#gateway/manage/features/orders/public.ts'
import { recordRow } from '../lists/payment-rows.ts'
import { recordOrder } from '../lists/record-list.ts'
import { lockLoan } from '../loan-store.ts'
import { emitRecord, lockRecord, type RecordRow, updateConflict } from '../record-store.ts'
import { snapshotFacts } from '../order-snapshot.ts'

/**
 * Marks a locked payment and notifies users who may reverse it. A repeated report changes nothing.
 */
export async function markRecord(
  tx: CommandTx,
  record: RecordRow,
  reason: string | null,
): Promise<void> {
  const orderId = record.order_id
  if (record.is_conflicting || record.reversed_at !== null || orderId === null) return
  const marked = await updateConflict(tx, record, { isOpen: true, reason })
  const rooms = await orderRoomsOf(tx.db, [orderId])
  emitRecord(tx, marked, rooms.get(orderId) ?? [])
  const { rows } = await sql<{ id: string }>`
    select distinct u.id from sys_user u join sys_role_menu m on m.role_id = u.role_id
    where m.menu_id = 'M_repay_record' and m.buttons && array['reverse', 'approve']
      and u.status in ('enabled', 'normal') order by u.id limit 50`.execute(tx.db)
  for (const { id: userId } of rows)
    tx.notify({
      userId,
      kind: 'system',
      titleKey: 'repayments:notification.conflict',
      params: { recordId: record.id, orderId },
      route: `/order_management/repay_record?recordId=${record.id}`,
    })
}

/** Keeps the payment although its channel reported it as failed. */
export const paymentStandsApproval: ApprovalKind = {
  kind: 'paymentStands',
  menu: 'repay_record',
  approveCode: 'repay_record:approve',
  orderIds: ({ payload }) => [String(payload.orderId)],
  snapshot: (trx, { payload }) => snapshotFacts(trx, String(payload.orderId)),
  async carryOut(tx, { target_id: recordId, payload, reason }) {
    const orderId = String(payload.orderId)
    const record = await lockConflicting(tx, recordId, orderId)
    const kept = await updateConflict(tx, record, { isOpen: false, reason: null })
    const rooms = await orderRoomsOf(tx.db, [orderId])
    emitRecord(tx, kept, rooms.get(orderId) ?? [])
    tx.log({
      action: 'keepPayment',
      targetKind: 'record',
      targetId: recordId,
      after: { orderId, reason },
    })
  },
}

/** @throws Problem G404, G409, O-RULE (reason noConflict), A-OPEN */
export async function requestKeep(
  tx: CommandTx,
  { recordId, version, reason }: InputOf<typeof keepRecord>,
): Promise<DataOf<typeof keepRecord>> {
  const found = await recordOrder(tx.db, staff(tx.actor), recordId)
  if (!found) throw new Problem(NOT_FOUND)
  if (found.orderId === null) throw new Problem(ORDER_RULE, { reason: 'unknownOrder' })
  const record = await lockConflicting(tx, recordId, found.orderId)
  if (record.version !== version)
    throw await changedByOther(tx.db, 'record', recordId, await recordRow(tx.db, recordId))
  await refuseWhilePending(tx.db, 'reversePayment', recordId)
  const { id } = await requestApproval(tx, paymentStandsApproval, {
    targetKind: 'record',
    targetId: recordId,
    payload: { orderId: found.orderId },
    amount: record.amount,
    count: 1,
    reason,
  })
  tx.log({
    action: 'askKeepPayment',
    targetKind: 'record',
    targetId: recordId,
    after: { approvalId: id, reason, amount: record.amount },
  })
  return { approvalId: id }
}

async function lockConflicting(
  tx: CommandTx,
  recordId: string,
  orderId: string,
): Promise<RecordRow> {
  await lockLoan(tx.db, orderId)
  const record = await lockRecord(tx.db, recordId)
  if (!record) throw new Problem(NOT_FOUND)
  if (!record.is_conflicting) throw new Problem(ORDER_RULE, { reason: 'noConflict' })
  return record
}
