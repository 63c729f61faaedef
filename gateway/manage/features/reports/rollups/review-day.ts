import { type RawBuilder, sql } from 'kysely'
import { type Days, onDays } from '#gateway/manage/kernel/ist-days.ts'
import type { Rollup } from '../rollup-types.ts'

/** Work of reviewers, and how the queue runs through the day. */
export const reviewDay: Rollup = {
  name: 'reviewDay',
  menus: ['review_report'],
  extent: sql`
    select ist_day(min(r.created_at))::text as first,
      ist_day(greatest(max(r.queued_at), max(r.decided_at), max(r.quality_at)))::text as last
    from review r`,
  tables: [
    {
      name: 'report_review_day',
      keys: ['day', 'reviewer_id'],
      measures: [
        'claimed',
        'decided',
        'passed',
        'timed',
        'seconds',
        'expired',
        'handovers',
        'asked',
        'checked',
        'quality_passed',
        'wrong_rejections',
        'wrong_passes',
        'other_mistakes',
      ],
      rows: (days) => sql`
        select e.day, e.reviewer_id,
          ${counted('claimed', 'claimed')}, ${counted('decided', 'decided')},
          count(*) filter (where e.what = 'decided' and e.detail = 'passed')::int as passed,
          count(e.seconds)::int as timed,
          coalesce(sum(e.seconds), 0)::bigint as seconds,
          ${counted('expired', 'expired')}, ${counted('handedOver', 'handovers')},
          ${counted('asked', 'asked')}, ${counted('checked', 'checked')},
          count(*) filter (where e.what = 'checked' and e.detail = 'pass')::int as quality_passed,
          ${mistakes('wrongRejection', 'wrong_rejections')}, ${mistakes('wrongPass', 'wrong_passes')},
          ${mistakes('other', 'other_mistakes')}
        from (${eventsOn(days)}) e
        where e.reviewer_id is not null
        group by 1, 2`,
    },
    {
      name: 'report_reject_day',
      keys: ['day', 'reviewer_id', 'code'],
      measures: ['rejections'],
      rows: (days) => sql`
        select ist_day(r.decided_at) as day, coalesce(r.reviewer_id, '') as reviewer_id, r.reject_code as code,
          count(*)::int as rejections
        from review r
        where ${onDays('r.decided_at', days)} and r.manual_result = 'failed'
          and r.reject_code is not null
        group by 1, 2, 3`,
    },
    {
      name: 'report_review_hour',
      keys: ['day', 'hour', 'reviewer_id'],
      measures: ['queued', 'decided', 'longest_wait'],
      rows: (days) => sql`
        select ist_day(e.at) as day, extract(hour from e.at at time zone 'Asia/Kolkata')::int as hour,
          b.reviewer_id,
          count(*) filter (where e.what = 'queued')::int as queued,
          count(*) filter (where e.what = 'decided')::int as decided,
          coalesce(max(e.wait), 0)::int as longest_wait
        from (
          select r.queued_at as at, 'queued' as what, null::text as reviewer_id, null::numeric as wait
          from review r
          where ${onDays('r.queued_at', days)}
          union all
          select r.claimed_at, 'claimed', r.reviewer_id,
            greatest(0, floor(extract(epoch from r.claimed_at - r.queued_at)))
          from review r
          where ${onDays('r.claimed_at', days)}
          union all
          select r.decided_at, 'decided', r.reviewer_id, null
          from review r
          where ${onDays('r.decided_at', days)}
        ) e
        -- once for all reviewers together, and once for the one it belongs to
        cross join lateral (values (''), (e.reviewer_id)) b (reviewer_id)
        where b.reviewer_id is not null
        group by 1, 2, 3`,
    },
  ],
}

/** What reviewers did; a lease that ran out belongs to who held it before. */
function eventsOn(days: Days): RawBuilder<unknown> {
  return sql`
    select ist_day(l.at) as day,
      case l.event when 'LEASE_EXPIRED' then (
          select h.holder_id from review_log h
          where h.review_id = l.review_id and h.id < l.id
          order by h.id desc
          limit 1)
        when 'REQUEST_DATA' then l.by_user_id
        else l.holder_id end as reviewer_id,
      case l.event when 'LEASE_EXPIRED' then 'expired' when 'REQUEST_DATA' then 'asked'
        else 'claimed' end as what,
      null::text as detail, null::bigint as seconds
    from review_log l
    where ${onDays('l.at', days)} and l.event in ('CLAIM', 'ASSIGN', 'LEASE_EXPIRED', 'REQUEST_DATA')
    union all
    select ist_day(r.decided_at), r.reviewer_id, 'decided', r.manual_result,
      floor(extract(epoch from r.decided_at - r.opened_at))::bigint
    from review r
    where ${onDays('r.decided_at', days)}
    union all
    select ist_day(h.created_at), h.from_user_id, 'handedOver', null, null
    from review_handover h
    where ${onDays('h.created_at', days)}
    union all
    select ist_day(r.quality_at), r.reviewer_id, 'checked',
      case r.quality when 'pass' then 'pass' else coalesce(r.quality_class, 'other') end, null
    from review r
    where ${onDays('r.quality_at', days)} and r.quality in ('pass', 'fail')`
}

function counted(what: string, column: string): RawBuilder<unknown> {
  return sql`count(*) filter (where e.what = ${sql.lit(what)})::int as ${sql.ref(column)}`
}

function mistakes(kind: string, column: string): RawBuilder<unknown> {
  return sql`
    count(*) filter (where e.what = 'checked' and e.detail = ${sql.lit(kind)})::int as ${sql.ref(column)}`
}
