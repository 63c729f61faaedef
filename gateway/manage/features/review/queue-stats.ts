/** Figures of the queue, as SQL over the whole desk: the counters of the list and of the event are the same ones. */
import { sql } from 'kysely'
import { TOTAL_CAP } from '#shared/kernel/page.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { IS_REVIEWER } from './claims/capacity.ts'

/** Claimable now: the review of a cancelled order has a finish time. */
export const IS_QUEUED = sql<boolean>`r.state = 'unclaimed'`

export const WAITING = sql<number>`(select count(*)::int from (select from review r where ${IS_QUEUED} limit ${TOTAL_CAP}) w)`
export const OLDEST_TIME = sql<
  string | null
>`(select ${isoTime('min(r.queued_at)')} from review r where ${IS_QUEUED})`
export const HELD = sql<number>`(select count(*)::int from review r where r.idle_until is not null)`
/** People with a running session whose role claims reviews; the administrator holds every code without being one of them. */
export const REVIEWERS_ONLINE = sql<number>`(select count(distinct s.user_id)::int from sys_session s join sys_user u on u.id = s.user_id join sys_role g on g.id = u.role_id
  where s.revoked_at is null and s.expires_at > clock_timestamp() and g.unique_mark <> ${ADMINISTRATOR} and ${IS_REVIEWER})`

/** Whether what is claimable lies in the caller's scope as a whole; it does or nothing of it does (roles.md 3). */
export function seesQueue({ rights }: StaffActor): boolean {
  return (
    rights.scope === 'all' ||
    (rights.scope === 'queue' && !rights.permissions.has('review_list:quality'))
  )
}
