import { type RawBuilder, sql } from 'kysely'
import { addDays } from '#shared/kernel/time.ts'
import { REMIND_FIRST } from '#shared/reports/remind-api.ts'
import { type Days, onDays } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'
import { DUE_DAYS, INSTALMENTS } from './instalments.ts'

/**
 * Instalments that were open at the start of each of the last days before they fell due, what was
 * sent on that day, how often the robot called, and whether they were settled by the end of the due day.
 */
export const remind: Rollup = {
  name: 'remind',
  followsPostings: true,
  menus: ['repayment_statistics'],
  extent: DUE_DAYS,
  tables: [
    {
      name: 'report_remind',
      keys: ['due_day', 'app_id', 'product_id', 'tag', 'department_id', 'at_day'],
      measures: ['plans', 'messages', 'calls', 'reached', 'paid', 'reached_paid'],
      shared: [INSTALMENTS],
      // instalments, messages and calls apart: joined, the planner expects one row and compares all with all
      rows: (days) => sql`
        select e.due_day, e.app_id, e.product_id, e.tag, e.department_id, e.at_day,
          sum(e.plans)::int as plans,
          sum(e.messages)::int as messages,
          sum(e.calls)::int as calls,
          sum(e.reached)::int as reached,
          sum(e.paid)::int as paid,
          sum(e.reached_paid)::int as reached_paid
        from (
          select ${OF_PLAN}, a.at_day, 1 as plans, 0 as messages, 0 as calls, 0 as reached,
            ${IS_PAID} as paid, 0 as reached_paid
          from due_instalment d
          cross join generate_series(${sql.lit(REMIND_FIRST)}, 0) a (at_day)
          where ${wasOpen('a')}
          union all
          select ${OF_PLAN}, m.at_day, 0, m.messages, 0, m.reached, 0, m.reached * ${IS_PAID}
          from due_instalment d
          cross join lateral (${messagesOf(days)}) m
          where ${wasOpen('m')}
          union all
          select ${OF_PLAN}, k.at_day, 0, 0, k.calls, 0, 0, 0
          from due_instalment d
          cross join lateral (${CALLS}) k
          where ${wasOpen('k')}
        ) e
        group by 1, 2, 3, 4, 5, 6`,
    },
  ],
}

const OF_PLAN = sql`d.due_day, d.app_id, d.product_id, d.tag, d.department_id`
const IS_PAID = sql`coalesce(d.settled_on <= d.due_day, false)::int`
const IS_BEFORE_DUE = sql<boolean>`at_day >= ${sql.lit(REMIND_FIRST)} and at_day <= 0`

/** Of `d`: not settled at the start of the day `at_day` of these rows. */
function wasOpen(rows: string): RawBuilder<boolean> {
  const atDay = sql.ref(`${rows}.at_day`)
  return sql<boolean>`(d.settled_on is null or d.settled_on >= d.due_day + ${atDay})`
}

/** Of `d`, by day. The first and the last day of all are there for the parts of the log that are read. */
function messagesOf({ from, to }: Days): RawBuilder<unknown> {
  return sql`
    select x.at_day, count(*) as messages, (count(*) filter (where x.state = 'sent') > 0)::int as reached
    from (
      select l.state, ist_day(l.at) - d.due_day as at_day
      from message_log l
      where l.plan_id = d.plan_id and ${onDays('l.at', { from: addDays(from, REMIND_FIRST), to })}
    ) x
    where ${IS_BEFORE_DUE}
    group by x.at_day`
}

/** Of `d`, by day. */
const CALLS = sql`
  select x.at_day, count(*) as calls
  from (
    select ist_day(c.started_at) - d.due_day as at_day
    from ai_call_task t
    join ai_call c on c.task_id = t.id and c.state <> 'refused'
    where t.order_id = d.order_id and t.created_on - t.overdue_days = d.due_day
  ) x
  where ${IS_BEFORE_DUE}
  group by x.at_day`
