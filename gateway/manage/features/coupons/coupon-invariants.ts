/** Coupons: what they gave up, their use and their budget. */
import type { Invariants } from '#gateway/manage/db/invariant.ts'

export const COUPON_INVARIANTS: Invariants = {
  W16: [
    'a coupon gave up what was posted for it, and nothing else is posted for coupons',
    `
    select coalesce(g.id, b.ref_id) as id from (select * from coupon_grant x
      where x.preferential_type <> 'limit') g
    full join (select e.ref_id, sum(e.debit - e.credit) as given from ledger_entry e
      where e.kind in ('coupon', 'couponReversal') and e.account = 'couponExpense'
      group by e.ref_id) b on b.ref_id = g.id
    where g.id is null or g.amount <> coalesce(b.given, 0)`,
  ],
  W17: [
    'a used coupon was used once, by its customer, within its validity',
    `
    select g.id from coupon_grant g left join loan_order o on o.id = g.order_id
    left join repay_record r on r.id = g.record_id
    where g.state = 'used' and (o.customer_id is distinct from g.customer_id
      or (g.preferential_type = 'limit') <> (g.record_id is null)
      or (cardinality(g.product_ids) > 0 and not o.product_id = any (g.product_ids))
      or (r.id is not null and (r.order_id is distinct from g.order_id or r.pay_state = 'fail'
        or r.reversed_at is not null or r.amount < (g.terms ->> 'minAmount')::bigint
        or r.repayment_type not in ('full', 'partial')
        or (r.paid_at at time zone 'Asia/Kolkata')::date < g.granted_on
        or (r.paid_at at time zone 'Asia/Kolkata')::date > g.valid_until)))`,
  ],
  W18: [
    'the budget of a coupon covers what was granted of it',
    `
    select k.id from coupon k
    left join (select g.coupon_id, count(*) as granted, sum(g.worth) filter (where g.state
      in ('unused', 'used')) as worth from coupon_grant g group by g.coupon_id) b on b.coupon_id = k.id
    where k.committed <> coalesce(b.worth, 0) or k.granted <> coalesce(b.granted, 0)
      or k.committed > coalesce(k.budget, k.committed)`,
  ],
}
