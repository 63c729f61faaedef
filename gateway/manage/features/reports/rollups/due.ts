import { type RawBuilder, sql } from 'kysely'
import { MEASURES } from '#shared/reports/measures.ts'
import type { Days, Rollup } from '../rollup.ts'
import { ORDER_TAG } from './parts.ts'

/**
 * Instalments by due day. An amount is principal, interest and service fee. An instalment is settled
 * when it is paid and nothing of it is open, also by a reduction; a payment that was taken back
 * never counted.
 */
export const due: Rollup = {
  name: 'due',
  menus: ['channel_statistics'],
  extent: sql`select min(p.due_at)::text as first, max(p.due_at)::text as last from repay_plan p`,
  tables: [
    {
      name: 'report_due',
      keys: ['due_day', 'app_id', 'channel_id', 'product_id', 'tag'],
      measures: ['plans', 'due_amount', 'first_due', 'first_unpaid'],
      rows: (days) => sql`
        select d.due_day, d.app_id, d.channel_id, d.product_id, d.tag,
          count(*)::int as plans,
          sum(d.amount)::bigint as due_amount,
          count(*) filter (where d.is_first)::int as first_due,
          count(*) filter (where d.is_first and not coalesce(
            d.settled_on <= d.due_day + ${sql.lit(MEASURES.firstDefaultRate.age)}, false))::int as first_unpaid
        from (${duePlans(days)}) d
        group by 1, 2, 3, 4, 5`,
    },
  ],
}

/** Instalments that fall due on these days. */
function duePlans({ from, to }: Days): RawBuilder<unknown> {
  return sql`
    select p.due_at as due_day, o.app_id, o.channel_id, o.product_id, ${ORDER_TAG} as tag,
      p.principal + p.interest + p.service_fee as amount,
      p.serial_no = 1 and 'firstLoan' = any(o.tags) as is_first,
      case when p.payment_status = 'paid' then ist_day(p.actual_repayment_at) end as settled_on
    from repay_plan p
    join loan_order o on o.id = p.order_id
    where p.due_at >= ${from}::date and p.due_at <= ${to}::date`
}
