import { sql } from 'kysely'
import { MEASURES } from '#shared/reports/measures.ts'
import type { Rollup } from '../rollup-types.ts'
import { DUE_DAYS, INSTALMENTS, POSTINGS } from './instalments.ts'
import { isLate } from './parts.ts'

/**
 * Instalments by due day. An amount is principal, interest and service fee. An instalment is settled
 * when it is paid and nothing of it is open, also by a reduction; a payment that was taken back
 * never counted.
 */
export const due: Rollup = {
  name: 'due',
  followsPostings: true,
  menus: ['channel_statistics', 'home', 'delivery_data', 'review_report', 'reloan_report'],
  extent: DUE_DAYS,
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
      shared: [INSTALMENTS, POSTINGS],
      rows: () => sql`
        select d.due_day, d.app_id, d.channel_id, d.product_id, d.tag,
          sum(d.plans)::int as plans,
          sum(d.due_amount)::bigint as due_amount,
          sum(d.first_due)::int as first_due,
          sum(d.first_unpaid)::int as first_unpaid,
          sum(d.re_due)::int as re_due,
          sum(d.re_unpaid)::int as re_unpaid,
          sum(d.paid)::bigint as paid_by_due
        from (
          select d.due_day, d.app_id, d.channel_id, d.product_id, d.tag, 1 as plans, d.amount as due_amount,
            (${IS_FIRST})::int as first_due,
            (${IS_FIRST} and ${isLate(MEASURES.firstDefaultRate.age)})::int as first_unpaid,
            (${IS_RELOAN})::int as re_due,
            (${IS_RELOAN} and ${isLate(MEASURES.reloanOverdueRate.age)})::int as re_unpaid, 0 as paid
          from due_instalment d
          union all
          select m.due_day, m.app_id, m.channel_id, m.product_id, m.tag, 0, 0, 0, 0, 0, 0, m.amount
          from due_posting m
          where m.what = 'paid' and m.day <= m.due_day
        ) d
        group by 1, 2, 3, 4, 5`,
    },
    {
      name: 'report_due_reviewer',
      keys: ['due_day', 'reviewer_id'],
      measures: ['passed_due', 'passed_unpaid'],
      shared: [INSTALMENTS],
      rows: () => sql`
        select d.due_day, r.reviewer_id,
          count(*)::int as passed_due,
          count(*) filter (where ${isLate(MEASURES.passedOverdueRate.age)})::int as passed_unpaid
        from due_instalment d
        join review r on r.order_id = d.order_id
        where d.serial_no = 1 and r.manual_result = 'passed' and r.reviewer_id is not null
        group by 1, 2`,
    },
  ],
}

const IS_FIRST = sql<boolean>`d.serial_no = 1 and d.is_first_loan`
const IS_RELOAN = sql<boolean>`d.serial_no = 1 and d.tag = 'reLoan'`
