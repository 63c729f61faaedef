import { sql } from 'kysely'
import { REMIND_FIRST } from '#shared/reports/remind-api.ts'
import type { Rollup } from '../rollup-types.ts'
import { DEPARTMENT, isDue, ORDER_TAG } from './parts.ts'

/**
 * Instalments that were open at the start of each of the last days before they fell due, what was
 * sent on that day, how often the robot called, and whether they were settled by the end of the due day.
 */
export const remind: Rollup = {
  name: 'remind',
  followsPostings: true,
  menus: ['repayment_statistics'],
  extent: sql`select min(p.due_at)::text as first, max(p.due_at)::text as last from repay_plan p`,
  tables: [
    {
      name: 'report_remind',
      keys: ['due_day', 'app_id', 'product_id', 'tag', 'department_id', 'at_day'],
      measures: ['plans', 'messages', 'calls', 'reached', 'paid', 'reached_paid'],
      rows: (days) => sql`
        select d.due_day, d.app_id, d.product_id, d.tag, d.department_id, a.at_day,
          count(*)::int as plans,
          coalesce(sum(m.messages), 0)::int as messages,
          coalesce(sum(k.calls), 0)::int as calls,
          count(*) filter (where m.sent > 0)::int as reached,
          count(*) filter (where d.settled_on <= d.due_day)::int as paid,
          count(*) filter (where m.sent > 0 and d.settled_on <= d.due_day)::int as reached_paid
        from (
          select p.id as plan_id, p.order_id, p.due_at as due_day, o.app_id, o.product_id, ${ORDER_TAG} as tag,
            ${DEPARTMENT} as department_id,
            case when p.payment_status = 'paid' then ist_day(p.actual_repayment_at) end as settled_on
          from repay_plan p
          join loan_order o on o.id = p.order_id
          where ${isDue(days)}
        ) d
        cross join generate_series(${sql.lit(REMIND_FIRST)}, 0) a (at_day)
        -- looked up for each instalment: joined, the planner expects one row and compares all with all
        left join lateral (
          select count(*) as messages, count(*) filter (where x.state = 'sent') as sent
          from message_log x
          where x.plan_id = d.plan_id and ist_day(x.at) = d.due_day + a.at_day
        ) m on true
        left join lateral (
          select count(*) as calls
          from ai_call_task t
          join ai_call x on x.task_id = t.id and x.state <> 'refused'
          where t.order_id = d.order_id and t.created_on - t.overdue_days = d.due_day
            and ist_day(x.started_at) = d.due_day + a.at_day
        ) k on true
        where d.settled_on is null or d.settled_on >= d.due_day + a.at_day
        group by 1, 2, 3, 4, 5, 6`,
    },
  ],
}
