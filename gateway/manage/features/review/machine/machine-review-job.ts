/**
 * Built-in machine review: judges applications in 10 and reviews returned to the machine; abnormal
 * ones are retried and then go to manual review. Judging runs outside any transaction; the result
 * is stored by the same command as an external machine's. After a crash in between, the next run
 * judges again, and so it does for applications that changed meanwhile or were answered by another
 * process.
 */
import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { lowerRates } from '#gateway/manage/features/orders/public.ts'
import {
  currentRuleSet,
  RuleSetInvalid,
  storeJudgement,
} from '#gateway/manage/features/rules/public.ts'
import { receiveMachineReview } from '../inbound/receive-machine-review.ts'
import { lockIfFree } from '../review-store.ts'
import { IS_CHECKED } from './applicant-check-job.ts'
import { type JudgedApplication, readApplication } from './application-facts.ts'
import { commandOnReview, eachReview, retryAbnormals } from './machine-commands.ts'
import { FAILED, judgeApplication, type Judging, NO_RATES } from './judge-application.ts'

const NAME = 'machineReview'
/** Reviews per run; the rest follows at once. */
const CHUNK = 200

export const machineReview: ScheduledClass = {
  name: NAME,
  cycle: 'every:60',
  async run(context) {
    const retried = await retryAbnormals(context)
    const ids = await waitingForMachine(context)
    const judged = await eachReview(context, ids, judgeOne)
    // a full chunk means more rows, but one with only failures would repeat for ever
    if (ids.length === CHUNK && judged > 0) context.wakeSchedule(NAME)
    return { judged, retried }
  },
}

async function waitingForMachine({ database }: AppContext): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`
    select r.id
    from review r
    join loan_order o on o.id = r.order_id
    where r.state = 'initial' and r.finished_at is null and ${IS_CHECKED}
    order by r.created_at, r.id limit ${CHUNK}`.execute(database.kysely)
  return rows.map((row) => row.id)
}

async function judgeOne(context: AppContext, reviewId: string): Promise<boolean> {
  const application = await readApplication(context, reviewId)
  if (application === null) return false
  const { judgement, rates, machineId, ...outcome } = await judgementOf(context, application)
  return commandOnReview(context, reviewId, async (tx) => {
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
    await lowerRates(tx, review.order_id, rates)
    await receiveMachineReview(tx, { reviewId, machineId, ...judgement })
    if (judgement.result !== 'error')
      await storeJudgement(tx, { reviewId, orderId: review.order_id }, outcome)
    return true
  })
}

/**
 * Unreadable rules are not the applicant's fault: the review becomes abnormal and finally manual.
 */
async function judgementOf(
  context: AppContext,
  { facts, orderId }: JudgedApplication,
): Promise<Judging & { machineId: string }> {
  try {
    const ruleSet = await currentRuleSet(context.database.kysely)
    const judging = await judgeApplication(ruleSet, facts, orderId)
    return { ...judging, machineId: `rules-${ruleSet.versionNo}` }
  } catch (error) {
    if (!(error instanceof RuleSetInvalid)) throw error
    context.log.error({ err: error }, 'the rules of machine review cannot be read')
    const nothing = { facts, rates: NO_RATES, results: [], tables: [], trials: [] }
    return { judgement: FAILED, ...nothing, machineId: 'rules' }
  }
}
