/**
 * What became of the money of a transfer with two results: one person finds out and enters it, another
 * approves.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { resolveTransfer } from '#shared/orders/disbursement-api.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type ApprovalKind, requestApproval } from '#gateway/manage/features/approvals/public.ts'
import { postStrayPayout, snapshotFacts } from '#gateway/manage/features/repayments/public.ts'
import { moveOrder } from '../move-order.ts'
import { isOrderInScope } from '../order-detail-queries.ts'
import { receivePayout } from '../receive-payout.ts'
import { emitTransfer } from '../transfer-conflict.ts'
import { transferRow } from './loan-queries.ts'
import { MENU, refuseUtr } from './resend-payout.ts'

const APPROVE = { menu: MENU, approveCode: 'wait_relent:approve' } as const

/** The money left. */
export const transferPaidApproval: ApprovalKind = {
  kind: 'transferPaid',
  ...APPROVE,
  orderIds: ({ payload }) => [String(payload.orderId)],
  snapshot: (trx, { payload }) => snapshotFacts(trx, String(payload.orderId)),
  async carryOut(tx, { target_id: transferId }) {
    const transfer = await lockConflict(tx, transferId)
    if (transfer.pay_state === 'fail') await payAfterAll(tx, transfer)
    await endConflict(tx, transfer, 'paid')
  },
}

/** The money did not leave, or came back; a loan that runs was paid out by hand instead. */
export const transferNotPaidApproval: ApprovalKind = {
  kind: 'transferNotPaid',
  ...APPROVE,
  orderIds: ({ payload }) => [String(payload.orderId)],
  snapshot: (trx, { payload }) => snapshotFacts(trx, String(payload.orderId)),
  facts: (_db, { payload }) =>
    Promise.resolve([
      { name: 'utr', kind: 'text', value: (payload.utr as string | null | undefined) ?? null },
    ]),
  async carryOut(tx, { target_id: transferId, payload }) {
    const transfer = await lockConflict(tx, transferId)
    if (transfer.pay_state === 'success') {
      const utr = String(payload.utr)
      await refuseUtr(tx, utr)
      await sql`update payout_transfer set utr = ${utr} where id = ${transferId}`.execute(tx.db)
    }
    await endConflict(tx, transfer, 'notPaid')
  },
}

/** @throws Problem G404, G409, O-RULE (reason noConflict, laterAttempt), M-UTR, G-FIELD, A-OPEN */
export async function requestResolution(
  tx: CommandTx,
  { transferId, version, outcome, utr: given, reason }: InputOf<typeof resolveTransfer>,
): Promise<DataOf<typeof resolveTransfer>> {
  const known = await transferRow(tx.db, transferId)
  if (!known || !(await isOrderInScope(tx.db, staff(tx.actor), known.orderId)))
    throw new Problem(NOT_FOUND)
  const { orderId } = known
  const transfer = await lockConflict(tx, transferId)
  if (transfer.version !== version)
    throw await changedByOther(tx.db, 'transfer', transferId, await transferRow(tx.db, transferId))
  const utr = given?.toUpperCase() ?? null
  if (outcome === 'notPaid' && transfer.pay_state === 'success') {
    if (utr === null) throw new Problem(INVALID_FIELDS, {}, { fields: { utr: 'required' } })
    await refuseUtr(tx, utr)
  }
  if (outcome === 'paid' && transfer.pay_state === 'fail') refuseLater(transfer)
  const kind = outcome === 'paid' ? transferPaidApproval : transferNotPaidApproval
  const { id } = await requestApproval(tx, kind, {
    targetKind: 'transfer',
    targetId: transferId,
    payload: { orderId, utr },
    amount: transfer.amount,
    count: 1,
    reason,
  })
  tx.log({
    menu: MENU,
    action: 'resolveTransfer',
    targetKind: 'transfer',
    targetId: transferId,
    after: { approvalId: id, orderId, outcome, reason },
  })
  return { approvalId: id }
}

interface Conflict {
  id: string
  order_id: string
  platform_order_no: string
  vendor_order_no: string | null
  pay_state: string
  amount: number
  conflict_utr: string | null
  version: number
  status: OrderStatus
  /** The transfer of the order that is under way, and how often it was handed over. */
  other_no: string | null
  other_sends: number | null
}

/** Locks the order, then its transfer. @throws Problem O-RULE (reason noConflict) */
async function lockConflict(tx: CommandTx, transferId: string): Promise<Conflict> {
  await sql`
    select from loan_order o where o.id = (select t.order_id from payout_transfer t
      where t.id = ${transferId}) for update`.execute(tx.db)
  const { rows } = await sql<Conflict>`
    select t.id, t.order_id, t.platform_order_no, t.vendor_order_no, t.pay_state, t.amount,
      t.conflict_utr, t.version, o.status, n.platform_order_no as other_no,
      n.send_attempts as other_sends
    from payout_transfer t join loan_order o on o.id = t.order_id
      left join payout_transfer n on n.order_id = o.id and n.pay_state = 'inProgress'
    where t.id = ${transferId} and t.conflict is not null and t.conflict_ended_at is null
      for update of t`.execute(tx.db)
  if (!rows[0]) throw new Problem(ORDER_RULE, { reason: 'noConflict' })
  return rows[0]
}

/** The result of a later attempt that may have left must come first. */
function refuseLater({ other_sends: sends }: Conflict): void {
  if (sends !== null && sends > 0) throw new Problem(ORDER_RULE, { reason: 'laterAttempt' })
}

/**
 * The failed transfer becomes the one that opened the loan; an attempt after it that was not handed
 * over is stopped. Where another attempt paid the order out, or the order has ended, the money left
 * twice or for nothing: the transfer keeps its state, its mark says so, and the books claim it back.
 */
async function payAfterAll(tx: CommandTx, transfer: Conflict): Promise<void> {
  refuseLater(transfer)
  const { id, order_id: orderId, platform_order_no: platformOrderNo } = transfer
  if (transfer.other_no !== null)
    await receivePayout(tx, {
      platformOrderNo: transfer.other_no,
      vendorOrderNo: null,
      result: 'fail',
      failReason: `${platformOrderNo} paid out`,
    })
  else if (transfer.status !== 31) return payBeside(tx, transfer)
  await moveOrder(
    tx,
    orderId,
    { type: 'RETRY_PAYOUT', attempts: 0, maxAttempts: 1, cardRebound: false },
    { cause: 'retryPayout', note: platformOrderNo, set: { fail_reason: null } },
  )
  await sql`
    update payout_transfer set pay_state = 'inProgress', fail_at = null, fail_reason = null,
      finished_at = null, version = version + 1 where id = ${id}`.execute(tx.db)
  await receivePayout(tx, {
    platformOrderNo,
    vendorOrderNo: transfer.vendor_order_no,
    result: 'success',
    ...(transfer.conflict_utr === null ? {} : { utr: transfer.conflict_utr }),
  })
}

async function payBeside(
  tx: CommandTx,
  { id, order_id: orderId, amount }: Conflict,
): Promise<void> {
  await sql`update payout_transfer set stray_open = ${amount} where id = ${id}`.execute(tx.db)
  await postStrayPayout(tx, { orderId, transferId: id, amount })
}

async function endConflict(
  tx: CommandTx,
  { id, order_id: orderId }: Conflict,
  outcome: 'paid' | 'notPaid',
): Promise<void> {
  await sql`
    update payout_transfer set conflict_outcome = ${outcome}, conflict_ended_at = clock_timestamp(),
      updated_at = clock_timestamp(), version = version + 1 where id = ${id}`.execute(tx.db)
  await emitTransfer(tx, id)
  tx.log({
    menu: MENU,
    action: 'resolveTransfer',
    targetKind: 'transfer',
    targetId: id,
    after: { orderId, outcome },
  })
}
