import { sql } from 'kysely'
import { ORDER_CREATED } from '#shared/orders/orders-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

export interface Successor {
  /** Paise: the outstanding principal, the open interest, and both plus an open service fee. */
  amount: number
  interest: number
  outstanding: number
  days: number
  /** IST day. */
  dueDay: string
}

/**
 * Creates the successor of an extended order: same borrower and terms, starting in 30 with one
 * instalment. No money is paid out, it earns nothing beyond what was open, and it has no
 * cooling-off period.
 * @returns its id
 */
export async function openSuccessor(
  tx: CommandTx,
  fromOrderId: string,
  { amount, interest, outstanding, days, dueDay }: Successor,
): Promise<string> {
  const tags = ['extension']
  const { rows } = await sql<{ id: string; customer_id: string }>`
    with stored as (
      insert into loan_order (customer_id, product_id, app_id, channel_id, amount, arrival_amount,
        service_charge, interest, contract_amount, tenure_days, term, status, tags, due_at, disbursed_at,
        outstanding, kfs_version, kfs_accepted_at, from_order_id, product_snapshot)
      select o.customer_id, o.product_id, o.app_id, o.channel_id, ${amount}::bigint, ${amount}::bigint, 0,
        ${interest}::bigint, ${amount}::bigint + ${interest}::bigint, ${days}::int, 1, 30, ${tags},
        ${dueDay}::date, clock_timestamp(), ${outstanding}::bigint,
        o.kfs_version, o.kfs_accepted_at, o.id, o.product_snapshot || jsonb_build_object('serviceRate', 0,
          'dailyRate', 0, 'periods', 1, 'daysPerPeriod', ${days}::int)
      from loan_order o where o.id = ${fromOrderId}
      returning id, customer_id
    ), logged as (
      insert into order_status_log (order_id, from_status, to_status, cause, by_user_id, by_name, note)
      select s.id, null, 30, 'extension', ${tx.actor.userId}::text, ${tx.actor.userName}::text,
        ${fromOrderId}::text from stored s
    )
    select s.id, s.customer_id from stored s`.execute(tx.db)
  // the caller has locked the previous order
  const { id: orderId, customer_id: userId } = rows[0] as { id: string; customer_id: string }
  tx.emit(ORDER_CREATED, {
    subject: `order:${orderId}`,
    version: 1,
    rooms: ['scope:all'],
    data: { orderId, userId, status: 30, tags, amount },
  })
  return orderId
}
