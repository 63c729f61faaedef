/**
 * Built-in machine review: judges applications in 10 and reviews returned to the machine; abnormal
 * ones are retried and then go to manual review. Judging runs outside any transaction; the result
 * is stored by the same command as an external machine's. After a crash in between, the next run
 * judges again, and so it does for applications that changed meanwhile or were answered by another
 * process.
 */
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { MAX_MACHINE_RETRIES } from '#shared/review/review-lifecycle.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { currentRuleSet, RuleSetInvalid } from '#gateway/manage/features/rules/public.ts'
import { retryAbnormal } from '../decisions/retry-review.ts'
import { receiveMachineReview } from '../inbound/receive-machine-review.ts'
import { MENU } from '../review-events.ts'
import { lockIfFree } from '../review-store.ts'
import { readApplication, SAMPLE_FACTS } from './application-facts.ts'
import { FAILED, judgeApplication, type Judgement } from './judge-application.ts'

const NAME = 'machineReview'
/** Reviews per run; the rest follows at once. */
const CHUNK = 200
/** An error may be temporary; each further retry waits this much longer. */
const RETRY_AFTER_MINUTES = 2

export const machineReview: ScheduledClass = {
  name: NAME,
  cycle: 'every:60',
  async run(context) {
    const retried = await eachReview(context, await waitingAbnormal(context), retryOne)
    const ids = await waitingForMachine(context)
    const judged = await eachReview(context, ids, judgeOne)
    // a full chunk means more rows, but one with only failures would repeat for ever
    if (ids.length === CHUNK && judged > 0) context.wakeSchedule(NAME)
    return judged + retried === 0 ? '' : `judged ${judged}, tried again ${retried}`
  },
}

async function waitingForMachine({ database }: AppContext): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`
    select r.id
    from review r
    where r.state = 'initial' and r.finished_at is null
    order by r.created_at, r.id limit ${CHUNK}`.execute(database.kysely)
  return rows.map((row) => row.id)
}

async function waitingAbnormal({ database }: AppContext): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from review r where r.state = 'abnormal'
      and r.updated_at <= clock_timestamp() - make_interval(mins => ${RETRY_AFTER_MINUTES} * (r.retry_count
      + 1)) order by r.updated_at, r.id limit ${CHUNK}`.execute(database.kysely)
  return rows.map((row) => row.id)
}

/** One refusal must not block the others. @returns the number of moved reviews */
async function eachReview(
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

async function judgeOne(context: AppContext, reviewId: string): Promise<boolean> {
  const application = await readApplication(context, reviewId)
  if (application === null) return false
  const { judgement, machineId } = await judgementOf(context, application.facts)
  return command(context, reviewId, async (tx) => {
    const review = await lockIfFree(
      tx,
      reviewId,
      sql<boolean>`
        r.state = 'initial' and r.finished_at is null and r.version = ${application.reviewVersion}`,
    )
    if (!review) return false
    const { rows } = await sql<{
      version: number
    }>`select o.version from loan_order o where o.id = ${review.order_id}`.execute(tx.db)
    if (rows[0]?.version !== application.orderVersion) return false
    await receiveMachineReview(tx, { reviewId, machineId, ...judgement })
    return true
  })
}

/**
 * Unreadable rules are not the applicant's fault: the review becomes abnormal and finally manual.
 */
async function judgementOf(
  context: AppContext,
  facts: Parameters<typeof judgeApplication>[1],
): Promise<{ judgement: Judgement; machineId: string }> {
  try {
    const ruleSet = await currentRuleSet(context.database.kysely, SAMPLE_FACTS)
    return {
      judgement: await judgeApplication(ruleSet, facts),
      machineId: `rules-${ruleSet.versionNo}`,
    }
  } catch (error) {
    if (!(error instanceof RuleSetInvalid)) throw error
    context.log.error({ err: error }, 'the rules of machine review cannot be read')
    return { judgement: FAILED, machineId: 'rules' }
  }
}

function retryOne(context: AppContext, reviewId: string): Promise<boolean> {
  return command(context, reviewId, async (tx) => {
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

async function command(
  context: AppContext,
  reviewId: string,
  run: (tx: CommandTx) => Promise<boolean>,
): Promise<boolean> {
  const { result } = await runCommand(
    context,
    {
      actor: systemActor(NAME),
      audit: { action: NAME, menu: MENU, targetKind: 'review', targetId: reviewId },
    },
    run,
  )
  return result
}
