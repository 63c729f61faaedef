/** Who works now: the duty table for today's IST day. */
import { type RawBuilder, sql } from 'kysely'

export const TODAY = sql<string>`(clock_timestamp() at time zone 'Asia/Kolkata')::date`

/** Today's shift of a user (`column` is their id); null without a row in the table. */
export function shiftToday(column: string): RawBuilder<string | null> {
  return sql<string | null>`
    (
      select s.days[extract(isodow from ${TODAY})::int]
      from duty_schedule s
      where s.user_id = ${sql.ref(column)} and s.week_start = date_trunc('week', ${TODAY})::date
    )`
}

/** Has any shift on today's duty table. A person without a row is not on duty. */
export function isOnDuty(column: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${shiftToday(column)} not in ('off', 'leave'), false)`
}

/** Has a session. */
export function isOnline(column: string): RawBuilder<boolean> {
  return sql<boolean>`
    exists (select 1 from sys_session n where n.user_id = ${sql.ref(column)} and n.revoked_at is null
      and n.expires_at > clock_timestamp())`
}

/** An active account: collectors use `normal`, others `enabled`. */
export const IS_ENABLED = sql<boolean>`u.status in ('enabled', 'normal')`

/** An agency that may have cases today: not locked, and its agreement not over. */
export const AGENCY_WORKS = sql<boolean>`
  (a.status = 'enabled' and (a.term_end is null or a.term_end >= ${TODAY}))`

/** Has a valid agent's certificate. */
export const IS_CERTIFIED = sql<boolean>`(k.cert_no is not null and k.cert_expiry >= ${TODAY})`
