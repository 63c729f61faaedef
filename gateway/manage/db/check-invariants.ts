/**
 * What must hold over the whole database at any time, between any two transactions (trust.md B1, C3, I1). Each entry selects the
 * ids of rows that break its rule. It reads only, and may run while people work.
 */
import { sql } from 'kysely'
import type { Database } from './client.ts'

export interface InvariantResult {
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

const INVARIANTS: Record<string, string> = {
  'every posting sums to zero': `select e.txn_id as id from ledger_entry e group by e.txn_id having sum(e.debit) <> sum(e.credit)`,
  'the ledger sums to zero': `select 'ledger' as id from ledger_entry e having sum(e.debit) <> sum(e.credit)`,
  'a plan owes what was due less what settled it': `
    select p.id from repay_plan p
    where p.outstanding <> p.principal + p.interest + p.service_fee + p.overdue_fine - p.reduced_fees - p.waived - p.paid_amount
      or p.paid_amount + p.reduced_fees + p.waived > p.principal + p.interest + p.service_fee + p.overdue_fine`,
  'a plan owes the sum of its receivable entries': `
    select p.id from repay_plan p
    left join (select e.plan_id, sum(e.debit - e.credit) as balance from ledger_entry e where e.account in ${RECEIVABLES} and e.plan_id is not null group by e.plan_id) b on b.plan_id = p.id
    where p.outstanding <> coalesce(b.balance, 0)`,
  'a plan is paid what its payments posted': `
    select p.id from repay_plan p
    left join (
      select e.plan_id, sum(e.credit - e.debit) as paid from ledger_entry e
      where e.plan_id is not null and ((e.kind in ('repayment', 'coolingOffExit', 'reversal') and e.account in ${RECEIVABLES}) or (e.kind = 'rollover' and e.account = 'fineReceivable'))
      group by e.plan_id
    ) b on b.plan_id = p.id
    where p.paid_amount <> coalesce(b.paid, 0)`,
  'an order owes the sum of its plans': `
    select o.id from loan_order o
    left join (select p.order_id, sum(p.outstanding) as outstanding from repay_plan p group by p.order_id) s on s.order_id = o.id
    where o.outstanding <> coalesce(s.outstanding, 0)`,
  'the plans of an order sum to its contract': `
    select o.id from loan_order o
    join (select p.order_id, sum(p.principal) as principal, sum(p.interest) as interest from repay_plan p group by p.order_id) s on s.order_id = o.id
    where o.amount <> s.principal or o.interest <> s.interest`,
  'a repaid or ended loan owes nothing': `select o.id from loan_order o where o.status in (40, 41, 80, 100, 110) and o.outstanding <> 0`,
  'a running loan has plans and owes something': `select o.id from loan_order o where o.status in (30, 43, 50, 90) and o.outstanding = 0`,
  'money is lent only to orders that were disbursed': `
    select o.id from loan_order o
    where (o.status in (30, 40, 41, 43, 50, 80, 90, 100, 110)) <> (o.disbursed_at is not null and exists (select 1 from repay_plan p where p.order_id = o.id))`,
  'the close type follows from the status': `
    select o.id from loan_order o
    where o.close_type <> case when o.status in (40, 41) then 'repaidClosed' when o.status = 80 then 'extensionClosed' when o.status in (100, 110) then 'writeOffClosed' else 'notClosed' end
      or (o.closed_at is not null) <> (o.status in ${CLOSED})`,
  'nothing is posted on an order that has ended': `
    select e.txn_id as id from ledger_entry e join loan_order o on o.id = e.order_id
    where o.closed_at is not null and e.at > o.closed_at + interval '1 minute' and e.kind not in ('reversal', 'recovery', 'surplus')`,
  'every posting stands beside a line of the timeline or the operate log': `
    select e.txn_id as id from ledger_entry e
    where not exists (select 1 from order_status_log l where l.order_id = e.order_id and l.at >= e.at - interval '1 minute' and l.at <= e.at + interval '1 minute')
      and not exists (select 1 from operate_log g where g.target_kind = 'order' and g.target_id = e.order_id and g.time >= e.at - interval '1 minute' and g.time <= e.at + interval '1 minute')
      and not (e.kind = 'overdueFine' and exists (select 1 from order_status_log l where l.order_id = e.order_id and l.to_status = 50 and l.at <= e.at + interval '1 minute'))`,
  'an operational write-off blacklists': `select o.id from loan_order o where o.status = 100 and not exists (select 1 from blacklist b where b.customer_id = o.customer_id and b.source = 'operationalWriteOff')`,
  'the timeline of an order is one chain that ends at its status': `
    select distinct t.order_id as id from (
      select l.order_id, l.from_status, l.to_status, lag(l.to_status) over w as before, lead(l.to_status) over w as after, o.status
      from order_status_log l join loan_order o on o.id = l.order_id
      window w as (partition by l.order_id order by l.id)
    ) t where t.from_status is distinct from t.before or (t.after is null and t.to_status <> t.status)
    union
    select o.id from loan_order o where not exists (select 1 from order_status_log l where l.order_id = o.id)`,
  'an order has a transfer under way exactly while it is disbursing': `
    select o.id from loan_order o
    left join (select t.order_id, count(*) as under_way from payout_transfer t where t.pay_state = 'inProgress' group by t.order_id) t on t.order_id = o.id
    where coalesce(t.under_way, 0) <> case when o.status = 29 then 1 else 0 end`,
  'an order is paid out at most once': `select t.order_id as id from payout_transfer t where t.pay_state = 'success' group by t.order_id having count(*) > 1`,
  'a customer has one open order': `select o.customer_id as id from loan_order o where o.status not in ${CLOSED} group by o.customer_id having count(*) > 1`,
  'an order waits for manual review exactly while its review is open': `
    select o.id from loan_order o
    left join (select r.order_id, count(*) filter (where r.state in ${ON_DESK}) as open_reviews from review r group by r.order_id) r on r.order_id = o.id
    where (o.status = 22 and coalesce(r.open_reviews, 0) <> 1) or (o.status not in (10, 22) and coalesce(r.open_reviews, 0) > 0)`,
  'a held review has a holder and both clocks': `
    select r.id from review r
    where (r.state in ('toAudit', 'underReview')) <> (r.idle_until is not null and r.live_until is not null and r.reviewer_id is not null and r.token > 0)
      and (r.state in ('toAudit', 'underReview') or r.idle_until is not null or r.live_until is not null)`,
  'the token of a review only grows, and with every new holder': `
    select distinct t.review_id as id from (
      select l.review_id, l.token, l.holder_id, lag(l.token, 1, 0) over w as token_before, lag(l.holder_id) over w as holder_before
      from review_log l window w as (partition by l.review_id order by l.id)
    ) t where t.token < t.token_before or (t.holder_id is not null and t.holder_id is distinct from t.holder_before and t.token <= t.token_before)
    union
    select r.id from review r where r.token <> coalesce((select max(l.token) from review_log l where l.review_id = r.id), 0)`,
  'a claim goes from one person to another only by hand-over or take-over': `
    select distinct t.review_id as id from (
      select l.review_id, l.event, l.holder_id, lag(l.holder_id) over (partition by l.review_id order by l.id) as holder_before from review_log l
    ) t where t.holder_id <> t.holder_before and t.event not in ('HANDOVER_APPROVED', 'TAKE_OVER')`,
  'the log of a review ends at its state': `
    select r.id from review r
    left join lateral (select l.to_state from review_log l where l.review_id = r.id order by l.id desc limit 1) l on true
    where l.to_state is distinct from r.state`,
  'a review has at most one undecided hand-over, and only while it is held': `
    select r.id from review r
    left join (select h.review_id, count(*) as pending from review_handover h where h.state = 'pending' group by h.review_id) h on h.review_id = r.id
    where coalesce(h.pending, 0) <> case when r.handover_state = 'pending' then 1 else 0 end or (r.handover_state = 'pending' and r.state not in ('toAudit', 'underReview'))`,
  'published events are numbered without a gap': `
    select 'outbox' as id from (select count(*) as events, max(e.seq) - min(e.seq) + 1 as span, max(e.seq) as newest from outbox_event e where e.seq is not null) e, relay_state s
    where e.events > 0 and (e.events <> e.span or e.newest <> s.last_seq)`,
  'the operate log is unbroken': `select operate_log_broken_at()::text as id where operate_log_broken_at() is not null`,
}

/** All rules with the rows that break them, in one read-only snapshot. */
export async function checkInvariants(database: Database): Promise<InvariantResult[]> {
  return database.kysely.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(async (trx) => {
    const results: InvariantResult[] = []
    for (const [name, query] of Object.entries(INVARIANTS)) {
      const { rows } = await sql<{ violations: number; sample: string[] | null }>`
        select count(*)::int as violations, (array_agg(b.id order by b.id))[1:5] as sample from (${sql.raw(query)}) b`.execute(trx)
      const found = rows[0]
      results.push({ name, violations: found?.violations ?? 0, sample: found?.sample ?? [] })
    }
    return results
  })
}

/** Rules that are broken; what a test wants to be empty. */
export async function brokenInvariants(database: Database): Promise<InvariantResult[]> {
  return (await checkInvariants(database)).filter(({ violations }) => violations > 0)
}
