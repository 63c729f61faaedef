/**
 * Handles a failed transfer: retry, retry by another vendor, pay by hand, ask the customer for
 * another account, or give up.
 */
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
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { isOrderInScope } from '../order-detail-queries.ts'
import { remarkOrder } from '../remark-order.ts'
import { otherPayoutTarget } from '../payout-target.ts'
import { transferRow } from './loan-queries.ts'
import {
  requestResend,
  giveUpPayout,
  markHandled,
  MENU,
  type Resending,
  resendPayout,
  stillFailed,
} from './resend-payout.ts'

type Transfer = NonNullable<Awaited<ReturnType<typeof transferRow>>>
type Input = InputOf<typeof call>

/** @throws Problem G404, G409, O-STATE, O-RULE, A-OPEN, M-REA, M-UTR, G-FIELD */
export async function handleTransfer(tx: CommandTx, input: Input): Promise<DataOf<typeof call>> {
  const { transferId, handlingMethod, remark } = input
  const utr = handlingMethod === 'manualTransfer' ? input.utr?.toUpperCase() : undefined
  if (handlingMethod === 'manualTransfer' && utr === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { utr: 'required' } })
  const transfer = await lockOf(tx, input)
  const { orderId } = transfer
  let isRequested = false
  if (handlingMethod === 'cancel') {
    if (remark === undefined)
      throw new Problem(REASON_REQUIRED, {}, { fields: { remark: 'required' } })
    await giveUpPayout(tx, orderId, remark)
    await markHandled(tx, transferId, handlingMethod)
  } else if (handlingMethod === 'customerUpdatesAccount') {
    await requestAccount(tx, transfer, remark)
  } else {
    isRequested = await sendOn(tx, transfer, await wayOf(tx, transfer, handlingMethod, utr), remark)
  }
  tx.log({
    menu: MENU,
    action: 'handle',
    targetKind: 'transfer',
    targetId: transferId,
    before: { handlingMethod: transfer.handlingMethod },
    after: {
      handlingMethod,
      orderId,
      asked: isRequested,
      ...(remark === undefined ? {} : { remark }),
    },
  })
  // the row exists: this transaction holds its order's lock
  return { ...((await transferRow(tx.db, transferId)) as Transfer), asked: isRequested }
}

/** Locks the order's row first, as every command does. Only the last attempt can be handled. */
async function lockOf(tx: CommandTx, { transferId, version }: Input): Promise<Transfer> {
  const known = await transferRow(tx.db, transferId)
  if (!known || !(await isOrderInScope(tx.db, staff(tx.actor), known.orderId)))
    throw new Problem(NOT_FOUND)
  await sql`select from loan_order o where o.id = ${known.orderId} for update`.execute(tx.db)
  const transfer = (await transferRow(tx.db, transferId)) as Transfer
  const failed = await stillFailed(tx.db, transfer.orderId, 'cancel')
  if (failed.transferId !== transferId) throw new Problem(ORDER_RULE, { reason: 'laterAttempt' })
  if (transfer.version !== version)
    throw await changedByOther(tx.db, 'transfer', transferId, transfer)
  return transfer
}

async function wayOf(
  tx: CommandTx,
  { orderId, transferId, vendorCode, transferType }: Transfer,
  method: HandlingMethod,
  utr: string | undefined,
): Promise<Resending> {
  const handled = { transferId, method }
  if (utr !== undefined)
    return { vendorCode: MANUAL_VENDOR, transferType: typeOfUtr(utr), handled, utr }
  if (method === 'retrySame') return { vendorCode, transferType, handled }
  const other = await otherPayoutTarget(tx.db, orderId, vendorCode)
  return { vendorCode: other?.vendorCode ?? vendorCode, transferType: null, handled }
}

/**
 * 12 digits are IMPS (a UPI reference is never used: UPI does not pay to account numbers), 16 NEFT,
 * 22 RTGS.
 */
function typeOfUtr(utr: string): string {
  return utr.length === 12 ? 'IMPS' : utr.length === 16 ? 'NEFT' : 'RTGS'
}

/** @returns whether an approval was requested instead */
async function sendOn(
  tx: CommandTx,
  { orderId }: Transfer,
  way: Resending,
  remark: string | undefined,
): Promise<boolean> {
  const failed = await stillFailed(tx.db, orderId, 'redisburse')
  if (failed.needsApproval) await requestResend(tx, failed, way, remark)
  else await resendPayout(tx, orderId, way, { note: remark })
  return failed.needsApproval
}

/**
 * The order keeps waiting; a message asks the customer for another account, which arrives by
 * /inbound/resubmit.
 */
async function requestAccount(
  tx: CommandTx,
  { transferId, orderId }: Transfer,
  remark: string | undefined,
): Promise<void> {
  await sql`
    update payout_transfer set ask_state = 'due', ask_tries = 0, ask_at = null,
      asked_by = ${tx.actor.userId} where id = ${transferId}`.execute(tx.db)
  await markHandled(tx, transferId, 'customerUpdatesAccount')
  if (remark !== undefined) await remarkOrder(tx, { orderId, remark })
  tx.afterCommit(() => tx.context.wakeSchedule('accountAsk'))
}
