import { Problem } from '#shared/kernel/problem.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { PayoutVendor } from '#gateway/manage/vendors/payout-vendor.ts'
import { type PayoutResult, receivePayout } from './receive-payout.ts'
import { claimUnanswered, unsentOfOthers } from './transfer-store.ts'

const SENT_BEFORE_SECONDS = 300
const AGAIN_SECONDS = 110
const BATCH = 200

/**
 * Polls the vendor for transfers whose result has not arrived, and reports transfers that no
 * configured vendor will send.
 */
export function payoutPoll(vendor: PayoutVendor): ScheduledClass {
  return {
    name: 'payoutPoll',
    cycle: 'every:120',
    async run(context) {
      const asked = await claimUnanswered(
        context.database.kysely,
        vendor.code,
        SENT_BEFORE_SECONDS,
        AGAIN_SECONDS,
        BATCH,
      )
      let answered = 0
      for (const platformOrderNo of asked)
        if (await ask(context, vendor, platformOrderNo)) answered += 1
      const strange = await unsentOfOthers(context.database.kysely, vendor.code)
      // the parameter payout.vendor names a vendor that this process does not have
      if (strange.length > 0)
        context.log.error(
          { vendor: vendor.code, unsent: strange },
          'transfers wait for a vendor that is not set up here',
        )
      return [
        ...(asked.length > 0 ? [`${answered} of ${asked.length} answered`] : []),
        ...strange.map(({ vendor_code, count }) => `${count} unsent for vendor ${vendor_code}`),
      ].join('; ')
    },
  }
}

async function ask(
  context: AppContext,
  vendor: PayoutVendor,
  platformOrderNo: string,
): Promise<boolean> {
  try {
    const answer = await vendor.query(platformOrderNo)
    if (answer.state === 'processing') return false
    if (answer.state === 'unknown') {
      // the vendor accepted the instruction once: only its staff know what became of the money
      context.log.error(
        { platformOrderNo },
        'the payout vendor does not know a transfer it accepted',
      )
      return false
    }
    const { vendorOrderNo } = answer
    const result: PayoutResult =
      answer.state === 'success'
        ? {
            platformOrderNo,
            vendorOrderNo,
            result: 'success',
            ...(answer.utr === null ? {} : { utr: answer.utr }),
          }
        : { platformOrderNo, vendorOrderNo, result: 'fail', failReason: answer.reason }
    await runCommand(
      context,
      {
        actor: systemActor('payoutPoll'),
        audit: { action: 'payout', targetKind: 'transferNo', targetId: platformOrderNo },
      },
      (tx) => receivePayout(tx, result),
    )
    return true
  } catch (error) {
    // an error or a refusal for one transfer must not block the others
    context.log[error instanceof Problem ? 'error' : 'warn'](
      { err: error, platformOrderNo },
      'a transfer could not be asked about',
    )
    return false
  }
}
