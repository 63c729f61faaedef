/** Running loans: plans, fines, payments and extensions agree with the ledger. */
import type { Invariants } from '#gateway/manage/db/invariant.ts'
import { RECEIVABLES } from './ledger/receivables.ts'

export const LOAN_INVARIANTS: Invariants = {
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
    'the plans of an order sum to its contract, less the interest that money ahead of the plan saved',
    `
    select o.id from loan_order o
    join (select p.order_id, sum(p.principal) as principal, sum(p.interest) as interest from repay_plan p
      group by p.order_id) s on s.order_id = o.id
    left join (select e.order_id, sum(e.debit - e.credit) as interest from ledger_entry e
      where e.kind = 'replan' and e.account = 'interestReceivable' group by e.order_id) c on c.order_id = o.id
    where o.amount <> s.principal or o.interest + coalesce(c.interest, 0) <> s.interest`,
  ],
  O05: [
    'a repaid or ended loan owes nothing',
    `select o.id from loan_order o where o.status in (40, 41, 80, 100, 110) and o.outstanding <> 0`,
  ],
  O06: [
    'a running loan has plans and owes something',
    `select o.id from loan_order o where o.status in (30, 43, 50, 90) and o.outstanding = 0`,
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
  O18: [
    'bounce charges of an instalment are what the ledger charged, for debits of its order that were returned',
    `
    select p.id from repay_plan p
    left join (select e.plan_id, sum(e.debit - e.credit) as charges from ledger_entry e
      where e.kind = 'bounceCharge' and e.account = 'serviceReceivable' group by e.plan_id) b
      on b.plan_id = p.id
    where p.bounce_charges <> coalesce(b.charges, 0)
    union all
    select c.order_id from (select p.order_id, sum(p.bounce_charges) as charges from repay_plan p
      where p.bounce_charges > 0 group by p.order_id) c
    where c.charges > (select coalesce(sum(r.bounce_charge), 0) from repay_record r
      where r.order_id = c.order_id and r.pay_state = 'fail')`,
  ],
  P02: [
    'a payment that was received is booked to the paisa, any other is not',
    `
    select r.id from repay_record r
    left join (select e.ref_id, sum(e.debit - e.credit) as cash from ledger_entry e
      where e.account = 'cashClearing' and e.kind <> 'reversal' group by e.ref_id) b on b.ref_id = r.id
    where coalesce(b.cash, 0) <> case when r.pay_state = 'success' then r.amount else 0 end`,
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
      where d.fines <> o.fines
        and d.started_at > (select coalesce(c.cut_time, '-infinity') from log_chain c)`,
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
  P05: [
    'what was taken back was taken back once, to the paisa',
    `
    select r.id from repay_record r
    left join (select e.ref_id, sum(e.credit - e.debit) as cash from ledger_entry e
      where e.account = 'cashClearing' and e.kind = 'reversal' group by e.ref_id) b on b.ref_id = r.id
    where coalesce(b.cash, 0) <> case when r.reversed_at is null then 0 else r.amount end`,
  ],
}
