/** Transitions of one order whose event is known before they are written. */
import { sql } from 'kysely'
import { closeTypeOf } from '#shared/orders/close-types.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  COLUMN_TYPES,
  emitMoved,
  lastOf,
  type MovedOrder,
  type OrderColumns,
  type Path,
  type ShownOrder,
} from './order-path.ts'

/** Sends the order's row and its log, and emits each transition. The order is not closed by it. */
export function sendPath(tx: CommandTx, { locked, steps }: Path, shown: ShownOrder): MovedOrder {
  const last = lastOf(steps)
  const set: OrderColumns = Object.assign({}, ...steps.map((step) => step.set))
  const columns = Object.entries(COLUMN_TYPES).flatMap(([column, type]) => {
    const value = set[column as keyof OrderColumns]
    return value === undefined ? [] : [sql`${sql.ref(column)} = ${value}::${sql.raw(type)}, `]
  })
  const logged = steps.map(({ from, to, cause, note }) => ({ from, to, cause, note: note ?? null }))
  tx.send(sql`
    with moved as (
      update loan_order o
      set ${sql.join(columns, sql` `)}
        status = ${last.to}::int, close_type = ${closeTypeOf(last.to)}, closed_at = null,
        updated_at = clock_timestamp(), version = o.version + ${steps.length}::int
      where o.id = ${locked.id} and o.status = ${locked.status} and o.version = ${locked.version}
      returning o.id
    ), logged as (
      insert into order_status_log (order_id, from_status, to_status, cause, by_user_id, by_name, note)
      select m.id, s."from", s."to", s.cause, ${tx.actor.userId}::text, ${tx.actor.userName}::text, s.note
      from moved m, jsonb_to_recordset(${JSON.stringify(logged)}::jsonb)
        as s ("from" int, "to" int, cause text, note text)
    )
    select found_all(count(*), 1) from moved`)
  const row = {
    ...shown,
    outstanding: set.outstanding ?? shown.outstanding,
    due_at: set.due_at === undefined ? shown.due_at : set.due_at,
    disbursed_at: set.disbursed_at === undefined ? shown.disbursed_at : set.disbursed_at,
    fail_reason: set.fail_reason === undefined ? shown.fail_reason : set.fail_reason,
  }
  steps.forEach((step, n) => emitMoved(tx, row, { ...step, version: locked.version + n + 1 }))
  return { from: last.from, to: last.to, version: locked.version + steps.length }
}
