/**
 * The credit entries that decided applications leave; the newest entry is the customer's credit.
 */
import { type RawBuilder, sql } from 'kysely'
import type { CREDIT_STATES } from '#shared/customers/customer-sets.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitCustomer } from './emit-customer.ts'

/**
 * Writes the entry of a decided application, by the terms of its order. A pass never lowers the
 * credit, so that a limit raised by hand stays. A repeated failure with the same reason emits
 * nothing.
 * @param limit paise the machine would lend; the product's maximum when it named none
 */
export async function grantCredit(
  tx: CommandTx,
  orderId: string,
  {
    state,
    limit,
  }: { state: Exclude<(typeof CREDIT_STATES)[number], 'toCredit'>; limit: number | null },
): Promise<void> {
  const { rows } = await sql<{ customer_id: string }>`
    insert into credit_grant (id, customer_id, state, final_limit, base_limit, adjusted_limit, tenure_days,
      periods, days_per_period, service_rate, daily_rate, emi)
    select 'Q' || nextval('credit_grant_id_seq'), o.customer_id, ${state}, t.final, t.base,
      t.final - t.base, o.tenure_days, o.term, o.tenure_days / o.term,
      coalesce((o.product_snapshot ->> 'serviceRate')::int, p.service_rate),
      coalesce((o.product_snapshot ->> 'dailyRate')::int, p.daily_rate),
      case when jsonb_typeof(o.product_snapshot -> 'emi') = 'object' then jsonb_build_object(
        'annualRate', o.product_snapshot -> 'emi' -> 'annualRate',
        'dueDay', o.product_snapshot -> 'emi' -> 'dueDay') end
    from loan_order o join product p on p.id = o.product_id
    left join lateral (select g.state, g.final_limit from credit_grant g where g.customer_id = o.customer_id
      order by g.created_at desc, g.id desc limit 1) n on true
    cross join lateral (select coalesce(${limit}::bigint, (o.product_snapshot ->> 'maxAmount')::bigint,
      p.max_amount) as base) m
    cross join lateral (select case when ${state} = 'passed' then m.base else 0 end as base, case
      when ${state} = 'passed' then greatest(m.base, n.final_limit) else 0 end as final) t
    where o.id = ${orderId} and (${state} = 'passed' or ${state} is distinct from n.state)
    returning customer_id`.execute(tx.db)
  for (const { customer_id: userId } of rows) {
    // a reviewer who passes an application has checked its documents
    if (state === 'passed')
      await sql`
        update customer_kyc set verify_state = 'passed', pan_state = 'passed' where customer_id = ${userId}`.execute(
        tx.db,
      )
    emitCustomer(tx, userId, null, [
      'creditState',
      'finalLimit',
      ...(state === 'passed' ? ['kyc'] : []),
    ])
  }
}

/**
 * SQL expression: paise of the latest credit; null when no application of the customer passed.
 * @param customerId a trusted column name
 */
export function creditLimit(customerId: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql<number | null>`(
    select g.final_limit
    from credit_grant g
    where g.customer_id = ${customerId} and g.state = 'passed'
    order by g.created_at desc, g.id desc
    limit 1)`
}
