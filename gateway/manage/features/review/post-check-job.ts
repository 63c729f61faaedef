/** Tele-verification and pre-transaction checks of reviews decided to pass (decisions/post-check.ts says how they are read). */
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import { failReview, passReview } from './decisions/finish-review.ts'
import { checkedReview, postCheckOf } from './decisions/post-check.ts'
import { logReview, MENU, notifyOf, tellMoved } from './review-events.ts'
import { nextState } from './review-refusals.ts'
import type { ReviewRow } from './review-row.ts'
import { lockIfFree, type LockedReview, moveReview } from './review-store.ts'

const NAME = 'postCheck'
const IS_WAITING = sql<boolean>`r.state = 'audited' and r.manual_result = 'passed'`

export const postCheck: ScheduledClass = {
  name: NAME,
  cycle: 'every:10',
  async run(house) {
    const { rows } = await sql<{
      id: string
    }>`select r.id from review r where ${IS_WAITING} order by r.decided_at, r.id limit 500`.execute(
      house.database.kysely,
    )
    let checked = 0
    for (const { id } of rows) {
      try {
        await runCommand(
          house,
          {
            actor: systemActor(NAME),
            audit: { action: NAME, menu: MENU, targetKind: 'review', targetId: id },
          },
          (cx) => checkOne(cx, id),
        )
        checked += 1
      } catch (error) {
        // one order that refuses must not keep the others waiting
        if (!(error instanceof Problem)) throw error
        house.log.error({ reviewId: id, problem: error.id }, 'a post check was refused')
      }
    }
    return checked === 0 ? '' : `checked ${checked}`
  },
}

async function checkOne(cx: Cx, reviewId: string): Promise<void> {
  const review = await lockIfFree(cx, reviewId, IS_WAITING)
  if (!review) return
  const row = await outcomeOf(cx, review)
  logReview(cx, NAME, review, row, { preRejectCode: row.preRejectCode })
  if (row.state !== 'passed')
    notifyOf(
      cx,
      review.reviewer_id,
      'decision',
      row.state === 'failed' ? 'postCheckFailed' : 'postCheckError',
      row,
    )
}

async function outcomeOf(cx: Cx, review: LockedReview): Promise<ReviewRow> {
  const { facts, rejectCode } = postCheckOf(await checkedReview(cx, review))
  if (rejectCode !== null)
    return failReview(cx, review, { type: 'POST_CHECK_FAIL', ...facts }, rejectCode, [
      sql`pre_reject_code = ${rejectCode}, quota_reject = ${rejectCode === 'quotaExceeded'}`,
    ])
  if (facts.tele === 'passed' && facts.preTransaction === 'passed')
    return passReview(cx, review, facts)
  const row = await moveReview(cx, review, {
    event: 'POST_CHECK_ERROR',
    to: await nextState(cx.db, review, { type: 'POST_CHECK_ERROR', ...facts }),
  })
  tellMoved(cx, review.state, row)
  return row
}
