/**
 * What must hold over the whole database at any time, between any two transactions. Each entry
 * selects the ids of rows that break its rule. It only reads, and may run while people work.
 */
import { sql } from 'kysely'
import type { Database } from './client.ts'
import type { Db } from './transaction.ts'

export interface InvariantResult {
  code: string
  name: string
  violations: number
  /** The first ids. */
  sample: string[]
}

/** Statuses of an order that has ended; `open` ones may be one per customer. */
const CLOSED = '(21, 23, 27, 40, 41, 70, 80, 100, 110)'
const RECEIVABLES = `('principalReceivable', 'doubtfulPrincipal', 'interestReceivable', 'serviceReceivable', 'fineReceivable')`
/** States of a review whose order waits for a person. */
const ON_DESK = `('unclaimed', 'toAudit', 'underReview', 'dataModifiable', 'manualCheck', 'audited', 'abnormal')`

/**
 * Code (its letter says of what, ledger-proof-sets.ts; a code is never used again), name, query.
 */
const RULES: Readonly<Record<string, readonly [name: string, query: string]>> = {
  L01: [
    'every posting sums to zero',
    `select e.txn_id as id from ledger_entry e group by e.txn_id having sum(e.debit) <> sum(e.credit)`,
  ],
  L02: [
    'the ledger sums to zero',
    `select 'ledger' as id from ledger_entry e having sum(e.debit) <> sum(e.credit)`,
  ],
  O01: [
    'a plan owes what was due less what settled it',
    `
    select p.id from repay_plan p
    where p.outstanding <> p.principal + p.interest + p.service_fee + p.overdue_fine - p.reduced_fees -
      p.waived - p.paid_amount
      or p.paid_amount + p.reduced_fees + p.waived > p.principal + p.interest + p.service_fee +
        p.overdue_fine`,
  ],
  O02: [
    'a plan owes the sum of its receivable entries',
    `
    select p.id from repay_plan p
    left join (select e.plan_id, sum(e.debit - e.credit) as balance from ledger_entry e
      where e.account in ${RECEIVABLES} and e.plan_id is not null group by e.plan_id) b on b.plan_id = p.id
    where p.outstanding <> coalesce(b.balance, 0)`,
  ],
  P01: [
    'a plan is paid what its payments posted',
    `
    select p.id from repay_plan p
    left join (
      select e.plan_id, sum(e.credit - e.debit) as paid from ledger_entry e
      where e.plan_id is not null and ((e.kind in ('repayment', 'coolingOffExit', 'reversal', 'reallocation')
        and e.account in ${RECEIVABLES}) or (e.kind = 'rollover' and e.account = 'fineReceivable'))
      group by e.plan_id
    ) b on b.plan_id = p.id
    where p.paid_amount <> coalesce(b.paid, 0)`,
  ],
  O03: [
    'an order owes the sum of its plans',
    `
    select o.id from loan_order o
    left join (select p.order_id, sum(p.outstanding) as outstanding from repay_plan p
      group by p.order_id) s on s.order_id = o.id
    where o.outstanding <> coalesce(s.outstanding, 0)`,
  ],
  O04: [
    'the plans of an order sum to its contract',
    `
    select o.id from loan_order o
    join (select p.order_id, sum(p.principal) as principal, sum(p.interest) as interest from repay_plan p
      group by p.order_id) s on s.order_id = o.id
    where o.amount <> s.principal or o.interest <> s.interest`,
  ],
  O05: [
    'a repaid or ended loan owes nothing',
    `select o.id from loan_order o where o.status in (40, 41, 80, 100, 110) and o.outstanding <> 0`,
  ],
  O06: [
    'a running loan has plans and owes something',
    `select o.id from loan_order o where o.status in (30, 43, 50, 90) and o.outstanding = 0`,
  ],
  O07: [
    'money is lent only to orders that were disbursed',
    `
    select o.id from loan_order o
    where (o.status in (30, 40, 41, 43, 50, 80, 90, 100, 110)) <> (o.disbursed_at is not null
      and exists (select 1 from repay_plan p where p.order_id = o.id))`,
  ],
  O08: [
    'the close type follows from the status',
    `
    select o.id from loan_order o
    where o.close_type <> case when o.status in (40, 41) then 'repaidClosed'
      when o.status = 80 then 'extensionClosed' when o.status in (100, 110) then 'writeOffClosed'
      else 'notClosed' end
      or (o.closed_at is not null) <> (o.status in ${CLOSED})`,
  ],
  L03: [
    'nothing is posted on an order that has ended',
    `
    select e.txn_id as id from ledger_entry e join loan_order o on o.id = e.order_id
    where o.closed_at is not null and e.at > o.closed_at + interval '1 minute'
      and e.kind not in ('reversal', 'recovery', 'surplus')
      and not (o.status in (40, 41) and e.kind in ('repayment', 'reallocation', 'fineCorrection',
        'reduction'))`,
  ],
  L04: [
    'every posting stands beside a line of the timeline or the operate log',
    `
    select e.txn_id as id from ledger_entry e
    where not exists (select 1 from order_status_log l where l.order_id = e.order_id
      and l.at >= e.at - interval '1 minute' and l.at <= e.at + interval '1 minute')
      and not exists (select 1 from operate_log g where g.target_kind = 'order' and g.target_id = e.order_id
        and g.time >= e.at - interval '1 minute' and g.time <= e.at + interval '1 minute')
      and not (e.kind = 'overdueFine' and (exists (select 1 from day_opening d where d.day = e.biz_date)
        or exists (select 1 from order_status_log l where l.order_id = e.order_id and l.to_status = 50
          and l.at <= e.at + interval '1 minute')))`,
  ],
  // rows of one transaction are of one hour: after a restore into another cluster the numbers of
  // transactions begin anew
  L06: [
    'every posting was written with a row of the operate log',
    `
    select distinct e.txn_id as id from ledger_entry e where e.written_in is not null
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
  O09: [
    'what is open of a plan, part by part, is what the ledger says',
    `
    select p.id from repay_plan p
    left join (
      select e.plan_id, sum(e.debit - e.credit) filter (where e.account in ('principalReceivable',
        'doubtfulPrincipal')) as principal,
        sum(e.debit - e.credit) filter (where e.account = 'interestReceivable') as interest,
        sum(e.debit - e.credit) filter (where e.account = 'serviceReceivable') as service,
          sum(e.debit - e.credit) filter (where e.account = 'fineReceivable') as fine
      from ledger_entry e where e.plan_id is not null group by e.plan_id
    ) b on b.plan_id = p.id
    where (p.open_principal, p.open_interest, p.open_service, p.open_fine) <> (coalesce(b.principal, 0),
      coalesce(b.interest, 0), coalesce(b.service, 0), coalesce(b.fine, 0))`,
  ],
  O10: [
    'a fine that was charged is what the ledger charged',
    `
    select p.id from repay_plan p
    left join (select e.plan_id, sum(e.debit - e.credit) as fine from ledger_entry e
      where e.account = 'fineReceivable' and e.kind in ('overdueFine', 'fineCorrection')
      group by e.plan_id) b on b.plan_id = p.id
    where p.overdue_fine <> coalesce(b.fine, 0)`,
  ],
  P02: [
    'a payment that was received is booked to the paisa, any other is not',
    `
    select r.id from repay_record r
    left join (select e.ref_id, sum(e.debit - e.credit) as cash from ledger_entry e
      where e.account = 'cashClearing' and e.kind <> 'reversal' group by e.ref_id) b on b.ref_id = r.id
    where coalesce(b.cash, 0) <> case when r.pay_state = 'success' then r.amount else 0 end`,
  ],
  L05: [
    'money that came in belongs to a payment that was received',
    `
    select e.txn_id as id from ledger_entry e left join repay_record r on r.id = e.ref_id
      and r.order_id = e.order_id and r.pay_state = 'success' where e.account = 'cashClearing'
      and r.id is null`,
  ],
  P03: [
    'a surplus is the credit of the customer',
    `
    select r.id from repay_record r
    left join (select e.ref_id, sum(e.credit - e.debit) as credit from ledger_entry e
      where e.account = 'customerCredit' and e.kind <> 'reversal' group by e.ref_id) b on b.ref_id = r.id
    where r.surplus <> coalesce(b.credit, 0)`,
  ],
  P04: [
    'an order is processing a repayment exactly while one of it is under way',
    `
    select o.id from loan_order o where o.status in (30, 43, 50, 90)
      and (o.status = 43) <> exists (select 1 from repay_record r where r.order_id = o.id
        and r.pay_state = 'inProgress' and r.flag is null and r.repayment_type <> 'coolingOff')`,
  ],
  O11: [
    'a running loan is opened up to the day that was opened last',
    `
    select o.id from loan_order o join repay_plan p on p.order_id = o.id, (select max(d.day) as day
      from day_opening d where d.finished_at is not null) d
    where o.status in (30, 43, 50, 90) and p.outstanding > 0 and p.due_at < d.day
      and (o.status = 30 or p.overdue_days < d.day - p.due_at
        or ((p.fine_to is null or p.fine_to < d.day)
          and not exists (select 1 from settlement_plan s where s.order_id = o.id and s.state = 'current')
          and not exists (select 1 from reduction r where r.order_id = o.id and r.state = 'approved'
          and r.valid_until >= d.day and p.fine_to is not distinct from greatest(r.frozen_on, p.fine_to))))`,
  ],
  // each side is added up before they meet: on a book nobody analysed they would be compared row by
  // row
  O17: [
    'the fines of a day are what its opening charged',
    `
    with charged as materialized (
      select e.written_in, sum(e.debit - e.credit) as fines from ledger_entry e where e.kind = 'overdueFine'
        and e.account = 'fineReceivable' and e.written_in is not null group by e.written_in
    ), opened as materialized (
      select g.target_id as day, bool_and(g.written_in is not null) as known, coalesce(sum(c.fines),
        0) as fines
      from operate_log g left join charged c on c.written_in = g.written_in where g.target_kind = 'day'
        and g.action = 'openDay' group by g.target_id
    )
    select d.day::text as id from day_opening d join opened o on o.day = d.day::text and o.known
      where d.fines <> o.fines`,
  ],
  W01: [
    'a settlement plan runs only while its order is overdue, and fines stand still under it',
    `
    select s.id from settlement_plan s join loan_order o on o.id = s.order_id
    where s.state = 'current' and (not (o.status = 50 or (o.status = 43 and o.resume_status = 50))
      or exists (select 1 from repay_plan p where p.order_id = o.id and p.outstanding > 0
      and p.fine_to > s.as_of))`,
  ],
  W02: [
    'a settlement plan is what was asked for and approved, and sums to what was owed',
    `
    select s.id from settlement_plan s join approval a on a.id = s.approval_id
    where a.kind <> 'cure' or a.state <> 'approved' or a.target_id <> s.order_id or a.amount <> s.total
      or s.rows <> a.payload -> 'plan'
      or s.total <> (select sum((x.value ->> 'amount')::bigint) from jsonb_array_elements(s.rows) x)`,
  ],
  W03: [
    'a bad debt is cured once for each of its settlement plans',
    `
    select coalesce(l.order_id, s.order_id) as id
      from (select x.order_id, count(*) as n from order_status_log x where x.from_status = 90
      and x.to_status = 50 group by x.order_id) l
    full join (select y.order_id, count(*) as n from settlement_plan y
      group by y.order_id) s on s.order_id = l.order_id where l.n is distinct from s.n`,
  ],
  O12: [
    'principal is in doubt exactly while its loan is a bad debt',
    `
    select o.id from loan_order o
    join (select e.order_id,
      sum(e.debit - e.credit) filter (where e.account = 'doubtfulPrincipal') as doubtful,
      sum(e.debit - e.credit) filter (where e.account = 'principalReceivable') as sound from ledger_entry e
      group by e.order_id) b on b.order_id = o.id
    where case when o.status = 90 or (o.status = 43 and o.resume_status = 90) then coalesce(b.sound, 0) <> 0
      else coalesce(b.doubtful, 0) <> 0 end`,
  ],
  W04: [
    'a plan is reduced by what was posted',
    `
    select p.id from repay_plan p
    left join (select e.plan_id, sum(e.credit - e.debit) as reduced from ledger_entry e
      where e.kind in ('reduction', 'reductionReversal') and e.account in ${RECEIVABLES}
      group by e.plan_id) b on b.plan_id = p.id
    where p.reduced_fees <> coalesce(b.reduced, 0)`,
  ],
  W05: [
    'no principal is reduced',
    `select e.txn_id as id from ledger_entry e where e.kind = 'reduction' and e.account in ('principalReceivable', 'doubtfulPrincipal')`,
  ],
  W06: [
    'a reduction gave up what was posted for it, and no more than was approved',
    `
    select d.id from reduction d
    left join (select e.ref_id, sum(e.debit - e.credit) as given from ledger_entry e
      where e.kind = 'reduction' and e.account = 'waiverExpense' group by e.ref_id) b on b.ref_id = d.id
    where d.launched_role is not null
      and (d.used_amount <> coalesce(b.given, 0) or d.used_amount > d.reduce_amount
      or (d.state = 'used') <> (d.used_amount > 0))`,
  ],
  W07: [
    'a loan was repaid with a reduction exactly when one was used',
    `
    select o.id from loan_order o where exists (select 1 from reduction d where d.order_id = o.id
      and d.launched_role is not null)
      and (o.status = 41) <> exists (select 1 from reduction d where d.order_id = o.id and d.state = 'used'
      and d.void_at is null)`,
  ],
  W08: [
    'an order that has ended has no open reduction',
    `select d.id from reduction d join loan_order o on o.id = d.order_id where d.launched_role is not null and d.state in ('pending', 'approved') and o.status in ${CLOSED}`,
  ],
  W09: [
    'a plan is waived what was posted',
    `
    select p.id from repay_plan p
    left join (select e.plan_id, sum(e.credit - e.debit) as waived from ledger_entry e
      where e.kind in ('coolingOffWaiver', 'waiverReversal', 'writeOff', 'batchWriteOff')
      and e.account in ${RECEIVABLES} and e.plan_id is not null group by e.plan_id) b on b.plan_id = p.id
    left join (select e.plan_id, sum(e.credit) as carried from ledger_entry e where e.kind = 'rollover'
      and e.account in ${RECEIVABLES} and e.account <> 'fineReceivable'
      group by e.plan_id) r on r.plan_id = p.id
    where p.waived <> coalesce(b.waived, 0) + coalesce(r.carried, 0)
      or (p.payment_status = 'rolledOver') <> (coalesce(r.carried, 0) > 0)`,
  ],
  O13: [
    'an extended loan is carried on by one order, and no other order follows one',
    `
    select coalesce(o.id, x.order_id) as id from (select y.id from loan_order y where y.status = 80) o full
      join extension x on x.order_id = o.id where o.id is null or x.order_id is null
    union all
    select n.id from loan_order n left join extension x on x.new_order_id = n.id
      where n.from_order_id is distinct from x.order_id
      or (x.order_id is not null) <> ('extension' = any (n.tags) and n.service_charge = 0
      and n.cooling_off_until is null)`,
  ],
  O14: [
    'what an extension carried on is what its order began with, and its money is fee and fine',
    `
    select x.order_id as id from extension x
    join repay_record r on r.id = x.record_id
    join loan_order o on o.id = x.order_id
    join loan_order n on n.id = x.new_order_id
    left join repay_plan p on p.order_id = x.order_id and p.payment_status = 'rolledOver'
    left join lateral (
      select sum(e.credit) filter (where e.account = 'extensionFeeIncome') as income,
        sum(e.credit) filter (where e.account = 'commissionPayable') as commission,
        sum(e.credit) filter (where e.account = 'fineReceivable') as fine,
        sum(e.debit) filter (where e.account = 'cashClearing') as cash,
        sum(e.credit) filter (where e.account = 'principalReceivable'
          and e.order_id = x.order_id) as principal,
          sum(e.debit) filter (where e.account = 'principalReceivable'
          and e.order_id = x.new_order_id) as begun,
        sum(e.credit) filter (where e.account = 'interestReceivable'
          and e.order_id = x.order_id) as interest,
          sum(e.debit) filter (where e.account = 'interestReceivable'
          and e.order_id = x.new_order_id) as begun_interest
      from ledger_entry e where e.kind = 'rollover' and e.ref_id = x.record_id
    ) l on true
    where r.amount <> coalesce(l.cash, 0) or r.amount <> x.fee + coalesce(l.fine, 0)
      or x.fee <> coalesce(l.income, 0) + coalesce(l.commission, 0)
      or x.commission <> coalesce(l.commission, 0)
      or n.amount <> coalesce(l.principal, 0) or n.amount <> coalesce(l.begun, 0)
        or n.interest <> coalesce(l.interest, 0) or n.interest <> coalesce(l.begun_interest, 0)
      or r.repayment_type <> 'rollover' or r.order_id <> x.order_id or o.close_amount_type <> 'rollover'
        or n.customer_id <> o.customer_id or n.due_at < p.due_at + x.days or p.id is null`,
  ],
  W10: [
    'a write-off gave up what was posted for it',
    `
    select w.id from write_off w
    left join (select e.ref_id, sum(e.debit - e.credit) as amount from ledger_entry e
      where e.account = 'writeOffExpense' group by e.ref_id) b on b.ref_id = w.id
    join loan_order o on o.id = w.order_id
    where w.type in ('operational', 'batch') and w.operator_id is not null
      and (w.amount <> coalesce(b.amount, 0) or o.status <> case w.type when 'operational' then 100
      else 110 end)`,
  ],
  W11: [
    'a written-off claim is what is not recovered',
    `
    select e.order_id as id from ledger_entry e where e.account in ('recoveryClaim', 'recoveryContra')
      group by e.order_id
    having sum(e.debit - e.credit) <> 0
      or sum(e.debit - e.credit) filter (where e.account = 'recoveryClaim') < 0`,
  ],
  W12: [
    'a write-off by payment waits exactly as long as its payment',
    `
    select w.id from write_off w join repay_record r on r.id = w.record_id
      where (w.state = 'pending') <> (r.pay_state = 'inProgress')
      or (w.state = 'done') <> (r.pay_state = 'success')`,
  ],
  S01: [
    'a request is decided by somebody else',
    `select a.id from approval a where a.decided_by = a.requested_by`,
  ],
  P05: [
    'what was taken back was taken back once, to the paisa',
    `
    select r.id from repay_record r
    left join (select e.ref_id, sum(e.credit - e.debit) as cash from ledger_entry e
      where e.account = 'cashClearing' and e.kind = 'reversal' group by e.ref_id) b on b.ref_id = r.id
    where coalesce(b.cash, 0) <> case when r.reversed_at is null then 0 else r.amount end`,
  ],
  // what a payment brings after its reduction was used is surplus, and counts nothing
  W15: [
    'a used reduction brought in what was paid since it was approved',
    `
    select d.id from reduction d
    left join (
      select x.id, sum(e.debit - e.credit) filter (where e.account = 'cashClearing') - coalesce(sum(e.credit
        - e.debit) filter (where e.account = 'customerCredit'), 0) as amount
      from reduction x join repay_record r on r.order_id = x.order_id and r.confirmed_at >= x.decided_at
        and r.reversed_at is null join ledger_entry e on e.order_id = r.order_id and e.ref_id = r.id
      where x.state = 'used' group by x.id
    ) b on b.id = d.id
    where d.launched_role is not null and d.state = 'used' and d.void_at is null
      and d.recovered_amount <> coalesce(b.amount, 0)`,
  ],
  W13: [
    'a reduction is decided by somebody else',
    `select d.id from reduction d where d.decided_by = d.launched_by`,
  ],
  W14: [
    'an operational write-off blacklists',
    `select o.id from loan_order o where o.status = 100 and not exists (select 1 from blacklist b where b.customer_id = o.customer_id and b.source = 'operationalWriteOff')`,
  ],
  O15: [
    'the timeline of an order is one chain that ends at its status',
    `
    select distinct t.order_id as id from (
      select l.order_id, l.from_status, l.to_status, lag(l.to_status) over w as before,
        lead(l.to_status) over w as after, o.status
      from order_status_log l join loan_order o on o.id = l.order_id
      window w as (partition by l.order_id order by l.id)
    ) t where t.from_status is distinct from t.before or (t.after is null and t.to_status <> t.status)
    union
    select o.id from loan_order o where not exists (select 1 from order_status_log l
      where l.order_id = o.id)`,
  ],
  P06: [
    'an order has a transfer under way exactly while it is disbursing',
    `
    select o.id from loan_order o
    left join (select t.order_id, count(*) as under_way from payout_transfer t
      where t.pay_state = 'inProgress' group by t.order_id) t on t.order_id = o.id
    where coalesce(t.under_way, 0) <> case when o.status = 29 then 1 else 0 end`,
  ],
  P07: [
    'an order is paid out at most once',
    `select t.order_id as id from payout_transfer t where t.pay_state = 'success' group by t.order_id having count(*) > 1`,
  ],
  P08: [
    'what was paid out is what order, transfer and ledger say',
    `
    select o.id from loan_order o
    left join (
      select e.order_id, sum(e.credit - e.debit) filter (where e.account = 'payoutClearing') as arrived,
        sum(e.credit - e.debit) filter (where e.account = 'serviceChargeIncome') as charge,
        sum(e.debit - e.credit) filter (where e.account = 'principalReceivable') as principal,
          sum(e.debit - e.credit) filter (where e.account = 'interestReceivable') as interest
      from ledger_entry e where e.kind in ('disbursement', 'interestDue') group by e.order_id
    ) l on l.order_id = o.id
    left join (select t.order_id, sum(t.amount) as sent from payout_transfer t where t.pay_state = 'success'
      group by t.order_id) t on t.order_id = o.id
    where case when o.disbursed_at is null
      or exists (select 1 from extension x where x.new_order_id = o.id) then l.order_id is not null
      or t.order_id is not null
      else (coalesce(t.sent, 0), coalesce(l.arrived, 0), coalesce(l.charge, 0), coalesce(l.principal, 0),
        coalesce(l.interest, 0)) <> (o.arrival_amount, o.arrival_amount, o.service_charge, o.amount,
        o.interest) end`,
  ],
  O16: [
    'a customer has one open order',
    `select o.customer_id as id from loan_order o where o.status not in ${CLOSED} group by o.customer_id having count(*) > 1`,
  ],
  R01: [
    'an order waits for manual review exactly while its review is open',
    `
    select o.id from loan_order o
    left join (select r.order_id, count(*) filter (where r.state in ${ON_DESK}) as open_reviews
      from review r group by r.order_id) r on r.order_id = o.id
    where (o.status = 22 and coalesce(r.open_reviews, 0) <> 1)
      or (o.status not in (10, 22) and coalesce(r.open_reviews, 0) > 0)`,
  ],
  R02: [
    'a held review has a holder and both clocks',
    `
    select r.id from review r
    where (r.state in ('toAudit', 'underReview')) <> (r.idle_until is not null and r.live_until is not null
      and r.reviewer_id is not null and r.token > 0)
      and (r.state in ('toAudit', 'underReview') or r.idle_until is not null or r.live_until is not null)`,
  ],
  R03: [
    'the token of a review only grows, and with every new holder',
    `
    select distinct t.review_id as id from (
      select l.review_id, l.token, l.holder_id, lag(l.token, 1, 0) over w as token_before,
        lag(l.holder_id) over w as holder_before
      from review_log l window w as (partition by l.review_id order by l.id)
    ) t where t.token < t.token_before
      or (t.holder_id is not null and t.holder_id is distinct from t.holder_before
      and t.token <= t.token_before)
    union
    select r.id from review r where r.token <> coalesce((select max(l.token) from review_log l
      where l.review_id = r.id), 0)`,
  ],
  R04: [
    'a claim goes from one person to another only by hand-over or take-over',
    `
    select distinct t.review_id as id from (
      select l.review_id, l.event, l.holder_id, lag(l.holder_id) over (partition by l.review_id
        order by l.id) as holder_before from review_log l
    ) t where t.holder_id <> t.holder_before and t.event not in ('HANDOVER_APPROVED', 'TAKE_OVER')`,
  ],
  R05: [
    'the log of a review ends at its state',
    `
    select r.id from review r
    left join lateral (select l.to_state from review_log l where l.review_id = r.id order by l.id desc
      limit 1) l on true
    where l.to_state is distinct from r.state`,
  ],
  R06: [
    'a review has at most one undecided hand-over, and only while it is held',
    `
    select r.id from review r
    left join (select h.review_id, count(*) as pending from review_handover h where h.state = 'pending'
      group by h.review_id) h on h.review_id = r.id
    where coalesce(h.pending, 0) <> case when r.handover_state = 'pending' then 1 else 0 end
      or (r.handover_state = 'pending' and r.state not in ('toAudit', 'underReview'))`,
  ],
  S02: [
    'published events are numbered without a gap',
    `
    select 'outbox' as id from (select count(*) as events, max(e.seq) - min(e.seq) + 1 as span,
      max(e.seq) as newest from outbox_event e where e.seq is not null) e, relay_state s
    where e.events > 0 and (e.events <> e.span or e.newest <> s.last_seq)`,
  ],
  S03: [
    'the operate log is unbroken',
    `select operate_log_broken_at()::text as id where operate_log_broken_at() is not null`,
  ],
  C01: [
    'an overdue loan has one open case',
    `
    select o.id from loan_order o where o.status in (50, 90)
      and not exists (select 1 from collection_case c where c.order_id = o.id and c.state <> 'closed')
      and exists (select 1 from collection_case)`,
  ],
  C02: [
    'an open case owes what its loan owes',
    `select c.id from collection_case c join loan_order o on o.id = c.order_id where c.state <> 'closed' and (c.outstanding <> o.outstanding or o.status in ${CLOSED})`,
  ],
  C03: [
    'a collector has as many cases in hand as are counted',
    `
    select k.user_id as id from collector k
    left join (select c.collector_id, count(*) as n from collection_case c
      where c.state in ('allocated', 'promised') group by c.collector_id) h on h.collector_id = k.user_id
    where k.open_cases <> coalesce(h.n, 0)`,
  ],
  C04: [
    'a case is held by who its last move names',
    `
    select c.id from collection_case c
    join lateral (select m.to_user_id from case_allocation m where m.case_id = c.id order by m.id desc
      limit 1) l on true
    where c.collector_id is distinct from l.to_user_id`,
  ],
  C05: [
    'a promise is open exactly while its case is promised',
    `select c.id from collection_case c where (c.state = 'promised') <> coalesce(c.ptp_state = 'open', false)`,
  ],
  C06: [
    'a held case is stopped or was ended by hand',
    `
    select c.id from collection_case c where c.state = 'held' and c.end_reason is null
      and not exists (select 1 from stop_collection s where s.customer_id = c.customer_id
      and s.state = 'active')`,
  ],
  C08: [
    'a recovery bill is what its payment posted, taken back exactly with it',
    `
    select b.record_id as id from (
      select n.record_id, sum(n.amount) filter (where n.amount > 0) as amount,
        sum(n.principal) filter (where n.amount > 0) as principal,
        sum(n.commission) filter (where n.amount > 0) as commission,
        sum(n.amount) as amount_left, sum(n.principal) as principal_left, sum(n.commission) as commission_left
      from recovery_bill n group by n.record_id
    ) b
    join repay_record r on r.id = b.record_id
    left join (
      select e.ref_id, sum(e.debit - e.credit) filter (where e.account = 'cashClearing') -
        coalesce(sum(e.credit - e.debit) filter (where e.account = 'customerCredit'), 0) as amount,
        sum(e.credit - e.debit) filter (where e.account in ('principalReceivable', 'doubtfulPrincipal')
          and e.kind <> 'rollover') as principal,
          sum(e.credit - e.debit) filter (where e.account = 'commissionPayable') as commission
      from ledger_entry e where e.kind not in ('reversal', 'reallocation')
        and e.account in ('cashClearing', 'customerCredit', 'principalReceivable', 'doubtfulPrincipal',
        'commissionPayable') group by e.ref_id
    ) l on l.ref_id = b.record_id
    where (b.amount, b.principal, b.commission) is distinct
      from (coalesce(l.amount, 0), coalesce(l.principal, 0), coalesce(l.commission, 0))
      or (b.amount_left, b.principal_left, b.commission_left) is distinct from case
        when r.reversed_at is null then (b.amount, b.principal, b.commission)
        else (0::numeric, 0::numeric, 0::numeric) end`,
  ],
  // a payment from before the case has no bill, and lowers the case when it is taken back
  C09: [
    'a case recovered the sum of its bills, unless a payment of its order was taken back',
    `
    select c.id from collection_case c
    left join (select b.case_id, sum(b.amount) as amount from recovery_bill b
      group by b.case_id) b on b.case_id = c.id
    where c.recovered <> coalesce(b.amount, 0)
      and not exists (select 1 from repay_record r where r.order_id = c.order_id
      and r.reversed_at is not null)`,
  ],
  T01: [
    'a ticket has a processor exactly while it is not waiting, and a lease until its first reply',
    `
    select t.id from feedback t
    where (t.progress = 'unprocessed') <> (t.processor_id is null)
      or (t.idle_until is not null) <> (t.progress = 'followingUp' and t.first_reply_at is null)
      or (t.processor_id is not null and t.token = 0)`,
  ],
  T02: [
    'a ticket is followed to its end exactly when it has ended',
    `
    select t.id from feedback t where (t.progress = 'finished') <> (t.finished_at is not null)
      or (t.follow_state = 'caseClosed') <> (t.progress = 'finished')
      or (t.progress = 'finished' and t.first_reply_at is null)`,
  ],
  T03: [
    'the token of a ticket only grows, and with every new processor',
    `
    select distinct s.feedback_id as id from (
      select x.feedback_id, x.token, x.processor_id, lag(x.token, 1, 0) over w as token_before,
        lag(x.processor_id) over w as processor_before
        from feedback_step x window w as (partition by x.feedback_id order by x.id)
    ) s where s.token < s.token_before
      or (s.processor_id is not null and s.processor_before is not null
      and s.processor_id <> s.processor_before and s.token <= s.token_before)
    union
    select t.id from feedback t where t.token <> coalesce((select max(x.token) from feedback_step x
      where x.feedback_id = t.id), 0)`,
  ],
  T04: [
    'a ticket goes from one person to another only by hand-over',
    `
    select distinct s.feedback_id as id from (
      select x.feedback_id, x.kind, x.processor_id, lag(x.processor_id) over (partition by x.feedback_id
        order by x.id) as processor_before from feedback_step x
    ) s where s.processor_id <> s.processor_before and s.kind <> 'handoverApproved'`,
  ],
  T05: [
    'the steps of a ticket are one chain that ends at its progress',
    `
    select distinct s.feedback_id as id from (
      select x.feedback_id, x.from_state, x.to_state, lag(x.to_state) over w as before,
        lead(x.to_state) over w as after, t.progress
      from feedback_step x join feedback t on t.id = x.feedback_id window w as (partition by x.feedback_id
        order by x.id)
    ) s where s.from_state is distinct from s.before or (s.after is null and s.to_state <> s.progress)
    union
    select t.id from feedback t where not exists (select 1 from feedback_step x where x.feedback_id = t.id)`,
  ],
  T06: [
    'a ticket has at most one undecided hand-over, and only while somebody works on it',
    `
    select t.id from feedback t
    left join (select h.feedback_id, count(*) as pending from feedback_handover h where h.state = 'pending'
      group by h.feedback_id) h on h.feedback_id = t.id
    where coalesce(h.pending, 0) <> case when t.handover_state = 'pending' then 1 else 0 end
      or (t.handover_state = 'pending' and t.progress <> 'followingUp')`,
  ],
  T07: [
    'nobody works on a complaint about himself',
    `select t.id from feedback t where t.processor_id = t.about_id`,
  ],
  T08: [
    'an ended ticket stops no collection',
    `
    select t.id from feedback t join stop_collection s on s.ticket_id = t.id and s.state = 'active'
      where t.progress = 'finished' or t.type not in (4, 5)`,
  ],
  T09: [
    'a grievance that is open has stopped collection, unless a leader ended the stop',
    `
    select t.id from feedback t where t.type in (4, 5) and t.progress <> 'finished'
      and not exists (select 1 from stop_collection s where s.ticket_id = t.id)`,
  ],
  C07: [
    'weights of the enabled agencies total 100',
    `select 'agencies' as id from agency a where a.status = 'enabled' having sum(a.weight) <> 100`,
  ],
}

export const RULE_CODES = Object.keys(RULES)

/** One rule, by its code. @throws TypeError for a code there is not */
export async function checkRule(db: Db, code: string): Promise<InvariantResult> {
  const rule = RULES[code]
  if (rule === undefined) throw new TypeError(`no rule ${code}`)
  const [name, query] = rule
  const { rows } = await sql<{ violations: number; sample: string[] | null }>`
    select count(*)::int as violations, (array_agg(b.id order by b.id))[1:5] as sample
      from (${sql.raw(query)}) b`.execute(db)
  return { code, name, violations: rows[0]?.violations ?? 0, sample: rows[0]?.sample ?? [] }
}

/** All rules with the rows that break them, in one read-only snapshot. */
export async function checkInvariants(database: Database): Promise<InvariantResult[]> {
  return database.kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const results: InvariantResult[] = []
      for (const code of RULE_CODES) results.push(await checkRule(trx, code))
      return results
    })
}

/** Rules that are broken; what a test wants to be empty. */
export async function brokenInvariants(database: Database): Promise<InvariantResult[]> {
  return (await checkInvariants(database)).filter(({ violations }) => violations > 0)
}
