/**
 * Sends transfers to the vendor, outside any transaction. A transfer counts as sent once the vendor
 * accepted it; until then it is sent again after a growing delay. The vendor accepts each number
 * only once, so a crash neither loses nor duplicates a transfer.
 */
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { PayoutInstruction, PayoutVendor } from '#gateway/manage/vendors/payout-vendor.ts'
import { type PayoutResult, receivePayout } from './receive-payout.ts'
import { claimUnsent, markSent, type UnsentTransfer } from './transfer-store.ts'

/** As many are claimed as are sent at once: a crash delays no others. */
const AT_ONCE = 5

type Sending = 'sent' | 'refused' | 'later'

export function sendPayouts(vendor: PayoutVendor): ScheduledClass {
  return {
    name: 'payoutSend',
    cycle: 'every:15',
    async run(context) {
      const counts: Record<Sending, number> = { sent: 0, refused: 0, later: 0 }
      while (!context.stopping.aborted) {
        const transfers = await claimUnsent(context.database.kysely, vendor.code, AT_ONCE)
        const sendings = transfers.map((transfer) => send(context, vendor, transfer))
        for (const sending of await Promise.all(sendings)) counts[sending] += 1
        if (transfers.length < AT_ONCE) break
      }
      return Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(([sending, count]) => `${count} ${sending}`)
        .join(', ')
    },
  }
}

/** A transfer whose last sending was never answered is asked about before it is sent again. */
async function send(
  context: AppContext,
  vendor: PayoutVendor,
  transfer: UnsentTransfer,
): Promise<Sending> {
  const isRepeated = transfer.send_attempts > 1
  if (isRepeated) {
    const found = await ask(context, vendor, transfer)
    if (found !== 'unknown') return found
  }
  const platformOrderNo = transfer.platform_order_no
  const answer = await vendor.send(instructionOf(context, transfer)).catch((error: unknown) => {
    context.log.warn(
      { err: error, platformOrderNo, attempts: transfer.send_attempts },
      'a transfer could not be sent; the vendor is asked about it before it is sent again',
    )
    return null
  })
  if (answer === null) return 'later'
  if (answer.accepted) return noteSent(context, transfer, answer.vendorOrderNo)
  if (!answer.final) {
    context.log.warn(
      { platformOrderNo, reason: answer.reason, attempts: transfer.send_attempts },
      'the vendor does not take a transfer now; it is sent again',
    )
    return 'later'
  }
  // An earlier sending may have arrived: the refusal of this one says nothing about its money.
  const found = isRepeated ? await ask(context, vendor, transfer) : 'unknown'
  if (found !== 'unknown') return found
  await receive(context, transfer, {
    platformOrderNo,
    vendorOrderNo: null,
    result: 'fail',
    failReason: answer.reason,
  })
  return 'refused'
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
async function ask(
  context: AppContext,
  vendor: PayoutVendor,
  transfer: UnsentTransfer,
): Promise<Sending | 'unknown'> {
  const platformOrderNo = transfer.platform_order_no
  const told = await vendor.query(platformOrderNo).catch((error: unknown) => {
    context.log.warn({ err: error, platformOrderNo }, 'a transfer could not be asked about')
    return null
  })
  if (told === null) return 'later'
  if (told.state === 'unknown') return 'unknown'
  const { vendorOrderNo } = told
  if (told.state === 'processing') return noteSent(context, transfer, vendorOrderNo)
  await receive(
    context,
    transfer,
    told.state === 'success'
      ? {
          platformOrderNo,
          vendorOrderNo,
          result: 'success',
          ...(told.utr === null ? {} : { utr: told.utr }),
        }
      : { platformOrderNo, vendorOrderNo, result: 'fail', failReason: told.reason },
  )
  return told.state === 'success' ? 'sent' : 'refused'
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
