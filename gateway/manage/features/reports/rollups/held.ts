import { type RawBuilder, sql } from 'kysely'
import { addDays, istMidnight } from '#shared/kernel/time.ts'
import type { Days } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'
import { CASE_DAYS, UNITS, unitsOf } from './case-units.ts'

/**
 * What collection had at the start of each day, by the stage and the unit of that moment. Nothing of
 * the day itself changes it, so that the running day is filled once.
 */
export const held: Rollup = {
  name: 'held',
  menus: ['Recall_trend'],
  extent: CASE_DAYS,
  tables: [
    {
      name: 'report_held',
      keys: ['day', 'stage_id', ...UNITS],
      measures: ['cases', 'amount'],
      rows: heldOn,
    },
  ],
}

/** Where each open case stood at the start of the day is its last move before. */
function heldOn({ from, to }: Days): RawBuilder<unknown> {
  const [starts, ends] = [from, addDays(to, 1)].map((day) => istMidnight(day).toISOString())
  return sql`
    select d.day, m.stage_id, m.agency_id, m.department_id, m.group_id,
      count(*)::int as cases,
      sum(greatest(0, m.outstanding - coalesce((
        select sum(b.amount) from recovery_bill b
        where b.case_id = c.id and b.paid_at >= m.at and b.paid_at < d.starts_at), 0)))::bigint as amount
    from (
      select x.day::date as day, (x.day::date)::timestamp at time zone 'Asia/Kolkata' as starts_at
      from generate_series(${from}::date, ${to}::date, '1 day') x (day)
    ) d
    join (
      select k.id, k.created_at, k.ended_at from collection_case k
      where k.created_at < ${ends}::timestamptz
        and (k.state <> 'closed' or k.ended_at >= ${starts}::timestamptz)
    ) c on c.created_at < d.starts_at and (c.ended_at is null or c.ended_at >= d.starts_at)
    cross join lateral (
      select coalesce(a.to_stage, '') as stage_id, ${unitsOf('a.to_')}, a.at,
        coalesce(a.outstanding, 0) as outstanding
      from case_allocation a
      where a.case_id = c.id and a.at < d.starts_at
      order by a.at desc, a.id desc
      limit 1
    ) m
    where d.day <= (select max(o.day) from day_opening o)
    group by 1, 2, 3, 4, 5`
}
