import { sql } from 'kysely'
import { MEASURES } from '#shared/reports/measures.ts'
import { onDays } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'
import { isDue } from './parts.ts'

/** What came of campaigns, of the customers whose campaign the customer app told. */
export const campaign: Rollup = {
  name: 'campaign',
  followsPostings: true,
  menus: ['delivery_data'],
  extent: sql`
    select ist_day(min(c.registered_at))::text as first,
      greatest(ist_day(max(c.registered_at)), ist_day((select max(l.at) from order_status_log l
        where l.to_status in (20, 21, 22, 23, 26, 27, 30))),
        (select max(p.due_at) from repay_plan p))::text as last
    from customer c`,
  tables: [
    {
      name: 'report_campaign_day',
      keys: ['day', 'channel_id', 'campaign'],
      measures: ['registrations', 'certified', 'disbursed', 'disbursed_amount'],
      rows: (days) => sql`
        select e.day, e.channel_id, e.campaign,
          sum(e.registered)::int as registrations,
          sum(e.certified)::int as certified,
          sum(e.disbursed)::int as disbursed,
          sum(e.amount)::bigint as disbursed_amount
        from (
          select ist_day(c.registered_at) as day, c.channel_id, c.campaign, 1 as registered,
            c.certified::int as certified, 0 as disbursed, 0 as amount
          from customer c
          where ${onDays('c.registered_at', days)} and c.campaign is not null
          union all
          select ist_day(l.at), o.channel_id, c.campaign, 0, 0, 1, o.amount
          from order_status_log l
          join loan_order o on o.id = l.order_id
          join customer c on c.id = o.customer_id and c.campaign is not null
          where ${onDays('l.at', days)} and l.to_status = 30 and l.from_status = 29
        ) e
        group by 1, 2, 3`,
    },
    {
      name: 'report_campaign_due',
      keys: ['due_day', 'channel_id', 'campaign'],
      measures: ['first_due', 'first_unpaid'],
      rows: (days) => sql`
        select p.due_at as due_day, o.channel_id, c.campaign,
          count(*)::int as first_due,
          count(*) filter (where not coalesce(p.payment_status = 'paid' and ist_day(p.actual_repayment_at)
            <= p.due_at + ${sql.lit(MEASURES.firstDefaultRate.age)}, false))::int as first_unpaid
        from repay_plan p
        join loan_order o on o.id = p.order_id and 'firstLoan' = any(o.tags)
        join customer c on c.id = o.customer_id and c.campaign is not null
        where ${isDue(days)} and p.serial_no = 1
        group by 1, 2, 3`,
    },
  ],
}
