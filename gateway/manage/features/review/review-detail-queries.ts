/** One review with everything the workspace needs: one statement, plus the customer's sections. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type {
  listReviewers,
  reviewColleagues as colleaguesCall,
  reviewDetail as detailCall,
} from '#shared/review/review-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { reviewsInScope } from './review-scope.ts'
import { customerSections } from '#gateway/manage/features/customers/public.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { allowedEvents } from './allowed-events.ts'
import { ON_DUTY } from '#gateway/manage/kernel/claims/claim-table.ts'
import { CAPACITY, IS_REVIEWER } from './claims/capacity.ts'
import { PENDING_HANDOVER, REVIEW_JSON, type ReviewRow } from './review-row.ts'

type Detail = DataOf<typeof detailCall>

type Stored = {
  row: ReviewRow
  more: Omit<Detail['review'], keyof ReviewRow>
  is_held: boolean
  handover_requester: string | null
} & Omit<Detail, 'review' | 'customer' | 'allowed'>

const MORE = sql<Stored['more']>`json_build_object(
  'remark', r.remark, 'checklist', r.checklist, 'teleAnswers', r.tele_answers,
  'teleAttempts', case
    when r.tele_day = (clock_timestamp() at time zone 'Asia/Kolkata')::date then r.tele_attempts else 0 end,
  'dataItems', r.data_items, 'dataMessage', r.data_message, 'dataUntil', ${isoTime('r.data_until')},
  'qualityBy', r.quality_by_name, 'qualityById', r.quality_by, 'qualityRemark', r.quality_remark,
  'qualityTime', ${isoTime('r.quality_at')},
  'appealReason', r.appeal_reason, 'appealDecideReason', r.appeal_decide_reason,
  'openTime', ${isoTime('r.opened_at')}, 'retryCount', r.retry_count, 'demands', r.demands)`

const ORDER = sql<Detail['order']>`json_build_object(
  'orderId', o.id, 'status', o.status, 'amount', o.amount, 'tenureDays', o.tenure_days,
  'term', o.term, 'isEmi', coalesce(jsonb_typeof(o.product_snapshot -> 'emi') = 'object', false),
  'tags', o.tags, 'productName', p.name,
  'createTime', ${isoTime('o.created_at')}, 'version', o.version)`

const HISTORY = sql<Detail['history']>`coalesce((
  select json_agg(json_build_object('time', ${isoTime('l.at')}, 'event', l.event, 'from', l.from_state,
    'to', l.to_state, 'by', l.by_name, 'note', l.note) order by l.at, l.id)
  from review_log l where l.review_id = r.id), '[]')`

const PREVIOUS = sql<Detail['previous']>`coalesce((
  select json_agg(json_build_object('reviewId', e.id, 'orderId', e.order_id, 'state', e.state,
    'manualResult', e.manual_result, 'rejectCode', e.reject_code, 'reviewerName', e.reviewer_name,
    'finishTime', ${isoTime('e.finished_at')}) order by e.id desc)
  from (select v.id, v.order_id, v.state, v.manual_result, v.reject_code, v.reviewer_name, v.finished_at
    from review v where v.customer_id = r.customer_id and v.id <> r.id order by v.id desc
    limit 20) e), '[]')`

const CHECKS = sql<Detail['checks']>`coalesce((
  select json_agg(json_build_object('kind', x.kind, 'state', x.state, 'vendorName', v.name,
    'time', ${isoTime('x.tried_at')}, 'identity', case when x.kind = 'kyc' then x.answer end,
    'bureau', case when x.kind = 'bureau' then x.answer end) order by x.kind desc)
  from applicant_check x left join tp_vendor v on v.code = x.vendor_code
  where x.review_id = r.id), '[]')`

/** @throws Problem G404 when it is missing or outside the caller's scope */
export async function reviewDetail(db: Db, actor: StaffActor, reviewId: string): Promise<Detail> {
  const { rows } = await sql<Stored>`
    select ${REVIEW_JSON} as row, ${MORE} as more, ${ORDER} as "order", r.machine_report as machine,
      ${HISTORY} as history, ${PREVIOUS} as previous, ${CHECKS} as checks, h.requested_by as handover_requester,
      coalesce(least(r.idle_until, r.live_until) > clock_timestamp(), false) as is_held,
      ${intParameter('review.nameSimilarity')} as "nameSimilarityMin",
        ${intParameter('review.targetSeconds')} as "targetSeconds",
        ${intParameter('review.idleMinutes')} * 60 as "idleSeconds"
    from review r
    join loan_order o on o.id = r.order_id
    join product p on p.id = o.product_id
    ${PENDING_HANDOVER}
    where r.id = ${reviewId} and ${reviewsInScope(actor)}`.execute(db)
  const stored = rows[0]
  if (!stored) throw new Problem(NOT_FOUND)
  const { row, more, is_held: isHeld, handover_requester: handoverRequester, ...rest } = stored
  const review = { ...row, ...more }
  const customer = await customerSections(db, actor, row.userId)
  return {
    review,
    customer,
    allowed: allowedEvents(actor, review, { isHeld, handoverRequester }),
    ...rest,
    checks: customer.kyc === null ? [] : rest.checks,
  }
}

/** Whether `u` has an active session. */
const IS_ONLINE: RawBuilder<boolean> = sql<boolean>`
  exists (select 1 from sys_session s where s.user_id = u.id and s.revoked_at is null
    and s.expires_at > clock_timestamp())`

/**
 * Everyone who ever held a review, read by jumping from one holder to the next in the index of
 * holders: a scan of all reviews would grow with the book.
 */
const EVER_REVIEWED: RawBuilder<string> = sql<string>`
  with recursive holder (id) as (
    (select min(r.reviewer_id) from review r)
    union all
    select (select min(r.reviewer_id) from review r where r.reviewer_id > h.id)
    from holder h where h.id is not null
  )
  select h.id from holder h where h.id is not null`

/**
 * Current reviewers, and everybody who ever held or decided a review, because lists go back in
 * time.
 */
export async function findReviewers(db: Db): Promise<DataOf<typeof listReviewers>> {
  const { rows } = await sql<DataOf<typeof listReviewers>[number]>`
    select u.id as "userId", u.user_name as "userName"
    from sys_user u join sys_role g on g.id = u.role_id
    where (${IS_REVIEWER} and g.unique_mark <> 'administrator')
      or u.id in (${EVER_REVIEWED})
    order by lower(u.user_name), u.id`.execute(db)
  return rows
}

/** Reviewers on duty except the caller; administrators have every code but are not reviewers. */
export async function reviewColleagues(
  db: Db,
  actor: StaffActor,
): Promise<DataOf<typeof colleaguesCall>> {
  const { rows } = await sql<DataOf<typeof colleaguesCall>[number]>`
    select u.id as "userId", u.user_name as "userName", u.account, ${IS_ONLINE} as online,
      ${CAPACITY} as capacity,
      (select count(*)::int from review c where c.reviewer_id = u.id
        and c.state in ('toAudit', 'underReview')) as held
    from sys_user u join sys_role g on g.id = u.role_id
    where ${ON_DUTY} and ${IS_REVIEWER} and g.unique_mark <> 'administrator' and u.id <> ${actor.userId}
    order by online desc, held, lower(u.user_name), u.id`.execute(db)
  return rows
}
