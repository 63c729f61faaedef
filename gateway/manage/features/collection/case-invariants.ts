/** Collection cases, their bills, and the counters of collectors. */
import { ENDED_STATUSES } from '#shared/orders/order-statuses.ts'
import type { Counters, Invariants } from '#gateway/manage/db/invariant.ts'
import { MEND_CASE_COUNTS, WRONG_CASE_COUNTS } from './figures/case-counts.ts'

const ENDED = `(${ENDED_STATUSES.join(', ')})`

export const CASE_INVARIANTS: Invariants = {
  C01: [
    'an overdue loan has one open case',
    `
    select o.id from loan_order o where o.status in (50, 90)
      and not exists (select 1 from collection_case c where c.order_id = o.id and c.state <> 'closed')
      and exists (select 1 from collection_case)`,
  ],
  C02: [
    'an open case owes what its loan owes',
    `
      select c.id
      from collection_case c
      join loan_order o on o.id = c.order_id
      where c.state <> 'closed'
        and (c.outstanding <> o.outstanding or o.status in ${ENDED})`,
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
  C10: ['the cases of a place are as many as are counted', WRONG_CASE_COUNTS],
  C07: [
    'weights of the enabled agencies total 100',
    `select 'agencies' as id from agency a where a.status = 'enabled' having sum(a.weight) <> 100`,
  ],
}

/**
 * Counters are kept beside the rows they count, so that reading them is cheap; a drifted one says
 * nothing about money or work and is counted again. The owners are locked in a statement of their
 * own: the count after it sees every move that changed the counter before.
 */
export const CASE_COUNTERS: Counters = {
  C03: [
    'select k.user_id from collector k order by k.user_id for no key update',
    `
    update collector k set open_cases = h.n
    from (select o.user_id, count(c.id)::int as n from collector o
      left join collection_case c on c.collector_id = o.user_id and c.state in ('allocated', 'promised')
      group by o.user_id) h
    where h.user_id = k.user_id and k.open_cases <> h.n`,
  ],
  // no owner to lock: cases and counts are compared as of one moment
  C10: ['select 1', MEND_CASE_COUNTS],
}
