import { type RawBuilder, sql } from 'kysely'
import { MEASURES } from '#shared/reports/measures.ts'
import { type Days, onDays } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'
import { INSTALMENTS } from './instalments.ts'
import { isLate, ORDER_TAG } from './parts.ts'

const KEYS = ['app_id', 'product_id', 'tag', 'kind', 'key'] as const

/** Of `loan_order o`. By `offset` it is asked for each order, and not read for all orders at once. */
const HAS_PASSED = sql`exists (
  select from order_status_log s where s.order_id = o.id and s.to_status in (20, 26) offset 0)`

/**
 * Which rules were hit, under which codes applications were refused, by which route they passed and
 * which side of a share judged them, with what the customers were granted and how they paid.
 */
export const risk: Rollup = {
  name: 'risk',
  followsPostings: true,
  menus: ['approve_conversions'],
  extent: sql`
    select ist_day(least(min(l.at), (select min(h.at) from rule_hit h)))::text as first,
      greatest(ist_day(max(l.at)), ist_day((select max(h.at) from rule_hit h)),
        ist_day((select max(s.at) from rule_trial_row s where s.side is not null)),
        (select max(p.due_at) from repay_plan p))::text as last
    from order_status_log l
    where l.to_status in (20, 21, 22, 23, 26, 27, 30)`,
  tables: [
    {
      name: 'report_risk_day',
      keys: ['day', ...KEYS],
      measures: ['hits', 'passed', 'limits', 'limit_amount'],
      rows: (days) => sql`
        select e.day, o.app_id, o.product_id, ${ORDER_TAG} as tag, e.kind, e.key,
          count(*)::int as hits,
          count(*) filter (where ${HAS_PASSED})::int as passed,
          count(g.final_limit)::int as limits,
          coalesce(sum(g.final_limit), 0)::bigint as limit_amount
        from (
          select x.day, x.kind, x.key, x.order_id, min(x.at) as at
          from (${eventsOn(days)}) x
          group by 1, 2, 3, 4
        ) e
        join loan_order o on o.id = e.order_id
        left join lateral (
          select c.final_limit from credit_grant c
          where c.customer_id = o.customer_id and c.state = 'passed' and c.created_at <= e.at
          order by c.created_at desc
          limit 1
        ) g on true
        group by 1, 2, 3, 4, 5, 6`,
    },
    {
      name: 'report_risk_due',
      keys: ['due_day', ...KEYS],
      measures: ['due', 'unpaid_7', 'unpaid_30', 'first_due', 'first_unpaid'],
      shared: [INSTALMENTS],
      rows: () => sql`
        select d.due_day, d.app_id, d.product_id, d.tag, e.kind, e.key,
          count(*)::int as due,
          count(*) filter (where ${isLate(MEASURES.overdueT7Rate.age)})::int as unpaid_7,
          count(*) filter (where ${isLate(MEASURES.overdueT30Rate.age)})::int as unpaid_30,
          count(*) filter (where d.is_first_loan)::int as first_due,
          count(*) filter (where d.is_first_loan
            and ${isLate(MEASURES.firstDefaultRate.age)})::int as first_unpaid
        from due_instalment d
        join lateral (
          select distinct 'route' as kind, case s.to_status when 20 then 'auto' else 'manual' end as key
          from order_status_log s
          where s.order_id = d.order_id and s.to_status in (20, 26)
          union
          select 'rule', h.rule_id
          from review r
          join rule_hit h on h.review_id = r.id and h.outcome = 'hit'
          where r.order_id = d.order_id
          union
          select 'share', s.trial_id || ':' || s.side
          from rule_trial_row s
          where s.order_id = d.order_id and s.side is not null
        ) e on true
        where d.serial_no = 1
        group by 1, 2, 3, 4, 5, 6`,
    },
  ],
}

/** An application counts once a day for a key, also when it was judged again. */
function eventsOn(days: Days): RawBuilder<unknown> {
  return sql`
    select ist_day(h.at) as day, 'rule' as kind, h.rule_id as key, r.order_id, h.at
    from rule_hit h
    join review r on r.id = h.review_id
    where ${onDays('h.at', days)} and h.outcome = 'hit'
    union all
    select ist_day(l.at), 'code', x.refusal_code, l.order_id, l.at
    from order_status_log l
    join loan_order x on x.id = l.order_id
    where ${onDays('l.at', days)} and l.to_status in (21, 23) and x.refusal_code is not null
    union all
    select ist_day(l.at), 'code', r.reject_code, l.order_id, l.at
    from order_status_log l
    join review r on r.order_id = l.order_id
    where ${onDays('l.at', days)} and l.to_status = 27 and r.reject_code is not null
    union all
    select ist_day(l.at), 'route', case l.to_status when 20 then 'auto' else 'manual' end, l.order_id, l.at
    from order_status_log l
    where ${onDays('l.at', days)} and l.to_status in (20, 26)
    union all
    select ist_day(s.at), 'share', s.trial_id || ':' || s.side, s.order_id, s.at
    from rule_trial_row s
    where ${onDays('s.at', days)} and s.side is not null`
}
