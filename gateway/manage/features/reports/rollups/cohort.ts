import { type RawBuilder, sql } from 'kysely'
import { CURVE_FIRST, CURVE_LAST } from '#shared/reports/buckets.ts'
import type { Days } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'
import { DEPARTMENT, isDue, OF_CONTRACT, ORDER_TAG, PAID } from './parts.ts'

const KEYS = ['due_day', 'app_id', 'product_id', 'tag', 'department_id'] as const

/**
 * Of the instalment `d` and `ledger_entry e`. Postings are looked up for each instalment: joined, the planner
 * expects one row and compares all instalments of a day with all (18,522 of them: 43 s).
 */
const POSTED_ON_IT = sql<boolean>`e.order_id = d.order_id and e.plan_id = d.plan_id and ${OF_CONTRACT}`

/**
 * Instalments by due day: what is still open, and when the rest was paid. A payment counts on its
 * value day, whenever it was reported; a reversed one never counted.
 */
export const cohort: Rollup = {
  name: 'cohort',
  followsPostings: true,
  menus: ['repayment_statistics', 'Recycling_trend'],
  extent: sql`select min(p.due_at)::text as first, max(p.due_at)::text as last from repay_plan p`,
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
      rows: (days) => sql`
        select d.due_day, d.app_id, d.product_id, d.tag, d.department_id,
          count(*)::int as plans,
          sum(d.amount)::bigint as due_amount,
          count(*) filter (where d.payment_status = 'rolledOver')::int as extended,
          coalesce(sum(l.reduced), 0)::bigint as reduced,
          coalesce(sum(l.written_off), 0)::bigint as written_off,
          count(*) filter (where d.open_amount > 0)::int as open_plans,
          sum(d.open_amount)::bigint as open_amount
        from (${plansOf(days)}) d
        left join lateral (
          select sum(e.credit - e.debit) filter (where e.kind in
              ('reduction', 'reductionReversal', 'coupon', 'couponReversal', 'coolingOffWaiver',
                'waiverReversal')) as reduced,
            sum(e.credit - e.debit) filter (where e.kind in ('writeOff', 'batchWriteOff')) as written_off
          from ledger_entry e
          where ${POSTED_ON_IT}
        ) l on true
        group by 1, 2, 3, 4, 5`,
    },
    {
      name: 'report_curve',
      keys: [...KEYS, 'at_day'],
      measures: ['settled', 'paid'],
      rows: (days) => sql`
        select d.due_day, d.app_id, d.product_id, d.tag, d.department_id,
          greatest(${sql.lit(CURVE_FIRST)}, least(${sql.lit(CURVE_LAST)}, m.day - d.due_day)) as at_day,
          sum(m.settled)::int as settled,
          sum(m.paid)::bigint as paid
        from (${plansOf(days)}) d
        join lateral (
          select ist_day(d.settled_at) as day, 1 as settled, 0 as paid
          where d.payment_status = 'paid'
          union all
          select coalesce(ist_day(r.paid_at), e.biz_date), 0, e.credit - e.debit
          from ledger_entry e
          left join repay_record r on r.id = e.ref_id
          where ${POSTED_ON_IT} and ${PAID}
        ) m on m.day is not null
        group by 1, 2, 3, 4, 5, 6`,
    },
  ],
}

function plansOf(days: Days): RawBuilder<unknown> {
  return sql`
    select p.id as plan_id, p.order_id, p.due_at as due_day, p.actual_repayment_at as settled_at,
      o.app_id, o.product_id, ${ORDER_TAG} as tag,
      ${DEPARTMENT} as department_id,
      p.principal + p.interest + p.service_fee as amount, p.payment_status,
      p.open_principal + p.open_interest + p.open_service as open_amount
    from repay_plan p
    join loan_order o on o.id = p.order_id
    where ${isDue(days)}`
}
