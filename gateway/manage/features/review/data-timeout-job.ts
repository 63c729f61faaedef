/** Data requested but not sent within `review.dataHours`: failed with Z01, order 22 → 27. */
import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { runPerRow } from '#gateway/manage/kernel/system-command.ts'
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
    const ended = await runPerRow(
      context,
      rows.map(({ id }) => id),
      {
        name: NAME,
        audit: { action: NAME, menu: MENU, targetKind: 'review' },
        onRefused: (reviewId, { id: problem }) =>
          context.log.error({ reviewId, problem }, 'a review could not be ended for want of data'),
      },
      endOne,
    )
    return { ended }
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
