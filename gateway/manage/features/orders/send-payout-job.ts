/**
 * Sends transfers to their vendors, outside any transaction. A transfer counts as sent once the
 * vendor accepted it; until then it is sent again after a growing delay. The vendor accepts each
 * number only once, so a crash neither loses nor duplicates a transfer. A transfer keeps its vendor
 * until its outcome is known; one that no vendor has is passed on (fall-back.ts).
 */
import { NotReached } from '#gateway/kernel/outbound-call.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { PayoutInstruction, PayoutVendor } from '#gateway/manage/vendors/payout-vendor.ts'
import type { PayoutLane, PayoutVendors } from '#gateway/manage/vendors/payout-vendors.ts'
import { admission, endTrial } from '#gateway/manage/vendors/routing/breaker.ts'
import { fallBack } from './fall-back.ts'
import { type PayoutResult, receivePayout } from './receive-payout.ts'
import {
  claimUnsent,
  markSent,
  movableTransfers,
  noteNotTaken,
  noteWaiting,
  unsentLanes,
  type UnsentTransfer,
} from './transfer-store.ts'

/** As many are claimed as are sent at once: a crash delays no others. */
const AT_ONCE = 5
/** Passed on in one run. */
const MOST_MOVED = 500

type Sending = 'sent' | 'refused' | 'passedOn' | 'later'
type Counts = Record<Sending, number>

export function sendPayouts(vendors: PayoutVendors): ScheduledClass {
  return {
    name: 'payoutSend',
    cycle: 'every:15',
    async run(context) {
      const counts: Counts = { sent: 0, refused: 0, passedOn: 0, later: 0 }
      // side by side: a vendor that hangs delays the transfers of no other
      await Promise.all(
        (await unsentLanes(context.database.kysely)).map(async (lane) => {
          const vendor = await vendors.of(lane)
          if (vendor === null) return
          if (lane.isOut) await leave(context, lane, counts)
          else if (lane.isDue) await serve(context, vendor, lane, counts)
        }),
      )
      return counts
    },
  }
}

async function serve(
  context: AppContext,
  vendor: PayoutVendor,
  lane: PayoutLane,
  counts: Counts,
): Promise<void> {
  const { kysely } = context.database
  while (!context.stopping.aborted) {
    const admitted = lane.cfgId === null ? 'free' : await admission(kysely, lane.cfgId)
    if (admitted === 'no') return leave(context, lane, counts)
    const limit = admitted === 'trial' ? 1 : AT_ONCE
    const transfers = await claimUnsent(kysely, lane, limit)
    const sendings = transfers.map((transfer) => send(context, vendor, lane, transfer))
    for (const sending of await Promise.all(sendings)) counts[sending] += 1
    if (transfers.length === 0 && admitted === 'trial' && lane.cfgId !== null)
      await endTrial(kysely, lane.cfgId)
    if (transfers.length < limit) return
  }
}

/** What a vendor that is left out does not have goes to others; the rest waits, with its reason. */
async function leave(context: AppContext, lane: PayoutLane, counts: Counts): Promise<void> {
  const { kysely } = context.database
  for (const transferId of await movableTransfers(kysely, lane, MOST_MOVED)) {
    if (context.stopping.aborted) return
    if (await fallBack(context, transferId, 'vendorOut')) counts.passedOn += 1
  }
  await noteWaiting(kysely, lane, 'vendorOut')
}

/** A transfer whose last sending was never answered is asked about before it is sent again. */
async function send(
  context: AppContext,
  vendor: PayoutVendor,
  lane: PayoutLane,
  transfer: UnsentTransfer,
): Promise<Sending> {
  const mayBeTaken = transfer.send_attempts - 1 > transfer.sends_not_taken
  if (mayBeTaken) {
    const found = await queryVendor(context, vendor, transfer)
    if (found !== 'unknown') return found
  }
  const platformOrderNo = transfer.platform_order_no
  const answer = await vendor
    .send(instructionOf(context, transfer))
    .catch((error: unknown) => (error instanceof NotReached ? 'unreachable' : failed(error)))
  function failed(error: unknown): null {
    context.log.warn(
      { err: error, platformOrderNo, attempts: transfer.send_attempts },
      'a transfer could not be sent; the vendor is asked about it before it is sent again',
    )
    return null
  }
  if (answer === null) {
    await noteWaiting(context.database.kysely, { transferId: transfer.id }, 'noAnswer')
    return 'later'
  }
  if (answer === 'unreachable') return notTaken(context, lane, transfer, 'unreachable')
  if (answer.accepted) return noteSent(context, transfer, answer.vendorOrderNo)
  if (!answer.final) {
    context.log.warn(
      { platformOrderNo, reason: answer.reason, attempts: transfer.send_attempts },
      'the vendor does not take a transfer now; it is sent again',
    )
    return notTaken(context, lane, transfer, 'declined')
  }
  // An earlier sending may have arrived: the refusal of this one proves nothing about its money.
  const found = mayBeTaken ? await queryVendor(context, vendor, transfer) : 'unknown'
  if (found !== 'unknown') return found
  await receive(context, transfer, {
    platformOrderNo,
    vendorOrderNo: null,
    result: 'fail',
    failReason: answer.reason,
  })
  return 'refused'
}

async function notTaken(
  context: AppContext,
  { cfgId }: PayoutLane,
  { id }: UnsentTransfer,
  reason: 'unreachable' | 'declined',
): Promise<Sending> {
  await noteNotTaken(context.database.kysely, id, reason)
  return cfgId !== null && (await fallBack(context, id, reason)) ? 'passedOn' : 'later'
}

function instructionOf(context: AppContext, transfer: UnsentTransfer): PayoutInstruction {
  const { id, account_enc: sealed, platform_order_no: platformOrderNo } = transfer
  return {
    platformOrderNo,
    payeeName: transfer.payee_name,
    account: context.secrets.open('payout_transfer.account_enc', id, sealed),
    ifsc: transfer.ifsc,
    amount: transfer.amount,
    transferType: transfer.transfer_type,
  }
}

/** What the vendor knows of a transfer that may have reached it. */
async function queryVendor(
  context: AppContext,
  vendor: PayoutVendor,
  transfer: UnsentTransfer,
): Promise<Sending | 'unknown'> {
  const platformOrderNo = transfer.platform_order_no
  const answer = await vendor.query(platformOrderNo).catch((error: unknown) => {
    context.log.warn({ err: error, platformOrderNo }, 'a transfer could not be asked about')
    return null
  })
  if (answer === null) return 'later'
  if (answer.state === 'unknown') return 'unknown'
  const { vendorOrderNo } = answer
  if (answer.state === 'processing') return noteSent(context, transfer, vendorOrderNo)
  await receive(
    context,
    transfer,
    answer.state === 'success'
      ? {
          platformOrderNo,
          vendorOrderNo,
          result: 'success',
          ...(answer.utr === null ? {} : { utr: answer.utr }),
        }
      : { platformOrderNo, vendorOrderNo, result: 'fail', failReason: answer.reason },
  )
  return answer.state === 'success' ? 'sent' : 'refused'
}

async function noteSent(
  context: AppContext,
  { id, platform_order_no: platformOrderNo }: UnsentTransfer,
  vendorOrderNo: string,
): Promise<Sending> {
  if (!(await markSent(context.database.kysely, id, vendorOrderNo)))
    context.log.error(
      { platformOrderNo, vendorOrderNo },
      'the vendor gave a transfer a second number',
    )
  return 'sent'
}

async function receive(
  context: AppContext,
  { id }: UnsentTransfer,
  result: PayoutResult,
): Promise<void> {
  await runCommand(
    context,
    {
      actor: systemActor('payoutSend'),
      audit: { action: 'payout', targetKind: 'transfer', targetId: id },
    },
    (tx) => receivePayout(tx, result),
  )
}
