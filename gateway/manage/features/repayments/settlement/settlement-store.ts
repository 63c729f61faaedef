/** Rows of `settlement_plan`; at most one per order is current. The caller has locked the order. */
import { sql } from 'kysely'
import {
  type SettlementRow,
  type SettlementState,
  sumOfRows,
} from '#shared/repayments/settlement-plan.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

export async function insertSettlement(
  trx: Trx,
  {
    orderId,
    approvalId,
    rows,
    asOf,
  }: { orderId: string; approvalId: string; rows: readonly SettlementRow[]; asOf: string },
): Promise<string> {
  const stored = await sql<{ id: string }>`
    insert into settlement_plan (order_id, approval_id, rows, total, as_of, started_at)
      values (${orderId}, ${approvalId}, ${JSON.stringify(rows)}::jsonb, ${sumOfRows(rows)}, ${asOf}::date,
      clock_timestamp())
      returning id`.execute(trx)
  return (stored.rows[0] as { id: string }).id
}

/**
 * Ends the current plans of orders.
 * @param paid paise by which each debt had decreased, by order
 * @param endedAt null = now; a missed row ends its plan as the day after it begins, however late that
 * day is opened: money of that day is no money of the plan
 */
export async function endSettlements(
  tx: CommandTx,
  paid: ReadonlyMap<string, number>,
  state: Exclude<SettlementState, 'current'>,
  endedAt: string | null = null,
): Promise<void> {
  if (paid.size === 0) return
  const given = [...paid].map(([order_id, amount]) => ({ order_id, paid: amount }))
  const { rows } = await sql<{ id: string; order_id: string }>`
    update settlement_plan s set state = ${state}, paid = g.paid,
      ended_at = coalesce(${endedAt}::timestamptz, clock_timestamp())
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (order_id text, paid bigint)
      where s.order_id = g.order_id and s.state = 'current' returning s.id, s.order_id`.execute(
    tx.db,
  )
  if (rows.length !== paid.size)
    throw new Error('settlement plans changed under the lock of their orders')
  for (const { id, order_id: orderId } of rows)
    tx.log({
      action: 'endSettlement',
      targetKind: 'order',
      targetId: orderId,
      after: { settlementId: id, state, paid: paid.get(orderId) ?? 0 },
    })
}
