/**
 * The review list: rows, total, tab counts and figures in one statement, as JSON by the database.
 */
import { type RawBuilder, sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, TOTAL_CAP } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import {
  type listReviews as listCall,
  type REVIEW_TABS,
  TAB_SORTS,
} from '#shared/review/review-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { customersNamed } from '#gateway/manage/features/customers/public.ts'
import { listedReviews, reviewsInScope } from './review-scope.ts'
import { JsonText } from '#gateway/manage/kernel/answer.ts'
import { countedTo, isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { HELD, IS_QUEUED, OLDEST_TIME, REVIEWERS_ONLINE, seesQueue } from './queue-stats.ts'
import { PENDING_HANDOVER, REVIEW_JSON } from './review-row.ts'

type ListInput = InputOf<typeof listCall>
type Tab = (typeof REVIEW_TABS)[number]

/** Each default order has an index: the queue in claim order, the rest newest first. */
const DEFAULT_ORDER = {
  queue: 'r.priority desc, r.queued_at, r.id',
  mine: 'r.claimed_at, r.id',
  all: 'r.id desc',
  handover: 'r.id',
  quality: 'r.id desc',
} as const satisfies Record<Tab, string>

const SORTABLE: Record<string, string> = {
  // an expression: the tab's few reviews are found and sorted, not all reviews walked by their ids
  reviewId: "(r.id || '')",
  orderId: 'r.order_id',
  userId: 'r.customer_id',
  userName: 'r.customer_name',
  customerClass: 'r.customer_class',
  amount: 'r.amount',
  state: 'r.state',
  priority: 'r.priority',
  machineState: 'r.machine_state',
  machineTime: 'r.machine_at',
  machineIntervalSec: 'r.machine_interval_sec',
  manualResult: 'r.manual_result',
  reviewerName: 'r.reviewer_name',
  rejectCode: 'r.reject_code',
  teleCallState: 'r.tele_call_state',
  nameSimilarity: 'r.name_similarity',
  quality: 'r.quality',
  qualityCode: 'r.quality_code',
  queuedTime: 'r.queued_at',
  claimTime: 'r.claimed_at',
  finishTime: 'r.finished_at',
  leaseUntil: 'least(r.idle_until, r.live_until)',
}

export async function reviewList(db: Db, actor: StaffActor, input: ListInput): Promise<JsonText> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const skip = ((input.pageNum ?? 1) - 1) * size
  const cap = countedTo(input)
  const filters = filtersOf(input)
  const scope = input.tab === 'all' ? listedReviews(actor) : reviewsInScope(actor)
  const where = sql.join([tabOf(input.tab, actor), scope, ...filters], sql` and `)
  const order = orderOf(input)
  const isWholeQueue =
    cap === TOTAL_CAP && input.tab === 'queue' && filters.length === 0 && seesQueue(actor)
  const count = isWholeQueue
    ? sql`select q.n from queue q`
    : sql`
      select count(*)::int as n from (select from review r where ${where} limit ${cap + 1}) t`
  const queued = seesQueue(actor) ? sql`least(q.n, ${TOTAL_CAP}::int)` : sql`0`
  const { rows } = await sql<{ answer: string }>`
    with queue as materialized (
      select count(*)::int as n from (select from review r where ${IS_QUEUED} limit ${TOTAL_CAP + 1}) t
    ), counted as (
      ${count}
    ), today as materialized (
      select date_trunc('day', clock_timestamp() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata'
        as began
    ), done as (
      -- both ends: a range open at one end counts as a third of the book, and would be read whole
      select count(*)::int as n, avg(extract(epoch from r.decided_at - r.opened_at)) as seconds
      from review r
      where r.manual_result is not null and r.finished_at >= (select d.began from today d)
        and r.finished_at < (select d.began + interval '1 day' from today d)
    )
    select json_build_object(
      'rows', coalesce((
        select json_agg(p.row)
        from (
          select ${REVIEW_JSON} as row
          from review r ${PENDING_HANDOVER}
          where ${where}
          order by ${order}
          limit ${size} offset ${skip}) p), '[]'),
      'total', least(c.n, ${cap}::int), 'totalCapped', c.n > ${cap}, 'asOf', ${isoTime('clock_timestamp()')},
      'counts', json_build_object(
        'queue', ${queued}, 'mine', ${countOf('mine', actor)},
        'handover', ${countOf('handover', actor)}, 'quality', ${countOf('quality', actor)}),
      'stats', json_build_object(
        'waiting', least(q.n, ${TOTAL_CAP}::int), 'oldestTime', ${OLDEST_TIME}, 'held', ${HELD},
        'reviewersOnline', ${REVIEWERS_ONLINE}, 'doneToday', d.n,
        'averageSec', round(d.seconds)::int,
        'lastArrivalTime', (select ${isoTime('max(r.queued_at)')} from review r),
        'maxClaimed', ${intParameter('review.maxClaimed')})
    )::text as answer
    from counted c, done d, queue q`.execute(db)
  return new JsonText((rows[0] as { answer: string }).answer)
}

/** The rows of a tab within the caller's scope. */
export function tabOf(tab: Tab, actor: StaffActor): RawBuilder<boolean> {
  switch (tab) {
    case 'queue':
      return IS_QUEUED
    case 'mine':
      return sql<boolean>`(r.reviewer_id = ${actor.userId} and r.state in ('toAudit', 'underReview'))`
    case 'all':
      return sql<boolean>`true`
    case 'handover':
      return handoversOf(actor)
    case 'quality':
      return qualityOf(actor)
  }
}

/** Users who see every review see all pending hand-overs, others those they participate in. */
function handoversOf(actor: StaffActor): RawBuilder<boolean> {
  const mine =
    actor.rights.scope === 'all'
      ? sql``
      : sql`and ${actor.userId} in (p.to_user_id, p.from_user_id)`
  return sql<boolean>`
    (r.handover_state = 'pending' and r.id in (select p.review_id from review_handover p
      where p.state = 'pending' ${mine}))`
}

/** Inspectors and leaders see decisions by people, a reviewer their own. */
function qualityOf(actor: StaffActor): RawBuilder<boolean> {
  const isChecker =
    actor.rights.scope === 'all' || actor.rights.permissions.has('review_list:quality')
  const own = isChecker ? sql`` : sql`and r.reviewer_id = ${actor.userId}`
  return sql<boolean>`(r.state in ('audited', 'passed', 'failed') and r.manual_result is not null ${own})`
}

function countOf(tab: Tab, actor: StaffActor): RawBuilder<number> {
  return sql<number>`
    (select count(*)::int from (select from review r where ${tabOf(tab, actor)} and ${reviewsInScope(actor)}
      limit ${TOTAL_CAP}) t)`
}

function filtersOf(input: ListInput): RawBuilder<boolean>[] {
  const filters: RawBuilder<boolean>[] = []
  const equal = (column: string, value: string | undefined) => {
    if (value !== undefined) filters.push(sql<boolean>`${sql.raw(column)} = ${value}`)
  }
  equal('r.id', input.reviewId)
  equal('r.order_id', input.orderId)
  equal('r.customer_id', input.userId)
  equal('r.machine_state', input.machineState)
  equal('r.reject_code', input.rejectCode)
  equal('r.reviewer_id', input.reviewerId)
  equal('r.manual_result', input.result)
  equal('r.quality', input.quality)
  equal('r.quality_class', input.qualityClass)
  equal('r.tele_call_state', input.teleCallState)
  // the few with a demand are found by their own index
  if (input.demand !== undefined)
    filters.push(sql<boolean>`(r.demands <> '{}' and ${input.demand} = any(r.demands))`)
  if (input.userName !== undefined)
    filters.push(sql<boolean>`r.customer_id = ${customersNamed(input.userName)}`)
  if (input.state !== undefined)
    filters.push(sql<boolean>`r.state = any(${input.state.split(',')})`)
  const ranges = [
    ['r.queued_at', '>=', input.queuedTimeFrom],
    ['r.queued_at', '<=', input.queuedTimeTo],
    ['r.finished_at', '>=', input.finishTimeFrom],
    ['r.finished_at', '<=', input.finishTimeTo],
    ['r.decided_at', '>=', input.decidedTimeFrom],
    ['r.decided_at', '<=', input.decidedTimeTo],
    ['r.quality_at', '>=', input.checkedTimeFrom],
    ['r.quality_at', '<=', input.checkedTimeTo],
  ] as const
  for (const [column, compare, value] of ranges)
    if (value !== undefined)
      filters.push(sql<boolean>`${sql.raw(`${column} ${compare}`)} ${value}::timestamptz`)
  return filters
}

/**
 * Of the tabs that hold all reviews: each pair is one index read forwards and backwards, so reviews
 * without the time come first in one direction and last in the other.
 */
const WHOLE_ORDER: Record<string, Record<'asc' | 'desc', string>> = {
  reviewId: { asc: 'r.id', desc: 'r.id desc' },
  queuedTime: {
    asc: 'r.queued_at, r.id',
    desc: 'r.queued_at desc, r.id desc',
  },
  finishTime: {
    asc: 'r.finished_at nulls first, r.id desc',
    desc: 'r.finished_at desc nulls last, r.id',
  },
}

/** @throws Problem G-FIELD for a field the tab is not sorted by */
function orderOf({ sort, tab }: ListInput): RawBuilder<unknown> {
  if (sort === undefined) return sql.raw(DEFAULT_ORDER[tab])
  const unknown = (): Problem => new Problem(INVALID_FIELDS, {}, { fields: { sort: 'unknown' } })
  // the contract's pattern allows nothing else
  const terms = sort.split(',').map((term) => term.split(':') as [string, 'asc' | 'desc'])
  const sorts = TAB_SORTS[tab]
  if (sorts !== undefined) {
    const [[field, direction] = ['', 'asc' as const], ...others] = terms
    const order = sorts.includes(field) && others.length === 0 ? WHOLE_ORDER[field] : undefined
    if (order === undefined) throw unknown()
    return sql.raw(order[direction])
  }
  const columns = terms.map(([field, direction]) => {
    const column = Object.hasOwn(SORTABLE, field) ? SORTABLE[field] : undefined
    if (column === undefined) throw unknown()
    return `${column} ${direction} nulls last`
  })
  // the queue is found before it is sorted: in the order of an index the planner walks the past for it
  const found = tab === 'queue' ? ["(r.state <> 'unclaimed')"] : []
  return sql.raw([...found, ...columns, 'r.id'].join(', '))
}
