import { sql } from 'kysely'
import { RELOAN_DAYS } from '#shared/reports/reloan-days.ts'
import { onDays } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'

/**
 * Loans by the day they were paid off, with the next loan of the customer. An order of an extension
 * continues with the loan it extends; a debt that was written off is not paid off.
 */
export const reloan: Rollup = {
  name: 'reloan',
  menus: ['reloan_report'],
  extent: sql`
    select ist_day(min(o.closed_at))::text as first, ist_day(max(o.closed_at))::text as last
    from loan_order o
    where o.status in (40, 41)`,
  tables: [
    {
      name: 'report_settled',
      keys: ['day', 'app_id', 'channel_id', 'product_id', 'loan_no'],
      measures: [
        'settled',
        ...RELOAN_DAYS.map((days) => `within_${days}`),
        'amount',
        'limit_before',
        'limit_after',
      ],
      rows: (days) => sql`
        select s.day, s.app_id, s.channel_id, s.product_id, s.loan_no,
          count(*)::int as settled,
          ${sql.join(
            RELOAN_DAYS.map(
              (most) =>
                sql`count(*) filter (where s.days <= ${sql.lit(most)})::int as ${sql.ref(`within_${most}`)}`,
            ),
          )},
          coalesce(sum(s.next_amount) filter (where s.days <= 30), 0)::bigint as amount,
          coalesce(sum(s.limit_before) filter (where s.days <= 30 and s.limit_after > 0),
            0)::bigint as limit_before,
          coalesce(sum(s.limit_after) filter (where s.days <= 30 and s.limit_before > 0),
            0)::bigint as limit_after
        from (
          select ist_day(o.closed_at) as day, o.app_id, o.channel_id, o.product_id,
            (select least(5, greatest(1, count(*)))::int from loan_order e
              where e.customer_id = o.customer_id and e.from_order_id is null
                and e.disbursed_at <= o.closed_at) as loan_no,
            n.days, n.amount as next_amount,
            (select g.final_limit from credit_grant g
              where g.customer_id = o.customer_id and g.state = 'passed' and g.created_at <= o.closed_at
              order by g.created_at desc limit 1) as limit_before,
            (select g.final_limit from credit_grant g
              where g.customer_id = o.customer_id and g.state = 'passed' and g.created_at <= n.at
              order by g.created_at desc limit 1) as limit_after
          from loan_order o
          left join lateral (
            select x.amount, l.at, ist_day(l.at) - ist_day(o.closed_at) as days
            from loan_order x
            join order_status_log l on l.order_id = x.id and l.from_status = 29 and l.to_status = 30
            where x.customer_id = o.customer_id and x.from_order_id is null and l.at >= o.closed_at
            order by l.at
            limit 1
          ) n on true
          where ${onDays('o.closed_at', days)} and o.status in (40, 41)
        ) s
        group by 1, 2, 3, 4, 5`,
    },
  ],
}
