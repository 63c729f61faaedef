/** Manual reviews: who holds one, and its log. */
import type { Invariants } from '#gateway/manage/db/invariant.ts'

/** States of a review whose order waits for a person. */
const ON_DESK = `('unclaimed', 'toAudit', 'underReview', 'dataModifiable', 'manualCheck', 'audited', 'abnormal')`
/** The machine judges it again after an error, and passes it to a person whatever the result. */
const RUNS_AGAIN = `(r.state = 'initial' and r.finished_at is null and r.retry_count > 0)`

export const REVIEW_INVARIANTS: Invariants = {
  R01: [
    'an order waits for manual review exactly while its review is open',
    `
    select o.id from loan_order o
    left join (select r.order_id, count(*) filter (where r.state in ${ON_DESK} or ${RUNS_AGAIN}) as open_reviews
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
}
