import { type RawBuilder, sql } from 'kysely'
import { addDays, istMidnight } from '#shared/kernel/time.ts'
import { type Days, onDays } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'

const UNITS = ['agency_id', 'department_id', 'group_id'] as const

/**
 * Money that collection brought back, what it had at the start of each day, and what came to it. All
 * three are of the stage and the unit of that moment: no later change of a case changes them.
 */
export const recovery: Rollup = {
  name: 'recovery',
  menus: ['Recall_trend'],
  extent: sql`
    select ist_day(min(c.created_at))::text as first,
      greatest(max(ist_day(c.created_at)), (select max(d.day) from day_opening d))::text as last
    from collection_case c`,
  tables: [
    {
      name: 'report_recovered',
      keys: ['day', 'stage_id', 'bucket', ...UNITS],
      measures: ['bills', 'recovered'],
      rows: (days) => sql`
        select ist_day(b.paid_at) as day, b.stage_id,
          case
            when b.overdue_days <= 7 then 'T' || b.overdue_days
            when b.overdue_days <= 10 then '8-10'
            when b.overdue_days <= 30 then '11-30'
            else '30+'
          end as bucket, ${unitsOf('b.')},
          count(*)::int as bills,
          sum(b.amount)::bigint as recovered
        from recovery_bill b
        where ${onDays('b.paid_at', days)}
        group by 1, 2, 3, 4, 5, 6`,
    },
    {
      name: 'report_held',
      keys: ['day', 'stage_id', ...UNITS],
      measures: ['cases', 'amount'],
      rows: heldOn,
    },
    {
      name: 'report_came',
      keys: ['day', 'stage_id', ...UNITS, 'news'],
      measures: ['cases', 'amount'],
      rows: (days) => sql`
        select m.day, m.stage_id, m.agency_id, m.department_id, m.group_id, m.news,
          count(*)::int as cases,
          sum(m.outstanding)::bigint as amount
        from (
          select ist_day(a.at) as day, coalesce(a.to_stage, '') as stage_id, ${unitsOf('a.to_')},
            concat(
              case when a.cause in ('enter', 'reopen') then 'ES'
                when a.to_stage is distinct from a.from_stage then 'S' end,
              case when a.to_agency_id is distinct from a.from_agency_id then 'A' end,
              case when a.to_department_id is distinct from a.from_department_id then 'D' end,
              case when a.to_group_id is distinct from a.from_group_id then 'G' end) as news,
            coalesce(a.outstanding, 0) as outstanding
          from case_allocation a
          where ${onDays('a.at', days)}
        ) m
        where m.news <> ''
        group by 1, 2, 3, 4, 5, 6`,
    },
  ],
}

/** Where each open case stood at the start of the day is its last move before. */
function heldOn({ from, to }: Days): RawBuilder<unknown> {
  const ends = istMidnight(addDays(to, 1)).toISOString()
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
    join collection_case c on c.created_at < d.starts_at and c.created_at < ${ends}::timestamptz
      and (c.ended_at is null or c.ended_at >= d.starts_at)
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

/** @param prefix of the columns of a row that names its units */
function unitsOf(prefix: string): RawBuilder<unknown> {
  return sql.join(
    UNITS.map((column) => sql`coalesce(${sql.ref(prefix + column)}, '') as ${sql.ref(column)}`),
  )
}
