/** CANCEL: 10, 20, 22, 26 → 70, because the customer withdrew. */
import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { moveOrder } from './move-order.ts'
import { isOrderInScope } from './order-detail-queries.ts'
import type { MovedOrder } from './order-path.ts'

/** Ends what belongs to a cancelled order, in the same transaction. */
export type WhenCancelled = (tx: CommandTx, orderId: string) => Promise<void>

declare module '#gateway/manage/kernel/feature.ts' {
  interface Hooks {
    whenCancelled: WhenCancelled
  }
}

/** Cancelled by a user, within their data scope. @throws Problem G404, O-STATE, G409 */
export async function cancelOrder(
  tx: CommandTx,
  { orderId, version, reason }: { orderId: string; version: number; reason: string },
  whenCancelled: readonly WhenCancelled[],
): Promise<void> {
  if (!(await isOrderInScope(tx.db, staff(tx.actor), orderId))) throw new Problem(NOT_FOUND)
  await cancel(tx, orderId, { cause: 'cancel', reason, version }, whenCancelled)
}

/**
 * Cancelled by the customer through the app. A repeated withdrawal finds the order cancelled and is
 * refused.
 * @throws Problem G404, O-STATE
 */
export function withdrawOrder(
  tx: CommandTx,
  { orderId, reason }: { orderId: string; reason: string },
  whenCancelled: readonly WhenCancelled[],
): Promise<MovedOrder> {
  return cancel(tx, orderId, { cause: 'customerWithdrew', reason }, whenCancelled)
}

async function cancel(
  tx: CommandTx,
  orderId: string,
  { cause, reason, version }: { cause: string; reason: string; version?: number },
  whenCancelled: readonly WhenCancelled[],
): Promise<MovedOrder> {
  // review before order: the review's own commands lock in this sequence
  await sql`select r.id from review r where r.order_id = ${orderId} order by r.id for update`.execute(
    tx.db,
  )
  const moved = await moveOrder(
    tx,
    orderId,
    { type: 'CANCEL', withdrawn: true, offerExpired: false },
    { cause, note: reason, ...(version === undefined ? {} : { version }) },
  )
  for (const end of whenCancelled) await end(tx, orderId)
  tx.log({
    action: 'cancel',
    targetKind: 'order',
    targetId: orderId,
    before: { status: moved.from },
    after: { status: moved.to, reason },
  })
  return moved
}
