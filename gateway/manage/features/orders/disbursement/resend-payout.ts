/** Retries one failed disbursement, pays it by hand, gives it up, or requests an approval. */
import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { type HandlingMethod, MANUAL_VENDOR } from '#shared/orders/disbursement-api.ts'
import { ORDER_RULE, ORDER_STATE } from '#shared/orders/order-problems.ts'
import { orderStatusName } from '#shared/orders/order-statuses.ts'
import { PAYOUT_CHANGED } from '#shared/orders/orders-live.ts'
import { UTR_USED } from '#shared/repayments/repayment-problems.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type ApprovalKind, requestApproval } from '#gateway/manage/features/approvals/public.ts'
import { paymentOfUtr, snapshotFacts } from '#gateway/manage/features/repayments/public.ts'
import { openTransfer } from '../dispatch-payout.ts'
import { moveOrder } from '../move-order.ts'
import { orderRooms } from '../order-rooms.ts'
import { lockPayoutFacts } from '../payout-facts.ts'
import { type PayoutTarget, payoutTargetNamed } from '../payout-target.ts'
import { receivePayout } from '../receive-payout.ts'
import { type FailedAction, type FailedPayout, failedPayouts } from './failed-payout.ts'

export const MENU = 'wait_relent'
/** Paise limits of the transfer types: IMPS to ₹5,00,000, UPI to ₹1,00,000, RTGS from ₹2,00,000. */
const CARRIES: Record<string, (amount: number) => boolean> = {
  IMPS: (amount) => amount <= 50_000_000,
  UPI: (amount) => amount <= 10_000_000,
  RTGS: (amount) => amount >= 20_000_000,
}

/** How it is sent again. Ids and codes only, because the approval request stores it. */
export type Resending = {
  vendorCode: string
  /** Null: chosen by the amount. */
  transferType: string | null
  /** The failed transfer it replaces, when a user handled that transfer. */
  handled?: { transferId: string; method: HandlingMethod } | undefined
  /** For money sent by hand: the new transfer starts as succeeded. */
  utr?: string | undefined
}

/** What a request stores. */
type Requested = Resending & { orderIds: string[] }

/**
 * 31 → 29 with a new transfer; one paid by hand continues to 30 at once.
 * @throws Problem G404, O-STATE, O-RULE, M-UTR
 */
export async function resendPayout(
  tx: CommandTx,
  orderId: string,
  way: Resending,
  { isApproved = false, note }: { isApproved?: boolean; note?: string | undefined } = {},
): Promise<void> {
  const facts = await lockPayoutFacts(tx.db, orderId)
  const failed = await stillFailed(tx.db, orderId, 'redisburse')
  if (!facts) throw new Problem(NOT_FOUND)
  if (failed.needsApproval && !isApproved)
    throw new Problem(ORDER_RULE, { reason: 'needsApproval' })
  await refuseWay(tx, failed, way)
  const { attempts, maxAttempts, cardRebound } = failed
  await moveOrder(
    tx,
    orderId,
    { type: 'RETRY_PAYOUT', attempts, maxAttempts, cardRebound },
    { cause: 'retryPayout', ...(note === undefined ? {} : { note }), set: { fail_reason: null } },
  )
  if (way.handled) await markHandled(tx, way.handled.transferId, way.handled.method)
  const target = await targetOf(tx.db, orderId, way.vendorCode)
  const platformOrderNo = await openTransfer(tx, orderId, facts, {
    vendorCode: way.vendorCode,
    cfgId: target?.cfgId ?? null,
    transferType: way.transferType ?? undefined,
  })
  if (way.utr !== undefined)
    await receivePayout(tx, {
      platformOrderNo,
      vendorOrderNo: null,
      result: 'success',
      utr: way.utr,
    })
}

/**
 * Each order gets a request of its own, so that it waits for one decision only.
 * @returns the request's id
 * @throws Problem A-OPEN when a request is pending, O-RULE, M-UTR
 */
export async function requestResend(
  tx: CommandTx,
  failed: FailedPayout,
  way: Resending,
  reason = failed.failReason,
): Promise<string> {
  await refuseWay(tx, failed, way)
  const { orderId, amount } = failed
  const { id } = await requestApproval(tx, redisburseApproval, {
    targetKind: 'order',
    targetId: orderId,
    payload: { ...way, orderIds: [orderId] },
    amount,
    count: 1,
    reason,
  })
  tx.log({
    menu: MENU,
    action: 'redisburse',
    targetKind: 'approval',
    targetId: id,
    after: { orderId, amount },
  })
  return id
}

/** Executes the approved retry. All rules are checked again; an obstacle refuses the approval. */
export const redisburseApproval: ApprovalKind<Requested> = {
  kind: 'redisburse',
  menu: MENU,
  approveCode: 'wait_relent:approve',
  orderIds: ({ payload }) => payload.orderIds,
  facts: async (db, { payload }) => {
    const last = await lastTransfer(db, orderIn(payload))
    return [
      { name: 'failReason', kind: 'text', value: last?.failReason ?? null },
      { name: 'utr', kind: 'text', value: payload.utr ?? null },
    ]
  },
  async snapshot(trx, { payload }) {
    const [order, last] = [
      await snapshotFacts(trx, orderIn(payload)),
      await lastTransfer(trx, orderIn(payload)),
    ]
    return [
      ...order.filter(({ name }) => name === 'orderStatus' || name === 'outstanding'),
      { name: 'payee', kind: 'text', value: last?.payee ?? null },
      { name: 'account', kind: 'text', value: last?.account ?? null },
      { name: 'vendor', kind: 'text', value: last?.vendor ?? null },
      { name: 'transferType', kind: 'text', value: last?.type ?? null },
      { name: 'attempts', kind: 'number', value: last?.attempts ?? null },
    ]
  },
  async carryOut(tx, { payload }) {
    for (const orderId of payload.orderIds)
      await resendPayout(tx, orderId, payload, { isApproved: true })
  },
}

/** A request concerns one order. */
function orderIn({ orderIds }: Requested): string {
  return String(orderIds[0])
}

/** The account is masked. */
async function lastTransfer(
  db: Db,
  orderId: string,
): Promise<{
  payee: string
  account: string
  vendor: string
  type: string
  attempts: number
  failReason: string | null
} | null> {
  const { rows } = await sql<{
    payee: string
    account: string
    vendor: string
    type: string
    attempts: number
    failReason: string | null
  }>`
    select t.payee_name as payee, 'XXXXXX' || t.account_last4 as account, t.vendor_code as vendor,
      t.transfer_type as type, t.attempt_no as attempts, t.fail_reason as "failReason"
    from payout_transfer t where t.order_id = ${orderId} order by t.attempt_no desc limit 1`.execute(
    db,
  )
  return rows[0] ?? null
}

/** 31 → 70, only when no money can have left. @throws Problem G404, O-STATE, O-RULE */
export async function giveUpPayout(tx: CommandTx, orderId: string, reason: string): Promise<void> {
  await sql`select from loan_order o where o.id = ${orderId} for update`.execute(tx.db)
  await stillFailed(tx.db, orderId, 'cancel')
  const moved = await moveOrder(
    tx,
    orderId,
    { type: 'CANCEL_DISBURSEMENT', provenNotSettled: true },
    { cause: 'cancelDisbursement', note: reason },
  )
  tx.log({
    menu: MENU,
    action: 'cancel',
    targetKind: 'order',
    targetId: orderId,
    before: { status: moved.from },
    after: { status: moved.to, reason },
  })
}

/** Records on the failed transfer how it was handled. */
export async function markHandled(
  tx: CommandTx,
  transferId: string,
  method: HandlingMethod,
): Promise<void> {
  const { rows } = await sql<{
    order_id: string
    pay_state: string
    attempt_no: number
    fail_reason: string | null
    version: number
  }>`
    update payout_transfer set handling_method = ${method}, version = version + 1,
      updated_at = clock_timestamp() where id = ${transferId}
    returning order_id, pay_state, attempt_no, fail_reason, version`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  tx.emit(PAYOUT_CHANGED, {
    subject: `transfer:${transferId}`,
    version: row.version,
    rooms: orderRooms(row.order_id),
    data: {
      transferId,
      orderId: row.order_id,
      payState: row.pay_state,
      attemptNo: row.attempt_no,
      failReason: row.fail_reason,
      handlingMethod: method,
    },
  })
}

/** The order's vendor of that code; null: money sent by hand, or a vendor its app does not use. */
async function targetOf(db: Db, orderId: string, vendorCode: string): Promise<PayoutTarget | null> {
  return vendorCode === MANUAL_VENDOR ? null : payoutTargetNamed(db, orderId, vendorCode)
}

/**
 * For a locked order.
 * @throws Problem O-STATE when it is not in 31 any more, O-RULE with the reason why a retry or
 * giving up is refused
 */
export async function stillFailed(
  db: Db,
  orderId: string,
  action: FailedAction,
): Promise<FailedPayout> {
  const [failed] = await failedPayouts(db, action, sql`o.id = ${orderId}`)
  if (!failed || failed.obstacle === 'notFailed') {
    const { rows } = await sql<{
      status: number
    }>`select o.status from loan_order o where o.id = ${orderId}`.execute(db)
    throw rows[0]
      ? new Problem(ORDER_STATE, {
          status: orderStatusName(rows[0].status as Parameters<typeof orderStatusName>[0]),
        })
      : new Problem(NOT_FOUND)
  }
  if (failed.obstacle !== null) throw new Problem(ORDER_RULE, { reason: failed.obstacle })
  return failed
}

async function refuseWay(
  tx: CommandTx,
  { orderId, amount, transferId, vendorCode }: FailedPayout,
  way: Resending,
): Promise<void> {
  if (way.transferType !== null && CARRIES[way.transferType]?.(amount) === false)
    throw new Problem(ORDER_RULE, { reason: 'transferType' })
  if (way.handled && way.handled.transferId !== transferId)
    throw new Problem(ORDER_RULE, { reason: 'laterAttempt' })
  const isManual = way.vendorCode === MANUAL_VENDOR
  // to a vendor that its app does not use the transfer would never be sent
  const goesElsewhere = !isManual && (await targetOf(tx.db, orderId, way.vendorCode)) === null
  if (way.handled === undefined && goesElsewhere)
    throw new Problem(ORDER_RULE, { reason: 'vendorGone' })
  if (way.handled?.method === 'retrySame' && (goesElsewhere || way.vendorCode !== vendorCode))
    throw new Problem(ORDER_RULE, { reason: 'vendorGone' })
  if (way.handled?.method === 'changeVendor' && (goesElsewhere || way.vendorCode === vendorCode))
    throw new Problem(ORDER_RULE, { reason: 'vendorSame' })
  if (way.utr !== undefined) await refuseUtr(tx, way.utr)
}

/**
 * One bank transfer (UTR) may be booked only once, whatever its channel.
 * @throws Problem M-UTR
 */
export async function refuseUtr(tx: CommandTx, utr: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(7025, hashtext(${utr}))`.execute(tx.db)
  const { rows } = await sql<{
    orderId: string
  }>`select t.order_id as "orderId" from payout_transfer t where t.utr = ${utr}
    union all
    select b.order_id from payout_return b where b.utr = ${utr} limit 1`.execute(tx.db)
  const first = (await paymentOfUtr(tx.db, utr, null)) ?? rows[0]
  if (first) throw new Problem(UTR_USED, { orderId: first.orderId })
}
