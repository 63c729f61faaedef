/**
 * Money that left beside a loan came back from the payee, whole or in part: one person books it by
 * the bank's UTR, another approves. The loan does not change.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { bookStrayReturn } from '#shared/orders/disbursement-api.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type ApprovalKind, requestApproval } from '#gateway/manage/features/approvals/public.ts'
import { postStrayReturn, snapshotFacts } from '#gateway/manage/features/repayments/public.ts'
import { isOrderInScope } from '../order-detail-queries.ts'
import { emitTransfer } from '../transfer-conflict.ts'
import { transferRow } from './loan-queries.ts'
import { MENU, refuseUtr } from './resend-payout.ts'

export const strayReturnedApproval: ApprovalKind = {
  kind: 'strayReturned',
  menu: MENU,
  approveCode: 'wait_relent:approve',
  orderIds: ({ payload }) => [String(payload.orderId)],
  snapshot: (trx, { payload }) => snapshotFacts(trx, String(payload.orderId)),
  facts: (_db, { payload }) =>
    Promise.resolve([{ name: 'utr', kind: 'text', value: String(payload.utr) }]),
  async carryOut(tx, { id: approvalId, target_id: transferId, amount, payload }) {
    const utr = String(payload.utr)
    const stray = await lockStray(tx, transferId)
    refuseMore(stray, amount)
    await refuseUtr(tx, utr)
    const { rows } = await sql<{ id: string }>`
      insert into payout_return (transfer_id, order_id, amount, utr, approval_id)
      values (${transferId}, ${stray.order_id}, ${amount}, ${utr}, ${approvalId})
      returning id`.execute(tx.db)
    const { id: returnId } = rows[0] as { id: string }
    await sql`
      update payout_transfer set stray_open = stray_open - ${amount}, updated_at = clock_timestamp(),
        version = version + 1 where id = ${transferId}`.execute(tx.db)
    await postStrayReturn(tx, { orderId: stray.order_id, returnId, amount })
    await emitTransfer(tx, transferId)
    tx.log({
      menu: MENU,
      action: 'bookStrayReturn',
      targetKind: 'order',
      targetId: stray.order_id,
      after: { transferId, returnId, amount, utr, left: stray.stray_open - amount },
    })
  },
}

/** @throws Problem G404, G409, O-RULE (reason noStray), M-UTR, G-FIELD for more than is open, A-OPEN */
export async function requestStrayReturn(
  tx: CommandTx,
  { transferId, version, amount, utr: given, reason }: InputOf<typeof bookStrayReturn>,
): Promise<DataOf<typeof bookStrayReturn>> {
  const known = await transferRow(tx.db, transferId)
  if (!known || !(await isOrderInScope(tx.db, staff(tx.actor), known.orderId)))
    throw new Problem(NOT_FOUND)
  const { orderId } = known
  const stray = await lockStray(tx, transferId)
  if (stray.version !== version)
    throw await changedByOther(tx.db, 'transfer', transferId, await transferRow(tx.db, transferId))
  refuseMore(stray, amount)
  const utr = given.toUpperCase()
  await refuseUtr(tx, utr)
  const { id } = await requestApproval(tx, strayReturnedApproval, {
    targetKind: 'transfer',
    targetId: transferId,
    payload: { orderId, utr },
    amount,
    count: 1,
    reason,
  })
  tx.log({
    menu: MENU,
    action: 'bookStrayReturn',
    targetKind: 'transfer',
    targetId: transferId,
    after: { approvalId: id, orderId, amount, utr, reason },
  })
  return { approvalId: id }
}

interface Stray {
  order_id: string
  stray_open: number
  version: number
}

/** Locks the order, then its transfer. @throws Problem O-RULE (reason noStray) */
async function lockStray(tx: CommandTx, transferId: string): Promise<Stray> {
  await sql`
    select from loan_order o where o.id = (select t.order_id from payout_transfer t
      where t.id = ${transferId}) for update`.execute(tx.db)
  const { rows } = await sql<Stray>`
    select t.order_id, t.stray_open, t.version from payout_transfer t
    where t.id = ${transferId} and t.stray_open > 0 for update`.execute(tx.db)
  if (!rows[0]) throw new Problem(ORDER_RULE, { reason: 'noStray' })
  return rows[0]
}

function refuseMore({ stray_open: open }: Stray, amount: number): void {
  if (amount > open)
    throw new Problem(INVALID_FIELDS, {}, { fields: { amount: 'transfers:stray.tooMuch' } })
}
