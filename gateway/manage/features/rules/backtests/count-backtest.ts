import { type RawBuilder, sql } from 'kysely'
import { MEASURES } from '#shared/reports/measures.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'

const DUE_7 = MEASURES.overdueT7Rate.age
const DUE_30 = MEASURES.overdueT30Rate.age
const FIRST = MEASURES.firstDefaultRate.age
/** The report of risks counts the same way. */
const IS_FIRST = sql<boolean>`'firstLoan' = any(o.tags)`

/** The figures of a back-test from its rows; how loans were paid is that of this day. */
export async function countBacktest(trx: Trx, backtestId: string): Promise<void> {
  await sql`
    insert into rule_backtest_count (backtest_id, channel_id, product_id, happened, live, would, cause, n, loans,
      due_7, unpaid_7, due_30, unpaid_30, first_due, first_unpaid)
    select w.backtest_id, o.channel_id, o.product_id, coalesce(w.happened, 'none'), coalesce(w.live, 'none'),
      coalesce(w.would, 'none'), coalesce(w.cause, ''), count(*)::int,
      count(*) filter (where o.disbursed_at is not null)::int,
      count(*) filter (where ${isDue(DUE_7)})::int,
      count(*) filter (where ${isDue(DUE_7)} and ${isLate(DUE_7)})::int,
      count(*) filter (where ${isDue(DUE_30)})::int,
      count(*) filter (where ${isDue(DUE_30)} and ${isLate(DUE_30)})::int,
      count(*) filter (where ${IS_FIRST} and ${isDue(FIRST)})::int,
      count(*) filter (where ${IS_FIRST} and ${isDue(FIRST)} and ${isLate(FIRST)})::int
    from rule_backtest_row w
    join loan_order o on o.id = w.order_id
    left join repay_plan p on p.order_id = o.id and p.serial_no = 1 and p.principal + p.interest > 0
    where w.backtest_id = ${backtestId}
    group by 1, 2, 3, 4, 5, 6, 7`.execute(trx)
}

/** Of `repay_plan p`: waiting cannot change any more whether it was paid in time. */
function isDue(days: number): RawBuilder<boolean> {
  return sql<boolean>`p.due_at + ${sql.lit(days)} < ist_day(clock_timestamp())`
}

function isLate(days: number): RawBuilder<boolean> {
  return sql<boolean>`not coalesce(p.payment_status = 'paid'
    and ist_day(p.actual_repayment_at) <= p.due_at + ${sql.lit(days)}, false)`
}
