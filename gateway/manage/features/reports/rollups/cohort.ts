import { sql } from 'kysely'
import { CURVE_FIRST, CURVE_LAST } from '#shared/reports/buckets.ts'
import type { Rollup } from '../rollup-types.ts'
import { DUE_DAYS, INSTALMENTS, POSTINGS } from './instalments.ts'

const KEYS = ['due_day', 'app_id', 'product_id', 'tag', 'department_id'] as const

/**
 * Instalments by due day: what is still open, and when the rest was paid. A payment counts on its
 * value day, whenever it was reported; a reversed one never counted.
 */
export const cohort: Rollup = {
  name: 'cohort',
  followsPostings: true,
  menus: ['repayment_statistics', 'Recycling_trend'],
  extent: DUE_DAYS,
  tables: [
    {
      name: 'report_cohort',
      keys: KEYS,
      measures: [
        'plans',
        'due_amount',
        'extended',
        'reduced',
        'written_off',
        'open_plans',
        'open_amount',
      ],
      shared: [INSTALMENTS, POSTINGS],
      rows: () => sql`
        select d.due_day, d.app_id, d.product_id, d.tag, d.department_id,
          sum(d.plans)::int as plans,
          sum(d.due_amount)::bigint as due_amount,
          sum(d.extended)::int as extended,
          sum(d.reduced)::bigint as reduced,
          sum(d.written_off)::bigint as written_off,
          sum(d.open_plans)::int as open_plans,
          sum(d.open_amount)::bigint as open_amount
        from (
          select i.due_day, i.app_id, i.product_id, i.tag, i.department_id, 1 as plans,
            i.amount as due_amount, (i.payment_status = 'rolledOver')::int as extended, 0 as reduced,
            0 as written_off, (i.open_amount > 0)::int as open_plans, i.open_amount
          from due_instalment i
          union all
          select m.due_day, m.app_id, m.product_id, m.tag, m.department_id, 0, 0, 0,
            case m.what when 'reduced' then m.amount else 0 end,
            case m.what when 'writtenOff' then m.amount else 0 end, 0, 0
          from due_posting m
          where m.what in ('reduced', 'writtenOff')
        ) d
        group by 1, 2, 3, 4, 5`,
    },
    {
      name: 'report_curve',
      keys: [...KEYS, 'at_day'],
      measures: ['settled', 'paid'],
      shared: [INSTALMENTS, POSTINGS],
      rows: () => sql`
        select d.due_day, d.app_id, d.product_id, d.tag, d.department_id,
          greatest(${sql.lit(CURVE_FIRST)}, least(${sql.lit(CURVE_LAST)}, d.day - d.due_day)) as at_day,
          sum(d.settled)::int as settled,
          sum(d.paid)::bigint as paid
        from (
          select i.due_day, i.app_id, i.product_id, i.tag, i.department_id, i.settled_on as day,
            1 as settled, 0 as paid
          from due_instalment i
          where i.settled_on is not null
          union all
          select m.due_day, m.app_id, m.product_id, m.tag, m.department_id, m.day, 0, m.amount
          from due_posting m
          where m.what = 'paid'
        ) d
        group by 1, 2, 3, 4, 5, 6`,
    },
  ],
}
