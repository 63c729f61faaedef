import { sql } from 'kysely'
import { onDays } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'
import { ORDER_TAG } from './parts.ts'

/**
 * Money of the day it moved: payments and what collection is credited with by the day the money was
 * paid, reductions by the day they were used, write-offs by the day they were carried out. A payment
 * that was taken back never counted.
 */
export const moneyDay: Rollup = {
  name: 'moneyDay',
  menus: ['home'],
  extent: sql`
    select ist_day(least(min(r.paid_at), (select min(w.done_at) from write_off w)))::text as first,
      ist_day(greatest(max(r.paid_at), (select max(w.done_at) from write_off w)))::text as last
    from repay_record r
    where r.pay_state = 'success'`,
  tables: [
    {
      name: 'report_money_day',
      keys: ['day', 'app_id', 'channel_id', 'product_id', 'tag'],
      measures: [
        'payments',
        'received',
        'collected',
        'reductions',
        'waived',
        'write_offs',
        'written_off',
      ],
      rows: (days) => sql`
        select e.day, o.app_id, o.channel_id, o.product_id, ${ORDER_TAG} as tag,
          count(*) filter (where e.what = 'payment')::int as payments,
          coalesce(sum(e.amount) filter (where e.what = 'payment'), 0)::bigint as received,
          coalesce(sum(e.amount) filter (where e.what = 'bill'), 0)::bigint as collected,
          count(*) filter (where e.what = 'reduction')::int as reductions,
          coalesce(sum(e.amount) filter (where e.what = 'reduction'), 0)::bigint as waived,
          count(*) filter (where e.what = 'writeOff')::int as write_offs,
          coalesce(sum(e.amount) filter (where e.what = 'writeOff'), 0)::bigint as written_off
        from (
          select r.order_id, ist_day(r.paid_at) as day, 'payment' as what, r.amount
          from repay_record r
          where ${onDays('r.paid_at', days)} and r.pay_state = 'success' and r.reversed_at is null
          union all
          select b.order_id, ist_day(b.paid_at), 'bill', b.amount
          from recovery_bill b
          where ${onDays('b.paid_at', days)}
          union all
          select d.order_id, ist_day(d.used_at), 'reduction', d.used_amount
          from reduction d
          where ${onDays('d.used_at', days)}
          union all
          select w.order_id, ist_day(w.done_at), 'writeOff', w.amount
          from write_off w
          where ${onDays('w.done_at', days)} and w.type in ('operational', 'batch')
        ) e
        join loan_order o on o.id = e.order_id
        group by 1, 2, 3, 4, 5`,
    },
  ],
}
