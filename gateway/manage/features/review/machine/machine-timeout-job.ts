/**
 * No review waits for a machine without end: one that got no result within
 * `review.machineMinutes` goes to manual review as undecided, and what was abnormal is tried again
 * until its tries are spent.
 */
import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { receiveMachineReview } from '../inbound/receive-machine-review.ts'
import { lockIfFree } from '../review-store.ts'
import { commandOnReview, eachReview, retryAbnormals } from './machine-commands.ts'

/** Of the report of a review that no machine judged. */
const NO_MACHINE = 'timeout'
const CHUNK = 200
const IS_LATE = sql<boolean>`
  r.state = 'initial' and r.finished_at is null
    and r.updated_at <= clock_timestamp() - make_interval(mins => ${intParameter('review.machineMinutes')})`

export const machineTimeout: ScheduledClass = {
  name: 'machineTimeout',
  cycle: 'every:60',
  async run(context) {
    const retried = await retryAbnormals(context)
    const { rows } = await sql<{ id: string }>`
      select r.id from review r where ${IS_LATE} order by r.updated_at, r.id limit ${CHUNK}`.execute(
      context.database.kysely,
    )
    const ids = rows.map(({ id }) => id)
    const toManualReview = await eachReview(context, ids, queueOne)
    return { retried, toManualReview }
  },
}

function queueOne(context: AppContext, reviewId: string): Promise<boolean> {
  return commandOnReview(context, reviewId, async (tx) => {
    if (!(await lockIfFree(tx, reviewId, IS_LATE))) return false
    await receiveMachineReview(tx, {
      reviewId,
      machineId: NO_MACHINE,
      result: 'undecided',
      needManual: true,
      rules: [],
    })
    return true
  })
}
