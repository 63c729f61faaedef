import { sql } from 'kysely'
import { onDays } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'
import { CASE_DAYS, UNITS, unitsOf } from './case-units.ts'

/** Overdue days at the payment. */
const BUCKET = sql`
  case
    when b.overdue_days <= 7 then 'T' || b.overdue_days
    when b.overdue_days <= 10 then '8-10'
    when b.overdue_days <= 30 then '11-30'
    else '30+'
  end`

/**
 * Money that collection brought back, and what came to it. Both are of the stage and the unit of that
 * moment: no later change of a case changes them. Users with scope all read the sums without units.
 */
export const recovery: Rollup = {
  name: 'recovery',
  menus: ['Recall_trend'],
  extent: CASE_DAYS,
  tables: [
    {
      name: 'report_recovered',
      keys: ['day', 'stage_id', 'bucket', ...UNITS],
      measures: ['bills', 'recovered'],
      rows: (days) => sql`
        select ist_day(b.paid_at) as day, b.stage_id, ${BUCKET} as bucket, ${unitsOf('b.')},
          count(*)::int as bills,
          sum(b.amount)::bigint as recovered
        from recovery_bill b
        where ${onDays('b.paid_at', days)}
        group by 1, 2, 3, 4, 5, 6`,
    },
    {
      name: 'report_recovered_all',
      keys: ['day', 'stage_id', 'bucket'],
      measures: ['bills', 'recovered'],
      rows: (days) => sql`
        select ist_day(b.paid_at) as day, b.stage_id, ${BUCKET} as bucket,
          count(*)::int as bills,
          sum(b.amount)::bigint as recovered
        from recovery_bill b
        where ${onDays('b.paid_at', days)}
        group by 1, 2, 3`,
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
    {
      name: 'report_came_all',
      keys: ['day', 'stage_id', 'news'],
      measures: ['cases', 'amount'],
      rows: (days) => sql`
        select m.day, m.stage_id, m.news, count(*)::int as cases, sum(m.outstanding)::bigint as amount
        from (
          select ist_day(a.at) as day, coalesce(a.to_stage, '') as stage_id,
            case when a.cause in ('enter', 'reopen') then 'ES' else 'S' end as news,
            coalesce(a.outstanding, 0) as outstanding
          from case_allocation a
          where ${onDays('a.at', days)}
            and (a.cause in ('enter', 'reopen') or a.to_stage is distinct from a.from_stage)
        ) m
        group by 1, 2, 3`,
    },
  ],
}
