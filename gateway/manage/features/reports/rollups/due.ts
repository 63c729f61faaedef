import { type RawBuilder, sql } from 'kysely'
import type { Days, Rollup } from '../rollup.ts'
import { ORDER_TAG } from './parts.ts'

/** Days after the due day at which a first loan that is not paid is a first-payment default. */
const DEFAULT_AGE = 7

/**
 * Instalments by due day, and what became of them by value day. An amount is principal, interest
 * and service fee. An instalment is settled when nothing of it is open, also by a reduction; what an
 * extension carries over or a write-off gives up is counted apart. A payment that was taken back
 * never counted.
 */
export const due: Rollup = {
  name: 'due',
  menus: ['channel_statistics'],
  extent: sql`select min(p.due_at)::text as first, max(p.due_at)::text as last from repay_plan p`,
  tables: [
    {
      name: 'report_due',
      keys: ['due_day', 'app_id', 'channel_id', 'product_id', 'tag'],
      measures: ['plans', 'due_amount', 'first_due', 'first_unpaid'],
      rows: (days) => sql`
        select d.due_day, d.app_id, d.channel_id, d.product_id, d.tag,
          count(*)::int as plans,
          sum(d.amount)::bigint as due_amount,
          count(*) filter (where d.is_first)::int as first_due,
          count(*) filter (where d.is_first and not coalesce(d.settled_on <= d.due_day + ${sql.lit(DEFAULT_AGE)},
            false))::int as first_unpaid
        from (${duePlans(days)}) d
        group by 1, 2, 3, 4, 5`,
    },
    {
      name: 'report_due_age',
      keys: ['due_day', 'age', 'app_id', 'product_id', 'tag'],
      measures: [
        'settled',
        'paid_amount',
        'reduced_amount',
        'extended',
        'extended_amount',
        'written_off',
        'written_off_amount',
      ],
      rows: (days) => dueAges(days),
    },
  ],
}

/** Instalments that fall due on these days. @param where further predicate over `loan_order o` */
export function duePlans({ from, to }: Days, where = sql<boolean>`true`): RawBuilder<unknown> {
  return sql`
    select p.id, p.order_id, p.due_at as due_day, o.app_id, o.channel_id, o.product_id, ${ORDER_TAG} as tag,
      p.principal + p.interest + p.service_fee as amount,
      p.serial_no = 1 and 'firstLoan' = any(o.tags) as is_first,
      case when p.payment_status = 'paid' then ist_day(p.actual_repayment_at) end as settled_on,
      p.payment_status
    from repay_plan p
    join loan_order o on o.id = p.order_id
    where p.due_at >= ${from}::date and p.due_at <= ${to}::date and ${where}`
}

/** Their sums by days since the due day. */
export function dueAges(days: Days, where = sql<boolean>`true`): RawBuilder<unknown> {
  return sql`
    with due as materialized (${duePlans(days, where)}), moved as materialized (
      select d.id,
        case
          when e.kind in ('repayment', 'reallocation', 'reversal', 'coolingOffExit')
            then coalesce(ist_day(r.paid_at), e.biz_date)
          else e.biz_date
        end as value_day,
        case
          when e.kind in ('repayment', 'reallocation', 'reversal', 'coolingOffExit') then 'paid'
          when e.kind in ('reduction', 'reductionReversal', 'coolingOffWaiver', 'waiverReversal') then 'reduced'
          when e.kind = 'rollover' then 'extended'
          when e.kind in ('writeOff', 'batchWriteOff') then 'writtenOff'
        end as what,
        e.credit - e.debit as amount
      from due d
      join ledger_entry e on e.order_id = d.order_id and e.plan_id = d.id
      left join repay_record r on r.id = e.ref_id
      where e.account in ('principalReceivable', 'doubtfulPrincipal', 'interestReceivable', 'serviceReceivable')
        and e.kind not in ('disbursement', 'interestDue', 'badDebt', 'cure')
        and (e.kind <> 'rollover' or e.credit > 0)
    ), aged as (
      select m.id, m.value_day, m.what, sum(m.amount) as amount, 0 as plans
      from moved m
      group by 1, 2, 3
      union all
      select d.id, d.settled_on, 'settled', 0, 1
      from due d
      where d.settled_on is not null
      union all
      select d.id, max(m.value_day), m.what, 0, 1
      from due d
      join moved m on m.id = d.id and m.what = case d.payment_status
        when 'rolledOver' then 'extended'
        when 'writtenOff' then 'writtenOff'
      end
      group by 1, 3
    )
    select d.due_day, a.value_day - d.due_day as age, d.app_id, d.product_id, d.tag,
      coalesce(sum(a.plans) filter (where a.what = 'settled'), 0)::int as settled,
      coalesce(sum(a.amount) filter (where a.what = 'paid'), 0)::bigint as paid_amount,
      coalesce(sum(a.amount) filter (where a.what = 'reduced'), 0)::bigint as reduced_amount,
      coalesce(sum(a.plans) filter (where a.what = 'extended'), 0)::int as extended,
      coalesce(sum(a.amount) filter (where a.what = 'extended'), 0)::bigint as extended_amount,
      coalesce(sum(a.plans) filter (where a.what = 'writtenOff'), 0)::int as written_off,
      coalesce(sum(a.amount) filter (where a.what = 'writtenOff'), 0)::bigint as written_off_amount
    from aged a
    join due d on d.id = a.id
    group by 1, 2, 3, 4, 5
    having bool_or(a.plans <> 0 or a.amount <> 0)`
}
