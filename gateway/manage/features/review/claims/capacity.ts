/** The capacity of a reviewer (`review.maxClaimed`), and whether they may be given work. */
import { type RawBuilder, sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { lockCapacity, ON_DUTY } from '#gateway/manage/kernel/claims/claim-table.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { CLAIMS } from '../review-store.ts'

export const HELD_BY = (userId: string): RawBuilder<number> =>
  sql<number>`
    (select count(*)::int from review c where c.reviewer_id = ${userId}
      and c.state in ('toAudit', 'underReview'))`
export const CAPACITY = intParameter('review.maxClaimed')

/** Whether the role of `g` has the permission code of reviewers. */
export const IS_REVIEWER = sql<boolean>`
  exists (select 1 from sys_role_menu rm join sys_menu m on m.id = rm.menu_id where rm.role_id = g.id
    and m.name = 'review_list' and 'claim' = any(rm.buttons))`
export interface Target {
  userId: string
  userName: string
  isReviewer: boolean
  onDuty: boolean
  openClaims: number
  capacity: number
}

/**
 * The receiver of a review, with the claims counted under the capacity lock.
 * @throws Problem G404 for an unknown account
 */
export async function targetOf(tx: CommandTx, userId: string): Promise<Target> {
  await lockCapacity(tx, CLAIMS.table, userId)
  const { rows } = await sql<Target>`
    select u.id as "userId", u.user_name as "userName", ${IS_REVIEWER} as "isReviewer",
      ${ON_DUTY} as "onDuty", ${HELD_BY(userId)} as "openClaims", ${CAPACITY} as capacity
    from sys_user u join sys_role g on g.id = u.role_id where u.id = ${userId}`.execute(tx.db)
  const target = rows[0]
  if (!target) throw new Problem(NOT_FOUND)
  return target
}
