/**
 * Machine review by the rules of this installation: applications in 10 and reviews sent back to the machine are judged, abnormal
 * ones are tried again and go to people when their tries are spent (api.md 24, machineReview). A judgement is made outside any
 * transaction and stored by the command an external machine's answer is stored by; when the process dies between, nothing happened
 * and the next run judges again. What changed while the rules ran, or was answered by another process, is left to the next run.
 */
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { MAX_MACHINE_RETRIES } from '#shared/review/review-lifecycle.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { currentRuleSet, RuleSetInvalid } from '#gateway/manage/features/rules/public.ts'
import { retryAbnormal } from '../decisions/retry-review.ts'
import { receiveMachineReview } from '../inbound/receive-machine-review.ts'
import { MENU } from '../review-events.ts'
import { lockIfFree } from '../review-store.ts'
import { readApplication, SAMPLE_FACTS } from './application-facts.ts'
import { FAILED, judgeApplication, type Judgement } from './judge-application.ts'

const NAME = 'machineReview'
/** Reviews of one run; the rest follows at once. */
const CHUNK = 200
/** An error may pass by itself; each further try waits this much longer. */
const RETRY_AFTER_MINUTES = 2

export const machineReview: ScheduledClass = {
  name: NAME,
  cycle: 'every:60',
  async run(house) {
    const retried = await eachReview(house, await waitingAbnormal(house), retryOne)
    const ids = await waitingForMachine(house)
    const judged = await eachReview(house, ids, judgeOne)
    // a full chunk has more behind it; one that only failed would be asked for again without end
    if (ids.length === CHUNK && judged > 0) house.wakeSchedule(NAME)
    return judged + retried === 0 ? '' : `judged ${judged}, tried again ${retried}`
  },
}

async function waitingForMachine({ database }: House): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select r.id from review r where r.state = 'initial' and r.finished_at is null order by r.created_at, r.id limit ${CHUNK}`.execute(
    database.kysely,
  )
  return rows.map((row) => row.id)
}

async function waitingAbnormal({ database }: House): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from review r where r.state = 'abnormal' and r.updated_at <= clock_timestamp() - make_interval(mins => ${RETRY_AFTER_MINUTES} * (r.retry_count + 1)) order by r.updated_at, r.id limit ${CHUNK}`.execute(
    database.kysely,
  )
  return rows.map((row) => row.id)
}

/** One that refuses must not keep the others waiting. @returns how many were moved */
async function eachReview(
  house: House,
  ids: readonly string[],
  move: (house: House, reviewId: string) => Promise<boolean>,
): Promise<number> {
  let moved = 0
  for (const id of ids) {
    try {
      if (await move(house, id)) moved += 1
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      house.log.error({ reviewId: id, problem: error.id }, 'a judgement of the machine was refused')
    }
  }
  return moved
}

async function judgeOne(house: House, reviewId: string): Promise<boolean> {
  const application = await readApplication(house, reviewId)
  if (application === null) return false
  const { judgement, machineId } = await judgementOf(house, application.facts)
  return command(house, reviewId, async (cx) => {
    const review = await lockIfFree(
      cx,
      reviewId,
      sql<boolean>`r.state = 'initial' and r.finished_at is null and r.version = ${application.reviewVersion}`,
    )
    if (!review) return false
    const { rows } = await sql<{
      version: number
    }>`select o.version from loan_order o where o.id = ${review.order_id}`.execute(cx.db)
    if (rows[0]?.version !== application.orderVersion) return false
    await receiveMachineReview(cx, { reviewId, machineId, ...judgement })
    return true
  })
}

/** Rules that cannot be read are nobody's fault who applied: the review is abnormal, and people take it in the end. */
async function judgementOf(
  house: House,
  facts: Parameters<typeof judgeApplication>[1],
): Promise<{ judgement: Judgement; machineId: string }> {
  try {
    const ruleSet = await currentRuleSet(house.database.kysely, SAMPLE_FACTS)
    return {
      judgement: await judgeApplication(ruleSet, facts),
      machineId: `rules-${ruleSet.versionNo}`,
    }
  } catch (error) {
    if (!(error instanceof RuleSetInvalid)) throw error
    house.log.error({ err: error }, 'the rules of machine review cannot be read')
    return { judgement: FAILED, machineId: 'rules' }
  }
}

function retryOne(house: House, reviewId: string): Promise<boolean> {
  return command(house, reviewId, async (cx) => {
    const review = await lockIfFree(cx, reviewId, sql<boolean>`r.state = 'abnormal'`)
    if (!review) return false
    await retryAbnormal(
      cx,
      review,
      review.retry_count < MAX_MACHINE_RETRIES ? 'RETRY' : 'SEND_MANUAL',
    )
    return true
  })
}

async function command(
  house: House,
  reviewId: string,
  run: (cx: Cx) => Promise<boolean>,
): Promise<boolean> {
  const { result } = await runCommand(
    house,
    {
      actor: systemActor(NAME),
      audit: { action: NAME, menu: MENU, targetKind: 'review', targetId: reviewId },
    },
    run,
  )
  return result
}
