/** One failed disbursement is sent again, paid by hand, given up, or put to a second person. */
import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { type HandlingMethod, MANUAL_VENDOR } from '#shared/orders/disbursement-api.ts'
import { ORDER_RULE, ORDER_STATE } from '#shared/orders/order-problems.ts'
import { orderStatusName } from '#shared/orders/order-statuses.ts'
import { PAYOUT_CHANGED } from '#shared/orders/orders-live.ts'
import { UTR_USED } from '#shared/repayments/repayment-problems.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { type ApprovalKind, requestApproval } from '#gateway/manage/features/approvals/public.ts'
import { paymentOfUtr, standFacts } from '#gateway/manage/features/repayments/public.ts'
import { openTransfer } from '../dispatch-payout.ts'
import { moveOrder, orderRooms } from '../move-order.ts'
import { lockPayoutFacts } from '../payout-facts.ts'
import { receivePayout } from '../receive-payout.ts'
import { type FailedAction, type FailedPayout, failedPayouts } from './failed-payout.ts'

export const MENU = 'wait_relent'
/** Paise a type carries: IMPS to ₹5,00,000, UPI to ₹1,00,000, RTGS from ₹2,00,000 on. */
const CARRIES: Record<string, (amount: number) => boolean> = {
  IMPS: (amount) => amount <= 50_000_000,
  UPI: (amount) => amount <= 10_000_000,
  RTGS: (amount) => amount >= 20_000_000,
}

/** How it goes out again. Ids and codes only: it is kept with the request of an approval. */
export interface Resending {
  vendorCode: string
  /** Null: by the amount. */
  transferType: string | null
  /** The failed transfer it follows from, where somebody chose what to do with it. */
  handled?: { transferId: string; method: HandlingMethod } | undefined
  /** Of money that was sent by hand: the new transfer has succeeded already. */
  utr?: string | undefined
}

/** 31 → 29 with a transfer of its own; paid by hand on to 30 at once. @throws Problem G404, O-STATE, O-RULE, M-UTR */
export async function resendPayout(
  cx: Cx,
  orderId: string,
  way: Resending,
  { isApproved = false, note }: { isApproved?: boolean; note?: string | undefined } = {},
): Promise<void> {
  const facts = await lockPayoutFacts(cx.db, orderId)
  const failed = await stillFailed(cx.db, orderId, 'redisburse')
  if (!facts) throw new Problem(NOT_FOUND)
  if (failed.needsApproval && !isApproved)
    throw new Problem(ORDER_RULE, { reason: 'needsApproval' })
  await refuseWay(cx, failed, way)
  const { attempts, maxAttempts, cardRebound } = failed
  await moveOrder(
    cx,
    orderId,
    { type: 'RETRY_PAYOUT', attempts, maxAttempts, cardRebound },
    { cause: 'retryPayout', ...(note === undefined ? {} : { note }), set: { fail_reason: null } },
  )
  if (way.handled) await markHandled(cx, way.handled.transferId, way.handled.method)
  const platformOrderNo = await openTransfer(cx, orderId, facts, {
    vendorCode: way.vendorCode,
    transferType: way.transferType ?? undefined,
  })
  if (way.utr !== undefined)
    await receivePayout(cx, {
      platformOrderNo,
      vendorOrderNo: null,
      result: 'success',
      utr: way.utr,
    })
}

/** A request of its own for each order, so that one order waits for one decision. @returns its id @throws Problem A-OPEN when it waits already, O-RULE, M-UTR */
export async function askToResend(
  cx: Cx,
  failed: FailedPayout,
  way: Resending,
  reason = failed.failReason,
): Promise<string> {
  await refuseWay(cx, failed, way)
  const { orderId, amount } = failed
  const { id } = await requestApproval(cx, redisburseApproval, {
    targetKind: 'order',
    targetId: orderId,
    payload: { ...way, orderIds: [orderId] },
    amount,
    count: 1,
    reason,
  })
  cx.log({
    menu: MENU,
    action: 'redisburse',
    targetKind: 'approval',
    targetId: id,
    after: { orderId, amount },
  })
  return id
}

/** Carried out under its own rules: what stands in the way by then refuses the approval. */
export const redisburseApproval: ApprovalKind = {
  kind: 'redisburse',
  menu: MENU,
  approveCode: 'wait_relent:approve',
  orderIds: ({ payload }) => payload.orderIds as string[],
  facts: async (db, { payload }) => {
    const last = await lastTransfer(db, orderIn(payload))
    return [
      { name: 'failReason', kind: 'text', value: last?.failReason ?? null },
      { name: 'utr', kind: 'text', value: (payload.utr as string | undefined) ?? null },
    ]
  },
  async stand(trx, { payload }) {
    const [order, last] = [
      await standFacts(trx, orderIn(payload)),
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
  async carryOut(cx, { payload }) {
    // written by `askToResend`
    for (const orderId of payload.orderIds as string[])
      await resendPayout(cx, orderId, payload as unknown as Resending, { isApproved: true })
  },
}

/** A request is of one order. */
function orderIn(payload: Record<string, unknown>): string {
  return String((payload.orderIds as string[])[0])
}

/** With a masked account. */
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
    select t.payee_name as payee, 'XXXXXX' || t.account_last4 as account, t.vendor_code as vendor, t.transfer_type as type, t.attempt_no as attempts, t.fail_reason as "failReason"
    from payout_transfer t where t.order_id = ${orderId} order by t.attempt_no desc limit 1`.execute(
    db,
  )
  return rows[0] ?? null
}

/** 31 → 70, only when no money can have left. @throws Problem G404, O-STATE, O-RULE */
export async function giveUpPayout(cx: Cx, orderId: string, reason: string): Promise<void> {
  await sql`select from loan_order o where o.id = ${orderId} for update`.execute(cx.db)
  await stillFailed(cx.db, orderId, 'cancel')
  const moved = await moveOrder(
    cx,
    orderId,
    { type: 'CANCEL_DISBURSEMENT', provenNotSettled: true },
    { cause: 'cancelDisbursement', note: reason },
  )
  cx.log({
    menu: MENU,
    action: 'cancel',
    targetKind: 'order',
    targetId: orderId,
    before: { status: moved.from },
    after: { status: moved.to, reason },
  })
}

/** What was done with a failed transfer stands on it. */
export async function markHandled(
  cx: Cx,
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
    update payout_transfer set handling_method = ${method}, version = version + 1, updated_at = clock_timestamp() where id = ${transferId}
    returning order_id, pay_state, attempt_no, fail_reason, version`.execute(cx.db)
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  cx.emit(PAYOUT_CHANGED, {
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

/** The vendor that new transfers go to. */
export async function vendorNow(db: Db): Promise<string> {
  const { rows } = await sql<{
    value: string
  }>`select c.value from sys_config c where c.code = 'payout.vendor'`.execute(db)
  return rows[0]?.value ?? ''
}

/** Of a locked order. @throws Problem O-STATE when it does not wait any more, O-RULE with why a further try or the end of it is refused */
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
  cx: Cx,
  { amount, transferId, vendorCode }: FailedPayout,
  way: Resending,
): Promise<void> {
  if (way.transferType !== null && CARRIES[way.transferType]?.(amount) === false)
    throw new Problem(ORDER_RULE, { reason: 'transferType' })
  if (way.handled && way.handled.transferId !== transferId)
    throw new Problem(ORDER_RULE, { reason: 'laterAttempt' })
  const isManual = way.vendorCode === MANUAL_VENDOR
  // a vendor nobody here speaks to any more would keep the money waiting for ever
  const goesElsewhere =
    !isManual && way.handled !== undefined && way.vendorCode !== (await vendorNow(cx.db))
  if (way.handled?.method === 'retrySame' && (goesElsewhere || way.vendorCode !== vendorCode))
    throw new Problem(ORDER_RULE, { reason: 'vendorGone' })
  if (way.handled?.method === 'changeVendor' && (goesElsewhere || way.vendorCode === vendorCode))
    throw new Problem(ORDER_RULE, { reason: 'vendorSame' })
  if (way.utr !== undefined) await refuseUtr(cx, way.utr)
}

/** Money that moved once stands in the books once, whichever way it went (domain.md 1, #25). @throws Problem M-UTR */
async function refuseUtr(cx: Cx, utr: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(7025, hashtext(${utr}))`.execute(cx.db)
  const { rows } = await sql<{
    orderId: string
  }>`select t.order_id as "orderId" from payout_transfer t where t.utr = ${utr} limit 1`.execute(
    cx.db,
  )
  const first = (await paymentOfUtr(cx.db, utr, null)) ?? rows[0]
  if (first) throw new Problem(UTR_USED, { orderId: first.orderId })
}
