import { sql } from 'kysely'
import { onDays } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'

/** Customers by the IST day of their registration; certified are those who are so by now. */
export const customerDay: Rollup = {
  name: 'customerDay',
  menus: ['channel_statistics', 'Acquisition_trends', 'home', 'delivery_data'],
  extent: sql`
    select ist_day(min(c.registered_at))::text as first, ist_day(max(c.registered_at))::text as last
    from customer c`,
  tables: [
    {
      name: 'report_customer_day',
      keys: ['day', 'app_id', 'channel_id'],
      measures: ['registrations', 'certified'],
      rows: (days) => sql`
        select ist_day(c.registered_at) as day, c.app_id, c.channel_id,
          count(*)::int as registrations,
          count(*) filter (where c.certified)::int as certified
        from customer c
        where ${onDays('c.registered_at', days)}
        group by 1, 2, 3`,
    },
  ],
}
