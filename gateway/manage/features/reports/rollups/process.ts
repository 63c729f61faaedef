import { type RawBuilder, sql } from 'kysely'
import { PROCESS_STEPS, type ProcessStep } from '#shared/reports/process-steps.ts'
import { onDays } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'

const OF_ORDERS = sql`from loan_order o where o.customer_id = c.id and o.from_order_id is null`

/**
 * Whether the customer `c` has completed the step by now. By `offset` it is asked for the customers of
 * the day: the planner would answer it for all there are and look each of them up.
 */
const COMPLETED: Readonly<Record<ProcessStep, RawBuilder<unknown>>> = {
  registered: sql`true`,
  idCheck: sql`exists (
    select from customer_kyc k
    where k.customer_id = c.id and k.verify_state = 'passed' and k.pan_state = 'passed')`,
  photos: sql`(
    select count(distinct f.kind) from customer_photo f where f.customer_id = c.id) = 4`,
  contacts: sql`(select count(*) from customer_contact p where p.customer_id = c.id) = 3`,
  bankCard: sql`exists (
    select from bank_card b
    where b.customer_id = c.id and b.active and b.bind_state = 'bound' offset 0)`,
  creditPassed: sql`exists (
    select from credit_grant g where g.customer_id = c.id and g.state = 'passed' offset 0)`,
  applied: sql`exists (select ${OF_ORDERS} offset 0)`,
  reviewPassed: sql`exists (
    select ${OF_ORDERS} and exists (
      select from order_status_log l where l.order_id = o.id and l.to_status in (20, 26)) offset 0)`,
  disbursed: sql`exists (
    select ${OF_ORDERS} and exists (
      select from order_status_log l
      where l.order_id = o.id and l.from_status = 29 and l.to_status = 30) offset 0)`,
}

const FURTHEST = sql.join(
  PROCESS_STEPS.map((step, place) => ({ step, place }))
    .toReversed()
    .map(({ step, place }) => sql`when ${COMPLETED[step]} then ${sql.lit(place)}`),
  sql` `,
)

const OWN_ORDERS = sql`from loan_order o
  join order_status_log l on l.order_id = o.id
  where o.customer_id = c.id and o.from_order_id is null`

/** When the customer `c` completed the step; null where the book does not say it. */
const COMPLETED_AT: Readonly<Record<Exclude<ProcessStep, 'registered'>, RawBuilder<unknown>>> = {
  idCheck: sql`(select k.passed_at from customer_kyc k where k.customer_id = c.id)`,
  photos: sql`(
    select max(f.at) from (
      select min(p.uploaded_at) as at from customer_photo p
      where p.customer_id = c.id
      group by p.kind) f)`,
  contacts: sql`(select max(p.created_at) from customer_contact p where p.customer_id = c.id)`,
  bankCard: sql`(
    select b.created_at from bank_card b
    where b.customer_id = c.id and b.active and b.bind_state = 'bound')`,
  creditPassed: sql`(
    select min(g.created_at) from credit_grant g where g.customer_id = c.id and g.state = 'passed')`,
  applied: sql`(select min(o.created_at) ${OF_ORDERS})`,
  reviewPassed: sql`(select min(l.at) ${OWN_ORDERS} and l.to_status in (20, 26))`,
  disbursed: sql`(select min(l.at) ${OWN_ORDERS} and l.from_status = 29 and l.to_status = 30)`,
}

const TIMES = sql.join(
  PROCESS_STEPS.flatMap((step, place) =>
    step === 'registered'
      ? []
      : [sql`(${sql.lit(place)}, case when ${COMPLETED[step]} then ${COMPLETED_AT[step]} end)`],
  ),
)

/** Customers by the IST day of their registration and the furthest step they completed by now. */
export const process: Rollup = {
  name: 'process',
  menus: ['process_conversion'],
  extent: sql`
    select ist_day(min(c.registered_at))::text as first, ist_day(max(c.registered_at))::text as last
    from customer c`,
  tables: [
    {
      name: 'report_process_day',
      keys: ['day', 'app_id', 'channel_id', 'customer_class', 'step'],
      measures: ['customers'],
      rows: (days) => sql`
        select r.day, r.app_id, r.channel_id, r.customer_class, r.step, count(*)::int as customers
        from (
          select ist_day(c.registered_at) as day, c.app_id, c.channel_id, c.customer_class,
            case ${FURTHEST} end as step
          from customer c
          where ${onDays('c.registered_at', days)}
        ) r
        group by 1, 2, 3, 4, 5`,
    },
    {
      name: 'report_process_time',
      keys: ['day', 'app_id', 'channel_id', 'customer_class', 'step', 'seconds'],
      measures: ['customers'],
      // an empty id stands for all of its column, so that a report without that filter reads one row of it
      rows: (days) => sql`
        select r.day, coalesce(r.app_id, '') as app_id, coalesce(r.channel_id, '') as channel_id,
          coalesce(r.customer_class, '') as customer_class, r.step, r.seconds,
          count(*)::int as customers
        from (
          select a.day, a.app_id, a.channel_id, a.customer_class, a.step, (case
            when a.seconds < 3600 then a.seconds / 60 * 60
            when a.seconds < 86400 then a.seconds / 600 * 600
            else a.seconds / 3600 * 3600
          end) as seconds
          from (
            select ist_day(c.registered_at) as day, c.app_id, c.channel_id, c.customer_class, s.step,
              greatest(0, floor(extract(epoch from s.at - c.registered_at)))::int as seconds
            from customer c
            cross join lateral (values ${TIMES}) s (step, at)
            where ${onDays('c.registered_at', days)} and s.at is not null
          ) a
        ) r
        group by r.day, r.step, r.seconds, cube (r.app_id, r.channel_id, r.customer_class)`,
    },
    {
      name: 'report_process_week',
      keys: ['day', 'app_id', 'channel_id', 'customer_class', 'step', 'seconds'],
      measures: ['customers'],
      grain: 'week',
      rows: ({ from, to }) => sql`
        select date_trunc('week', t.day)::date as day, t.app_id, t.channel_id, t.customer_class,
          t.step, t.seconds, sum(t.customers)::int as customers
        from report_process_time t
        where t.day >= ${from}::date and t.day <= ${to}::date
        group by 1, 2, 3, 4, 5, 6`,
    },
  ],
}
