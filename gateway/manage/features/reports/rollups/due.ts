import { type RawBuilder, sql } from 'kysely'
import { MEASURES } from '#shared/reports/measures.ts'
import type { Days } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'
import { isDue, OF_CONTRACT, ORDER_TAG, PAID } from './parts.ts'

/**
 * Instalments by due day. An amount is principal, interest and service fee. An instalment is settled
 * when it is paid and nothing of it is open, also by a reduction; a payment that was taken back
 * never counted.
 */
export const due: Rollup = {
  name: 'due',
  followsPostings: true,
  menus: ['channel_statistics', 'home', 'delivery_data', 'review_report', 'reloan_report'],
  extent: sql`select min(p.due_at)::text as first, max(p.due_at)::text as last from repay_plan p`,
  tables: [
    {
      name: 'report_due',
      keys: ['due_day', 'app_id', 'channel_id', 'product_id', 'tag'],
      measures: [
        'plans',
        'due_amount',
        'first_due',
        'first_unpaid',
        'paid_by_due',
        're_due',
        're_unpaid',
      ],
      rows: (days) => sql`
        select d.due_day, d.app_id, d.channel_id, d.product_id, d.tag,
          count(*)::int as plans,
          sum(d.amount)::bigint as due_amount,
          count(*) filter (where d.is_first)::int as first_due,
          count(*) filter (where d.is_first and ${isLate(MEASURES.firstDefaultRate.age)})::int as first_unpaid,
          count(*) filter (where d.is_reloan)::int as re_due,
          count(*) filter (where d.is_reloan and ${isLate(MEASURES.reloanOverdueRate.age)})::int as re_unpaid,
          coalesce(sum(m.paid), 0)::bigint as paid_by_due
        from (${duePlans(days)}) d
        left join lateral (${PAID_BY_DUE}) m on true
        group by 1, 2, 3, 4, 5`,
    },
    {
      name: 'report_due_reviewer',
      keys: ['due_day', 'reviewer_id'],
      measures: ['passed_due', 'passed_unpaid'],
      rows: (days) => sql`
        select p.due_at as due_day, r.reviewer_id,
          count(*)::int as passed_due,
          count(*) filter (where not coalesce(p.payment_status = 'paid'
            and ist_day(p.actual_repayment_at)
              <= p.due_at + ${sql.lit(MEASURES.passedOverdueRate.age)}, false))::int as passed_unpaid
        from repay_plan p
        join review r on r.order_id = p.order_id
        where ${isDue(days)} and p.serial_no = 1 and r.manual_result = 'passed'
          and r.reviewer_id is not null
        group by 1, 2`,
    },
  ],
}

/** Of `d`: not settled so many days after the due day. */
function isLate(days: number): RawBuilder<boolean> {
  return sql<boolean>`not coalesce(d.settled_on <= d.due_day + ${sql.lit(days)}, false)`
}

/** Instalments that fall due on these days. */
function duePlans(days: Days): RawBuilder<unknown> {
  return sql`
    select p.id as plan_id, p.order_id, p.due_at as due_day, o.app_id, o.channel_id, o.product_id, ${ORDER_TAG} as tag,
      p.principal + p.interest + p.service_fee as amount,
      p.serial_no = 1 and 'firstLoan' = any(o.tags) as is_first,
      p.serial_no = 1 and ${ORDER_TAG} = 'reLoan' as is_reloan,
      case when p.payment_status = 'paid' then ist_day(p.actual_repayment_at) end as settled_on
    from repay_plan p
    join loan_order o on o.id = p.order_id
    where ${isDue(days)}`
}

/**
 * Of `d`: what was paid on it by the end of its due day, by the day the money was paid. It is looked up for
 * each instalment: joined, the planner expects one row and compares all with all.
 */
const PAID_BY_DUE = sql`
    select sum(e.credit - e.debit) as paid
    from ledger_entry e
    left join repay_record r on r.id = e.ref_id
    where e.order_id = d.order_id and e.plan_id = d.plan_id and ${OF_CONTRACT} and ${PAID}
      and coalesce(ist_day(r.paid_at), e.biz_date) <= d.due_day`
