/** Who works now: the duty table read for the IST day of today. */
import { type RawBuilder, sql } from 'kysely'

export const TODAY = sql<string>`(clock_timestamp() at time zone 'Asia/Kolkata')::date`

/** Shift of a user (`column` holds his id) today; null without a row in the table. */
export function shiftToday(column: string): RawBuilder<string | null> {
  return sql<
    string | null
  >`(select s.days[extract(isodow from ${TODAY})::int] from duty_schedule s where s.user_id = ${sql.ref(column)} and s.week_start = date_trunc('week', ${TODAY})::date)`
}

/** On today's duty table with any shift. Nobody is on duty who was not put there. */
export function isOnDuty(column: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${shiftToday(column)} not in ('off', 'leave'), false)`
}

/** Signed in somewhere. */
export function isOnline(column: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from sys_session n where n.user_id = ${sql.ref(column)} and n.revoked_at is null and n.expires_at > clock_timestamp())`
}

/** An account that works: collectors use `normal`, others `enabled` (roles.md 5.2). */
export const IS_ENABLED = sql<boolean>`u.status in ('enabled', 'normal')`

/** An agency that may hold cases today: not locked, its agreement not over. */
export const AGENCY_WORKS = sql<boolean>`(a.status = 'enabled' and (a.term_end is null or a.term_end >= ${TODAY}))`

/** Certified as an agent (domain.md 1, rule 10). */
export const IS_CERTIFIED = sql<boolean>`(k.cert_no is not null and k.cert_expiry >= ${TODAY})`
