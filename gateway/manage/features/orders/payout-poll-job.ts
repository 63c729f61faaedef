import { Problem } from '#shared/kernel/problem.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { PayoutVendor } from '#gateway/manage/vendors/payout-vendor.ts'
import { type PayoutResult, receivePayout } from './receive-payout.ts'
import { claimUnanswered, unsentOfOthers } from './transfer-store.ts'

const SENT_BEFORE_SECONDS = 300
const AGAIN_SECONDS = 110
const BATCH = 200

/** Asks the vendor about transfers whose result did not come by itself (api.md 24, payoutPoll), and names those that no vendor here will ever send. */
export function payoutPoll(vendor: PayoutVendor): ScheduledClass {
  return {
    name: 'payoutPoll',
    cycle: 'every:120',
    async run(house) {
      const asked = await claimUnanswered(
        house.database.kysely,
        vendor.code,
        SENT_BEFORE_SECONDS,
        AGAIN_SECONDS,
        BATCH,
      )
      let answered = 0
      for (const platformOrderNo of asked)
        if (await ask(house, vendor, platformOrderNo)) answered += 1
      const strange = await unsentOfOthers(house.database.kysely, vendor.code)
      // the parameter payout.vendor names a vendor this process does not have
      if (strange.length > 0)
        house.log.error(
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

async function ask(house: House, vendor: PayoutVendor, platformOrderNo: string): Promise<boolean> {
  try {
    const told = await vendor.query(platformOrderNo)
    if (told.state === 'processing') return false
    if (told.state === 'unknown') {
      // it took the instruction once: only its people can say what became of the money
      house.log.error({ platformOrderNo }, 'the payout vendor does not know a transfer it took')
      return false
    }
    const { vendorOrderNo } = told
    const result: PayoutResult =
      told.state === 'success'
        ? {
            platformOrderNo,
            vendorOrderNo,
            result: 'success',
            ...(told.utr === null ? {} : { utr: told.utr }),
          }
        : { platformOrderNo, vendorOrderNo, result: 'fail', failReason: told.reason }
    await runCommand(
      house,
      {
        actor: systemActor('payoutPoll'),
        audit: { action: 'payout', targetKind: 'transferNo', targetId: platformOrderNo },
      },
      (cx) => receivePayout(cx, result),
    )
    return true
  } catch (error) {
    // one transfer the vendor cannot be asked about, or that is refused, does not keep the others waiting
    house.log[error instanceof Problem ? 'error' : 'warn'](
      { err: error, platformOrderNo },
      'a transfer could not be asked about',
    )
    return false
  }
}
