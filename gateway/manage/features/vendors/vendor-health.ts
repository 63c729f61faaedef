/** The health of configurations: a part of their rows, and published live to those who view them. */
import { sql } from 'kysely'
import { VENDOR_HEALTH } from '#shared/vendors/vendors-live.ts'
import { SERVICE_ROOMS } from '#gateway/manage/vendors/service-rooms.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'

/** Of configuration `c`: its breaker `h` and the calls `w` of the last hour, at most 500. */
export const HEALTH_JOINS = sql`
  left join tp_health h on h.cfg_id = c.id
  left join lateral (
    select count(*)::int as attempts, count(*) filter (where r.outcome = 'ok')::int as ok,
      percentile_disc(0.95) within group (order by r.ms)::int as p95
    from (select a.outcome, a.ms from tp_attempt a
      -- a sub-select: with the clock itself the index would be walked to the first call ever made
      where a.cfg_id = c.id and a.at > (select clock_timestamp() - interval '1 hour')
      order by a.at desc limit 500) r
  ) w on true`
export const HEALTH = sql`
  coalesce(h.state, 'closed') as breaker, w.attempts,
  case when w.attempts > 0 then (w.ok::bigint * 10000 / w.attempts)::int end as "successRate", w.p95,
  h.last_error as "lastError", ${isoTime('h.last_error_at')} as "lastErrorTime",
  case when h.state = 'open' then ${isoTime('h.retry_at')} end as "retryTime"`

const NAME = 'vendorHealth'

/** Publishes the health of configurations that were called since it was last published. */
export const vendorHealth: ScheduledClass = {
  name: NAME,
  cycle: 'every:5',
  async run(context) {
    // no row of a person's changes, so this needs neither a transaction nor an audit line
    const { rows } = await sql`
      with due as (
        update tp_health u set told_at = clock_timestamp()
        where exists (select from tp_attempt a where a.cfg_id = u.cfg_id and a.at > u.told_at)
        returning u.cfg_id
      ), told as (
        select c.id as "cfgId", ${HEALTH}
        from due join tp_cfg c on c.id = due.cfg_id ${HEALTH_JOINS}
      )
      insert into outbox_event (type, subject, rooms, data, actor_name)
      select ${VENDOR_HEALTH.type}, 'configuration:' || t."cfgId", ${[...SERVICE_ROOMS]}::text[],
        to_jsonb(t), ${NAME} from told t returning id`.execute(context.database.kysely)
    if (rows.length > 0) context.wakeRelay()
    return { updated: rows.length }
  },
}
