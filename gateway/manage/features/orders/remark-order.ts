import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitOrder } from './emit-order.ts'
import { isOrderInScope } from './order-detail-queries.ts'

/**
 * Adds a note. The order's row and version stay the same, so that a note never conflicts with
 * another action.
 * @throws Problem G404
 */
export async function remarkOrder(
  tx: CommandTx,
  { orderId, remark }: { orderId: string; remark: string },
): Promise<void> {
  const actor = staff(tx.actor)
  if (!(await isOrderInScope(tx.db, actor, orderId))) throw new Problem(NOT_FOUND)
  await sql`
    insert into order_remark (order_id, remark, by_user_id, by_name)
      values (${orderId}, ${remark}, ${actor.userId}, ${actor.userName})`.execute(tx.db)
  await emitOrder(tx, orderId, null, ['remarks'])
  tx.log({ action: 'remark', targetKind: 'order', targetId: orderId })
}
