import { sql } from 'kysely'
import { MEASURES } from '#shared/reports/measures.ts'
import { onDays } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'
import { INSTALMENTS } from './instalments.ts'
import { isLate } from './parts.ts'

/** Results of campaigns, for customers whose campaign the customer app reported. */
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
      shared: [INSTALMENTS],
      rows: () => sql`
        select d.due_day, d.channel_id, c.campaign,
          count(*)::int as first_due,
          count(*) filter (where ${isLate(MEASURES.firstDefaultRate.age)})::int as first_unpaid
        from due_instalment d
        join customer c on c.id = d.customer_id and c.campaign is not null
        where d.serial_no = 1 and d.is_first_loan
        group by 1, 2, 3`,
    },
  ],
}
