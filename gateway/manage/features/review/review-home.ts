/** Reviews on a person's home page. */
import { sql } from 'kysely'
import { reviewPath } from '#shared/review/review-path.ts'
import {
  countRows,
  goalOf,
  type HomePart,
  type NextWork,
} from '#gateway/manage/features/home/public.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { tabOf } from './review-queries.ts'
import { reviewsInScope } from './review-scope.ts'

const LIST = '/order_management/review_list'
const TODAYS = `${LIST}?tab=quality&finishTimeFrom={today}&finishTimeTo={today}`

const claims = ({ rights }: StaffActor): boolean => rights.permissions.has('review_list:claim')
const checks = ({ rights }: StaffActor): boolean => rights.permissions.has('review_list:quality')
const rowsOf = (tab: Parameters<typeof tabOf>[0], actor: StaffActor) =>
  sql`review r where ${reviewsInScope(actor)} and ${tabOf(tab, actor)}`

export const REVIEW_HOME: HomePart = {
  next: (actor) => [
    ...(claims(actor) ? ofReviewer(actor) : []),
    ...(checks(actor) ? toCheck(actor) : []),
  ],
  lane: (actor) =>
    claims(actor)
      ? [
          {
            kind: 'request',
            rows: sql`
              review_handover p join review r on r.id = p.review_id where p.state = 'pending'
                and p.to_user_id = ${actor.userId}`,
            at: 'p.expires_at',
            id: 'r.id',
            name: 'r.customer_name',
            target: (id) => reviewPath(id),
            list: `${LIST}?tab=handover`,
          },
        ]
      : [],
  figures: (actor) => {
    if (claims(actor)) {
      const decided = rowsOf('quality', actor)
      return [
        {
          key: 'decidedToday',
          rows: decided,
          at: 'r.finished_at',
          goal: goalOf('home.reviewsPerDay'),
          target: TODAYS,
        },
        {
          key: 'averageTime',
          rows: sql`${decided} and r.opened_at is not null and r.decided_at is not null`,
          at: 'r.finished_at',
          amount: sql`extract(epoch from r.decided_at - r.opened_at)::int`,
          goal: intParameter('review.targetSeconds'),
          target: TODAYS,
        },
        {
          key: 'passedShare',
          rows: decided,
          at: 'r.finished_at',
          amount: sql`case when r.manual_result = 'passed' then 10000 else 0 end`,
          target: TODAYS,
        },
      ]
    }
    if (!checks(actor)) return []
    const checked = sql`review r where r.quality_by = ${actor.userId} and r.quality in ('pass', 'fail')`
    return [
      {
        key: 'checkedToday',
        rows: checked,
        at: 'r.quality_at',
        goal: goalOf('home.checksPerDay'),
        target: `${LIST}?tab=quality`,
      },
      {
        key: 'faultShare',
        rows: checked,
        at: 'r.quality_at',
        amount: sql`case when r.quality = 'fail' then 10000 else 0 end`,
        target: `${LIST}?tab=quality&quality=fail`,
      },
      {
        key: 'decidedToday',
        rows: rowsOf('quality', actor),
        at: 'r.finished_at',
        target: TODAYS,
      },
    ]
  },
  arrivals: (actor) =>
    claims(actor)
      ? [
          {
            key: 'reviewsQueued',
            rows: rowsOf('queue', actor),
            at: 'r.queued_at',
            target: `${LIST}?tab=queue`,
          },
          {
            key: 'faultsFound',
            rows: sql`review r where r.reviewer_id = ${actor.userId} and r.quality = 'fail'`,
            at: 'r.quality_at',
            target: `${LIST}?tab=quality&quality=fail`,
          },
        ]
      : [],
}

function ofReviewer(actor: StaffActor): NextWork[] {
  const [queue, mine] = [rowsOf('queue', actor), rowsOf('mine', actor)]
  const offered = sql`
    review_handover p where p.state = 'pending' and p.to_user_id = ${actor.userId}`
  return [
    {
      key: 'handover',
      count: countRows(offered),
      time: sql`(select min(p.expires_at) from ${offered})`,
      target: `${LIST}?tab=handover`,
    },
    {
      key: 'ownReview',
      count: countRows(mine),
      time: sql`(select min(least(r.idle_until, r.live_until)) from ${mine})`,
      id: sql`(select r.id from ${mine} order by r.claimed_at, r.id limit 1)`,
      target: (id) => reviewPath(id),
    },
    {
      key: 'review',
      count: countRows(queue),
      time: sql`(select min(r.queued_at) from ${queue})`,
      target: `${LIST}?tab=queue`,
    },
  ]
}

function toCheck(actor: StaffActor): NextWork[] {
  const rows = sql`${rowsOf('quality', actor)} and r.quality = 'notChecked'`
  return [
    {
      key: 'check',
      count: countRows(rows),
      time: sql`(select min(r.finished_at) from ${rows})`,
      id: sql`(select r.id from ${rows} order by r.finished_at, r.id limit 1)`,
      target: (id) => reviewPath(id),
    },
  ]
}
