/**
 * What follows from a decision once it can no longer be undone: a rejection ends review and order, a
 * pass has its tele-verification and pre-transaction checks (decisions/post-check.ts).
 */
import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { runPerRow } from '#gateway/manage/kernel/system-command.ts'
import { failReview, passReview, rejectReview } from './decisions/finish-review.ts'
import { checkedReview, postCheckOf } from './decisions/post-check.ts'
import { logReview, MENU, notifyAboutReview, emitMoved } from './review-events.ts'
import { nextState } from './review-refusals.ts'
import type { ReviewRow } from './review-row.ts'
import { lockIfFree, type LockedReview, moveReview } from './review-store.ts'

const NAME = 'postCheck'
const IS_WAITING = sql<boolean>`
  r.state = 'audited' and r.manual_result is not null
    and r.decided_at <= clock_timestamp() - make_interval(secs => ${intParameter('review.undoSeconds')})`

export const postCheck: ScheduledClass = {
  name: NAME,
  cycle: 'every:10',
  async run(context) {
    const { rows } = await sql<{
      id: string
    }>`select r.id from review r where ${IS_WAITING} order by r.decided_at, r.id limit 500`.execute(
      context.database.kysely,
    )
    const checked = await runPerRow(
      context,
      rows.map(({ id }) => id),
      {
        name: NAME,
        audit: { action: NAME, menu: MENU, targetKind: 'review' },
        onRefused: (reviewId, { id: problem }) =>
          context.log.error({ reviewId, problem }, 'a post check was refused'),
      },
      checkOne,
    )
    return { checked }
  },
}

async function checkOne(tx: CommandTx, reviewId: string): Promise<void> {
  const review = await lockIfFree(tx, reviewId, IS_WAITING)
  if (!review) return
  if (review.manual_result === 'failed') {
    const row = await rejectReview(tx, review)
    return logReview(tx, NAME, review, row)
  }
  const row = await outcomeOf(tx, review)
  logReview(tx, NAME, review, row, { preRejectCode: row.preRejectCode })
  if (row.state !== 'passed')
    notifyAboutReview(
      tx,
      review.reviewer_id,
      'decision',
      row.state === 'failed' ? 'postCheckFailed' : 'postCheckError',
      row,
    )
}

async function outcomeOf(tx: CommandTx, review: LockedReview): Promise<ReviewRow> {
  const { facts, rejectCode } = postCheckOf(await checkedReview(tx, review))
  if (rejectCode !== null)
    return failReview(tx, review, { type: 'POST_CHECK_FAIL', ...facts }, rejectCode, [
      sql`pre_reject_code = ${rejectCode}, quota_reject = ${rejectCode === 'quotaExceeded'}`,
    ])
  if (facts.tele === 'passed' && facts.preTransaction === 'passed')
    return passReview(tx, review, facts)
  const row = await moveReview(tx, review, {
    event: 'POST_CHECK_ERROR',
    to: await nextState(tx.db, review, { type: 'POST_CHECK_ERROR', ...facts }),
  })
  emitMoved(tx, review.state, row)
  return row
}
