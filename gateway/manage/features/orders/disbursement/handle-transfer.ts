/** What becomes of a failed transfer: sent again, by another vendor, by hand, the customer asked for an account, or given up (api.md 9). */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import {
  type handleTransfer as call,
  type HandlingMethod,
  MANUAL_VENDOR,
} from '#shared/orders/disbursement-api.ts'
import { ORDER_RULE, REASON_REQUIRED } from '#shared/orders/order-problems.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { isOrderInScope } from '../order-detail-queries.ts'
import { remarkOrder } from '../remark-order.ts'
import { transferRow } from './loan-queries.ts'
import {
  askToResend,
  giveUpPayout,
  markHandled,
  MENU,
  type Resending,
  resendPayout,
  stillFailed,
  vendorNow,
} from './resend-payout.ts'

type Transfer = NonNullable<Awaited<ReturnType<typeof transferRow>>>
type Input = InputOf<typeof call>

/** @throws Problem G404, G409, O-STATE, O-RULE, A-OPEN, M-REA, M-UTR, G422 */
export async function handleTransfer(cx: Cx, input: Input): Promise<DataOf<typeof call>> {
  const { transferId, handlingMethod, remark } = input
  const utr = handlingMethod === 'manualTransfer' ? input.utr?.toUpperCase() : undefined
  if (handlingMethod === 'manualTransfer' && utr === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { utr: 'required' } })
  const transfer = await lockOf(cx, input)
  const { orderId } = transfer
  let asked = false
  if (handlingMethod === 'cancel') {
    if (remark === undefined)
      throw new Problem(REASON_REQUIRED, {}, { fields: { remark: 'required' } })
    await giveUpPayout(cx, orderId, remark)
    await markHandled(cx, transferId, handlingMethod)
  } else if (handlingMethod === 'customerUpdatesAccount') {
    await askForAccount(cx, transfer, remark)
  } else {
    asked = await sendOn(cx, transfer, await wayOf(cx, transfer, handlingMethod, utr), remark)
  }
  cx.log({
    menu: MENU,
    action: 'handle',
    targetKind: 'transfer',
    targetId: transferId,
    before: { handlingMethod: transfer.handlingMethod },
    after: { handlingMethod, orderId, asked, ...(remark === undefined ? {} : { remark }) },
  })
  // it was there a moment ago, under its order's lock
  return { ...((await transferRow(cx.db, transferId)) as Transfer), asked }
}

/** The order's row first, as every command locks it; the last attempt alone can be handled. */
async function lockOf(cx: Cx, { transferId, version }: Input): Promise<Transfer> {
  const known = await transferRow(cx.db, transferId)
  if (!known || !(await isOrderInScope(cx.db, staff(cx.actor), known.orderId)))
    throw new Problem(NOT_FOUND)
  await sql`select from loan_order o where o.id = ${known.orderId} for update`.execute(cx.db)
  const transfer = (await transferRow(cx.db, transferId)) as Transfer
  const failed = await stillFailed(cx.db, transfer.orderId, 'cancel')
  if (failed.transferId !== transferId) throw new Problem(ORDER_RULE, { reason: 'laterAttempt' })
  if (transfer.version !== version)
    throw await changedByOther(cx.db, 'transfer', transferId, transfer)
  return transfer
}

async function wayOf(
  cx: Cx,
  { transferId, vendorCode, transferType }: Transfer,
  method: HandlingMethod,
  utr: string | undefined,
): Promise<Resending> {
  const handled = { transferId, method }
  if (utr !== undefined)
    return { vendorCode: MANUAL_VENDOR, transferType: typeOfUtr(utr), handled, utr }
  return method === 'retrySame'
    ? { vendorCode, transferType, handled }
    : { vendorCode: await vendorNow(cx.db), transferType: null, handled }
}

/** 12 digits are IMPS (UPI does not pay into an account by its number), 16 NEFT, 22 RTGS (domain.md 1, #25). */
function typeOfUtr(utr: string): string {
  return utr.length === 12 ? 'IMPS' : utr.length === 16 ? 'NEFT' : 'RTGS'
}

/** @returns whether a second person was asked first */
async function sendOn(
  cx: Cx,
  { orderId }: Transfer,
  way: Resending,
  remark: string | undefined,
): Promise<boolean> {
  const failed = await stillFailed(cx.db, orderId, 'redisburse')
  if (failed.needsApproval) await askToResend(cx, failed, way, remark)
  else await resendPayout(cx, orderId, way, { note: remark })
  return failed.needsApproval
}

/** The order waits on; a message asks for another account, which comes by /inbound/resubmit. */
async function askForAccount(
  cx: Cx,
  { transferId, orderId }: Transfer,
  remark: string | undefined,
): Promise<void> {
  await sql`update payout_transfer set ask_state = 'due', ask_tries = 0, ask_at = null, asked_by = ${cx.actor.userId} where id = ${transferId}`.execute(
    cx.db,
  )
  await markHandled(cx, transferId, 'customerUpdatesAccount')
  if (remark !== undefined) await remarkOrder(cx, { orderId, remark })
  cx.afterCommit(() => cx.house.wakeSchedule('accountAsk'))
}
