/**
 * Hands transfers to the vendor, outside any transaction. A transfer counts as sent when the vendor took it; until then it is sent
 * again after a growing wait, and the vendor takes the same number once, so a crash at any point neither loses nor doubles it.
 */
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { PayoutVendor } from '#gateway/manage/vendors/payout-vendor.ts'
import { receivePayout } from './receive-payout.ts'
import { claimUnsent, markSent, type UnsentTransfer } from './transfer-store.ts'

const BATCH = 20
const AT_ONCE = 5

type Sending = 'sent' | 'refused' | 'later'

export function sendPayouts(vendor: PayoutVendor): ScheduledClass {
  return {
    name: 'payoutSend',
    cycle: 'every:15',
    async run(house) {
      const counts: Record<Sending, number> = { sent: 0, refused: 0, later: 0 }
      for (;;) {
        const transfers = await claimUnsent(house.database.kysely, vendor.code, BATCH)
        for (let i = 0; i < transfers.length; i += AT_ONCE) {
          for (const sending of await Promise.all(
            transfers.slice(i, i + AT_ONCE).map((transfer) => send(house, vendor, transfer)),
          ))
            counts[sending] += 1
        }
        if (transfers.length < BATCH) break
      }
      return Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(([sending, count]) => `${count} ${sending}`)
        .join(', ')
    },
  }
}

async function send(
  house: House,
  vendor: PayoutVendor,
  transfer: UnsentTransfer,
): Promise<Sending> {
  const platformOrderNo = transfer.platform_order_no
  const instruction = {
    platformOrderNo,
    payeeName: transfer.payee_name,
    account: house.secrets.open('payout_transfer.account_enc', transfer.id, transfer.account_enc),
    ifsc: transfer.ifsc,
    amount: transfer.amount,
    transferType: transfer.transfer_type,
  }
  const answer = await vendor.send(instruction).catch((error: unknown) => {
    house.log.warn(
      { err: error, platformOrderNo, attempts: transfer.send_attempts },
      'a transfer could not be sent; it is sent again',
    )
    return null
  })
  if (answer === null) return 'later'
  if (answer.accepted) {
    if (!(await markSent(house.database.kysely, transfer.id, answer.vendorOrderNo)))
      house.log.error(
        { platformOrderNo, vendorOrderNo: answer.vendorOrderNo },
        'the vendor gave a transfer a second number',
      )
    return 'sent'
  }
  if (!answer.final) {
    house.log.warn(
      { platformOrderNo, reason: answer.reason, attempts: transfer.send_attempts },
      'the vendor does not take a transfer now; it is sent again',
    )
    return 'later'
  }
  await runCommand(
    house,
    {
      actor: systemActor('payoutSend'),
      audit: { action: 'payout', targetKind: 'transfer', targetId: transfer.id },
    },
    (cx) =>
      receivePayout(cx, {
        platformOrderNo,
        vendorOrderNo: null,
        result: 'fail',
        failReason: answer.reason,
      }),
  )
  return 'refused'
}
