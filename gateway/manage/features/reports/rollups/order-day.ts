import { type RawBuilder, sql } from 'kysely'
import { type Days, onDays } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'
import { ORDER_TAG } from './parts.ts'

const OUTCOMES = [
  ['auto_passed', 20],
  ['auto_failed', 21],
  ['undecided', 22],
  ['limit_failed', 23],
  ['manual_passed', 26],
  ['manual_failed', 27],
] as const

/**
 * What applications and payouts came to, each by the day it happened. An order of an extension is
 * no application, and nothing is paid out for it; a loan is disbursed once, when 29 becomes 30.
 */
export const orderDay: Rollup = {
  name: 'orderDay',
  menus: [
    'channel_statistics',
    'approve_conversions',
    'Acquisition_trends',
    'Lending_trends',
    'home',
    'delivery_data',
  ],
  extent: sql`
    select ist_day(min(o.created_at))::text as first,
      ist_day(greatest(max(o.created_at), (select max(l.at) from order_status_log l
        where l.to_status in (20, 21, 22, 23, 26, 27, 30))))::text as last
    from loan_order o`,
  tables: [
    {
      name: 'report_order_day',
      keys: ['day', 'app_id', 'channel_id', 'product_id', 'tag'],
      measures: [
        'applications',
        ...OUTCOMES.map(([column]) => column),
        'disbursed',
        'disbursed_amount',
        'attempts',
        'failed_attempts',
      ],
      rows: (days) => sql`
        select g.day, o.app_id, o.channel_id, o.product_id, ${ORDER_TAG} as tag,
          sum(g.applications)::int as applications,
          ${sql.join(OUTCOMES.map(([column]) => sql`sum(${sql.ref(`g.${column}`)})::int as ${sql.ref(column)}`))},
          sum(g.disbursed)::int as disbursed,
          sum(o.amount * g.disbursed)::bigint as disbursed_amount,
          sum(g.attempts)::int as attempts,
          sum(g.failed_attempts)::int as failed_attempts
        from (${ofOrders(days)}) g
        join loan_order o on o.id = g.order_id
        group by 1, 2, 3, 4, 5`,
    },
  ],
}

/** What happened to each order on each of the days, so that an order is looked up once a day. */
function ofOrders(days: Days): RawBuilder<unknown> {
  return sql`
    select e.day, e.order_id,
      count(*) filter (where e.what = 'application') as applications,
      ${sql.join(
        OUTCOMES.map(
          ([column, status]) =>
            sql`count(*) filter (where e.status = ${sql.lit(status)}) as ${sql.ref(column)}`,
        ),
      )},
      count(*) filter (where e.status = 30) as disbursed,
      count(*) filter (where e.what in ('success', 'fail')) as attempts,
      count(*) filter (where e.what = 'fail') as failed_attempts
    from (
      select a.id as order_id, ist_day(a.created_at) as day, 'application' as what, null::int as status
      from loan_order a
      where ${onDays('a.created_at', days)} and a.from_order_id is null
      union all
      select l.order_id, ist_day(l.at), 'outcome', l.to_status
      from order_status_log l
      where ${onDays('l.at', days)} and l.to_status in (20, 21, 22, 23, 26, 27, 30)
        and (l.to_status <> 30 or l.from_status = 29)
      union all
      select t.order_id, ist_day(t.finished_at), t.pay_state, null::int
      from payout_transfer t
      where ${onDays('t.finished_at', days)} and t.finished_at is not null
    ) e
    group by 1, 2`
}
