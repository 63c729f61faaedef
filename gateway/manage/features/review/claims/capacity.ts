/** How much one reviewer may hold (`review.maxClaimed`), and whether he may be given work. */
import { type RawBuilder, sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'

/** First key of the advisory locks that make claims of one person come one after the other. */
const SEAT_LOCK = 7_101

/** Two tabs, or a leader and the reviewer himself, cannot exceed the capacity together: whoever counts holds this until the commit. */
export async function takeSeat(cx: Cx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SEAT_LOCK}, hashtext(${userId}))`.execute(cx.db)
}

export const HELD_BY = (userId: string): RawBuilder<number> =>
  sql<number>`(select count(*)::int from review c where c.reviewer_id = ${userId} and c.state in ('toAudit', 'underReview'))`
export const CAPACITY = intParameter('review.maxClaimed')

/** Whether the role of `g` holds the code that makes a reviewer. */
export const IS_REVIEWER = sql<boolean>`exists (select 1 from sys_role_menu rm join sys_menu m on m.id = rm.menu_id where rm.role_id = g.id and m.name = 'review_list' and 'claim' = any(rm.buttons))`
/** Whether `u` takes new work. */
export const ON_DUTY = sql<boolean>`(u.allocation_flag and u.status in ('enabled', 'normal') and g.status = 'enabled')`

export interface Target {
  userId: string
  userName: string
  isReviewer: boolean
  onDuty: boolean
  openClaims: number
  capacity: number
}

/**
 * The person a review shall go to, counted after `takeSeat`.
 * @throws Problem G404 when there is no such account
 */
export async function targetOf(cx: Cx, userId: string): Promise<Target> {
  await takeSeat(cx, userId)
  const { rows } = await sql<Target>`
    select u.id as "userId", u.user_name as "userName", ${IS_REVIEWER} as "isReviewer", ${ON_DUTY} as "onDuty", ${HELD_BY(userId)} as "openClaims", ${CAPACITY} as capacity
    from sys_user u join sys_role g on g.id = u.role_id where u.id = ${userId}`.execute(cx.db)
  const target = rows[0]
  if (!target) throw new Problem(NOT_FOUND)
  return target
}
