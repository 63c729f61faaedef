import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { MANUAL_VENDOR } from '#shared/orders/disbursement-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  type MachineCaller,
  maySpeakFor,
  type VendorWork,
} from '#gateway/manage/kernel/machine-caller.ts'
import { type PayoutResult, type ReceivedPayout, receivePayout } from './receive-payout.ts'

/**
 * A vendor's callback. A vendor can report only its own transfers: any other is unknown to it. No
 * vendor can report a transfer that staff made by hand.
 * @throws Problem G404, and what receivePayout throws
 */
export async function reportPayout(
  tx: CommandTx,
  result: PayoutResult,
  caller: MachineCaller,
): Promise<ReceivedPayout> {
  // which vendor has a transfer never changes, so this needs no lock
  const { rows } = await sql<VendorWork>`
    select t.vendor_code as "vendorCode", t.tp_cfg_id as "cfgId" from payout_transfer t
    where t.platform_order_no = ${result.platformOrderNo}`.execute(tx.db)
  const [work] = rows
  if (!work) throw new Problem(NOT_FOUND)
  if (work.vendorCode === MANUAL_VENDOR || !maySpeakFor(caller, work)) {
    tx.context.log.warn(
      { ...work, key: caller.name, speaksFor: caller.vendorCode },
      'a machine key reports a transfer of another vendor',
    )
    throw new Problem(NOT_FOUND)
  }
  return receivePayout(tx, result)
}
