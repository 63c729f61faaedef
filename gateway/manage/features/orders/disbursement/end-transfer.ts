/**
 * Ends a transfer whose result does not come: its vendor does not know it any more, or was silent for
 * too long. One person finds out at the vendor or the bank where the money is and enters it, another
 * approves. Meanwhile it is asked about, and not sent.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { endTransfer } from '#shared/orders/disbursement-api.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type ApprovalKind, requestApproval } from '#gateway/manage/features/approvals/public.ts'
import { snapshotFacts } from '#gateway/manage/features/repayments/public.ts'
import { isOrderInScope } from '../order-detail-queries.ts'
import { receivePayout } from '../receive-payout.ts'
import { isEndRequested } from '../transfer-store.ts'
import { transferRow } from './loan-queries.ts'
import { MENU, refuseUtr } from './resend-payout.ts'

const common: Pick<ApprovalKind, 'menu' | 'approveCode' | 'orderIds' | 'snapshot'> = {
  menu: MENU,
  approveCode: 'wait_relent:approve',
  orderIds: ({ payload }) => [String(payload.orderId)],
  snapshot: (trx, { payload }) => snapshotFacts(trx, String(payload.orderId)),
}
/** The money left: the order becomes a loan by this transfer. */
export const transferEndedPaidApproval: ApprovalKind = {
  ...common,
  kind: 'transferEndedPaid',
  facts: (_db, { payload }) =>
    Promise.resolve([{ name: 'utr', kind: 'text', value: String(payload.utr) }]),
  async carryOut(tx, { target_id: transferId, payload }) {
    const utr = String(payload.utr)
    const { platform_order_no: platformOrderNo } = await lockDoubtful(tx, transferId)
    await refuseUtr(tx, utr)
    await receivePayout(tx, { platformOrderNo, vendorOrderNo: null, result: 'success', utr })
    logEnd(tx, transferId, { outcome: 'paid', ...payload })
  },
}

/** The money did not leave: the order waits for another way. */
export const transferEndedFailedApproval: ApprovalKind = {
  ...common,
  kind: 'transferEndedFailed',
  async carryOut(tx, { target_id: transferId, payload, reason }) {
    const { platform_order_no: platformOrderNo } = await lockDoubtful(tx, transferId)
    await receivePayout(tx, {
      platformOrderNo,
      vendorOrderNo: null,
      result: 'fail',
      failReason: reason,
    })
    logEnd(tx, transferId, { outcome: 'failed', ...payload })
  },
}

/**
 * @throws Problem G404, G409, O-RULE (reason notInDoubt; neverSent for a payment by a transfer that
 * was not handed over), M-UTR, G-FIELD, A-OPEN
 */
export async function requestEnd(
  tx: CommandTx,
  { transferId, version, outcome, utr: given, reason }: InputOf<typeof endTransfer>,
): Promise<DataOf<typeof endTransfer>> {
  const known = await transferRow(tx.db, transferId)
  if (!known || !(await isOrderInScope(tx.db, staff(tx.actor), known.orderId)))
    throw new Problem(NOT_FOUND)
  const { orderId } = known
  const transfer = await lockDoubtful(tx, transferId)
  if (transfer.version !== version)
    throw await changedByOther(tx.db, 'transfer', transferId, await transferRow(tx.db, transferId))
  const utr = outcome === 'paid' ? (given?.toUpperCase() ?? null) : null
  if (outcome === 'paid') {
    if (utr === null) throw new Problem(INVALID_FIELDS, {}, { fields: { utr: 'required' } })
    if (!transfer.was_handed_over) throw new Problem(ORDER_RULE, { reason: 'neverSent' })
    await refuseUtr(tx, utr)
  }
  await refuseOtherEnd(tx, transferId)
  const kind = outcome === 'paid' ? transferEndedPaidApproval : transferEndedFailedApproval
  const { id } = await requestApproval(tx, kind, {
    targetKind: 'transfer',
    targetId: transferId,
    payload: { orderId, utr },
    amount: transfer.amount,
    count: 1,
    reason,
  })
  logEnd(tx, transferId, { approvalId: id, orderId, outcome, reason })
  return { approvalId: id }
}

interface Doubtful {
  platform_order_no: string
  amount: number
  version: number
  /** A vendor may have it. */
  was_handed_over: boolean
}

/** Locks the order, then its transfer. @throws Problem O-RULE (reason notInDoubt) */
async function lockDoubtful(tx: CommandTx, transferId: string): Promise<Doubtful> {
  await sql`
    select from loan_order o where o.id = (select t.order_id from payout_transfer t
      where t.id = ${transferId}) for update`.execute(tx.db)
  const { rows } = await sql<Doubtful>`
    select t.platform_order_no, t.amount, t.version,
      t.sent_at is not null or t.send_attempts > t.sends_not_taken as was_handed_over
    from payout_transfer t where t.id = ${transferId} and t.pay_state = 'inProgress'
      and (t.lost_at is not null or t.late_at is not null) for update`.execute(tx.db)
  if (!rows[0]) throw new Problem(ORDER_RULE, { reason: 'notInDoubt' })
  return rows[0]
}

/** One answer at a time: requests of two kinds would not see each other. @throws Problem O-RULE */
async function refuseOtherEnd(tx: CommandTx, transferId: string): Promise<void> {
  const { rows } = await sql<{ asked: boolean }>`
    select ${isEndRequested(sql`${transferId}`)} as asked`.execute(tx.db)
  if (rows[0]?.asked) throw new Problem(ORDER_RULE, { reason: 'endAsked' })
}

function logEnd(tx: CommandTx, transferId: string, after: Record<string, unknown>): void {
  tx.log({ menu: MENU, action: 'endTransfer', targetKind: 'transfer', targetId: transferId, after })
}
