import { sql } from 'kysely'
import { onDays } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'

/** Tickets by the IST day they came in; app and channel are those of the customer. */
export const ticketDay: Rollup = {
  name: 'ticketDay',
  menus: ['home'],
  extent: sql`
    select ist_day(min(f.created_at))::text as first, ist_day(max(f.created_at))::text as last
    from feedback f`,
  tables: [
    {
      name: 'report_ticket_day',
      keys: ['day', 'app_id', 'channel_id', 'queue'],
      measures: ['tickets'],
      rows: (days) => sql`
        select ist_day(f.created_at) as day, c.app_id, c.channel_id, f.queue, count(*)::int as tickets
        from feedback f
        join customer c on c.id = f.customer_id
        where ${onDays('f.created_at', days)}
        group by 1, 2, 3, 4`,
    },
  ],
}
