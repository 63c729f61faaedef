/** The ledger: postings, and what is beside each. */
import type { Invariants } from '#gateway/manage/db/invariant.ts'

/** Operate-log entries of earlier postings may have left the database after their term. */
const AFTER_CUT = `e.at > (select coalesce(c.cut_time + interval '1 hour', '-infinity') from log_chain c)`

export const LEDGER_INVARIANTS: Invariants = {
  L01: [
    'every posting sums to zero',
    `select e.txn_id as id from ledger_entry e group by e.txn_id having sum(e.debit) <> sum(e.credit)`,
  ],
  L02: [
    'the ledger sums to zero',
    `select 'ledger' as id from ledger_entry e having sum(e.debit) <> sum(e.credit)`,
  ],
  L03: [
    'nothing is posted on an order that has ended',
    `
    select e.txn_id as id from ledger_entry e join loan_order o on o.id = e.order_id
    where o.closed_at is not null and e.at > o.closed_at + interval '1 minute'
      and e.kind not in ('reversal', 'recovery', 'surplus', 'strayPayout', 'strayReturn')
      and not (o.status in (40, 41) and e.kind in ('repayment', 'reallocation', 'replan', 'bounceCharge',
        'fineCorrection', 'reduction', 'coupon', 'couponReversal'))
      and not (o.status in (100, 110) and exists (select 1 from ledger_entry r
        where r.order_id = e.order_id and r.kind = 'reversal' and r.written_in = e.written_in))`,
  ],
  L04: [
    'every posting stands beside a line of the timeline or the operate log',
    `
    select e.txn_id as id from ledger_entry e
    where ${AFTER_CUT} and not exists (select 1 from order_status_log l where l.order_id = e.order_id
      and l.at >= e.at - interval '1 minute' and l.at <= e.at + interval '1 minute')
      and not exists (select 1 from operate_log g where g.target_kind = 'order' and g.target_id = e.order_id
        and g.time >= e.at - interval '1 minute' and g.time <= e.at + interval '1 minute')
      and not (e.kind = 'overdueFine' and (exists (select 1 from day_opening d where d.day = e.biz_date)
        or exists (select 1 from order_status_log l where l.order_id = e.order_id and l.to_status = 50
          and l.at <= e.at + interval '1 minute')))`,
  ],
  // rows of one transaction are of one hour: after a restore into another cluster the numbers of
  // transactions begin again
  L06: [
    'every posting was written with a row of the operate log',
    `
    select distinct e.txn_id as id from ledger_entry e where e.written_in is not null and ${AFTER_CUT}
      and not exists (select 1 from operate_log g where g.written_in = e.written_in and g.result = 'ok'
        and g.time >= e.at - interval '1 hour' and g.time <= e.at + interval '1 hour')`,
  ],
  // events are kept for 24 h after they were published, which is after the posting
  L07: [
    'every posting was written with an event that names its order',
    `
    select distinct e.txn_id as id from ledger_entry e where e.written_in is not null
      and e.at > clock_timestamp() - interval '24 hours'
      and not exists (select 1 from outbox_event v where v.written_in = e.written_in
        and v.data ->> 'orderId' = e.order_id)`,
  ],
  L05: [
    'money that came in belongs to a payment that was received',
    `
    select e.txn_id as id from ledger_entry e left join repay_record r on r.id = e.ref_id
      and r.order_id = e.order_id and r.pay_state = 'success' where e.account = 'cashClearing'
      and r.id is null`,
  ],
}
