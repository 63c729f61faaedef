/**
 * Passes the work of a transfer on to another vendor of the app. Only a transfer that no vendor has
 * is passed on: it was never sent, or every sending was certainly not taken. It ends, and another
 * transfer with a number of its own begins, so that a result that comes for the first one after all
 * is a conflict shown to staff (transfer-conflict.ts), never a silent second payment.
 */
import { sql } from 'kysely'
import { PAYOUT_CHANGED } from '#shared/orders/orders-live.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import { openTransfer } from './dispatch-payout.ts'
import { orderRooms } from './order-rooms.ts'
import { lockPayoutFacts } from './payout-facts.ts'
import { type PayoutTarget, payoutTargets } from './payout-target.ts'
import { isEndRequested } from './transfer-store.ts'

/** A vendor that did not take an order is not asked for it again so soon. */
const TRIED_MINUTES = 10

export type NotTakenReason = 'unreachable' | 'declined' | 'vendorOut'

interface Held {
  id: string
  vendor_code: string
  tp_cfg_id: string | null
  transfer_type: string
  attempt_no: number
}

/** @returns whether another vendor was asked */
export async function fallBack(
  context: AppContext,
  transferId: string,
  reason: NotTakenReason,
): Promise<boolean> {
  const { rows } = await sql<{ order_id: string }>`
    select t.order_id from payout_transfer t where t.id = ${transferId}`.execute(
    context.database.kysely,
  )
  const orderId = rows[0]?.order_id
  // without anybody else nothing is to be done, and nothing to be logged
  if (orderId === undefined || !(await nextTarget(context.database.kysely, orderId, transferId)))
    return false
  const { result } = await runCommand(
    context,
    {
      actor: systemActor('payoutSend'),
      audit: { action: 'payout.passedOn', targetKind: 'transfer', targetId: transferId },
    },
    (tx) => passOn(tx, orderId, transferId, reason),
  )
  return result
}

async function passOn(
  tx: CommandTx,
  orderId: string,
  transferId: string,
  reason: NotTakenReason,
): Promise<boolean> {
  // locks the order's row first, as every command does
  const facts = await lockPayoutFacts(tx.db, orderId)
  const held = await lockHeld(tx, transferId)
  const target = await nextTarget(tx.db, orderId, transferId)
  if (!facts?.card_bound || held === null || target === null) return false
  const { rows } = await sql<{ version: number }>`
    update payout_transfer set pay_state = 'fail', not_taken = true, wait_reason = ${reason},
      fail_at = clock_timestamp(), finished_at = clock_timestamp(), updated_at = clock_timestamp(),
      version = version + 1
    where id = ${transferId} returning version`.execute(tx.db)
  tx.emit(PAYOUT_CHANGED, {
    subject: `transfer:${transferId}`,
    version: (rows[0] as { version: number }).version,
    rooms: orderRooms(orderId),
    data: {
      transferId,
      orderId,
      payState: 'fail',
      attemptNo: held.attempt_no,
      failReason: null,
      handlingMethod: null,
    },
  })
  tx.log({
    action: 'payout.passedOn',
    targetKind: 'transfer',
    targetId: transferId,
    before: { vendorCode: held.vendor_code },
    after: { vendorCode: target.vendorCode, reason },
  })
  await openTransfer(tx, orderId, facts, {
    vendorCode: target.vendorCode,
    cfgId: target.cfgId,
    transferType: held.transfer_type,
  })
  return true
}

/** Null when it was sent meanwhile, has ended, or money of the order is in doubt. */
async function lockHeld(tx: CommandTx, transferId: string): Promise<Held | null> {
  const { rows } = await sql<Held>`
    select t.id, t.vendor_code, t.tp_cfg_id, t.transfer_type, t.attempt_no from payout_transfer t
    where t.id = ${transferId} and t.pay_state = 'inProgress' and t.sent_at is null
      and t.send_attempts = t.sends_not_taken
      and not exists (select from payout_transfer k where k.order_id = t.order_id
        and k.conflict is not null and k.conflict_ended_at is null)
      and not ${isEndRequested(sql`t.id`)}
    for update`.execute(tx.db)
  return rows[0] ?? null
}

/** The first that may be called, is not the one that has it, and did not just refuse the order. */
async function nextTarget(
  db: Db,
  orderId: string,
  transferId: string,
): Promise<PayoutTarget | null> {
  const targets = (await payoutTargets(db, orderId)).filter(({ isAvailable }) => isAvailable)
  const { rows } = await sql<{ cfg_id: string | null }>`
    select t.tp_cfg_id as cfg_id from payout_transfer t where t.order_id = ${orderId}
      and (t.id = ${transferId} or (t.not_taken
        and t.finished_at > clock_timestamp() - make_interval(mins => ${TRIED_MINUTES})))`.execute(
    db,
  )
  const tried = new Set(rows.map((row) => row.cfg_id))
  return targets.find(({ cfgId }) => !tried.has(cfgId)) ?? null
}
