/** Data requested but not sent within `review.dataHours`: failed with Z01, order 22 → 27. */
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import { failReview } from './decisions/finish-review.ts'
import { logReview, MENU, notifyAboutReview } from './review-events.ts'
import { lockIfFree } from './review-store.ts'

const NAME = 'dataTimeout'
/** "Other" among the reject reasons; this is its mandatory remark. */
const REJECT_CODE = 'Z01'
const REMARK = 'No data within the time given'
const IS_OVERDUE = sql<boolean>`r.state = 'dataModifiable' and r.data_until <= clock_timestamp()`

export const dataTimeout: ScheduledClass = {
  name: NAME,
  cycle: '0 * * * *',
  async run(context) {
    const { rows } = await sql<{
      id: string
    }>`select r.id from review r where ${IS_OVERDUE} order by r.data_until, r.id limit 1000`.execute(
      context.database.kysely,
    )
    let ended = 0
    for (const { id } of rows) {
      try {
        await runCommand(
          context,
          {
            actor: systemActor(NAME),
            audit: { action: NAME, menu: MENU, targetKind: 'review', targetId: id },
          },
          (tx) => endOne(tx, id),
        )
        ended += 1
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        context.log.error(
          { reviewId: id, problem: error.id },
          'a review could not be ended for want of data',
        )
      }
    }
    return ended === 0 ? '' : `ended ${ended}`
  },
}

async function endOne(tx: CommandTx, reviewId: string): Promise<void> {
  const review = await lockIfFree(tx, reviewId, IS_OVERDUE)
  if (!review) return
  const row = await failReview(
    tx,
    review,
    { type: 'DATA_TIMEOUT', deadlinePassed: review.data_over },
    REJECT_CODE,
    [sql`reject_code = ${REJECT_CODE}, remark = ${REMARK}`],
  )
  logReview(tx, NAME, review, row)
  notifyAboutReview(tx, review.reviewer_id, 'decision', 'dataTimeout', row)
}
