/** Queue figures as SQL over all reviews, shared by the list's counters and the event. */
import { sql } from 'kysely'
import { TOTAL_CAP } from '#shared/kernel/page.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { IS_REVIEWER } from './claims/capacity.ts'

/** Claimable now; the review of a cancelled order has a finish time. */
export const IS_QUEUED = sql<boolean>`r.state = 'unclaimed'`

export const WAITING = sql<number>`
  (select count(*)::int from (select from review r where ${IS_QUEUED} limit ${TOTAL_CAP}) w)`
export const OLDEST_TIME = sql<
  string | null
>`(select ${isoTime('min(r.queued_at)')} from review r where ${IS_QUEUED})`
export const HELD = sql<number>`(select count(*)::int from review r where r.idle_until is not null)`
/** Signed-in reviewers; administrators have every code but are not reviewers. */
export const REVIEWERS_ONLINE = sql<number>`
  (select count(distinct s.user_id)::int from sys_session s join sys_user u on u.id = s.user_id
    join sys_role g on g.id = u.role_id
  where s.revoked_at is null and s.expires_at > clock_timestamp() and g.unique_mark <> ${ADMINISTRATOR}
    and ${IS_REVIEWER})`

/** Whether the caller's scope contains the queue; a scope contains all of it or nothing. */
export function seesQueue({ rights }: StaffActor): boolean {
  return (
    rights.scope === 'all' ||
    (rights.scope === 'queue' && !rights.permissions.has('review_list:quality'))
  )
}
