import { Problem } from '#shared/kernel/problem.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { PayoutVendor } from '#gateway/manage/vendors/payout-vendor.ts'
import type { PayoutLane, PayoutVendors } from '#gateway/manage/vendors/payout-vendors.ts'
import { admission } from '#gateway/manage/vendors/routing/breaker.ts'
import { type PayoutResult, receivePayout } from './receive-payout.ts'
import { markLateTransfers } from './late-transfers.ts'
import { isMarkedLost, markLost } from './transfer-conflict.ts'
import { claimUnanswered, unansweredLanes, unsentOfOthers } from './transfer-store.ts'

const SENT_BEFORE_SECONDS = 300
const AGAIN_SECONDS = 110
const BATCH = 200

/**
 * Polls the vendors for transfers whose result has not arrived, marks those that people may end, and
 * reports transfers that no configured vendor will send.
 */
export function payoutPoll(vendors: PayoutVendors): ScheduledClass {
  return {
    name: 'payoutPoll',
    cycle: 'every:120',
    async run(context) {
      const { kysely } = context.database
      const lanes = await unansweredLanes(kysely, SENT_BEFORE_SECONDS)
      const polled = await Promise.all(
        lanes.map(async (lane) => {
          const vendor = await vendors.of(lane)
          return vendor === null ? NOTHING : poll(context, vendor, lane)
        }),
      )
      const installation = vendors.installation?.code ?? null
      const strange = await unsentOfOthers(kysely, installation)
      // the parameter payout.vendor names a vendor that this process does not have
      if (strange.length > 0)
        context.log.error(
          { vendor: installation, unsent: strange },
          'transfers wait for a vendor that is not set up here',
        )
      const late = await markLateTransfers(context)
      return {
        polled: polled.reduce((sum, one) => sum + one.polled, 0),
        answered: polled.reduce((sum, one) => sum + one.answered, 0),
        late,
        withoutVendor: strange.reduce((sum, { count }) => sum + count, 0),
      }
    },
  }
}

const NOTHING = { polled: 0, answered: 0 }

/** A vendor that is left out is not polled, or once as its trial. */
async function poll(
  context: AppContext,
  vendor: PayoutVendor,
  lane: PayoutLane,
): Promise<typeof NOTHING> {
  const { kysely } = context.database
  const claimed = await claimUnanswered(kysely, lane, SENT_BEFORE_SECONDS, AGAIN_SECONDS, BATCH)
  let answered = 0
  for (const platformOrderNo of claimed) {
    if (lane.cfgId !== null && (await admission(kysely, lane.cfgId)) === 'no') break
    if (await pollTransfer(context, vendor, platformOrderNo)) answered += 1
  }
  return { polled: claimed.length, answered }
}

async function pollTransfer(
  context: AppContext,
  vendor: PayoutVendor,
  platformOrderNo: string,
): Promise<boolean> {
  try {
    const answer = await vendor.query(platformOrderNo)
    if (answer.state === 'processing') return false
    if (answer.state === 'unknown') {
      // the vendor accepted the instruction once: only its staff know where the money is
      context.log.error(
        { platformOrderNo },
        'the payout vendor does not know a transfer it accepted',
      )
      if (await isMarkedLost(context.database.kysely, platformOrderNo)) return false
      await runCommand(
        context,
        {
          actor: systemActor('payoutPoll'),
          audit: { action: 'payout', targetKind: 'transferNo', targetId: platformOrderNo },
        },
        (tx) => markLost(tx, platformOrderNo),
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
      'the result of a transfer could not be polled',
    )
    return false
  }
}
