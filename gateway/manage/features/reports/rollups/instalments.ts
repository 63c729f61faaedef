/**
 * Instalments of due days, and what was posted on them. The rollups of due days sum both, and are
 * filled together after each posting, so that the instalments of a day are looked up once.
 */
import { sql } from 'kysely'
import type { SharedRows } from '../rollup-types.ts'
import { DEPARTMENT, isDue, ORDER_TAG } from './parts.ts'

/** Days on which an instalment falls due. */
export const DUE_DAYS = sql<{ first: string | null; last: string | null }>`
  select min(p.due_at)::text as first, max(p.due_at)::text as last from repay_plan p`

/** An amount is principal, interest and service fee. */
export const INSTALMENTS: SharedRows = {
  name: 'due_instalment',
  rows: (days) => sql`
    select p.id as plan_id, p.order_id, p.serial_no, p.due_at as due_day, o.customer_id, o.app_id,
      o.channel_id, o.product_id, ${ORDER_TAG} as tag, 'firstLoan' = any(o.tags) as is_first_loan,
      ${DEPARTMENT} as department_id, p.principal + p.interest + p.service_fee as amount,
      p.open_principal + p.open_interest + p.open_service as open_amount, p.payment_status,
      case when p.payment_status = 'paid' then ist_day(p.actual_repayment_at) end as settled_on
    from repay_plan p
    join loan_order o on o.id = p.order_id
    where ${isDue(days)}`,
}

/**
 * Paid, reduced and written off, by the day the money was paid; fines are shown apart and are no part of
 * what an instalment was due. By `offset` they are looked up for each instalment: joined, the planner
 * expects one row and compares all instalments of a day with all (18,522 of them: 43 s).
 */
export const POSTINGS: SharedRows = {
  name: 'due_posting',
  rows: () => sql`
    select d.due_day, d.app_id, d.channel_id, d.product_id, d.tag, d.department_id, e.what, e.amount, e.day
    from due_instalment d
    cross join lateral (
      select x.what, x.amount, coalesce(ist_day(r.paid_at), x.biz_date) as day
      from (
        select l.ref_id, l.biz_date, l.credit - l.debit as amount,
          case
            when l.kind in ('repayment', 'coolingOffExit', 'reversal', 'reallocation') then 'paid'
            when l.kind in ('reduction', 'reductionReversal', 'coupon', 'couponReversal',
              'coolingOffWaiver', 'waiverReversal') then 'reduced'
            when l.kind in ('writeOff', 'batchWriteOff') then 'writtenOff'
          end as what
        from ledger_entry l
        where l.order_id = d.order_id and l.plan_id = d.plan_id
          and l.account in ('principalReceivable', 'doubtfulPrincipal', 'interestReceivable',
            'serviceReceivable')
      ) x
      left join repay_record r on x.what = 'paid' and r.id = x.ref_id
      where x.what is not null
      offset 0
    ) e`,
}
