import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { LIMIT_AT_BOUND } from '#shared/customers/customers-problems.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitCustomer } from './emit-customer.ts'

/** Paise more, or a share of the limit there is, in basis points. */
export type LimitRaise = { amount: number } | { ratio: number }

/** Never above the maximum; a part of a paisa is nobody's. */
export function raisedLimit(limit: number, raise: LimitRaise, most: number): number {
  const more = 'amount' in raise ? raise.amount : Math.floor((limit * raise.ratio) / 10_000)
  return Math.max(limit, Math.min(most, limit + more))
}

/**
 * A new credit entry of a customer with a higher limit; the terms stay those of the one before. A
 * later pass of the machine never lowers it.
 * @param most paise: the maximum of the product
 * @throws Problem G404 without a passed credit, K-BOUND when the limit is at the maximum already
 */
export async function raiseLimit(
  tx: CommandTx,
  customerId: string,
  raise: LimitRaise,
  most: number,
): Promise<void> {
  // entries of one customer are written one after the other
  await sql`select 1 from customer c where c.id = ${customerId} for update`.execute(tx.db)
  const { rows } = await sql<{ id: string; limit: number }>`
    select g.id, g.final_limit as "limit" from credit_grant g
    where g.customer_id = ${customerId} and g.state = 'passed'
    order by g.created_at desc, g.id desc limit 1`.execute(tx.db)
  const [before] = rows
  if (!before) throw new Problem(NOT_FOUND)
  const limit = raisedLimit(before.limit, raise, most)
  if (limit <= before.limit) throw new Problem(LIMIT_AT_BOUND)
  await sql`
    insert into credit_grant (id, customer_id, state, final_limit, base_limit, adjusted_limit, tenure_days,
      periods, days_per_period, service_rate, daily_rate, emi, valid_until)
    select 'Q' || nextval('credit_grant_id_seq'), g.customer_id, 'passed', ${limit}, g.base_limit,
      ${limit}::bigint - g.base_limit, g.tenure_days, g.periods, g.days_per_period, g.service_rate,
      g.daily_rate, g.emi, g.valid_until
    from credit_grant g where g.id = ${before.id}`.execute(tx.db)
  emitCustomer(tx, customerId, null, ['creditState', 'finalLimit'])
  tx.log({
    action: 'raiseLimit',
    targetKind: 'customer',
    targetId: customerId,
    before: { finalLimit: before.limit },
    after: { finalLimit: limit },
  })
}
