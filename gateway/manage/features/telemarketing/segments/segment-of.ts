/** The segment a customer is in, and whether they reached the goal of an open task. */
import { sql } from 'kysely'
import { ORDER_STATUS } from '#shared/orders/order-statuses.ts'
import type { Segment } from '#shared/telemarketing/tele-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

export interface SegmentFacts {
  segment: Segment | null
  lossAt: string | null
  orderId: string | null
  blacklisted: boolean
  /** Of the customer's open task: its goal was reached since the loss. */
  isReached: boolean
}

const { disbursementFailed: FAILED, repaid: REPAID, repaidWithReduction: REDUCED } = ORDER_STATUS
/** An application or a loan that still runs. */
const LIVE = [10, 20, 22, 26, 29, 30, 43, 50, 90]

/**
 * The segment `s` of a customer `c`, the first that holds: a payout that failed; nothing while an
 * application or a loan runs; never certified; credit and a repaid last loan; credit and no loan
 * paid out yet. Blacklisted customers are in none.
 */
export const SEGMENT_JOINS = sql`
    left join lateral (select f.id, f.updated_at from loan_order f
      where f.customer_id = c.id and f.status = ${sql.lit(FAILED)}
      order by f.created_at desc limit 1) failed on true
    left join lateral (select q.state, q.created_at from credit_grant q
      where q.customer_id = c.id order by q.created_at desc, q.id desc limit 1) credit on true
    left join lateral (select p.id, p.status, p.closed_at from loan_order p
      where p.customer_id = c.id order by p.created_at desc, p.id desc limit 1) newest on true
    cross join lateral (
      select exists (select 1 from loan_order l where l.customer_id = c.id
          and l.status in (${sql.raw(LIVE.join(', '))})) as is_live,
        exists (select 1 from loan_order l
          where l.customer_id = c.id and l.disbursed_at is not null) as has_borrowed
    ) book
    left join lateral (
      select * from (values
        (1, 'loan_failed', failed.id is not null,
          coalesce((select max(g.at) from order_status_log g
            where g.order_id = failed.id and g.to_status = ${sql.lit(FAILED)}), failed.updated_at),
          failed.id),
        (2, null, book.is_live, null, null),
        (3, 'no_certified', not c.certified, c.registered_at, null),
        (4, 'no_relented', credit.state = 'passed'
          and newest.status in (${sql.lit(REPAID)}, ${sql.lit(REDUCED)}), newest.closed_at, newest.id),
        (5, 'unrequished', credit.state = 'passed' and not book.has_borrowed,
          credit.created_at, newest.id)
      ) as w (place, segment, holds, loss_at, order_id)
      where w.holds and not c.blacklisted order by w.place limit 1
    ) s on true`

export async function segmentFactsOf(db: Db, customerId: string): Promise<SegmentFacts | null> {
  const { rows } = await sql<SegmentFacts>`
    select c.blacklisted, s.segment, s.loss_at as "lossAt", s.order_id as "orderId",
      case t.segment
        when 'no_certified' then c.certified
        when 'loan_failed' then exists (select 1 from loan_order d
          where d.id = t.order_id and d.disbursed_at is not null)
        else exists (select 1 from loan_order n
          where n.customer_id = c.id and n.created_at > t.loss_at and n.from_order_id is null)
      end is true as "isReached"
    from customer c
    left join tele_task t on t.customer_id = c.id and t.closed_at is null
    ${SEGMENT_JOINS}
    where c.id = ${customerId}`.execute(db)
  return rows[0] ?? null
}
