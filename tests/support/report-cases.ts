/** One figure of each report, beside the book's own count of it. */
import { type RawBuilder, sql } from 'kysely'

export interface ReportCase {
  path: string
  title: string
  /** Of the figure in the table. */
  column: string
  /** The row that has it; the sum when left out. */
  row?: string
  /** Counted from the book, over the days of the report; money in paise. */
  book: RawBuilder<unknown>
  /** Start of the list the figure opens; without it the figure says why it opens none. */
  opens?: string
}

export interface Days {
  from: string
  to: string
}

const DATA = '/data_analysis'
const CHARTS = `${DATA}/graphical_report`
const ORDERS = '/order_management'

export function reportCases({ from, to }: Days): ReportCase[] {
  const on = (column: string) => {
    const day = sql`(${sql.ref(column)} at time zone 'Asia/Kolkata')::date`
    return sql`${day} >= ${from}::date and ${day} <= ${to}::date`
  }
  const due = sql`
    p.due_at >= ${from}::date and p.due_at <= ${to}::date and p.kind = 'instalment'
      and p.principal + p.interest > 0`
  const paidOut = (tag: RawBuilder<unknown>) => sql`
    select count(*) as n from loan_order o
    join order_status_log l on l.order_id = o.id and l.from_status = 29 and l.to_status = 30
    where ${on('l.at')} and ${tag}`
  const applications = sql`
    select count(*) as n from loan_order o where ${on('o.created_at')} and o.from_order_id is null`
  const decided = sql`select count(*) as n from review r where ${on('r.decided_at')}`
  return [
    {
      path: '/home_manage/home',
      title: 'Daily figures',
      column: 'Disbursed',
      book: paidOut(sql`o.from_order_id is null`),
      opens: `${ORDERS}/loan_list`,
    },
    {
      path: `${DATA}/channel_statistics`,
      title: 'Channels',
      column: 'Registrations',
      book: sql`select count(*) as n from customer c where ${on('c.registered_at')}`,
      opens: '/customer_management/customer_list',
    },
    {
      path: `${DATA}/process_conversion`,
      title: 'Conversion funnel',
      row: 'Registered',
      column: 'Reached',
      book: sql`select count(*) as n from customer c where ${on('c.registered_at')}`,
      opens: '/customer_management/customer_list',
    },
    {
      path: `${DATA}/approve_conversions`,
      title: 'Approval',
      column: 'Applications',
      book: applications,
      opens: `${ORDERS}/order_list`,
    },
    {
      path: `${DATA}/approve_conversions?tab=risk`,
      title: 'Approval',
      row: 'Passed by a reviewer',
      column: 'Hits',
      opens: `${ORDERS}/order_list`,
      book: sql`
        select count(*) as n from order_status_log l
        join loan_order o on o.id = l.order_id and o.from_order_id is null
        where ${on('l.at')} and l.to_status = 26`,
    },
    {
      path: `${DATA}/repayment_statistics`,
      title: 'Repayment',
      column: 'Due',
      book: sql`select count(*) as n from repay_plan p where ${due}`,
      opens: `${ORDERS}/repay_plan`,
    },
    {
      path: `${DATA}/repayment_statistics?tab=preRemind`,
      title: 'Repayment',
      row: 'Day -1',
      column: 'Messages',
      book: sql`
        select count(*) as n from repay_plan p
        join message_log m on m.plan_id = p.id
        where ${due} and (m.at at time zone 'Asia/Kolkata')::date = p.due_at - 1`,
    },
    {
      path: `${DATA}/repayment_statistics?tab=bucket`,
      title: 'Repayment',
      row: 'T1',
      column: 'Instalments',
      book: sql`select count(*) as n from repay_plan p where ${due} and p.due_at + 1 < ${to}::date`,
    },
    {
      path: `${CHARTS}/Acquisition_trends`,
      title: 'Acquisition',
      column: 'Applications',
      book: applications,
      opens: `${ORDERS}/order_list`,
    },
    {
      path: `${CHARTS}/Lending_trends`,
      title: 'Lending',
      column: 'First loans',
      book: paidOut(sql`'firstLoan' = any(o.tags)`),
      opens: `${ORDERS}/loan_list`,
    },
    {
      path: `${CHARTS}/Recycling_trend`,
      title: 'Repayment curve',
      // the curve of all due days is below those of the weeks
      row: 'Day +30',
      column: 'Repaid %',
      book: sql`
        with due as (
          select p.id, p.principal + p.interest + p.service_fee as amount, p.due_at
          from repay_plan p where ${due} and p.due_at + 30 < ${to}::date
        )
        select round(10000 * (
            select coalesce(sum(e.credit - e.debit), 0) from due d
            join ledger_entry e on e.plan_id = d.id and e.account in
              ('principalReceivable', 'doubtfulPrincipal', 'interestReceivable', 'serviceReceivable')
              and e.kind in ('repayment', 'coolingOffExit', 'reversal', 'reallocation')
            left join repay_record r on r.id = e.ref_id
            where coalesce((r.paid_at at time zone 'Asia/Kolkata')::date, e.biz_date) <= d.due_at + 30)
          / nullif((select sum(d.amount) from due d), 0)) as n`,
    },
    {
      path: `${CHARTS}/Recall_trend?by=day`,
      title: 'Recovery',
      column: 'Payments',
      book: sql`select count(*) as n from recovery_bill b where ${on('b.paid_at')}`,
      opens: '/loaned_management/recycle_bill',
    },
    {
      path: `${DATA}/delivery_data`,
      title: 'Advertising',
      column: 'Spend',
      book: sql`
        select sum(d.spend) as n from delivery_spend d
        where d.day >= ${from}::date and d.day <= ${to}::date`,
    },
    {
      path: `${DATA}/reloan_report`,
      title: 'Re-loans',
      column: 'Paid off',
      opens: `${ORDERS}/order_list`,
      book: sql`
        select count(*) as n from loan_order o
        where ${on('o.closed_at')} and o.status in (40, 41)`,
    },
    {
      path: `${DATA}/review_report`,
      title: 'Review',
      column: 'Decided',
      opens: `${ORDERS}/review_list`,
      book: decided,
    },
    {
      path: `${DATA}/review_report?tab=quality`,
      title: 'Review',
      column: 'Checked',
      opens: `${ORDERS}/review_list`,
      book: sql`
        select count(*) as n from review r
        where ${on('r.quality_at')} and r.quality in ('pass', 'fail') and r.reviewer_id is not null`,
    },
    {
      path: `${DATA}/review_report?tab=reason`,
      title: 'Review',
      column: 'Rejections',
      opens: `${ORDERS}/review_list`,
      book: sql`
        select count(*) as n from review r
        where ${on('r.decided_at')} and r.reject_code is not null and r.manual_result = 'failed'`,
    },
    {
      path: `${DATA}/review_report?tab=hour`,
      title: 'Review',
      column: 'Decided',
      opens: `${ORDERS}/review_list`,
      book: decided,
    },
  ]
}
