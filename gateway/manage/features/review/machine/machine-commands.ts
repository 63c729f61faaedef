/** What the machine's classes do to a review: each in a command of its own. */
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { MAX_MACHINE_RETRIES } from '#shared/review/review-lifecycle.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import { retryAbnormal } from '../decisions/retry-review.ts'
import { MENU } from '../review-events.ts'
import { lockIfFree } from '../review-store.ts'

const ACTION = 'machineReview'
const CHUNK = 200
/** An error may be temporary; each further retry waits this much longer. */
const RETRY_AFTER_MINUTES = 2

/** Abnormal reviews whose time has come: judged again, or to manual review when tries are spent. */
export async function retryAbnormals(context: AppContext): Promise<number> {
  return eachReview(context, await waitingAbnormal(context), retryOne)
}

/** One refusal must not block the others. @returns the number of moved reviews */
export async function eachReview(
  context: AppContext,
  ids: readonly string[],
  move: (context: AppContext, reviewId: string) => Promise<boolean>,
): Promise<number> {
  let moved = 0
  for (const id of ids) {
    try {
      if (await move(context, id)) moved += 1
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      context.log.error(
        { reviewId: id, problem: error.id },
        'a judgement of the machine was refused',
      )
    }
  }
  return moved
}

async function waitingAbnormal({ database }: AppContext): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from review r where r.state = 'abnormal'
      and r.updated_at <= clock_timestamp() - make_interval(mins => ${RETRY_AFTER_MINUTES} * (r.retry_count
      + 1)) order by r.updated_at, r.id limit ${CHUNK}`.execute(database.kysely)
  return rows.map((row) => row.id)
}

function retryOne(context: AppContext, reviewId: string): Promise<boolean> {
  return commandOnReview(context, reviewId, async (tx) => {
    const review = await lockIfFree(tx, reviewId, sql<boolean>`r.state = 'abnormal'`)
    if (!review) return false
    await retryAbnormal(
      tx,
      review,
      review.retry_count < MAX_MACHINE_RETRIES ? 'RETRY' : 'SEND_MANUAL',
    )
    return true
  })
}

export async function commandOnReview(
  context: AppContext,
  reviewId: string,
  run: (tx: CommandTx) => Promise<boolean>,
): Promise<boolean> {
  const { result } = await runCommand(
    context,
    {
      actor: systemActor(ACTION),
      audit: { action: ACTION, menu: MENU, targetKind: 'review', targetId: reviewId },
    },
    run,
  )
  return result
}
